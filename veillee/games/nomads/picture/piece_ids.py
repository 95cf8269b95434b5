"""Nomads: the ids of discs and tiles from picture to picture.

A state tells colours, not discs; the events tell which disc went where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from veillee.engine.events import Event
from veillee.games.nomads.core.names import DISCS, TILES
from veillee.games.nomads.core.state import LEGENDS, Disc, State, Tile

Ids = dict[str, Any]
"""`piles`: the ids in each space's pile, bottom first; `hands`: per seat and kind, the tiles in
front of it; `chart` and `moons`: Opal Moons on the chart and won; `heights`: those of the stacks of
tiles; `moves`: what moved last. They are lists of tuples: what stays as it was is not copied."""


def named(s: State) -> Ids:
    """Name all pieces by where they lie."""
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
        "heights": s.tiles.tolist(),
        "moves": [],
    }


@cache
def tile_id(space: int, height: int) -> str:
    """Return the id of the tile at a height of a stack, where it lies until it is taken."""
    return f"tile-{space}-{height}"


def follow(ids: Ids | None, s: State, events: Sequence[Event]) -> Ids:
    """Return the ids after the events that led to `s`."""
    if ids is None:
        return named(s)
    after: Ids = {
        "piles": list(ids["piles"]),
        "hands": list(ids["hands"]),
        "chart": ids["chart"],
        "moons": list(ids["moons"]),
        "heights": s.tiles.tolist(),
        "moves": [] if events else ids["moves"],
    }
    try:
        _go(after, events, ids["heights"].copy())
    except (IndexError, KeyError, StopIteration):
        return named(s)
    return after if _fits(after, s) else named(s)


def _go(ids: Ids, events: Sequence[Event], heights: list[int]) -> None:
    """Apply the events to the ids; `heights` are those of the stacks before."""
    piles, hands, moved = ids["piles"], ids["hands"], ids["moves"]
    in_hand: Iterator[str] = iter(())
    for event in events:
        values: dict[str, Any] = event.values
        match event.name:
            case "drop":
                dropped = next(in_hand)
                moved.append(dropped)
                piles[values["space"]] += (dropped,)
            case "take" | "lose":
                space, kind = values["space"], values["tile"]
                heights[space] -= 1
                tile = tile_id(space, heights[space])
                moved.append(tile)
                if kind == Tile.MOON:
                    ids["chart"] += (tile,)
                elif event.name == "take":
                    hand = hands[values["seat"]]
                    hands[values["seat"]] = _with(hand, kind, (*hand[kind], tile))
            case "sow":
                in_hand = iter(piles[values["space"]])
                piles[values["space"]] = ()
            case "nomads":
                for space in range(len(piles)):
                    piles[space] += (f"disc-{DISCS[Disc.NOMAD]}-{space}",)
            case "place":
                disc = values["disc"]
                n = sum(kind_of(known) == disc for pile in piles for known in pile)
                piles[values["space"]] += (f"disc-{DISCS[disc]}-{n}",)
            case "lift":
                pile, height = piles[values["space"]], values["height"]
                piles[values["space"]] = (*pile[:height], *pile[height + 1 :], pile[height])
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
                moved.extend(won)
                ids["moons"][values["seat"]] += won
            case _:
                pass


Hand = tuple[tuple[str, ...], ...]


def _with(hand: Hand, kind: int, tiles: tuple[str, ...]) -> Hand:
    return (*hand[:kind], tiles, *hand[kind + 1 :])


def _paid(hand: Hand, kind: int, n: int) -> Hand:
    return _with(hand, kind, hand[kind][: len(hand[kind]) - n]) if n else hand


def _fits(ids: Ids, s: State) -> bool:
    """Whether the ids agree with the state; Moons that nobody won leave the chart."""
    ids["chart"] = ids["chart"][max(0, len(ids["chart"]) - s.chart) :]
    held = bytes(map(len, chain.from_iterable(ids["hands"])))
    return bool(
        len(ids["chart"]) == s.chart
        and bytes(map(len, ids["piles"])) == s.discs.tobytes()[: s.ring]
        and held == s.hand.tobytes()[: len(held)]
        and bytes(map(len, ids["moons"])) == s.moons.tobytes()[: s.players]
    )


@cache
def kind_of(name: str) -> int:
    """Return the disc that an id stands for."""
    return DISCS.index(name.split("-")[1])
