"""Oh Captain!: every action as a small integer."""

from __future__ import annotations

from veillee.games.captain.core.state import KINDS, SEATS, TOOLS

PASS = 0
"""Nostromo takes nothing, Moon turns nothing more."""
ADVENTURER = 1
"""+ adventurer - 1."""
MUTINY = ADVENTURER + 6
ALLEGIANCE = MUTINY + 1
FISH = ALLEGIANCE + 1
"""+ card, out of the discard."""
ANNOUNCE = FISH + KINDS
"""+ tool."""
BUY = ANNOUNCE + TOOLS
LEAVE = BUY + 1
TARGET = LEAVE + 1
"""+ seat."""
ACCEPT = TARGET + SEATS
ACCUSE = ACCEPT + 1
TAKE = ACCUSE + 1
"""+ card, a face-up one."""
TAKE_HIDDEN = TAKE + KINDS
GIVE = TAKE_HIDDEN + 1
"""+ card, a face-up one of Siana's."""
GIVE_HIDDEN = GIVE + KINDS
"""+ card, a face-down one of Siana's."""
TURN = GIVE_HIDDEN + KINDS
"""+ card, one that Moon turns face down."""
ROB = TURN + KINDS
"""+ seat."""
COUNT = ROB + SEATS
