"""Nomads: what can happen, as events. Nothing here is secret: all that is hidden is so to all."""

from __future__ import annotations

from enum import IntEnum

from veillee.engine.events import Kind


class Happening(IntEnum):
    CAMP = 0
    ADVENTURER = 1
    NOMADS = 2
    PLACE = 3
    LYS = 4
    SOW = 5
    SKIP = 6
    DROP = 7
    LIFT = 8
    TAKE = 9
    LOSE = 10
    WRITE = 11
    SING = 12
    MOONS = 13
    LAST = 14
    PASS = 15


KINDS = (
    Kind("camp", ("first",)),
    Kind("adventurer", ("seat", "disc")),
    Kind("nomads"),
    Kind("place", ("seat", "disc", "space")),
    Kind("lys", ("seat", "space", "phase")),
    Kind("sow", ("seat", "space", "direction", "height")),
    Kind("skip", ("seat", "space")),
    Kind("drop", ("disc", "space")),
    Kind("lift", ("seat", "space", "height")),
    Kind("take", ("seat", "space", "tile", "under")),
    Kind("lose", ("disc", "space", "tile", "under")),
    Kind("write", ("seat", "legend", "card", "tiles", "wilds")),
    Kind("sing", ("seat", "song", "paid", "wilds")),
    Kind("moons", ("seat", "points", "won")),
    Kind("last", ("seat", "stacks")),
    Kind("pass", ("seat",)),
)
