"""Nomads: every action as a small integer."""

from __future__ import annotations

from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    MOST_WILDS,
    SONGS,
    SPACES,
    TALLEST_PILE,
)

PASS = 0
ADVENTURER = 1
"""+ disc - 1, for the five Adventurers."""
PLACE = ADVENTURER + 5
"""+ (disc - 1) * 8 + space, for the five Adventurers and the Frog."""
LYS = PLACE + 6 * SPACES
"""+ space."""
KEEP = LYS + SPACES
LIFT = KEEP + 1
"""+ space * 19 + height."""
SOW = LIFT + SPACES * TALLEST_PILE
"""+ (space * 2 + direction) * 39 + way: 0 plain, 1 to 19 double, 20 to 38 skip."""
WAYS = 1 + 2 * TALLEST_PILE
WRITE = SOW + SPACES * 2 * WAYS
"""+ (legend * 4 + card) * 4 + Wilds."""
SING = WRITE + LEGENDS * CARDS * (MOST_WILDS + 1)
"""+ song * 128 + the set of legends paid, a bit each."""
KINDS = 1 << LEGENDS
COUNT = SING + SONGS * KINDS

LEFT = 0
RIGHT = 1
