"""Lumens: all that a seat may know, as a row of small integers. See `engine/observation.py`.

The board itself is an option, the same in every game, and not told again.
"""

from __future__ import annotations

from veillee.engine.jit.cells import copy_cells, rotate_cells
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.observation import Plane, length, start
from veillee.games.lumens.core.names import PHASES, TOKENS
from veillee.games.lumens.core.state import (
    FACES,
    KINDS,
    NO_TOKEN,
    ROOMS,
    SEATS,
    SIDE,
    SQUARES,
    State,
)

LAID = (
    "none",
    *(f"{face} of seat {k} from here" for k in range(SEATS) for face in range(1, FACES + 1)),
)

PLANES = (
    Plane("phase", (len(PHASES),), "which decision it is: one is set"),
    Plane("decider", (SEATS,), "who decides, counted from this seat; none after the end"),
    Plane("first", (SEATS,), "who began"),
    Plane("players", (1,), "how many play"),
    Plane("top", (SIDE, SIDE), "the token on top of each square", LAID),
    Plane("covered", (SIDE, SIDE), "the token under it", LAID),
    Plane("start", (SEATS, 2), "for each seat, row and column of its start marker, from 1"),
    Plane("pips", (SEATS, ROOMS), "for each seat, the pips of its tokens on top in each room"),
    Plane("left", (SEATS, KINDS), "for each seat, its tokens of each kind in bag and hand"),
    Plane("holds", (SEATS,), "for each seat, whether it holds a token"),
    Plane("hand", (KINDS,), f"the token in this seat's hand, of {', '.join(TOKENS)}: one is set"),
    Plane("out", (SEATS,), "for each seat, whether it is out"),
)
SIZE = length(PLANES)
OPTIONS = ("side", "colours", "total", "points", "per_square", "rooms", "room")
"""Fields that hold options, which an observation does not repeat."""
DERIVED = ("own", "closed", "taken", "reach")
"""Fields that follow from the others."""

PHASE = start(PLANES, "phase")
DECIDER = start(PLANES, "decider")
FIRST = start(PLANES, "first")
PLAYERS = start(PLANES, "players")
TOP = start(PLANES, "top")
COVERED = start(PLANES, "covered")
START = start(PLANES, "start")
PIPS = start(PLANES, "pips")
LEFT = start(PLANES, "left")
HOLDS = start(PLANES, "holds")
HAND = start(PLANES, "hand")
OUT = start(PLANES, "out")


def observe(s: State, seat: int, out: Cells) -> None:
    """Fill a row with what a seat knows. lumens.know"""
    for at in range(SIZE):
        out[at] = 0
    out[PHASE + s.phase] = 1
    if s.seat != OVER:
        out[DECIDER + from_here(s, seat, s.seat)] = 1
    out[FIRST + from_here(s, seat, s.first)] = 1
    out[PLAYERS] = s.players
    # Tokens are numbered 6 * seat + face: turned, so that this seat's come first.
    rotate_cells(out, TOP, s.top, 0, seat * FACES, s.players * FACES, SQUARES)
    rotate_cells(out, COVERED, s.covered, 0, seat * FACES, s.players * FACES, SQUARES)
    for who in range(s.players):
        observe_seat(s, who, from_here(s, seat, who), out)
    if s.hand[seat] != NO_TOKEN:
        out[HAND + s.hand[seat] - 1] = 1


def from_here(s: State, seat: int, other: int) -> int:
    """Return by how many seats clockwise another seat is away from this one."""
    return other - seat if other >= seat else other - seat + s.players


def observe_seat(s: State, who: int, k: int, out: Cells) -> None:
    """Fill in what lies in front of one seat, the k-th clockwise. Reads no token in hand."""
    out[START + k * 2] = s.start[who] // SIDE + 1
    out[START + k * 2 + 1] = s.start[who] % SIDE + 1
    copy_cells(out, PIPS + k * ROOMS, s.pips, who, ROOMS)
    copy_cells(out, LEFT + k * KINDS, s.left, who, KINDS)
    out[HOLDS + k] = s.hand[who] != NO_TOKEN
    out[OUT + k] = s.out >> who & 1
