"""Lumens: where a seat's points come from."""

from __future__ import annotations

from typing import Any

from veillee.engine.tally import Row
from veillee.games.lumens.names import room_letter
from veillee.games.lumens.rules import points_in_room


def tally(s: Any, seat: int) -> list[Row]:
    """lumens.end.room, lumens.end.points"""
    rows = []
    for room in range(1, s.rooms + 1):
        key = "lumens.tally.central" if room == s.central else "lumens.tally.room"
        pips, points = s.pips[seat, room - 1], points_in_room(s, seat, room)
        rows.append(Row("lumens.end.points", key, pips, points, {"room": room_letter(room)}))
    return rows
