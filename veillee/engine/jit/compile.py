"""One implementation of each rule, two ways to run it: compiled by Numba, or as plain Python.

`Build` copies the functions of a module into a namespace in which they find each other, and the
functions they import, in the same form. Numba's disk cache never hits for functions that close over
compiled ones, but it does for functions reached through globals under a name of their own: hence
whole modules, tagged with the game's name.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from veillee.engine.jit import cache
from veillee.engine.jit.bits import compiled_highest, compiled_size_of, highest, size_of
from veillee.engine.jit.cells import (
    compiled_copy_cells,
    compiled_copy_record,
    compiled_rotate_cells,
    compiled_translate_cells,
    copy_cells,
    copy_record,
    rotate_cells,
    translate_cells,
)
from veillee.engine.jit.lanes import add_rows, compiled_add_rows
from veillee.engine.jit.scratch import (
    compiled_stack_array,
    compiled_stack_integers,
    stack_array,
    stack_integers,
)

SETTINGS: dict[str, Any] = {
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    # Nothing here allocates. Counting references to every array that is passed on took a third of
    # the time of random play.
    "_nrt": False,
}
INTRINSICS = {
    stack_array.__code__: compiled_stack_array,
    stack_integers.__code__: compiled_stack_integers,
    highest.__code__: compiled_highest,
    size_of.__code__: compiled_size_of,
    add_rows.__code__: compiled_add_rows,
    copy_record.__code__: compiled_copy_record,
    copy_cells.__code__: compiled_copy_cells,
    rotate_cells.__code__: compiled_rotate_cells,
    translate_cells.__code__: compiled_translate_cells,
}
"""Functions that are not compiled but replaced by instructions, by their code."""


class Build:
    """Functions of one game and of the generic code around it, all compiled or all plain."""

    def __init__(self, tag: str, package: str, compiled: bool) -> None:
        self.tag = tag
        self.compiled = compiled
        self._packages = frozenset({"veillee", package.partition(".")[0]})
        self._bound: dict[str, tuple[ModuleType, ...]] = {}
        self._done: dict[tuple[str, bool], dict[str, Any]] = {}

    def module(self, module: ModuleType, bound: Sequence[ModuleType] = ()) -> SimpleNamespace:
        """Return a module's functions: compiled, those that Python may call.

        A generic module leaves names None that stand for a game's functions. They are filled from
        the modules in `bound`; each of these may use the ones before it in the same way. Functions
        that a module names in `INLINED` are inlined wherever they are called. Python can't call
        those in `INTERNAL`, nor any of the modules in `bound`.
        """
        self._bound.setdefault(module.__name__, tuple(bound))
        space = self._globals(module, tuple(bound), called=True)
        if not self.compiled:
            return SimpleNamespace(**space)
        return SimpleNamespace(**{name: space[name] for name in _entry_points(module)})

    def _globals(
        self, module: ModuleType, bound: tuple[ModuleType, ...], called: bool = False
    ) -> dict[str, Any]:
        """Return a module's names; `called` tells whether Python calls its functions."""
        name = module.__name__
        if (name, called) in self._done:
            return self._done[name, called]
        bound = self._bound.get(name, bound)
        space = self._done[name, called] = dict(vars(module))
        for i, other in enumerate(bound):
            built = self._globals(other, bound[:i])
            space |= {
                key: built[key]
                for key, value in vars(module).items()
                if value is None and key in built
            }
        own = []
        for key, value in vars(module).items():
            if isinstance(value, FunctionType):
                home = value.__module__
                if home == name:
                    own.append(key)
                elif home.partition(".")[0] in self._packages:
                    space[key] = self._globals(sys.modules[home], ())[value.__name__]
        copies = {key: self._copied(vars(module)[key], space) for key in own}
        if self.compiled:
            sources = (
                [module, *bound] if any(v is None for v in vars(module).values()) else [module]
            )
            key = cache.module_key(sources, self._packages)
            tag = f"{self.tag}-{name.rpartition('.')[2]}"
            entries = _entry_points(module) if called else ()
            inlined = vars(module).get("INLINED", ())
            for each, copy in copies.items():
                # In folders apart: what is cached without machine code must never be called.
                kind = tag if each in entries else f"{tag}-bitcode"
                folder = cache.folder_for(kind, key)
                space[each] = _machine_code(copy, folder, each in entries, each in inlined)
        else:
            space |= copies
        return space

    def _copied(self, function: FunctionType, space: dict[str, Any]) -> FunctionType:
        # Rules have no closures of their own; mutation testing wraps functions in one.
        copy = FunctionType(
            function.__code__,
            space,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{self.tag}.{function.__module__.rpartition('.')[2]}.{copy.__name__}"
        return copy


def _entry_points(module: ModuleType) -> list[str]:
    """Return the names of a module's functions that Python may call."""
    internal = vars(module).get("INTERNAL", ())
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and name not in internal
    ]


def _machine_code(function: FunctionType, folder: Path, called: bool, inlined: bool) -> Any:
    """Return a function compiled; `called` tells whether Python calls it."""
    if function.__code__ in INTRINSICS:
        return INTRINSICS[function.__code__]()
    key = (folder, function.__qualname__, function.__code__)
    if key not in _COMPILED:
        from veillee.engine.jit.bitcode import Compiler

        # Said of every function, since callees inherit it otherwise.
        settings = SETTINGS | {"forceinline": inlined, "no_cpython_wrapper": not called}
        _COMPILED[key] = _widened(cache.njit(function, folder, pipeline_class=Compiler, **settings))
    return _COMPILED[key]


_COMPILED: dict[tuple[Path, str, CodeType], Any] = {}
"""Compiled functions, by folder, name and code: the rules are the same for all that is built around
them, and need not be loaded from the disk again."""


def _widened(dispatcher: Any) -> Any:
    """Make a compiled function take every integer of its compiled callers as 64 bits.

    Otherwise Numba would compile a copy for each mix of widths, enums and constants that it is
    called with: half as many again to compile, and none the faster, since small functions are
    inlined.
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
