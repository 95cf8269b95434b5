"""Lumens: the numbers of the events that the rules emit. `events.py` names their values."""

from __future__ import annotations

from enum import IntEnum


class EventCode(IntEnum):
    FIRST = 0
    DRAW = 1
    PLACE = 2
    OUT = 3
    ROOM = 4
