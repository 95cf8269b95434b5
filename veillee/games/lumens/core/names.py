"""Lumens: the names of its things, as notation, positions and events write them."""

from __future__ import annotations

from string import ascii_lowercase

from veillee.games.lumens.core.state import BOTH_FACES, FACES, KINDS, NO_TOKEN, SIDE, Phase

COLOURS = ("yellow", "green", "red", "purple")
TOKENS = tuple(f"{low}/{BOTH_FACES - low}" for low in range(1, KINDS + 1))
PHASES = tuple(phase.name.lower() for phase in Phase)
LAID = tuple(f"{colour} {face}" for colour in COLOURS for face in range(1, FACES + 1))
"""Every token as it lies: its colour and the face that is up."""


def square_name(square: int) -> str:
    """Column letter and row number, from the upper left: a1."""
    return f"{ascii_lowercase[square % SIDE]}{square // SIDE + 1}"


SQUARES = tuple(square_name(square) for square in range(SIDE * SIDE))


def room_name(room: int) -> str:
    return ascii_lowercase[room - 1]


def room_letter(room: int) -> str:
    """A room as people call it; the small letters are those of the columns."""
    return room_name(room).upper()


def laid_name(token: int) -> str | None:
    return None if token == NO_TOKEN else LAID[token - 1]


def token_name(kind: int) -> str:
    return TOKENS[kind - 1]
