"""Lumens: what can happen, as events. Only a drawn token is secret."""

from __future__ import annotations

from enum import IntEnum

from veillee.engine.events import Kind


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
