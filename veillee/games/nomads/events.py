"""Nomads: the kinds of events. None is secret: what is hidden, is hidden from everybody."""

from __future__ import annotations

from typing import Any

from veillee.engine.events import EventKind
from veillee.games.nomads.core.names import DIRECTIONS, DISCS, PHASES, TILES
from veillee.games.nomads.core.state import LEGENDS, UNKNOWN

KINDS = (
    EventKind("camp", ("first",)),
    EventKind("adventurer", ("seat", "disc")),
    EventKind("nomads"),
    EventKind("place", ("seat", "disc", "space")),
    EventKind("lys", ("seat", "space", "phase")),
    EventKind("sow", ("seat", "space", "direction", "height")),
    EventKind("skip", ("seat", "space")),
    EventKind("drop", ("disc", "space")),
    EventKind("lift", ("seat", "space", "height")),
    EventKind("take", ("seat", "space", "tile", "under")),
    EventKind("lose", ("disc", "space", "tile", "under")),
    EventKind("write", ("seat", "legend", "value", "tiles", "wilds")),
    EventKind("sing", ("seat", "value", "paid", "wilds")),
    EventKind("moons", ("seat", "points", "won")),
    EventKind("last", ("seat", "stacks")),
    EventKind("pass", ("seat",)),
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
"""How values of events are written as data."""
