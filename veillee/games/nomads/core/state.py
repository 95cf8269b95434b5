"""Nomads: the state record, and the numbers that stand for discs, tiles and phases."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from veillee.engine.jit.layout import I1, Cells, StateRecord

SPACES = 8
SEATS = 5
LEGENDS = 7
CARDS = 4
SONGS = 4
TALLEST_PILE = 19
FULL_STACK = 14
"""The height of a stack of tiles that was counted."""
STACK_SLACK = 2
"""By how many tiles a stack that was not counted may be higher or lower."""
TALLEST_STACK = FULL_STACK + STACK_SLACK
MOST_WILDS = 3
"""Most Wilds a player can hold: the two tiles, and a coin from Oh Captain!."""

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


class State(StateRecord):
    # Options.
    ring: I1
    quick: I1
    camp: I1
    """Whether all discs start on fixed spaces, and nobody places them."""
    dealt: I1
    rough: I1
    """Whether the stacks are of about the same height, and not counted."""
    cast_early: I1
    """Whether Adventurers are chosen before the first player is known."""
    first: I1
    keeper: I1
    stacks_at_end: I1
    patience: I1
    taking_part: I1
    """The Adventurers that may be played, a bit each."""
    moon_moves: I1
    """How often Moon may move Lys in a turn."""
    moons_to_score: I1
    moons_for_first: I1
    pieces: I1
    """Number of discs of each Adventurer."""
    frogs: I1
    """Number of Frogs, which are Nostromo's."""
    ulrich_discs: I1
    """How many discs Ulrich may drop on one space."""
    siana_skips: I1
    """How many spaces in a row Siana may skip."""
    red_lifts: I1
    """How often Red may lift a disc of his in a turn."""
    coins: I1
    """The seats that brought a coin from Oh Captain! as a Wild, a bit each."""
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
    """Number of tiles of each kind under the tops, which anyone can count."""
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

    # Derived from the fields above, for speed.
    present: Annotated[Cells, "i1", SPACES]
    """Which discs lie in each pile, a bit each."""
    kinds: Annotated[Cells, "i1", SEATS]
    """The legends of which each seat has tiles, a bit each."""
    stacks: I1
    """Number of stacks that hold tiles."""

    # The turn.
    turn: I1
    lys_moved: I1
    """How often Moon has moved Lys, or Red has lifted a disc."""
    heard: I1
    idle: I1
    last_writers: I1
