"""Lumens: the state record, and the numbers that stand for tokens and phases."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from veillee.engine.jit.layout import I1, I2, Cells, StateRecord

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


class State(StateRecord):
    # Options.
    side: I1
    start: Annotated[Cells, "i2", SEATS]
    """The square of each seat's start marker. The first is negative before they are drawn."""
    per_square: I2
    """How many tokens may lie on a square: one or two. In two bytes the record has no padding."""
    colours: I1
    """The colour of each seat, two bits each; 0 before they are drawn."""
    total: Annotated[Cells, "i1", KINDS]
    """Number of tokens of each kind that a player starts with."""
    first: I1
    points: Annotated[Cells, "i1", 2]
    """Points for the most pips in a room, and for the second most."""
    rooms: I1
    """The last room's number."""
    room: Annotated[Cells, "i1", SQUARES]
    """The room of each square, 1 for letter a; 0 for a passage."""

    # On the board: 0, or 6 * seat + the face that is up.
    top: Annotated[Cells, "i1", SQUARES]
    covered: Annotated[Cells, "i1", SQUARES]

    # In front of each seat.
    left: Annotated[Cells, "i1", SEATS, KINDS]
    """Tokens of each kind in its bag and hand together, which anyone can count."""
    hand: Annotated[Cells, "i1", SEATS]
    """The kind of the token in hand."""
    out: I1
    """The seats that are out, a bit each."""

    # Derived from the fields above, for speed: sets of squares, a bit each, and sums.
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
