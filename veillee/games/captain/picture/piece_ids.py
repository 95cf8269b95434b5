"""Oh Captain!: the ids of coins and cards from picture to picture.

Face-down cards can be shuffled at any time and must not be told apart: only the top of a heap has
an id, a new one whenever a card is put on it. A card that is turned up gets a new id too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress, count
from operator import attrgetter, gt
from typing import Any

from veillee.engine.events import Event
from veillee.games.captain.core.state import KINDS, How, Phase, State

Ids = dict[str, Any]
"""`coins`: ids of the coins of each seat, then of the reserve; `up`: of the face-up cards, by seat
and kind; `down`: of the tops of the heaps, then of the discard; `heaps`: their heights; `found`: of
the card drawn; `moves`: what moved last; `next`: the number in the next new id."""


def named(s: State) -> Ids:
    """Name all pieces by where they lie."""
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


def _heaps(s: State) -> list[int]:
    return [*s.hidden.tolist()[: s.players], s.discards]


def follow(ids: Ids | None, s: State, events: Sequence[Event]) -> Ids:
    """Return the ids after the events that led to `s`."""
    if ids is None:
        return named(s)
    after: Ids = {
        "coins": list(ids["coins"]),
        "up": list(ids["up"]),
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
        for place in compress(count(), map(gt, after["heaps"], ids["heaps"])):
            after["down"][place] = _name(after, "down", source)
        if s.phase == Phase.OVER and events:
            _lay_bare(after, s)
        if "draw" in map(_event_name, events):
            after["moves"].append(f"{after['found']}:cave")
    except (IndexError, KeyError, TypeError, ValueError):
        return named(s)
    return after if _fits(after, s) else named(s)


_event_name = attrgetter("name")


def _step(ids: Ids, event: Event, source: str) -> str:
    """Apply an event; return where a card comes from that is now put face down."""
    v: dict[str, Any] = event.values
    match event.name:
        case "mutiny":
            _coins(ids, -1, v["seat"], v["coins"])
        case "allegiance":
            _coins(ids, v["seat"], v["captain"], v.get("coins", 1))
        case "buy":
            _coins(ids, v["captain"], v["seat"], v.get("coins", 1))
            _turn_up(ids, v["captain"], v["card"], source)
        case "accuse":
            _turn_up(ids, v["attacker"], v["card"], source)
        case "pay":
            _coins(ids, v["seat"], v["to"], v["coins"])
        case "steal":
            _coins(ids, v["target"], v["attacker"], 1)
        case "rob":
            _coins(ids, v["victim"], v["seat"], v.get("coins", 1))
        case "light":
            _turn_up(ids, v["target"], v["card"], ids["down"][v["target"]])
        case "hook" if v["how"] & 3 == How.FACE_UP:
            card = _take_up(ids, v["target"], v["card"])
            _put_up(ids, v["attacker"], v["card"], card)
            ids["moves"].append(card)
        case "shoot" if v["how"] & 3 == How.FACE_UP:
            return _take_up(ids, v["target"], v["card"])
        case "hook" | "shoot":
            return str(ids["down"][v["target"]])
        case "fish":
            return str(ids["down"][-1])
        case "turn":
            return _take_up(ids, v["seat"], v["card"])
        case _:
            pass
    return source


def _name(ids: Ids, kind: str, source: str) -> str:
    """Return a new id for a card, and note where it comes from."""
    name = f"{kind}-{ids['next']}"
    ids["next"] += 1
    ids["moves"].append(f"{name}:{source}")
    return name


def _lay_bare(ids: Ids, s: State) -> None:
    """Note the moves of the cards that are revealed at the end."""
    for seat in range(s.players):
        for card in range(KINDS):
            ids["moves"].extend(
                f"{bare(seat, card, i)}:{ids['down'][seat]}" for i in range(s.down[seat, card])
            )


def bare(seat: int, card: int, i: int) -> str:
    """Return the id of a card that is revealed at the end."""
    return f"bare-{seat}-{card}-{i}"


def _coins(ids: Ids, giver: int, taker: int, n: int) -> None:
    """Move coins; the lists of the step before stay as they are."""
    coins = ids["coins"]
    given = coins[giver][len(coins[giver]) - n :][::-1]
    if len(given) < n:
        raise IndexError(n)
    coins[giver] = coins[giver][: len(coins[giver]) - n]
    coins[taker] = [*coins[taker], *given]
    ids["moves"].extend(given)


def _turn_up(ids: Ids, seat: int, card: int, source: str) -> None:
    _put_up(ids, seat, card, _name(ids, "card", source))


def _put_up(ids: Ids, seat: int, card: int, name: str) -> None:
    loot = ids["up"][seat] = list(ids["up"][seat])
    loot[card] = [*loot[card], name]


def _take_up(ids: Ids, seat: int, card: int) -> str:
    loot = ids["up"][seat] = list(ids["up"][seat])
    *loot[card], name = loot[card]
    return str(name)


def _fits(ids: Ids, s: State) -> bool:
    up, coins, players = ids["up"], ids["coins"], s.players
    return (
        len(up) == players
        and [*map(len, coins)] == [*s.coins.tolist()[:players], s.reserve]
        and bytes(map(len, chain.from_iterable(up))) == s.up.tobytes()[: players * KINDS]
    )
