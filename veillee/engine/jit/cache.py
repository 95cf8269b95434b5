"""Where machine code is cached on disk, and under which key.

Numba does not notice that a called function in another file changed. So each module's code is kept
in a folder whose name is a hash of its own source and of all sources it imports, directly or not:
a changed rule recompiles what depends on it, a changed picture or text compiles nothing. The key
contains no path and no time, so a cache can be copied with a container image or shared by clones.

The cache is the folder VEILLEE_CACHE, or the user's cache folder. If it can't be written, what is
there is used, and what is missing goes into a temporary folder.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Self

COMPLETE = "complete"
"""Begins the names of files that tell that a game is compiled whole."""
FOLDER = "__cache_folder__"
"""Global of a built module that names its cache folder."""


@cache
def root() -> Path:
    """Return the folder of all caches."""
    named = os.environ.get("VEILLEE_CACHE")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("veillee"))


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder of this process, used where the cache can't be written."""
    return tempfile.TemporaryDirectory(prefix="veillee-")


@cache
def _warn_of_scratch() -> None:
    warnings.warn(
        f"{root()} can’t be written, so what is compiled now is kept for this process only. "
        "Set VEILLEE_CACHE to a folder that can be written to keep it.",
        RuntimeWarning,
        stacklevel=2,
    )


def is_writable(folder: Path) -> bool:
    """Tell whether files can be written into a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def module_key(modules: Iterable[ModuleType], packages: frozenset[str]) -> str:
    """Return a hash of the sources of modules and of all they import from `packages`."""
    digest = hashlib.sha256()
    for source in sorted(sources(modules, packages)):
        digest.update(_contents(source))
    return digest.hexdigest()[:16]


def sources(modules: Iterable[ModuleType], packages: frozenset[str]) -> set[Path]:
    """Return the source files of modules and of all they import, directly or not."""
    found: set[Path] = set()
    waiting = [module.__name__ for module in modules]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name.partition(".")[0] not in packages:
            continue
        seen.add(name)
        source = getattr(sys.modules[name], "__file__", None)
        if source:
            found.add(Path(source))
            waiting += _imports(Path(source), name)
    return found


@cache
def _contents(source: Path) -> bytes:
    return source.read_bytes()


@cache
def _imports(source: Path, name: str) -> tuple[str, ...]:
    """Return the names of the loaded modules that a module imports."""
    package = name if source.name == "__init__.py" else name.rpartition(".")[0]
    return tuple(_imported(ast.parse(_contents(source)).body, package))


def _imported(body: Iterable[ast.stmt], package: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in sys.modules)
        elif isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:
                inner = f"{home}.{alias.name}"
                yield inner if inner in sys.modules else home


class Locator:
    """A Numba cache locator for functions of a built module: see NUMBA_CACHE_LOCATOR_CLASSES."""

    def __init__(self, folder: Path, line: int) -> None:
        self._folder = folder
        self._line = line

    @classmethod
    def from_function(cls, function: FunctionType, _: str) -> Self | None:
        """Return the locator of a function; None for one that we did not build."""
        folder = function.__globals__.get(FOLDER)
        return None if folder is None else cls(folder, function.__code__.co_firstlineno)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return a constant: the folder's name is the hash of the sources already."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    def ensure_cache_path(self) -> None:
        """Make the folder. Numba calls this whenever it is about to keep what it compiled."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if not self._folder.is_relative_to(root()):
            _warn_of_scratch()


def njit(function: FunctionType, folder: Path, **settings: Any) -> Any:
    """Compile a function when it is first called, caching it in a folder."""
    import numba

    function.__globals__[FOLDER] = folder
    config: Any = numba.config
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    try:
        compiler: Callable[..., Any] = numba.njit(cache=True, nogil=True, **settings)
        return compiler(function)
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def folder_for(tag: str, key: str) -> Path:
    """Return where to keep a module's machine code: in the cache, or over a read-only cache.

    The tag is the name of the game, a hyphen and the name of the module.
    """
    folder = root() / f"{tag}-{key}"
    if is_writable(folder):
        os.utime(folder)  # so that code in use is not deleted as old
        return folder
    return _overlay(folder)


def _overlay(folder: Path) -> Path:
    """Return a temporary folder with the files of a read-only one, to which more can be added."""
    over = Path(_scratch().name) / folder.name
    over.mkdir(exist_ok=True)
    for path in folder.iterdir() if folder.is_dir() else ():
        if (over / path.name).exists():
            continue
        if os.name == "nt":  # where links need a privilege
            shutil.copy(path, over)
        else:
            (over / path.name).symlink_to(path)
    return over
