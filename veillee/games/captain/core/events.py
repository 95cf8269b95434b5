"""Oh Captain!: the numbers of the events that the rules emit. `events.py` names their values."""

from __future__ import annotations

from enum import IntEnum


class EventCode(IntEnum):
    BOTTLE = 0
    ADVENTURER = 1
    DISCARD = 2
    LOOK = 3
    MUTINY = 4
    FISH = 5
    ALLEGIANCE = 6
    DRAW = 7
    ANNOUNCE = 8
    BUY = 9
    LEAVE = 10
    NOBODY = 11
    ATTACK = 12
    ACCEPT = 13
    ACCUSE = 14
    PAY = 15
    STEAL = 16
    EGGS = 17
    LIGHT = 18
    HOOK = 19
    SHOOT = 20
    TURN = 21
    ROB = 22
    NOMADS = 23
    SHOW = 24
    TOKEN = 25
