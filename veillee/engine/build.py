"""One implementation of each rule, two ways to run it: compiled by Numba, or plain.

`Build` copies the functions of a module into a namespace in which they find each other, and the
functions they import, in the same form. Numba's disk cache never hits for functions that close over
compiled ones, but it does for functions reached through globals under a name of their own: hence
whole modules, tagged with the game's name.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from veillee.engine.room import machine_room, room


class Build:
    """Functions of one game and of the generic code around it, all compiled or all plain."""

    def __init__(self, tag: str, package: str, compiled: bool) -> None:
        self.tag = tag
        self.compiled = compiled
        self._roots = {"veillee", package.partition(".")[0]}
        self._package = package
        self._done: dict[str, dict[str, Any]] = {}

    def module(self, module: ModuleType, bound: SimpleNamespace | None = None) -> SimpleNamespace:
        """A module's functions. Names that it leaves None are filled from `bound`."""
        return SimpleNamespace(**self._globals(module, vars(bound) if bound else {}))

    def _globals(self, module: ModuleType, bound: dict[str, Any]) -> dict[str, Any]:
        name = module.__name__
        if name in self._done:
            return self._done[name]
        space = self._done[name] = dict(vars(module))
        for key, value in vars(module).items():
            if value is None and key in bound:
                space[key] = bound[key]
            elif isinstance(value, FunctionType):
                home = value.__module__
                if home == name:
                    space[key] = self._function(value, space)
                elif home.partition(".")[0] in self._roots:
                    space[key] = self._globals(sys.modules[home], {})[value.__name__]
        return space

    def _function(self, function: FunctionType, space: dict[str, Any]) -> Any:
        # A closure is what mutation testing puts around a function; rules have none of their own.
        copy = FunctionType(
            function.__code__,
            space,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{self.tag}.{function.__module__.rpartition('.')[2]}.{copy.__name__}"
        if not self.compiled:
            return copy
        if function is room:
            return machine_room()
        import numba

        numba.config.CACHE_DIR = str(cache_folder(self._package))  # type: ignore[attr-defined]
        # Nothing here allocates; counting references to every array passed on took a third of the
        # time of random play.
        settings: dict[str, Any] = {
            "error_model": "numpy",
            "no_cfunc_wrapper": True,
            "_nrt": False,
        }
        return widened(numba.njit(cache=True, nogil=True, **settings)(copy))


def widened(dispatcher: Any) -> Any:
    """A compiled function that takes every integer of its compiled callers as 64 bits.

    Otherwise Numba would make a copy for each mix of widths, enums and constants that it is called
    with: half as many again to compile, and none the faster, since small functions are inlined.
    """
    from numba import types

    template = dispatcher.get_call_template

    def wide(kind: Any) -> Any:
        plain = types.unliteral(kind)  # type: ignore[no-untyped-call]
        return types.int64 if isinstance(plain, types.Integer | types.IntEnumMember) else plain

    def get_call_template(args: Any, kws: Any) -> Any:
        return template(tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


@cache
def cache_folder(package: str) -> Path:
    """Where a game's machine code is kept: one folder per state of the sources it comes from.

    Numba does not notice that a called function in another file changed, so the folder's name is
    a hash of the engine, the bots and the game. It lies in the person's cache folder, or where
    the environment's VEILLEE_CACHE says.
    """
    import platformdirs

    digest = hashlib.sha256()
    for source in sources(package):
        digest.update(source.read_bytes())
    name = package.rpartition(".")[2]
    root = os.environ.get("VEILLEE_CACHE") or platformdirs.user_cache_dir("veillee")
    return Path(root) / f"{name}-{digest.hexdigest()[:16]}"


def sources(package: str) -> list[Path]:
    """The files that a game's machine code comes from."""
    found: list[Path] = []
    for part in ("veillee.engine", "veillee.bots", package):
        if part in sys.modules:
            folder = Path(str(sys.modules[part].__file__)).parent
        else:
            folder = Path(__file__).parents[1] / part.partition(".")[2].replace(".", "/")
        found += sorted(folder.rglob("*.py"))
    return found
