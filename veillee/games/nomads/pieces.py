"""Nomads: which disc and which tile is which, from picture to picture.

A state tells colours, not discs; the events tell which disc went where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.events import Event
from veillee.games.nomads.names import DISCS, TILES
from veillee.games.nomads.state import LEGENDS, Disc, Tile

Ids = dict[str, Any]
"""`piles`: the ids in each space's pile, bottom first; `hands`: per seat and kind, the tiles in
front of it; `chart` and `moons`: Opal Moons on the chart and won; `moves`: what moved last."""


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
        piles.append(pile)
    return {
        "piles": piles,
        "hands": [
            [
                [f"kept-{seat}-{TILES[kind]}-{i}" for i in range(s.hand[seat, kind])]
                for kind in range(Tile.MOON)
            ]
            for seat in range(s.players)
        ],
        "chart": [f"opal-{i}" for i in range(s.chart)],
        "moons": [[f"opal-{seat}-{i}" for i in range(s.moons[seat])] for seat in range(s.players)],
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
        "piles": [list(pile) for pile in ids["piles"]],
        "hands": [[list(tiles) for tiles in hand] for hand in ids["hands"]],
        "chart": list(ids["chart"]),
        "moons": [list(won) for won in ids["moons"]],
        "moves": [] if events else ids["moves"],
    }
    taken = _Taken(s, events)
    try:
        in_hand: list[str] = []
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


def _step(ids: Ids, event: Event, in_hand: list[str], taken: _Taken) -> list[str]:
    values = {key: value or 0 for key, value in event.values.items()}
    piles, hands, chart = ids["piles"], ids["hands"], ids["chart"]
    match event.name:
        case "nomads":
            for space, pile in enumerate(piles):
                pile.append(f"disc-{DISCS[Disc.NOMAD]}-{space}")
        case "place":
            name = DISCS[values["disc"]]
            n = sum(known.startswith(f"disc-{name}-") for pile in piles for known in pile)
            piles[values["space"]].append(f"disc-{name}-{n}")
        case "sow":
            in_hand = piles[values["space"]]
            piles[values["space"]] = []
        case "drop":
            ids["moves"].append(in_hand[0])
            piles[values["space"]].append(in_hand.pop(0))
        case "lift":
            pile = piles[values["space"]]
            pile.append(pile.pop(values["height"]))
        case "take" | "lose":
            tile = taken.next(values["space"])
            ids["moves"].append(tile)
            if values["tile"] == Tile.MOON:
                chart.append(tile)
            elif event.name == "take":
                hands[values["seat"]][values["tile"]].append(tile)
        case "write":
            _pay(hands[values["seat"]], values["legend"], values["tiles"])
            _pay(hands[values["seat"]], Tile.WILD, values["wilds"])
        case "sing":
            for legend in range(LEGENDS):
                _pay(hands[values["seat"]], legend, values["paid"] >> legend & 1)
            _pay(hands[values["seat"]], Tile.WILD, values["wilds"])
        case "moons":
            ids["moves"].extend(chart[: values["won"]])
            for _ in range(values["won"]):
                ids["moons"][values["seat"]].append(chart.pop(0))
        case _:
            pass
    return in_hand


def _pay(hand: list[list[str]], kind: int, n: int) -> None:
    for _ in range(n):
        hand[kind].pop()


def _fits(ids: Ids, s: Any) -> bool:
    """Whether the ids are those of this state's things; Moons that none won leave the chart."""
    del ids["chart"][: len(ids["chart"]) - s.chart]
    if len(ids["piles"]) != s.ring or len(ids["hands"]) != s.players:
        return False
    for space, pile in enumerate(ids["piles"]):
        if len(pile) != s.discs[space]:
            return False
        for height, known in enumerate(pile):
            if known.split("-")[1] != DISCS[s.pile[space, height]]:
                return False
    return len(ids["chart"]) == s.chart and all(
        len(ids["moons"][seat]) == s.moons[seat]
        and all(len(ids["hands"][seat][k]) == s.hand[seat, k] for k in range(Tile.MOON))
        for seat in range(s.players)
    )
