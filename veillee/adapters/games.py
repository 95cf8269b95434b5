"""Naming a game, its players and its options, the same way in every adapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from veillee.adapters.compiled import planes
from veillee.engine.contract import Contract
from veillee.engine.library import game

SMALL = "small"


def setting(
    name: str, players: int | None, options: Mapping[str, Any]
) -> tuple[Contract, int, dict[str, Any]]:
    """A game that can be learned, how many play it (the fewest, unless told), and its options.

    `small=True` among the options stands for those of the game's small variant.
    """
    contract = game(name)
    planes(contract)
    chosen = dict(options)
    if chosen.pop(SMALL, False):
        chosen = {**contract.small, **chosen}
    count = min(contract.seats) if players is None else players
    contract.template(count, chosen)
    return contract, count, chosen


def new_seed() -> int:
    """A seed for who gave none."""
    return int(np.random.default_rng().integers(1 << 62))
