"""Oh Captain!: which coin and which face-up card is which, from picture to picture.

Face-down cards are shuffled at will, and to those who look they are alike: only the top of a heap
has a name, a new one whenever a card is put on it. A card that is turned up gets a new one too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.events import Event
from veillee.games.captain.state import KINDS, How, Phase

Ids = dict[str, Any]
"""`coins`: the ids of the coins of each seat, and last of the reserve; `up`: per seat and kind
those of its face-up cards; `down`: the tops of the heaps, and last of the discard, and `heaps` how
high they are; `found`: the card that was drawn; `moves`: what moved last; `next`: the number of the
next card that is named."""


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
    heaps = _heaps(s)
    return {
        "coins": coins,
        "up": up,
        "down": [f"heap-{place}" for place in range(len(heaps))],
        "heaps": heaps,
        "found": f"found-{s.row}",
        "moves": [],
        "next": made,
    }


def _heaps(s: Any) -> list[int]:
    return [*(s.hidden[seat] for seat in range(s.players)), s.discards]


def follow(ids: Ids | None, s: Any, events: Sequence[Event]) -> Ids:
    """The ids after some events that led to `s`."""
    if ids is None:
        return named(s)
    after: Ids = {
        "coins": [list(coins) for coins in ids["coins"]],
        "up": [[list(cards) for cards in loot] for loot in ids["up"]],
        "down": list(ids["down"]),
        "heaps": _heaps(s),
        "found": f"found-{s.row}",
        "moves": [] if events else ids["moves"],
        "next": ids["next"],
    }
    try:
        source = ids["found"]
        for event in events:
            source = _step(after, event, source)
        for place, height in enumerate(after["heaps"]):
            if height > ids["heaps"][place]:
                after["down"][place] = _name(after, "down", source)
        if s.phase == Phase.OVER and events:
            _lay_bare(after, s)
        if any(event.name == "draw" for event in events):
            after["moves"].append(f"{after['found']}:cave")
    except (IndexError, KeyError, TypeError):
        return named(s)
    return after if _fits(after, s) else named(s)


def _step(ids: Ids, event: Event, source: str) -> str:
    """Follow an event; where a card comes from that is now put face down."""
    v: dict[str, Any] = event.values
    match event.name:
        case "mutiny":
            _coins(ids, -1, v["seat"], v["coins"])
        case "allegiance":
            _coins(ids, v["seat"], v["captain"], 1)
        case "buy":
            _coins(ids, v["captain"], v["seat"], 1)
            _turn_up(ids, v["captain"], v["card"], source)
        case "accuse":
            _turn_up(ids, v["attacker"], v["card"], source)
        case "pay":
            _coins(ids, v["seat"], v["to"], v["coins"])
        case "steal":
            _coins(ids, v["target"], v["attacker"], 1)
        case "rob":
            _coins(ids, v["victim"], v["seat"], 1)
        case "light":
            _turn_up(ids, v["target"], v["card"], ids["down"][v["target"]])
        case "hook" if v["how"] & 3 == How.FACE_UP:
            card = ids["up"][v["target"]][v["card"]].pop()
            ids["up"][v["attacker"]][v["card"]].append(card)
            ids["moves"].append(card)
        case "shoot" if v["how"] & 3 == How.FACE_UP:
            return str(ids["up"][v["target"]][v["card"]].pop())
        case "hook" | "shoot":
            return str(ids["down"][v["target"]])
        case "fish":
            return str(ids["down"][-1])
        case "turn":
            return str(ids["up"][v["seat"]][v["card"]].pop())
        case _:
            pass
    return source


def _name(ids: Ids, kind: str, source: str) -> str:
    """A name for a card that comes from somewhere."""
    name = f"{kind}-{ids['next']}"
    ids["next"] += 1
    ids["moves"].append(f"{name}:{source}")
    return name


def _lay_bare(ids: Ids, s: Any) -> None:
    """At the end the heaps are turned up."""
    for seat in range(s.players):
        for card in range(KINDS):
            ids["moves"].extend(
                f"{bare(seat, card, i)}:{ids['down'][seat]}" for i in range(s.down[seat, card])
            )


def bare(seat: int, card: int, i: int) -> str:
    """The id of a card that was turned up at the end."""
    return f"bare-{seat}-{card}-{i}"


def _coins(ids: Ids, giver: int, taker: int, n: int) -> None:
    for _ in range(n):
        ids["coins"][taker].append(ids["coins"][giver].pop())
        ids["moves"].append(ids["coins"][taker][-1])


def _turn_up(ids: Ids, seat: int, card: int, source: str) -> None:
    ids["up"][seat][card].append(_name(ids, "card", source))


def _fits(ids: Ids, s: Any) -> bool:
    if len(ids["up"]) != s.players or len(ids["coins"][-1]) != s.reserve:
        return False
    return all(
        len(ids["coins"][seat]) == s.coins[seat]
        and all(len(ids["up"][seat][card]) == s.up[seat, card] for card in range(KINDS))
        for seat in range(s.players)
    )
