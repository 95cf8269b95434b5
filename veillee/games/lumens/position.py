"""Lumens: positions as JSON data, out and in.

Tokens on a square stand bottom first, squares are named as in the notation. A token in hand that
the reader may not know is null. What bag and hand hold together follows from what lies on the
board; if it is written, it must agree.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.position import Reader
from veillee.engine.record import OVER
from veillee.engine.refusal import Key, Refusal
from veillee.games.lumens.invariants import CLAUSES, broken
from veillee.games.lumens.names import COLOURS, LAID, PHASES, SQUARES, TOKENS, laid_name
from veillee.games.lumens.options import agreed
from veillee.games.lumens.rules import ask_start, find_reach, kind_of, place
from veillee.games.lumens.state import FACES, KINDS, NO_TOKEN, SIDE, UNKNOWN, Phase


def write(s: Any) -> dict[str, Any]:
    """The whole position; a view's unknown hands are null."""
    return {
        "squares": {
            name: [laid_name(token) for token in (s.covered[square], s.top[square]) if token]
            for square, name in enumerate(SQUARES)
            if s.top[square] != NO_TOKEN
        },
        "seats": [
            {
                "colour": COLOURS[seat],
                "hand": TOKENS[s.hand[seat] - 1] if s.hand[seat] > NO_TOKEN else None,
                "left": {name: s.left[seat, kind] for kind, name in enumerate(TOKENS)},
                "out": bool(s.out >> seat & 1),
            }
            for seat in range(s.players)
        ],
        "seat": None if s.seat == OVER else s.seat,
        "phase": PHASES[s.phase],
        "first": s.first,
        "options": agreed(s),
    }


def read(position: Any, s: Any) -> None:
    """Fill a state, prepared with the position's options and players, from a position."""
    p = Reader(position, "lumens.position")
    p.raw("options", {})
    s.phase = p.name("phase", PHASES, "turn")
    s.first = p.number("first", 0, s.players - 1, 0)
    for seat in range(s.players):
        for kind in range(KINDS):
            s.left[seat, kind] = s.total[kind]
    _read_squares(p.inner("squares", {}), s)
    for seat, at in enumerate(p.objects("seats", [s.players])):
        _read_seat(at, s, seat)
    _read_decision(p, s)
    p.done()
    check(s)


def _read_squares(p: Reader, s: Any) -> None:
    """Lay the tokens down, each where it was placed."""
    for square, name in enumerate(SQUARES):
        row, column = divmod(square, SIDE)
        if row < s.side and column < s.side:
            p.clause = "lumens.place.two"
            for token in p.names(name, LAID[: s.players * FACES], 2, []):
                _lay(s, square, *divmod(token, FACES))
    p.clause = "lumens.material.board"
    p.done()


def _lay(s: Any, square: int, seat: int, face: int) -> None:
    """As the rules place a token; a start marker's first one was placed at the start."""
    phase = s.phase
    first_here = s.top[square] == NO_TOKEN
    at_start = first_here and square in [s.start[other] for other in range(s.players)]
    s.phase = Phase.START if at_start else Phase.TURN
    s.seat = seat
    if s.left[seat, kind_of(face + 1) - 1] == 0:
        raise Refusal(
            "impossible",
            "lumens.material.tokens",
            "lumens.position.tokens",
            token=TOKENS[kind_of(face + 1) - 1],
            colour=Key(f"lumens.colour.{COLOURS[seat]}"),
            most=s.total[kind_of(face + 1) - 1],
        )
    place(s, square, face + 1, None)
    s.phase = phase


def _read_seat(at: Reader, s: Any, seat: int) -> None:
    at.name("colour", COLOURS[seat : seat + 1], COLOURS[seat])
    counted = [s.left[seat, kind] for kind in range(KINDS)]
    at.clause = "lumens.know"
    if at.counts("left", TOKENS, max(s.total), dict(zip(TOKENS, counted, strict=True))) != counted:
        raise at.wrong("left", at.raw("left"), ", ".join(map(str, counted)))
    at.clause = "lumens.turn.draw"
    if at.raw("hand", None) is not None:
        s.hand[seat] = at.name("hand", TOKENS) + 1
    elif sum(counted) and not (s.phase == Phase.START and s.top[s.start[seat]] != NO_TOKEN):
        s.hand[seat] = UNKNOWN
    s.out |= at.flag("out", False) << seat
    at.done()


def _read_decision(p: Reader, s: Any) -> None:
    """Whose decision it is, and where they may place."""
    p.clause = "lumens.turn.order"
    if s.phase == Phase.OVER:
        if p.raw("seat", None) is not None:
            raise p.wrong("seat", p.raw("seat"), "null")
        s.seat = OVER
        return
    s.seat = p.number("seat", 0, s.players - 1, 0)
    if s.phase == Phase.START:
        ask_start(s, s.seat)
    elif s.hand[s.seat] != NO_TOKEN and not find_reach(s, s.seat):
        raise Refusal("impossible", "lumens.place.out", "lumens.position.stuck", n=s.seat + 1)


def check(s: Any) -> None:
    """Refuse a state that can't be."""
    clause = broken(s)
    if clause:
        raise Refusal("impossible", CLAUSES[clause])
