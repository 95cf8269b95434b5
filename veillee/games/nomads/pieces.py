"""Nomads: which disc and which tile is which, from picture to picture.

A state tells colours, not discs; the events tell which disc went where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.events import Event
from veillee.engine.svg import remembered
from veillee.games.nomads.names import DISCS, TILES
from veillee.games.nomads.state import LEGENDS, TALLEST_PILE, Disc, Tile

Ids = dict[str, Any]
"""`piles`: the ids in each space's pile, bottom first; `hands`: per seat and kind, the tiles in
front of it; `chart` and `moons`: Opal Moons on the chart and won; `moves`: what moved last. They
are lists of tuples: what stays as it was is not copied."""


def named(s: Any) -> Ids:
    """Ids by where things lie."""
    used = [0] * len(DISCS)
    piles = []
    for space in range(s.ring):
        pile = []
        for height in range(s.discs[space]):
            disc = s.pile[space, height]
            pile.append(f"disc-{DISCS[disc]}-{used[disc]}")
            used[disc] += 1
        piles.append(tuple(pile))
    return {
        "piles": piles,
        "hands": [
            tuple(
                tuple(f"kept-{seat}-{TILES[kind]}-{i}" for i in range(s.hand[seat, kind]))
                for kind in range(Tile.MOON)
            )
            for seat in range(s.players)
        ],
        "chart": tuple(f"opal-{i}" for i in range(s.chart)),
        "moons": [
            tuple(f"opal-{seat}-{i}" for i in range(s.moons[seat])) for seat in range(s.players)
        ],
        "moves": [],
    }


def tile_id(space: int, height: int) -> str:
    """The tile at a height of a stack: it lies there until it is taken."""
    return f"tile-{space}-{height}"


def follow(ids: Ids | None, s: Any, events: Sequence[Event]) -> Ids:
    """The ids after some events that led to `s`."""
    if ids is None:
        return named(s)
    after: Ids = {
        "piles": list(ids["piles"]),
        "hands": list(ids["hands"]),
        "chart": ids["chart"],
        "moons": list(ids["moons"]),
        "moves": [] if events else ids["moves"],
    }
    taken = _Taken(s, events)
    try:
        in_hand: tuple[str, ...] = ()
        for event in events:
            in_hand = _step(after, event, in_hand, taken)
    except (IndexError, KeyError):
        return named(s)
    return after if _fits(after, s) else named(s)


class _Taken:
    """From how high the tiles of each stack were taken: read back from how high it is now."""

    def __init__(self, s: Any, events: Sequence[Event]) -> None:
        self.height = [s.tiles[space] for space in range(s.ring)]
        for event in events:
            if event.name in ("take", "lose"):
                self.height[event.values["space"] or 0] += 1

    def next(self, space: int) -> str:
        self.height[space] -= 1
        return tile_id(space, self.height[space])


def _step(ids: Ids, event: Event, in_hand: tuple[str, ...], taken: _Taken) -> tuple[str, ...]:
    """Take one event into the ids; the discs in hand after it."""
    values = {key: value or 0 for key, value in event.values.items()}
    piles, hands = ids["piles"], ids["hands"]
    match event.name:
        case "nomads":
            for space in range(len(piles)):
                piles[space] += (f"disc-{DISCS[Disc.NOMAD]}-{space}",)
        case "place":
            name = DISCS[values["disc"]]
            n = sum(known.startswith(f"disc-{name}-") for pile in piles for known in pile)
            piles[values["space"]] += (f"disc-{name}-{n}",)
        case "sow":
            in_hand = piles[values["space"]]
            piles[values["space"]] = ()
        case "drop":
            dropped, *left = in_hand
            in_hand = tuple(left)
            ids["moves"].append(dropped)
            piles[values["space"]] += (dropped,)
        case "lift":
            pile, height = piles[values["space"]], values["height"]
            piles[values["space"]] = (*pile[:height], *pile[height + 1 :], pile[height])
        case "take" | "lose":
            tile = taken.next(values["space"])
            ids["moves"].append(tile)
            if values["tile"] == Tile.MOON:
                ids["chart"] += (tile,)
            elif event.name == "take":
                hand = hands[values["seat"]]
                kept = (*hand[values["tile"]], tile)
                hands[values["seat"]] = _with(hand, values["tile"], kept)
        case "write":
            hand = _paid(hands[values["seat"]], values["legend"], values["tiles"])
            hands[values["seat"]] = _paid(hand, Tile.WILD, values["wilds"])
        case "sing":
            hand = _paid(hands[values["seat"]], Tile.WILD, values["wilds"])
            for legend in range(LEGENDS):
                hand = _paid(hand, legend, values["paid"] >> legend & 1)
            hands[values["seat"]] = hand
        case "moons":
            won, ids["chart"] = ids["chart"][: values["won"]], ids["chart"][values["won"] :]
            ids["moves"].extend(won)
            ids["moons"][values["seat"]] += won
        case _:
            pass
    return in_hand


Hand = tuple[tuple[str, ...], ...]


def _with(hand: Hand, kind: int, tiles: tuple[str, ...]) -> Hand:
    return (*hand[:kind], tiles, *hand[kind + 1 :])


def _paid(hand: Hand, kind: int, n: int) -> Hand:
    return _with(hand, kind, hand[kind][: len(hand[kind]) - n]) if n else hand


def _fits(ids: Ids, s: Any) -> bool:
    """Whether the ids are those of this state's things; Moons that none won leave the chart."""
    ids["chart"] = ids["chart"][max(0, len(ids["chart"]) - s.chart) :]
    if len(ids["piles"]) != s.ring or len(ids["hands"]) != s.players:
        return False
    lying = s.pile.tobytes()
    for space, pile in enumerate(ids["piles"]):
        foot = space * TALLEST_PILE
        if _discs(pile) != lying[foot : foot + s.discs[space]]:
            return False
    held = s.hand.tobytes()
    return len(ids["chart"]) == s.chart and all(
        len(ids["moons"][seat]) == s.moons[seat]
        and bytes(map(len, hand)) == held[seat * Tile.MOON : (seat + 1) * Tile.MOON]
        for seat, hand in enumerate(ids["hands"])
    )


@remembered
def _discs(pile: tuple[str, ...]) -> bytes:
    """Which discs the ids of a pile are."""
    return bytes(DISCS.index(known.split("-")[1]) for known in pile)
