"""What a game that brings no knowledge of its own is judged by: its points as they stand."""

from __future__ import annotations

from typing import Any

from veillee.engine.chance import below
from veillee.engine.record import Cells

scores: Any = None

ROOM = 64
"""How many numbers `points` has room for, to count in."""
BELIEVES = False
"""Whether some deals of what is hidden are believed more than others."""


def guess(s: Any, points: Cells, result: Any) -> float:
    """Every seat's expected points into `result`; returns how uncertain they are.

    The record is not played on afterwards, so what follows from it may be overwritten.
    """
    scores(s, points)
    for seat in range(s.players):
        result[seat] = points[seat]
    return 4.0


def lean(s: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Which of the legal actions to play on with."""
    return below(rng, n)


def believe(s: Any) -> float:
    """How likely what was seen to be done is, if the hidden things are so."""
    return 1.0


def veiled(s: Any) -> bool:
    """Whether the seat to decide goes by `lean` in the others' thoughts, because a tree for one of
    them would let it see that one's secrets."""
    return False
