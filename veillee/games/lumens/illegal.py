"""Lumens: the clause that makes an action illegal."""

from __future__ import annotations

from veillee.games.lumens.core.names import square_name
from veillee.games.lumens.core.rules import kind_of
from veillee.games.lumens.core.state import FACES, NO_TOKEN, SIDE, UNKNOWN, Phase, State
from veillee.games.lumens.notation import parts


def forbids(s: State, action: int) -> str:
    """Return the clause that forbids the seat to decide this action."""
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
    if s.covered[square] != NO_TOKEN or (s.per_square == 1 and s.top[square] != NO_TOKEN):
        return "lumens.place.home" if square == s.start[s.seat] else "lumens.place.two"
    return _counting(s, row, column)


def because(s: State, action: int) -> list[tuple[str, object]]:
    """Return what to look at: the square itself, or the tokens from which one would count."""
    square, _ = parts(action)
    clause, tokens = _counted(s, *divmod(square, SIDE))
    if forbids(s, action) != clause:
        return [("square", square_name(square))]
    own = [q for q in range(SIDE * SIDE) if s.top[q] and (s.top[q] - 1) // FACES == s.seat]
    return [("square", square_name(there)) for there in tokens or own]


def _counting(s: State, row: int, column: int) -> str:
    return _counted(s, row, column)[0]


def _counted(s: State, row: int, column: int) -> tuple[str, list[int]]:
    """Return why no own token counts to a square, and the tokens that are the reason.

    Its way is blocked, it is covered, or there is none.
    """
    clause, tokens = "lumens.place.line", list[int]()
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        met: list[int] = []
        for face in range(1, FACES + 1):
            y, x = row + down * face, column + right * face
            if not (0 <= y < s.side and 0 <= x < s.side):
                break
            own = s.seat * FACES + face
            if met and s.top[y * SIDE + x] == own:
                return "lumens.place.blocked", [*met, y * SIDE + x]
            if s.covered[y * SIDE + x] == own:
                clause, tokens = "lumens.place.origin", [y * SIDE + x]
            if s.top[y * SIDE + x] != NO_TOKEN:
                met.append(y * SIDE + x)
    return clause, tokens
