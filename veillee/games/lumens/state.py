"""Lumens: the state, and the numbers of the things in it."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from veillee.engine.record import I1, Cells, Record

SIDE = 15
"""The longest side of a board. Squares are numbered row * 15 + column on every board."""
SQUARES = SIDE * SIDE
SEATS = 4
KINDS = 3
FACES = 6
BOTH_FACES = 7
"""The two faces of a token add up to this. A token's kind is its low face: 1, 2 or 3."""
ROOMS = 26

NO_TOKEN = 0
UNKNOWN = -1
PASSAGE = 0
NOBODY = -1


class Phase(IntEnum):
    START = 0
    TURN = 1
    OVER = 2


class State(Record):
    # What was agreed before the game.
    side: I1
    start: Annotated[Cells, "i2", SEATS]
    """The square of each seat's start marker."""
    total: Annotated[Cells, "i1", KINDS]
    """How many tokens of each kind a player has."""
    first: I1
    rooms: I1
    """The last room's number."""
    central: I1
    room: Annotated[Cells, "i1", SQUARES]
    """The room of each square, 1 for letter a; 0 for a passage."""

    # On the board: 0, or 6 * seat + the face that is up.
    top: Annotated[Cells, "i1", SQUARES]
    covered: Annotated[Cells, "i1", SQUARES]

    # In front of each seat.
    left: Annotated[Cells, "i1", SEATS, KINDS]
    """What its bag and hand hold together: anyone can count it."""
    hand: Annotated[Cells, "i1", SEATS]
    """The kind of the token in hand."""
    out: I1
    """The seats that are out, a bit each."""

    # What follows from all that, kept for speed: sets of squares, a bit each, and sums.
    own: Annotated[Cells, "i2", SEATS, SIDE]
    """Where a seat's tokens lie on top: in each row a set of columns."""
    closed: Annotated[Cells, "i2", SIDE]
    """Where no counting ends, on two tokens or a start marker: in each row a set of columns."""
    taken: Annotated[Cells, "i2", SIDE]
    """Where tokens lie: in each column a set of rows."""
    reach: Annotated[Cells, "i2", SIDE]
    """Where the seat to decide may place: in each row a set of columns."""
    pips: Annotated[Cells, "i1", SEATS, ROOMS]
    """The pips of each seat's tokens on top, in each room."""
