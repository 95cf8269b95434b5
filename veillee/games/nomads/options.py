"""Nomads: what a table may choose."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veillee.engine.options import Option, a_seat, casting, flag, number, whole
from veillee.engine.refusal import Refusal
from veillee.games.nomads.names import ADVENTURERS, DISCS, TILES
from veillee.games.nomads.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SEATS,
    SONGS,
    SPACES,
    TALLEST_STACK,
    Disc,
    Tile,
)

VALUES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "values.toml").read_text("utf-8"))


def _legends(value: Any, _: int) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(TILES[:LEGENDS])
        and all(_numbers(row, CARDS) for row in value.values())
    )


def _songs(value: Any, _: int) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"cost", "points"}
        and all(_numbers(row, SONGS) for row in value.values())
    )


def _numbers(row: Any, n: int) -> bool:
    return isinstance(row, list) and len(row) == n and all(whole(v) and 1 <= v <= 30 for v in row)


def _story(value: Any, _: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == LEGENDS
        and all(whole(n) and 0 <= n <= 14 for n in value)
    )


def _seats(value: Any, players: int) -> bool:
    return (
        isinstance(value, list)
        and all(whole(seat) and 0 <= seat < players for seat in value)
        and len(set(value)) == len(value)
    )


OPTIONS = (
    flag("quick"),
    flag("camp", shown=False),
    casting("adventurers", ADVENTURERS),
    a_seat("first"),
    a_seat("keeper"),
    Option("coins", [], _seats, shown=False),
    Option("legends", VALUES["legends"], _legends, shown=False),
    Option("songs", VALUES["songs"], _songs, shown=False),
    Option("story", [14] * LEGENDS, _story, shown=False),
    number("wilds", 2, 0, 2),
    number("moons", 12, 0, 12),
    number("ring", SPACES, 4, SPACES),
    number("stacks_at_end", 2, 0, SPACES - 1),
    number("patience", 100, 1, 100),
)

SMALL: dict[str, Any] = VALUES["small"]
"""A few tiles on a small ring: enumerable."""


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a zeroed state whose `players` is set.

    nomads.material.table, nomads.setup.first, nomads.setup.adventurers, nomads.setup.quick
    """
    s.quick = options["quick"]
    s.camp = options["camp"]
    s.dealt = options["adventurers"] == "deal"
    s.first = _seat_or_nobody(options["first"])
    s.keeper = _seat_or_nobody(options["keeper"])
    s.ring = options["ring"]
    s.stacks_at_end = options["stacks_at_end"]
    s.patience = options["patience"]
    for kind, n in enumerate([*options["story"], options["wilds"], options["moons"]]):
        s.total[kind] = n
    tiles = sum(s.total)
    if not s.ring <= tiles <= s.ring * TALLEST_STACK:
        raise Refusal(
            "option",
            "nomads.setup.stacks",
            "nomads.option.tiles",
            tiles=tiles,
            fewest=s.ring,
            most=s.ring * TALLEST_STACK,
        )
    for seat in options["coins"]:
        s.coins |= 1 << seat
        s.hand[seat, Tile.WILD] = 1
    for legend in range(LEGENDS):
        for card in range(CARDS):
            s.value[legend, card] = options["legends"][TILES[legend]][card]
    for song in range(SONGS):
        s.song_cost[song] = options["songs"]["cost"][song]
        s.song_points[song] = options["songs"]["points"][song]
    for disc in range(len(Disc)):
        s.owner[disc] = NOBODY
    if isinstance(options["adventurers"], list):
        for seat, name in enumerate(options["adventurers"][: s.players]):
            s.adventurer[seat] = DISCS.index(name)


def _seat_or_nobody(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def agreed(s: Any) -> dict[str, Any]:
    """The options that a state was prepared with, those that differ from the default only.

    Who goes first, who keeps the sleepers and who plays whom are part of the position.
    """
    found = {
        "quick": bool(s.quick),
        "camp": bool(s.camp),
        "adventurers": "deal" if s.dealt else "choose",
        "coins": [seat for seat in range(SEATS) if s.coins >> seat & 1],
        "legends": {
            TILES[legend]: [s.value[legend, card] for card in range(CARDS)]
            for legend in range(LEGENDS)
        },
        "songs": {"cost": list(s.song_cost), "points": list(s.song_points)},
        "story": [s.total[legend] for legend in range(LEGENDS)],
        "wilds": s.total[Tile.WILD],
        "moons": s.total[Tile.MOON],
        "ring": s.ring,
        "stacks_at_end": s.stacks_at_end,
        "patience": s.patience,
    }
    defaults = {option.name: option.default for option in OPTIONS}
    return {name: value for name, value in found.items() if value != defaults[name]}
