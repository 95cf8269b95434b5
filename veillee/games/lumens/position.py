"""Lumens: positions as JSON.

Tokens on a square are listed from the bottom, squares are named as in the notation. An unknown
token in hand is null. What bag and hand hold together follows from the board; if it is given, it
must agree.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.layout import OVER
from veillee.engine.position import PositionReader
from veillee.engine.refusal import Key, Refusal
from veillee.games.lumens.board import starts
from veillee.games.lumens.core.invariants import CLAUSES, broken
from veillee.games.lumens.core.names import COLOURS, PHASES, SQUARES, TOKENS, laid_name
from veillee.games.lumens.core.rules import (
    ask_start,
    colour_of,
    find_reach,
    in_colour,
    kind_of,
    place,
    set_colour,
)
from veillee.games.lumens.core.state import FACES, KINDS, NO_TOKEN, SIDE, UNKNOWN, Phase, State
from veillee.games.lumens.options import agreed

FACES_UP = range(1, FACES + 1)


def write(s: State) -> dict[str, Any]:
    """Return the whole position; unknown hands are null."""
    return {
        "squares": {
            name: [laid_name(in_colour(s, token)) for token in _tokens(s, square)]
            for square, name in enumerate(SQUARES)
            if s.top[square] != NO_TOKEN
        },
        "seats": [
            {
                "colour": COLOURS[colour_of(s, seat)],
                **_start(s, seat),
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


def _tokens(s: State, square: int) -> list[int]:
    return [token for token in (s.covered[square], s.top[square]) if token != NO_TOKEN]


def _start(s: State, seat: int) -> dict[str, str]:
    """Return the square of a seat's start marker, if it is not the usual one of that seat."""
    square = s.start[seat]
    return {} if square == _by_seat(s)[seat] else {"start": SQUARES[square]}


def _by_seat(s: State) -> list[int]:
    return [row * SIDE + column for row, column in starts(s.players, s.side)]


def read(position: Any, s: State) -> None:
    """Read a position into a state prepared for its players and options, or refuse it."""
    p = PositionReader(position, "lumens.position")
    p.raw("options", {})
    s.phase = p.name("phase", PHASES, "turn")
    s.first = p.number("first", 0, s.players - 1, 0)
    for seat in range(s.players):
        for kind in range(KINDS):
            s.left[seat, kind] = s.total[kind]
    seats = p.objects("seats", [s.players])
    _read_markers(seats, s)
    _read_squares(p.inner("squares", {}), s)
    for seat, at in enumerate(seats):
        _read_seat(at, s, seat)
    _read_decision(p, s)
    p.done()
    check(s)


def _read_markers(seats: list[PositionReader], s: State) -> None:
    """Read who has which colour, and whose start marker lies where."""
    squares = _by_seat(s)
    names = [SQUARES[square] for square in squares]
    usual = [COLOURS[colour_of(s, seat)] for seat in range(s.players)]
    colours = [at.name("colour", COLOURS, usual[seat]) for seat, at in enumerate(seats)]
    markers = [at.name("start", names, names[seat]) for seat, at in enumerate(seats)]
    if len(set(colours)) != len(seats):
        raise Refusal("impossible", "lumens.material.tokens", "lumens.position.colours")
    if len(set(markers)) != len(seats):
        raise Refusal("impossible", "lumens.setup.start", "lumens.position.starts")
    free = [colour for colour in range(len(COLOURS)) if colour not in colours]
    s.colours = 0
    for seat, colour in enumerate([*colours, *free]):
        set_colour(s, seat, colour)
    for seat, marker in enumerate(markers):
        s.start[seat] = squares[marker]


def _read_squares(p: PositionReader, s: State) -> None:
    """Lay the tokens down, each where it was placed."""
    colours = [COLOURS[colour_of(s, seat)] for seat in range(s.players)]
    laid = [f"{colour} {face}" for colour in colours for face in FACES_UP]
    for square, name in enumerate(SQUARES):
        row, column = divmod(square, SIDE)
        if row < s.side and column < s.side:
            p.clause = "lumens.place.two"
            for token in p.names(name, laid, s.per_square, []):
                _lay(s, square, *divmod(token, FACES))
    p.clause = "lumens.material.board"
    p.done()


def _lay(s: State, square: int, seat: int, face: int) -> None:
    """Place a token as the rules do; the first one on a start marker was placed in set-up."""
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
            colour=Key(f"lumens.colour.{COLOURS[colour_of(s, seat)]}"),
            most=s.total[kind_of(face + 1) - 1],
        )
    place(s, square, face + 1, None)
    s.phase = phase


def _read_seat(at: PositionReader, s: State, seat: int) -> None:
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


def _read_decision(p: PositionReader, s: State) -> None:
    """Read whose decision it is, and mark where they may place."""
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


def check(s: State) -> None:
    """Refuse a state that breaks an invariant."""
    clause = broken(s)
    if clause:
        raise Refusal("impossible", CLAUSES[clause])


def hides(s: State) -> bool:
    """Whether a token in hand is unknown."""
    return any(s.hand[seat] == UNKNOWN for seat in range(s.players))
