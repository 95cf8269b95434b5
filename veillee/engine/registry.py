"""The games by name and rules version.

The newest rules of a game are its package's `SPEC`. Older versions are kept as packages
`versions/v1`, `versions/v2` … in the game's folder, each with a `SPEC` of its own, so that stored
and running games go on with the rules they began with.
"""

from __future__ import annotations

import copyreg
import importlib
import pkgutil
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from veillee.engine.discovery import GAMES, packages
from veillee.engine.game_spec import GameSpec
from veillee.engine.options import whole
from veillee.engine.refusal import Refusal


def games() -> dict[str, GameSpec]:
    """Return all games by name, ordered by rank, each with the newest version of its rules.

    A game from elsewhere that can't be loaded is left out with a warning: a game that somebody is
    just writing must not stop the others.
    """
    return _ordered(tuple(packages().items()))


@cache
def _ordered(found: tuple[tuple[str, str], ...]) -> dict[str, GameSpec]:
    loaded: dict[str, GameSpec] = {}
    for name, package in found:
        try:
            loaded[name] = _load(name, package)
        except Exception as error:
            if package.startswith(f"{GAMES}."):
                raise
            warnings.warn(
                f"the game {name} is left out, because it can't be loaded: "
                f"{type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=3,
            )
    return dict(sorted(loaded.items(), key=lambda item: (item[1].rank, item[0])))


NEWEST = "newest"


def game(name: str, version: Any = NEWEST) -> GameSpec:
    """Return a game by name, with a version of its rules or the newest.

    Raises:
        Refusal: If there is no such game or version.
    """
    if name not in packages():
        raise Refusal("unknown", "veillee.game", name=name, games=", ".join(games()))
    newest = _load(name, packages()[name])
    if version in (NEWEST, newest.version):
        return newest
    if not whole(version) or version not in versions(newest):
        raise Refusal(
            "unknown", "veillee.record", "veillee.record.rules", game=name, rules=str(version)[:40]
        )
    return _load(name, f"{newest.package}.versions.v{version}")


def versions(newest: GameSpec) -> list[int]:
    """Return the versions of a game's rules that can be played, the newest last."""
    folders = pkgutil.iter_modules([str(newest.folder / "versions")])
    older = {int(found.name.removeprefix("v")) for found in folders}
    return sorted(older | {newest.version})


@cache
def _load(name: str, package: str) -> GameSpec:
    spec: GameSpec = importlib.import_module(package).SPEC
    if spec.name != name:
        raise ImportError(f"the game in {package} must be called {name!r}, not {spec.name!r}")
    return spec


def _reduce(spec: GameSpec) -> tuple[Callable[..., GameSpec], tuple[str, int]]:
    return game, (spec.name, spec.version)


copyreg.pickle(GameSpec, _reduce)
