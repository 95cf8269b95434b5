"""Lumens: what can happen, as events. Only a drawn token is secret."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from veillee.engine.events import Kind
from veillee.games.lumens.names import laid_name, room_name, square_name, token_name


class Happening(IntEnum):
    FIRST = 0
    DRAW = 1
    PLACE = 2
    OUT = 3
    ROOM = 4


KINDS = (
    Kind("first", ("seat",)),
    Kind("draw", ("seat", "token"), secret=("token",)),
    Kind("place", ("seat", "square", "face", "covered")),
    Kind("out", ("seat",)),
    Kind("room", ("room", "seat", "pips", "points")),
)

FIELDS: dict[str, Callable[[int], Any]] = {
    "square": square_name,
    "covered": laid_name,
    "token": token_name,
    "room": room_name,
}
"""How the values of events are shown as data."""
