"""Lumens: actions as text and as data."""

from __future__ import annotations

from functools import cache
from typing import Any

from veillee.engine.memory import remembered
from veillee.engine.refusal import Refusal
from veillee.games.lumens.names import SQUARES, square_name
from veillee.games.lumens.state import FACES


def parts(action: int) -> tuple[int, int]:
    """The square and the face of an action."""
    square, face = divmod(action, FACES)
    return square, face + 1


def describe(_: Any, action: int) -> dict[str, Any]:
    """The action as data."""
    square, face = parts(action)
    return {"do": "place", "square": square_name(square), "face": face}


def facts(s: Any, action: int) -> tuple[int, int]:
    """What the words of an action tell besides its number: the room, and what would be covered."""
    square = action // FACES
    return s.room[square], s.top[square]


@cache
def text(action: int) -> str:
    """The action's notation: the square, then the face that is up, "b7 6"."""
    square, face = parts(action)
    return f"{square_name(square)} {face}"


@remembered
def parse(notation: str) -> int:
    """The action of a notation; refuses what is none."""
    words = notation.lower().split()
    faces = [str(face) for face in range(1, FACES + 1)]
    if len(words) != 2 or words[0] not in SQUARES or words[1] not in faces:
        raise Refusal("unreadable", "lumens.notation", notation=notation[:80])
    return SQUARES.index(words[0]) * FACES + faces.index(words[1])
