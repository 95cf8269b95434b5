"""Oh Captain!: what a table may choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veillee.engine.options import Option, a_seat, casting, flag, number, whole
from veillee.engine.refusal import Refusal
from veillee.games.captain.names import ADVENTURERS, LOOT
from veillee.games.captain.rules import MOST_COINS
from veillee.games.captain.state import (
    CAVE,
    MOST_OF_A_KIND,
    NOBODY,
    SEATS,
    Adventurer,
    Card,
)

DRAWN = LOOT[: Card.PURSE]
"""The cards that lie in the Cave."""
ALL_CARDS = {"lantern 3": 3, "lantern 2": 4, "egg": 7, "hook": 5, "lizard": 5, "pistol": 5}
FEW = Adventurer.RED
"""With fewer than five players, Siana and Ulrich stay at home."""


def _cards(value: Any, _: int) -> bool:
    return (
        isinstance(value, dict)
        and set(value) <= set(DRAWN)
        and all(whole(n) and 0 <= n <= MOST_OF_A_KIND for n in value.values())
    )


OPTIONS = (
    a_seat("captain"),
    casting("adventurers", ADVENTURERS),
    flag("six"),
    Option("cards", ALL_CARDS, _cards, shown=False),
    number("bottom", 3, 0, CAVE - 1),
    number("laid", 3, 0, CAVE - 1),
    number("coins", MOST_COINS, 0, MOST_COINS),
    number("captain_coins", 5, 0, MOST_COINS),
    number("explorer_coins", 3, 0, MOST_COINS),
)

SMALL = {
    "cards": {"lantern 3": 1, "egg": 1, "hook": 1},
    "bottom": 0,
    "laid": 1,
    "captain": 0,
    "captain_coins": 1,
    "explorer_coins": 1,
    "coins": 6,
    "adventurers": ["lys", "nostromo", "red", "moon", "siana", "ulrich"],
}
"""Two draws: enumerable."""


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a zeroed state whose `players` is set."""
    s.first = NOBODY if options["captain"] is None else options["captain"]
    s.dealt = options["adventurers"] == "deal"
    s.many = len(ADVENTURERS) if options["six"] or s.players > FEW else FEW
    for card, name in enumerate(DRAWN):
        s.total[card] = options["cards"].get(name, 0)
    s.size = sum(s.total) + 1
    s.total[Card.PURSE] = s.players - 1
    s.bottom = options["bottom"]
    s.laid = options["laid"]
    if not s.bottom + s.laid < s.size <= CAVE:
        raise Refusal(
            "option",
            "captain.setup.cave",
            "captain.option.cave",
            cards=s.size - 1,
            fewest=s.bottom + s.laid,
            most=CAVE - 1,
        )
    s.captain_coins = options["captain_coins"]
    s.explorer_coins = options["explorer_coins"]
    s.reserve = options["coins"]
    needed = s.captain_coins + (s.players - 1) * s.explorer_coins
    if s.reserve < needed:
        raise Refusal(
            "option", "captain.setup.roles", "captain.option.purse", coins=s.reserve, needed=needed
        )
    if isinstance(options["adventurers"], list):
        for seat, name in enumerate(options["adventurers"][: s.players]):
            s.adventurer[seat] = ADVENTURERS.index(name) + 1
            if s.adventurer[seat] > s.many:
                raise Refusal("option", "captain.material.adventurers")


def agreed(s: Any) -> dict[str, Any]:
    """The options that a state was prepared with, those that differ from the default only.

    Who was Captain first and who plays whom are part of the position.
    """
    found = {
        "adventurers": "deal" if s.dealt else "choose",
        "six": bool(s.many > FEW and s.players <= FEW),
        "cards": {name: s.total[card] for card, name in enumerate(DRAWN) if s.total[card]},
        "bottom": s.bottom,
        "laid": s.laid,
        "coins": s.reserve + sum(s.coins[seat] for seat in range(SEATS)),
        "captain_coins": s.captain_coins,
        "explorer_coins": s.explorer_coins,
    }
    defaults = {option.name: option.default for option in OPTIONS}
    return {name: value for name, value in found.items() if value != defaults[name]}
