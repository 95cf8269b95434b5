"""Nomads: the numbers of the events that the rules emit. `events.py` names their values."""

from __future__ import annotations

from enum import IntEnum


class EventCode(IntEnum):
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
