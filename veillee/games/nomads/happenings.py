"""Nomads: what can happen, as events. Nothing here is secret: all that is hidden is so to all."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.events import Kind
from veillee.games.nomads.names import DIRECTIONS, DISCS, PHASES, TILES
from veillee.games.nomads.state import LEGENDS, UNKNOWN


class Happening(IntEnum):
    CAMP = 0
    ADVENTURER = 1
    NOMADS = 2
    PLACE = 3
    LYS = 4
    SOW = 5
    SKIP = 6
    DROP = 7
    LIFT = 8
    TAKE = 9
    LOSE = 10
    WRITE = 11
    SING = 12
    MOONS = 13
    LAST = 14
    PASS = 15


KINDS = (
    Kind("camp", ("first",)),
    Kind("adventurer", ("seat", "disc")),
    Kind("nomads"),
    Kind("place", ("seat", "disc", "space")),
    Kind("lys", ("seat", "space", "phase")),
    Kind("sow", ("seat", "space", "direction", "height")),
    Kind("skip", ("seat", "space")),
    Kind("drop", ("disc", "space")),
    Kind("lift", ("seat", "space", "height")),
    Kind("take", ("seat", "space", "tile", "under")),
    Kind("lose", ("disc", "space", "tile", "under")),
    Kind("write", ("seat", "legend", "value", "tiles", "wilds")),
    Kind("sing", ("seat", "value", "paid", "wilds")),
    Kind("moons", ("seat", "points", "won")),
    Kind("last", ("seat", "stacks")),
    Kind("pass", ("seat",)),
)


def _from_one(number: int) -> int:
    return number + 1


def _tile(kind: int) -> str | None:
    return None if kind == UNKNOWN else TILES[kind]


def _tiles(bits: int) -> list[str]:
    return [TILES[legend] for legend in range(LEGENDS) if bits >> legend & 1]


FIELDS: dict[str, Any] = {
    "space": _from_one,
    "disc": DISCS.__getitem__,
    "direction": DIRECTIONS.__getitem__,
    "phase": PHASES.__getitem__,
    "tile": _tile,
    "under": _tile,
    "legend": _tile,
    "paid": _tiles,
}
"""How the values of events are shown as data."""
