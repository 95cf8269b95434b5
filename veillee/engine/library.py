"""Finding the games: every folder of `veillee.games`, and other packages' entry points."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from veillee.engine.contract import Contract
from veillee.engine.refusal import Refusal


@cache
def games() -> dict[str, Contract]:
    """All games by name."""
    import veillee.games

    found: dict[str, Contract] = {}
    for folder in pkgutil.iter_modules(veillee.games.__path__, "veillee.games."):
        contract = importlib.import_module(folder.name).GAME
        found[contract.name] = contract
    for point in entry_points(group="veillee.games"):
        contract = point.load()
        found[contract.name] = contract
    return found


def game(name: str) -> Contract:
    """One game by name."""
    found = games().get(name)
    if found is None:
        raise Refusal(
            "unknown", "veillee.game", "veillee.game", name=name, games=", ".join(games())
        )
    return found
