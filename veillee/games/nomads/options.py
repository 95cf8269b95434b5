"""Nomads: the options of a table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veillee.engine.options import Option, a_seat, casting, choice, flag, number, whole
from veillee.engine.refusal import Refusal
from veillee.games.nomads.core.names import ADVENTURERS, DISCS, TILES
from veillee.games.nomads.core.rules import SETUP_LIMIT
from veillee.games.nomads.core.state import (
    CARDS,
    FULL_STACK,
    LEGENDS,
    NOBODY,
    SEATS,
    SONGS,
    SPACES,
    TALLEST_PILE,
    Disc,
    State,
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


def _taking_part(value: Any, players: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) >= players
        and all(name in ADVENTURERS for name in value)
        and len(set(value)) == len(value)
    )


STORIES = tuple(f"nomads.tile.{name}" for name in TILES[:LEGENDS])
OPTIONS = (
    flag("quick"),
    flag("camp", shown=False),
    casting("adventurers", ADVENTURERS),
    flag("adventurers_first"),
    choice("stacks", "counted", "about_equal"),
    a_seat("first", shown=True),
    a_seat("keeper"),
    Option("coins", [], _seats, shown=False),
    Option("legends", VALUES["legends"], _legends, shown=False, low=1, high=30, entries=STORIES),
    Option(
        "songs",
        VALUES["songs"],
        _songs,
        shown=False,
        low=1,
        high=30,
        entries=("nomads.option.songs.cost", "nomads.option.songs.points"),
    ),
    Option("story", [14] * LEGENDS, _story, shown=False, low=0, high=14, entries=STORIES),
    number("wilds", 2, 0, 2),
    number("moons", 12, 0, 12),
    number("ring", SPACES, 4, SPACES),
    number("stacks_at_end", 2, 0, SPACES - 1),
    number("patience", 100, 1, 100),
    Option(
        "taking_part",
        list(ADVENTURERS),
        _taking_part,
        shown=False,
        among={name: f"nomads.disc.{name}" for name in ADVENTURERS},
    ),
    number("moon_moves", 1, 0, 3),
    number("moons_to_score", 4, 2, 8),
    number("moons_for_first", 3, 0, 8),
    number("discs", 2, 1, 3),
    number("frogs", 1, 0, 2),
    number("ulrich_discs", 2, 1, 4),
    number("siana_skips", 1, 0, 3),
    number("red_lifts", 1, 0, 3),
)

SMALL: dict[str, Any] = VALUES["small"]
"""A variant small enough to enumerate."""


def prepare(s: State, options: Mapping[str, Any]) -> None:
    """Write the options into a zeroed state whose `players` is set.

    nomads.material.table, nomads.setup.stacks, nomads.setup.first, nomads.setup.adventurers,
    nomads.setup.quick
    """
    s.quick = options["quick"]
    s.camp = options["camp"]
    s.rough = options["stacks"] == "about_equal"
    s.cast_early = options["adventurers_first"]
    s.dealt = options["adventurers"] == "deal"
    s.first = _seat_or_nobody(options["first"])
    s.keeper = _seat_or_nobody(options["keeper"])
    s.ring = options["ring"]
    s.stacks_at_end = options["stacks_at_end"]
    s.patience = options["patience"]
    for name in options["taking_part"]:
        s.taking_part |= 1 << DISCS.index(name)
    s.moon_moves = options["moon_moves"]
    s.moons_to_score = options["moons_to_score"]
    s.moons_for_first = options["moons_for_first"]
    if s.moons_for_first > s.moons_to_score:
        raise Refusal("option", "nomads.moons.award", "nomads.option.moons_for_first.help")
    s.pieces = options["discs"]
    s.frogs = options["frogs"]
    s.ulrich_discs = options["ulrich_discs"]
    s.siana_skips = options["siana_skips"]
    s.red_lifts = options["red_lifts"]
    discs = s.ring + len(ADVENTURERS) * s.pieces + s.frogs
    most = min(TALLEST_PILE, s.ring * SETUP_LIMIT)
    if discs > most:
        raise Refusal(
            "option", "nomads.setup.discs", "nomads.option.too_many_discs", discs=discs, most=most
        )
    for kind, n in enumerate([*options["story"], options["wilds"], options["moons"]]):
        s.total[kind] = n
    tiles = sum(s.total)
    if not s.ring <= tiles <= s.ring * FULL_STACK:
        raise Refusal(
            "option",
            "nomads.setup.stacks",
            "nomads.option.tiles",
            tiles=tiles,
            fewest=s.ring,
            most=s.ring * FULL_STACK,
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


def longest(s: State) -> int:
    """Return an upper bound of the decisions in a game.

    A turn takes sowing, Lys' bonus, and Moon's or Red's power as often as it may be used. A turn
    without a story or a card is idle, so many of which in a row end the game (nomads.end.stall).
    The others take a tile off a stack, or pay one for a card.
    """
    tiles = sum(s.total) + s.coins.bit_count()
    turns = (2 * tiles + 1) * s.patience
    discs_and_lys = s.pieces * len(ADVENTURERS) + s.frogs + 1
    return s.players + discs_and_lys + (2 + s.moon_moves + s.red_lifts) * turns + s.players


def _seat_or_nobody(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def agreed(s: State) -> dict[str, Any]:
    """Return the options that a state was prepared with, as far as they differ from the defaults.

    Who goes first, who keeps the sleepers and who plays whom are part of the position.
    """
    found = {
        "quick": bool(s.quick),
        "camp": bool(s.camp),
        "stacks": "about_equal" if s.rough else "counted",
        "adventurers_first": bool(s.cast_early),
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
        "taking_part": [name for name in ADVENTURERS if s.taking_part >> DISCS.index(name) & 1],
        "moon_moves": s.moon_moves,
        "moons_to_score": s.moons_to_score,
        "moons_for_first": s.moons_for_first,
        "discs": s.pieces,
        "frogs": s.frogs,
        "ulrich_discs": s.ulrich_discs,
        "siana_skips": s.siana_skips,
        "red_lifts": s.red_lifts,
    }
    defaults = {option.name: option.default for option in OPTIONS}
    return {name: value for name, value in found.items() if value != defaults[name]}
