"""Lumens: the score sheet, room by room."""

from __future__ import annotations

from veillee.engine.score_sheet import Row
from veillee.games.lumens.core.names import room_letter
from veillee.games.lumens.core.rules import central_room, points_in_room
from veillee.games.lumens.core.state import State


def score_sheet(s: State, seat: int) -> list[Row]:
    """lumens.end.room, lumens.end.points"""
    rows = []
    central = central_room(s)
    for room in range(1, s.rooms + 1):
        key = "lumens.tally.central" if room == central else "lumens.tally.room"
        pips, points = s.pips[seat, room - 1], points_in_room(s, seat, room)
        rows.append(Row("lumens.end.points", key, pips, points, {"room": room_letter(room)}))
    return rows
