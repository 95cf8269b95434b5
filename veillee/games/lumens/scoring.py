"""Lumens: how the printed game is scored."""

from __future__ import annotations

from veillee.engine.scoring import Count, Scoring, Tie
from veillee.games.lumens.core.names import room_letter
from veillee.games.lumens.core.rules import central_room
from veillee.games.lumens.core.state import FACES, SIDE, State


def scoring(s: State) -> Scoring:
    """lumens.end.room, lumens.end.points, lumens.end.tie, lumens.end.win"""
    central, side = central_room(s), s.side
    shares = [int(points) for points in s.points.tolist()][: 1 if s.players == 2 else 2]
    rooms = [
        Count(
            room_letter(room),
            "lumens.tally.central" if room == central else "lumens.tally.room",
            "lumens.end.points",
            shares=shares,
            facts={"room": room_letter(room)},
        )
        for room in range(1, s.rooms + 1)
    ]
    squares = s.room.tolist()
    return Scoring(
        counts=rooms,
        ties=[Tie(counts=[room_letter(central)])],
        tie_clause="lumens.end.win",
        board=[
            "".join(room_letter(room) if room else "." for room in squares[row : row + side])
            for row in range(0, side * SIDE, SIDE)
        ],
        faces=FACES,
    )
