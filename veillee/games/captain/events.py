"""Oh Captain!: the kinds of events, and which of their values are secret."""

from __future__ import annotations

from typing import Any

from veillee.engine.events import EventKind
from veillee.games.captain.core.names import ADVENTURERS, CARDS, HOWS, TOOLS
from veillee.games.captain.core.state import NOBODY

KINDS = (
    EventKind("bottle", ("captain",)),
    EventKind("adventurer", ("seat", "adventurer")),
    EventKind("discard", ("cards",)),
    EventKind("look", ("seat", "card"), ("card",)),
    EventKind("mutiny", ("seat", "old", "coins")),
    EventKind("fish", ("seat", "card"), ("card",)),
    EventKind("allegiance", ("seat", "captain", "coins"), usual={"coins": 1}),
    EventKind("draw", ("seat", "card"), ("card",)),
    EventKind("announce", ("seat", "tool")),
    EventKind("buy", ("captain", "seat", "card", "honest", "coins"), usual={"coins": 1}),
    EventKind("leave", ("captain", "seat")),
    EventKind("nobody", ("attacker", "tool")),
    EventKind("attack", ("attacker", "target", "tool")),
    EventKind("accept", ("target", "attacker")),
    EventKind("accuse", ("target", "attacker", "card", "honest")),
    EventKind("pay", ("seat", "to", "coins")),
    EventKind("steal", ("attacker", "target")),
    EventKind("eggs", ("seat",)),
    EventKind("light", ("target", "card", "how")),
    EventKind("hook", ("attacker", "target", "card", "how"), ("card",)),
    EventKind("shoot", ("attacker", "target", "card", "how"), ("card",)),
    EventKind("turn", ("seat", "card")),
    EventKind("rob", ("seat", "victim", "coins"), usual={"coins": 1}),
    EventKind("nomads", ("seat",)),
    EventKind("show", ("seat", "card", "cards")),
    EventKind("token", ("card", "seat", "points"), usual={"points": 4}),
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
"""How values of events are written as data."""
