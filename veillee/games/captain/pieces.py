"""Oh Captain!: which coin and which face-up card is which, from picture to picture.

Face-down cards have no name: they are shuffled at will, and to those who look they are alike. A
card that is turned up gets a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.events import Event
from veillee.games.captain.state import KINDS, How

Ids = dict[str, Any]
"""`coins`: the ids of the coins of each seat, and last of the reserve; `up`: per seat and kind
those of its face-up cards; `next`: the number of the next card that is turned up."""


def named(s: Any) -> Ids:
    """Ids by where things lie."""
    coins, first = [], 0
    for n in [*(s.coins[seat] for seat in range(s.players)), s.reserve]:
        coins.append([f"coin-{first + i}" for i in range(n)])
        first += n
    up, made = [], 0
    for seat in range(s.players):
        loot = []
        for card in range(KINDS):
            n = s.up[seat, card]
            loot.append([f"card-{made + i}" for i in range(n)])
            made += n
        up.append(loot)
    return {"coins": coins, "up": up, "next": made}


def follow(ids: Ids | None, s: Any, events: Sequence[Event]) -> Ids:
    """The ids after some events that led to `s`."""
    if ids is None:
        return named(s)
    after: Ids = {
        "coins": [list(coins) for coins in ids["coins"]],
        "up": [[list(cards) for cards in loot] for loot in ids["up"]],
        "next": ids["next"],
    }
    try:
        for event in events:
            _step(after, event)
    except (IndexError, KeyError, TypeError):
        return named(s)
    return after if _fits(after, s) else named(s)


def _step(ids: Ids, event: Event) -> None:
    v: dict[str, Any] = event.values
    match event.name:
        case "mutiny":
            _coins(ids, -1, v["seat"], v["coins"])
        case "allegiance":
            _coins(ids, v["seat"], v["captain"], 1)
        case "buy":
            _coins(ids, v["captain"], v["seat"], 1)
            _turn_up(ids, v["captain"], v["card"])
        case "accuse":
            _turn_up(ids, v["attacker"], v["card"])
        case "pay":
            _coins(ids, v["seat"], v["to"], v["coins"])
        case "steal":
            _coins(ids, v["target"], v["attacker"], 1)
        case "rob":
            _coins(ids, v["victim"], v["seat"], 1)
        case "light":
            _turn_up(ids, v["target"], v["card"])
        case "hook" if v["how"] & 3 == How.FACE_UP:
            card = ids["up"][v["target"]][v["card"]].pop()
            ids["up"][v["attacker"]][v["card"]].append(card)
        case "shoot" if v["how"] & 3 == How.FACE_UP:
            ids["up"][v["target"]][v["card"]].pop()
        case "turn":
            ids["up"][v["seat"]][v["card"]].pop()
        case _:
            pass


def _coins(ids: Ids, giver: int, taker: int, n: int) -> None:
    for _ in range(n):
        ids["coins"][taker].append(ids["coins"][giver].pop())


def _turn_up(ids: Ids, seat: int, card: int) -> None:
    ids["up"][seat][card].append(f"card-{ids['next']}")
    ids["next"] += 1


def _fits(ids: Ids, s: Any) -> bool:
    if len(ids["up"]) != s.players or len(ids["coins"][-1]) != s.reserve:
        return False
    return all(
        len(ids["coins"][seat]) == s.coins[seat]
        and all(len(ids["up"][seat][card]) == s.up[seat, card] for card in range(KINDS))
        for seat in range(s.players)
    )
