"""Nomads: where a seat's points come from."""

from __future__ import annotations

from typing import Any

from veillee.engine.tally import Row
from veillee.games.nomads.names import TILES
from veillee.games.nomads.rules import held_value
from veillee.games.nomads.state import LEGENDS, Tile


def tally(s: Any, seat: int) -> list[Row]:
    """nomads.end.score"""
    rows = []
    for legend in range(LEGENDS):
        points = held_value(s, seat, legend)
        rows.append(Row("nomads.write.legend", f"nomads.tile.{TILES[legend]}", points, points))
    song = s.song[seat]
    points = s.song_points[song - 1] if song else 0
    rows.append(Row("nomads.write.song", "nomads.tally.song", points, points))
    moons = s.moons[seat]
    rows.append(Row("nomads.moons.award", "nomads.tally.moons", moons, moons))
    left = sum(s.hand[seat, tile] for tile in range(Tile.MOON))
    rows.append(Row("nomads.end.score", "nomads.tally.left", left, -left))
    return rows
