"""Oh Captain!: what can happen, as events, and what of it is secret."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.events import Kind
from veillee.games.captain.names import ADVENTURERS, CARDS, HOWS, TOOLS
from veillee.games.captain.state import NOBODY


class Happening(IntEnum):
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


KINDS = (
    Kind("bottle", ("captain",)),
    Kind("adventurer", ("seat", "adventurer")),
    Kind("discard", ("cards",)),
    Kind("look", ("seat", "card"), ("card",)),
    Kind("mutiny", ("seat", "old", "coins")),
    Kind("fish", ("seat", "card"), ("card",)),
    Kind("allegiance", ("seat", "captain")),
    Kind("draw", ("seat", "card"), ("card",)),
    Kind("announce", ("seat", "tool")),
    Kind("buy", ("captain", "seat", "card", "honest")),
    Kind("leave", ("captain", "seat")),
    Kind("nobody", ("attacker", "tool")),
    Kind("attack", ("attacker", "target", "tool")),
    Kind("accept", ("target", "attacker")),
    Kind("accuse", ("target", "attacker", "card", "honest")),
    Kind("pay", ("seat", "to", "coins")),
    Kind("steal", ("attacker", "target")),
    Kind("eggs", ("seat",)),
    Kind("light", ("target", "card", "how")),
    Kind("hook", ("attacker", "target", "card", "how"), ("card",)),
    Kind("shoot", ("attacker", "target", "card", "how"), ("card",)),
    Kind("turn", ("seat", "card")),
    Kind("rob", ("seat", "victim")),
    Kind("nomads", ("seat",)),
    Kind("show", ("seat", "card", "cards")),
    Kind("token", ("card", "seat")),
)


def _seat(number: int) -> int | None:
    return None if number == NOBODY else number


FIELDS: dict[str, Any] = {
    "card": CARDS.__getitem__,
    "tool": TOOLS.__getitem__,
    "how": HOWS.__getitem__,
    "honest": bool,
    "adventurer": lambda number: ADVENTURERS[number - 1],
    "seat": _seat,
}
"""How the values of events are shown as data."""
