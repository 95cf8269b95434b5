"""Oh Captain!: the state, and the numbers of the things in it.

The record remembers: one row for each card drawn keeps who did what, and which card moved where.
All that a seat has ever seen can be read off these rows, and nothing else need be kept for it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from veillee.engine.record import I1, Cells, Record

SEATS = 6
CAVE = 30
"""The most cards the Cave can hold."""
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
"""How many kinds of cards can be loot."""


class Tool(IntEnum):
    """What can be announced."""

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
    """What became of a card drawn."""

    OPEN = 0
    LEFT = 1
    BOUGHT = 2


class Answer(IntEnum):
    NONE = 0
    ACCEPTED = 1
    ACCUSED = 2


class How(IntEnum):
    """How a card was hit. ONLY_EGGS is added where all learnt that Siana had no other card."""

    NOT = 0
    FACE_UP = 1
    FACE_DOWN = 2
    GIVEN = 3
    """Face down, and chosen by Siana: not an Egg."""
    ONLY_EGGS = 4


DISCARD = SEATS
"""The number of the discard among the places where cards lie face down."""
POOLS = SEATS + 1
EGGLESS = KINDS
"""Stands for a card of which no more is known than that it is not an Egg."""
BLANK = KINDS + 1
"""Stands for a card of which nothing is known."""
CLASSES = KINDS + 2


class State(Record):
    # What was agreed before the game.
    dealt: I1
    first: I1
    """The first Captain."""
    many: I1
    """How many of the six Adventurers take part."""
    captain_coins: I1
    explorer_coins: I1
    total: Annotated[Cells, "i1", KINDS]
    """How many cards there are of each kind; Purses as many as were dealt."""
    bottom: I1
    """How many cards are shuffled with the Arrival."""
    laid: I1
    """How many cards are laid under the Bottle."""
    size: I1
    """How many cards the Cave held at first, the Arrival among them."""

    # On the table.
    captain: I1
    coins: Annotated[Cells, "i1", SEATS]
    reserve: I1
    adventurer: Annotated[Cells, "i1", SEATS]
    up: Annotated[Cells, "i1", SEATS, KINDS]
    shown: Annotated[Cells, "i1", SEATS]
    """How many cards of each loot lie face up."""
    hidden: Annotated[Cells, "i1", SEATS]
    """How many lie face down."""
    down: Annotated[Cells, "i1", SEATS, KINDS]
    discard: Annotated[Cells, "i1", KINDS]
    discards: I1
    cave: Annotated[Cells, "i1", CAVE]
    """The Cave from top to bottom; the cards drawn stay written here."""
    drawn: I1
    purses: Annotated[Cells, "i1", POOLS]
    """The Purses that lay face down in each place at first, as everyone knows."""

    # The turn.
    turn: I1
    row: I1

    # What happened, a row for each card drawn.
    mutinies: Annotated[Cells, "i1", ROWS]
    """How many mutinies came before this card; by neighbours, the last by `chief`."""
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

    # Room to think in while dealing anew; zero at all other times.
    known: Annotated[Cells, "i1", POOLS, CLASSES]
    rest: Annotated[Cells, "i1", KINDS]
    blanks: I1
    eggless: I1
    where: Annotated[Cells, "i1", CAVE]
