"""Lumens: why an action is not legal, as the clause that forbids it."""

from __future__ import annotations

from typing import Any

from veillee.games.lumens.notation import parts
from veillee.games.lumens.rules import kind_of
from veillee.games.lumens.state import FACES, NO_TOKEN, SIDE, UNKNOWN, Phase


def forbids(s: Any, action: int) -> str:
    """The clause that forbids the seat to decide to do this now."""
    square, face = parts(action)
    row, column = divmod(square, SIDE)
    if s.phase == Phase.START and square != s.start[s.seat]:
        return "lumens.setup.token"
    if row >= s.side or column >= s.side:
        return "lumens.place.line"
    if s.hand[s.seat] not in (kind_of(face), UNKNOWN):
        return "lumens.place.face"
    if square in [s.start[seat] for seat in range(s.players) if seat != s.seat]:
        return "lumens.place.marker"
    if s.covered[square] != NO_TOKEN:
        return "lumens.place.home" if square == s.start[s.seat] else "lumens.place.two"
    return _counting(s, row, column)


def _counting(s: Any, row: int, column: int) -> str:
    """Why no own token counts to a square: one would, but for its way or for what covers it."""
    clause = "lumens.place.line"
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        met = False
        for face in range(1, FACES + 1):
            y, x = row + down * face, column + right * face
            if not (0 <= y < s.side and 0 <= x < s.side):
                break
            own = s.seat * FACES + face
            if met and s.top[y * SIDE + x] == own:
                return "lumens.place.blocked"
            if s.covered[y * SIDE + x] == own:
                clause = "lumens.place.origin"
            met = met or s.top[y * SIDE + x] != NO_TOKEN
    return clause
