"""Oh Captain!: the options of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veillee.engine.options import Option, a_seat, casting, flag, number, whole
from veillee.engine.refusal import Refusal
from veillee.games.captain.core.names import ADVENTURERS, LOOT
from veillee.games.captain.core.rules import MOST_COINS
from veillee.games.captain.core.state import (
    CAVE,
    MOST_OF_A_KIND,
    NOBODY,
    SEATS,
    Adventurer,
    Card,
    State,
)

DRAWN = LOOT[: Card.PURSE]
"""The kinds of cards in the Cave, without the Arrival."""
ALL_CARDS = {"lantern 3": 3, "lantern 2": 4, "egg": 7, "hook": 5, "lizard": 5, "pistol": 5}
VALUES = {
    "lantern 3": 3,
    "lantern 2": 2,
    "egg": -1,
    "hook": 0,
    "lizard": 0,
    "pistol": 0,
    "purse": 1,
}
"""The points of a card of each kind."""
FEW = Adventurer.RED
"""Number of Adventurers with fewer than five players: without Siana and Ulrich."""
MOST_POINTS = 9
MOST_PAID = 9
MOST_TURNED = 2


def _cards(value: Any, _: int) -> bool:
    return (
        isinstance(value, dict)
        and set(value) <= set(DRAWN)
        and all(whole(n) and 0 <= n <= MOST_OF_A_KIND for n in value.values())
    )


def _values(value: Any, _: int) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(VALUES)
        and all(whole(n) and -MOST_POINTS <= n <= MOST_POINTS for n in value.values())
    )


def _taking_part(value: Any, players: int) -> bool:
    return value is None or (
        isinstance(value, list)
        and len(value) >= players
        and all(name in ADVENTURERS for name in value)
        and len(set(value)) == len(value)
    )


def _word(card: str) -> str:
    return f"captain.card.{card.replace(' ', '_')}"


OPTIONS = (
    a_seat("captain", shown=True),
    casting("adventurers", ADVENTURERS),
    flag("six"),
    Option(
        "cards",
        ALL_CARDS,
        _cards,
        shown=False,
        low=0,
        high=MOST_OF_A_KIND,
        entries=tuple(_word(name) for name in ALL_CARDS),
    ),
    number("bottom", 3, 0, CAVE - 1),
    number("laid", 3, 0, CAVE - 1),
    number("coins", MOST_COINS, 0, MOST_COINS),
    number("captain_coins", 5, 0, MOST_COINS),
    number("explorer_coins", 3, 0, MOST_COINS),
    Option(
        "values",
        VALUES,
        _values,
        shown=False,
        low=-MOST_POINTS,
        high=MOST_POINTS,
        entries=tuple(_word(name) for name in VALUES),
    ),
    number("majority", 4, 0, MOST_POINTS),
    number("price", 1, 0, MOST_PAID),
    number("allegiance", 1, 0, MOST_PAID),
    number("accusation", 1, 0, MOST_PAID),
    Option(
        "taking_part",
        None,
        _taking_part,
        shown=False,
        among={name: f"captain.adventurer.{name}" for name in ADVENTURERS},
    ),
    number("moon_cards", MOST_TURNED, 0, MOST_TURNED),
    number("red_coins", 1, 0, MOST_PAID),
    number("ulrich_coins", 2, 0, MOST_PAID),
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
"""A variant with two draws, small enough to enumerate."""


def longest(s: State) -> int:
    """Return an upper bound of the decisions in a game.

    Each turn draws a card. In a turn each seat may mutiny once at most, because every new Captain
    is richer than the last one, and at most nine decisions follow: Nostromo's, announcement,
    choice, target, answer, card, two of Moon's and Red's.
    """
    return s.players + s.size * (s.players + 9)


def prepare(s: State, options: Mapping[str, Any]) -> None:
    """Write the options into a zeroed state whose `players` is set."""
    s.first = NOBODY if options["captain"] is None else options["captain"]
    s.dealt = options["adventurers"] == "deal"
    names = options["taking_part"] or _usual(s.players, options["six"])
    for name in names:
        s.taking_part |= 1 << ADVENTURERS.index(name) + 1
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
    for card, name in enumerate(LOOT):
        s.worth[card] = options["values"][name]
    s.token = options["majority"]
    s.price = options["price"]
    s.tribute = options["allegiance"]
    s.stake = options["accusation"]
    s.moon_cards = options["moon_cards"]
    s.red_coins = options["red_coins"]
    s.ulrich_coins = options["ulrich_coins"]
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
            if not s.taking_part >> s.adventurer[seat] & 1:
                raise Refusal("option", "captain.material.adventurers")


def _usual(players: int, six: bool) -> Sequence[str]:
    """captain.material.adventurers: all six with five players or more, or by agreement."""
    return ADVENTURERS if six or players > FEW else ADVENTURERS[:FEW]


def agreed(s: State) -> dict[str, Any]:
    """Return the options that a state was prepared with, as far as they differ from the defaults.

    Who was Captain first and who plays whom are part of the position.
    """
    names = [name for k, name in enumerate(ADVENTURERS, 1) if s.taking_part >> k & 1]
    six = s.players <= FEW and len(names) == len(ADVENTURERS)
    found = {
        "adventurers": "deal" if s.dealt else "choose",
        "six": six,
        "taking_part": None if names == list(_usual(s.players, six)) else names,
        "cards": {name: s.total[card] for card, name in enumerate(DRAWN) if s.total[card]},
        "bottom": s.bottom,
        "laid": s.laid,
        "coins": s.reserve + sum(s.coins[seat] for seat in range(SEATS)),
        "captain_coins": s.captain_coins,
        "explorer_coins": s.explorer_coins,
        "values": {name: s.worth[card] for card, name in enumerate(LOOT)},
        "majority": s.token,
        "price": s.price,
        "allegiance": s.tribute,
        "accusation": s.stake,
        "moon_cards": s.moon_cards,
        "red_coins": s.red_coins,
        "ulrich_coins": s.ulrich_coins,
    }
    defaults = {option.name: option.default for option in OPTIONS}
    return {name: value for name, value in found.items() if value != defaults[name]}
