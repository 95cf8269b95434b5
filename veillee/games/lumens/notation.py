"""Lumens: actions as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from veillee.engine.refusal import Refusal
from veillee.games.lumens.core.names import SQUARES, square_name
from veillee.games.lumens.core.rules import in_colour
from veillee.games.lumens.core.state import FACES, SEATS, State


def parts(action: int) -> tuple[int, int]:
    """Return the square and the face of an action."""
    square, face = divmod(action, FACES)
    return square, face + 1


def describe(_: Any, action: int) -> dict[str, Any]:
    """Return the action as data."""
    square, face = parts(action)
    return {"do": "place", "square": square_name(square), "face": face}


def wording_keys(s: State, actions: Sequence[int]) -> list[tuple[int, int]]:
    """Return all of the state that the words of each action depend on.

    The room, and the token that is covered, which is told by its colour.
    """
    rooms, tops = s.room.tobytes(), s.top.tobytes()
    shifts = [in_colour(s, seat * FACES + 1) - seat * FACES - 1 for seat in range(SEATS)]
    squares = [action // FACES for action in actions]
    return [
        (rooms[square], (top := tops[square]) and top + shifts[(top - 1) // FACES])
        for square in squares
    ]


@cache
def text(action: int) -> str:
    """Return the notation of an action: the square, then the face that is up, "b7 6"."""
    square, face = parts(action)
    return f"{square_name(square)} {face}"


@lru_cache(8192)
def parse(notation: str) -> int:
    """Return the action that a notation stands for, or refuse it."""
    words = notation.lower().split()
    faces = [str(face) for face in range(1, FACES + 1)]
    if len(words) != 2 or words[0] not in SQUARES or words[1] not in faces:
        raise Refusal("unreadable", "lumens.notation", notation=notation[:80])
    return SQUARES.index(words[0]) * FACES + faces.index(words[1])


def kind(action: int) -> str:
    """Return the face that is played, without the square."""
    return f"face {parts(action)[1]}"
