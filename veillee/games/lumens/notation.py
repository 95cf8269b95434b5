"""Lumens: actions as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from veillee.engine.refusal import Refusal
from veillee.games.lumens.core.actions import COUNT
from veillee.games.lumens.core.names import SQUARES, square_name
from veillee.games.lumens.core.state import FACES, NO_TOKEN, SEATS, State


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
    squares = list(map(SQUARE.__getitem__, actions))
    rooms, tops = s.room.tobytes(), s.top.tobytes()
    covered = map(in_colours(s.colours).__getitem__, map(tops.__getitem__, squares))
    return list(zip(map(rooms.__getitem__, squares), covered, strict=True))


SQUARE = [action // FACES for action in range(COUNT)]


@cache
def in_colours(colours: int) -> list[int]:
    """Return each token as 6 * colour + face, given the field of the state with all colours."""
    tokens = range(1, SEATS * FACES + 1)
    shifts = [(colours >> 2 * seat & 3) - seat for seat in range(SEATS)]
    return [NO_TOKEN, *(token + shifts[(token - 1) // FACES] * FACES for token in tokens)]


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
