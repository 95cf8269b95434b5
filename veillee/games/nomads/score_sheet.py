"""Nomads: the rows of a score sheet."""

from __future__ import annotations

from veillee.engine.score_sheet import Row
from veillee.games.nomads.core.names import TILES
from veillee.games.nomads.core.rules import held_value
from veillee.games.nomads.core.state import LEGENDS, State, Tile


def score_sheet(s: State, seat: int) -> list[Row]:
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
