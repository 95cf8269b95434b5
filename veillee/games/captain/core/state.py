"""Oh Captain!: the state record, and the numbers that stand for cards, tools and phases.

The record keeps the history of the game: one row for each card drawn says who did what, and which
card moved where. All that a seat has ever seen follows from these rows.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from veillee.engine.jit.layout import I1, Cells, StateRecord

SEATS = 6
CAVE = 30
"""Capacity of the Cave."""
ROWS = CAVE
MOST_OF_A_KIND = 7

UNKNOWN = -1
NOBODY = -1


class Card(IntEnum):
    LANTERN_3 = 0
    LANTERN_2 = 1
    EGG = 2
    HOOK = 3
    LIZARD = 4
    PISTOL = 5
    PURSE = 6
    ARRIVAL = 7


KINDS = 7
"""Number of kinds of cards that can be loot."""


class Tool(IntEnum):
    """Things that can be announced."""

    LANTERN = 0
    HOOK = 1
    LIZARD = 2
    PISTOL = 3


TOOLS = 4


class Adventurer(IntEnum):
    NONE = 0
    LYS = 1
    NOSTROMO = 2
    MOON = 3
    RED = 4
    SIANA = 5
    ULRICH = 6


class Phase(IntEnum):
    ADVENTURER = 0
    RICH = 1
    FISH = 2
    ANNOUNCE = 3
    CHOICE = 4
    TARGET = 5
    ANSWER = 6
    CARD = 7
    SIANA = 8
    MOON = 9
    RED = 10
    OVER = 11


class Fate(IntEnum):
    """The Captain's choice about a card drawn."""

    OPEN = 0
    LEFT = 1
    BOUGHT = 2


class Answer(IntEnum):
    NONE = 0
    ACCEPTED = 1
    ACCUSED = 2


class How(IntEnum):
    """How a card was hit. ONLY_EGGS is added if all learnt that Siana had nothing but Eggs."""

    NOT = 0
    FACE_UP = 1
    FACE_DOWN = 2
    GIVEN = 3
    """Face down, and chosen by Siana: not an Egg."""
    ONLY_EGGS = 4


DISCARD = SEATS
"""Index of the discard among the pools of face-down cards; the others are the seats' loot."""
POOLS = SEATS + 1
EGGLESS = KINDS
"""A card known only not to be an Egg."""
BLANK = KINDS + 1
"""A card that the reader of a view does not know."""
CLASSES = KINDS + 2


class State(StateRecord):
    # Options.
    dealt: I1
    first: I1
    """The first Captain."""
    taking_part: I1
    """The Adventurers that can be chosen, a bit each."""
    captain_coins: I1
    explorer_coins: I1
    total: Annotated[Cells, "i1", KINDS]
    """Number of cards of each kind; of Purses, those that were dealt."""
    bottom: I1
    """Number of cards shuffled with the Arrival."""
    laid: I1
    """Number of cards laid under the Bottle."""
    size: I1
    """Number of cards in the Cave at the start, the Arrival included."""
    worth: Annotated[Cells, "i1", KINDS]
    """Points for a card of each kind."""
    token: I1
    """Points for a majority."""
    price: I1
    """What a card costs the Captain."""
    tribute: I1
    """What allegiance costs."""
    stake: I1
    """What an accusation costs the one who is wrong."""
    moon_cards: I1
    """How many cards Moon may turn down at the end of a turn: at most two, as the rows have it."""
    red_coins: I1
    """How many coins Red steals."""
    ulrich_coins: I1
    """What an accusation wins for Ulrich."""

    # On the table.
    captain: I1
    coins: Annotated[Cells, "i1", SEATS]
    reserve: I1
    adventurer: Annotated[Cells, "i1", SEATS]
    up: Annotated[Cells, "i1", SEATS, KINDS]
    shown: Annotated[Cells, "i1", SEATS]
    """Number of face-up cards in each loot."""
    hidden: Annotated[Cells, "i1", SEATS]
    """Number of face-down cards in each loot."""
    down: Annotated[Cells, "i1", SEATS, KINDS]
    discard: Annotated[Cells, "i1", KINDS]
    discards: I1
    cave: Annotated[Cells, "i1", CAVE]
    """The Cave from top to bottom, the cards drawn included."""
    drawn: I1
    purses: Annotated[Cells, "i1", POOLS]
    """Number of Purses face down in each pool at the start, which everyone knows."""

    # The turn.
    turn: I1
    row: I1

    # The history: a row for each card drawn.
    mutinies: Annotated[Cells, "i1", ROWS]
    """Number of mutinies before this card, by seats next to each other, the last by `chief`."""
    looked: Annotated[Cells, "i2", ROWS, 2]
    """The discard at the first of these mutinies, three bits for each kind."""
    took: Annotated[Cells, "i1", ROWS]
    """The card that Nostromo took from it, plus 1."""
    chief: Annotated[Cells, "i1", ROWS]
    finder: Annotated[Cells, "i1", ROWS]
    pledged: Annotated[Cells, "i1", ROWS]
    told: Annotated[Cells, "i1", ROWS]
    """The announcement, plus 1."""
    fate: Annotated[Cells, "i1", ROWS]
    target: Annotated[Cells, "i1", ROWS]
    """The seat attacked, plus 1."""
    answer: Annotated[Cells, "i1", ROWS]
    how: Annotated[Cells, "i1", ROWS]
    hit: Annotated[Cells, "i1", ROWS]
    """The card hit by Pistol, Hook or Lantern, where `how` says that there was one."""
    turned: Annotated[Cells, "i1", ROWS, 2]
    """The cards that Moon turned down, plus 1."""
    robbed: Annotated[Cells, "i1", ROWS]
    """The seat that Red took a coin from, plus 1."""

    # Scratch memory of `resample`; zero at all other times.
    known: Annotated[Cells, "i1", POOLS, CLASSES]
    rest: Annotated[Cells, "i1", KINDS]
    blanks: I1
    eggless: I1
    where: Annotated[Cells, "i1", CAVE]
