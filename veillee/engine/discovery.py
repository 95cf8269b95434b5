"""Find the packages of games, without loading them.

A game is a package with a `SPEC` of class `GameSpec`, named like the game. It is found if it is

- a folder of `veillee/games`,
- named by an entry point of an installed distribution: group `veillee.games`, name of the game,
- a folder in one of the folders that the environment variable VEILLEE_GAMES lists. The command
  line adds the current folder (see `use_folder`).
"""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

GAMES = "veillee.games"
"""The package whose folders are games, and the group of entry points."""
FOLDERS = "VEILLEE_GAMES"


@cache
def packages() -> dict[str, str]:
    """Return the package of each game, by the game's name."""
    own = folder_of(GAMES)
    found = {module.name: f"{GAMES}.{module.name}" for module in pkgutil.iter_modules([str(own)])}
    found |= {point.name: point.module for point in entry_points(group=GAMES)}
    for folder in os.environ.get(FOLDERS, "").split(os.pathsep):
        for name in _games_in(folder):
            found.setdefault(name, name)
            if folder not in sys.path:
                sys.path.append(folder)
    return found


def folder_of(package: str) -> Path | None:
    """Return the folder of a package, without loading it; None if there is no such package."""
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found and found.origin else None


def use_folder(folder: Path) -> None:
    """Find the games in a folder too, here and in the processes that this one starts."""
    listed = [part for part in os.environ.get(FOLDERS, "").split(os.pathsep) if part]
    if str(folder) not in listed and any(_games_in(str(folder))):
        os.environ[FOLDERS] = os.pathsep.join([*listed, str(folder)])
        packages.cache_clear()


def _games_in(folder: str) -> Iterator[str]:
    """Yield the names of the packages in a folder that make a `GameSpec`."""
    if not folder:
        return
    for file in sorted(Path(folder).glob("*/__init__.py")):
        if file.parent.name.isidentifier() and b"GameSpec(" in file.read_bytes():
            yield file.parent.name
