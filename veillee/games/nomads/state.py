"""Nomads: the state, and the numbers of the things in it."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from veillee.engine.record import I1, Cells, Record

SPACES = 8
SEATS = 5
LEGENDS = 7
CARDS = 4
SONGS = 4
TALLEST_PILE = 19
TALLEST_STACK = 14
MOST_WILDS = 3
"""The most Wilds one player can hold: the two tiles, and a coin brought from Oh Captain!."""

UNKNOWN = -1
NOBODY = -1


class Disc(IntEnum):
    NOMAD = 0
    ULRICH = 1
    MOON = 2
    RED = 3
    SIANA = 4
    NOSTROMO = 5
    FROG = 6


class Tile(IntEnum):
    WHALE = 0
    STAG = 1
    CEDAR = 2
    COMET = 3
    STORM = 4
    EMBER = 5
    SHELL = 6
    WILD = 7
    MOON = 8


class Phase(IntEnum):
    ADVENTURER = 0
    FROG = 1
    SLEEPERS = 2
    DISCS = 3
    LYS = 4
    TURN = 5
    BONUS = 6
    LIFT = 7
    LAST = 8
    OVER = 9


class State(Record):
    # What was agreed before the game.
    ring: I1
    quick: I1
    camp: I1
    """Whether the discs lie at first where they always do, and nobody places them."""
    dealt: I1
    first: I1
    keeper: I1
    stacks_at_end: I1
    patience: I1
    coins: I1
    """How many coins came along from Oh Captain! as Wilds."""
    total: Annotated[Cells, "i1", 9]
    value: Annotated[Cells, "i1", LEGENDS, CARDS]
    song_cost: Annotated[Cells, "i1", SONGS]
    song_points: Annotated[Cells, "i1", SONGS]

    # Around the fire: piles of discs and stacks of tiles, bottom first.
    pile: Annotated[Cells, "i1", SPACES, TALLEST_PILE]
    discs: Annotated[Cells, "i1", SPACES]
    stack: Annotated[Cells, "i1", SPACES, TALLEST_STACK]
    tiles: Annotated[Cells, "i1", SPACES]
    unseen: Annotated[Cells, "i1", 9]
    """How many of each tile lie under the tops: anyone can count it."""
    gone: Annotated[Cells, "i1", 9]
    box: Annotated[Cells, "i1", 7]
    """Discs that are not on the board."""
    lys: I1
    chart: I1

    # In front of each seat.
    adventurer: Annotated[Cells, "i1", SEATS]
    hand: Annotated[Cells, "i1", SEATS, 8]
    legend: Annotated[Cells, "i1", SEATS, LEGENDS]
    """The card held of each legend, 1 to 4; 0 is none."""
    song: Annotated[Cells, "i1", SEATS]
    moons: Annotated[Cells, "i1", SEATS]

    # On offer, and who plays whom.
    offer: Annotated[Cells, "i1", LEGENDS, CARDS]
    song_offer: Annotated[Cells, "i1", SONGS]
    owner: Annotated[Cells, "i1", 7]
    """The seat that plays each disc; -1 for a Nomad and for sleepers."""

    # What follows from all that, kept for speed.
    present: Annotated[Cells, "i1", SPACES]
    """Which discs lie in each pile, a bit each."""
    kinds: Annotated[Cells, "i1", SEATS]
    """The legends of which each seat has tiles, a bit each."""
    stacks: I1
    """How many stacks hold tiles."""

    # The turn.
    turn: I1
    lys_moved: I1
    heard: I1
    idle: I1
    last_writers: I1
