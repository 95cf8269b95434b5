"""Lumens: the kinds of events. Only a drawn token is secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from veillee.engine.events import EventKind
from veillee.games.lumens.core.names import laid_name, room_name, square_name, token_name

KINDS = (
    EventKind("first", ("seat",)),
    EventKind("draw", ("seat", "token"), secret=("token",)),
    EventKind("place", ("seat", "square", "face", "covered")),
    EventKind("out", ("seat",)),
    EventKind("room", ("room", "seat", "pips", "points")),
)

FIELDS: dict[str, Callable[[int], Any]] = {
    "square": square_name,
    "covered": laid_name,
    "token": token_name,
    "room": room_name,
}
"""How values of events are written as data."""
