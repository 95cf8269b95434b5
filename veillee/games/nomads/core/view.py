"""Nomads: the view of a seat, and sampling of what it does not know."""

from __future__ import annotations

from veillee.engine.jit.layout import Cells
from veillee.games.nomads.core.rules import deal
from veillee.games.nomads.core.state import (
    UNKNOWN,
    State,
)


def view(s: State, seats: int) -> None:
    """Redact the tiles under each top one, which nobody knows. nomads.public"""
    for space in range(s.ring):
        for height in range(s.tiles[space] - 1):
            s.stack[space, height] = UNKNOWN


def resample(s: State, seats: int, rng: Cells) -> None:
    """Deal the unseen tiles again. Reads nothing that `view` redacts."""
    deal(s, 1, rng)
