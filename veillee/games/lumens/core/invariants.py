"""Lumens: what holds in every state.

`broken` returns a number, which compiled checks can compare; `CLAUSES` says which rule it breaks.
The sets of squares and sums that the rules keep for speed are computed again, square by square.
"""

from __future__ import annotations

from veillee.engine.jit.layout import OVER
from veillee.games.lumens.core.rules import kind_of, tokens_left
from veillee.games.lumens.core.state import (
    FACES,
    KINDS,
    NO_TOKEN,
    ROOMS,
    SEATS,
    SIDE,
    SQUARES,
    UNKNOWN,
    Phase,
    State,
)

CLAUSES = (
    "",
    "lumens.material.board",
    "lumens.material.tokens",
    "lumens.place.two",
    "lumens.place.marker",
    "lumens.setup.token",
    "lumens.turn.draw",
    "lumens.place.out",
    "lumens.turn.order",
    "lumens.place.cover",
    "lumens.end.room",
    "lumens.place.line",
)
COUNT_BITS = 5
COUNT = (1 << COUNT_BITS) - 1
PIP_BITS = 8
BOARD, TOKENS, TWO, MARKER, START, HAND, OUT, TURN, SETS, PIPS, REACH = range(1, 12)


def broken(s: State) -> int:
    """Return 0, or the number of the first clause that the state breaks."""
    if turn_wrong(s):
        return TURN
    for square in range(SQUARES):
        wrong = square_wrong(s, square)
        if wrong:
            return wrong
    if tokens_wrong(s):
        return TOKENS
    for seat in range(s.players):
        if marker_wrong(s, seat):
            return START
        if hand_wrong(s, seat):
            return HAND
        if out_wrong(s, seat):
            return OUT
    if pips_wrong(s):
        return PIPS
    if reach_wrong(s):
        return REACH
    return 0


def turn_wrong(s: State) -> bool:
    """lumens.turn.order, lumens.end.when"""
    if s.first < 0 or s.first >= s.players or s.out >> s.players:
        return True
    if s.phase == Phase.OVER:
        return s.seat != OVER
    return s.seat < 0 or s.seat >= s.players or s.hand[s.seat] == NO_TOKEN


def owner(token: int) -> int:
    return (token - 1) // FACES


def on_board(s: State, row: int, column: int) -> bool:
    return 0 <= row < s.side and 0 <= column < s.side


def is_marker(s: State, square: int) -> bool:
    for seat in range(s.players):
        if s.start[seat] == square:
            return True
    return False


def square_wrong(s: State, square: int) -> int:
    """Return 0, or the clause that a square's tokens or the sets derived from them break."""
    row = square // SIDE
    column = square % SIDE
    top = s.top[square]
    under = s.covered[square]
    if not on_board(s, row, column):
        return BOARD if top or under or s.room[square] else 0
    if top < 0 or under < 0 or top > s.players * FACES or under > s.players * FACES:
        return TOKENS
    if under and (s.per_square == 1 or not top):
        return TWO
    for seat in range(s.players):
        foreign = owner(top) != seat or (under != NO_TOKEN and owner(under) != seat)
        if s.start[seat] == square and top and foreign:
            return MARKER
    for seat in range(SEATS):
        lies = top != NO_TOKEN and owner(top) == seat
        if (s.own[seat, row] >> column & 1 == 1) != lies:
            return SETS
    if (s.taken[column] >> row & 1 == 1) != (top != NO_TOKEN):
        return SETS
    full = s.per_square == 1 or is_marker(s, square)
    closed = under != NO_TOKEN or (top != NO_TOKEN and full)
    if (s.closed[row] >> column & 1 == 1) != closed:
        return SETS
    return 0


def tokens_wrong(s: State) -> bool:
    """lumens.material.tokens: each lies on the board, or is in bag or hand.

    All counts are kept in one number, five bits each.
    """
    found = 0
    for square in range(SQUARES):
        found += one_of(s.top[square]) + one_of(s.covered[square])
    for seat in range(s.players):
        for kind in range(KINDS):
            if s.left[seat, kind] < 0:
                return True
            if s.left[seat, kind] + (found >> count_at(seat, kind) & COUNT) != s.total[kind]:
                return True
    return False


def count_at(seat: int, kind: int) -> int:
    """Return the bit offset of the count of a seat's tokens of a kind."""
    return COUNT_BITS * (seat * KINDS + kind)


def one_of(token: int) -> int:
    """Return a packed count of one for a token, 0 for none."""
    if token == NO_TOKEN:
        return 0
    seat = owner(token)
    return 1 << count_at(seat, kind_of(token - seat * FACES) - 1)


def has_started(s: State, seat: int) -> bool:
    return s.top[s.start[seat]] != NO_TOKEN


def marker_wrong(s: State, seat: int) -> bool:
    """lumens.setup.token: in turn order one token each, on the start marker."""
    if s.phase != Phase.START:
        return not has_started(s, seat)
    before_me = (seat - s.first) % s.players
    placed = (s.seat - s.first) % s.players
    tokens = 1 if before_me < placed else 0
    if has_started(s, seat) != (tokens == 1):
        return True
    return tokens_left(s, seat) != s.total[0] + s.total[1] + s.total[2] - tokens


def hand_wrong(s: State, seat: int) -> bool:
    """lumens.turn.draw, lumens.setup.hand: who has a token left has one in hand."""
    hand = s.hand[seat]
    holds = tokens_left(s, seat) > 0
    if s.phase == Phase.START and has_started(s, seat):
        holds = False
    if hand == UNKNOWN:
        return not holds
    if hand < 0 or hand > KINDS or (hand != NO_TOKEN) != holds:
        return True
    return hand != NO_TOKEN and s.left[seat, hand - 1] == 0


def out_wrong(s: State, seat: int) -> bool:
    """lumens.place.out, lumens.end.when: who is out can't place; at the end, nobody can."""
    if s.out >> seat & 1:
        if s.phase == Phase.START or s.hand[seat] == NO_TOKEN or seat == s.seat:
            return True
        for square in range(SQUARES):
            if may_place(s, seat, square):
                return True
        return False
    return s.phase == Phase.OVER and s.hand[seat] != NO_TOKEN


def pips_wrong(s: State) -> bool:
    """lumens.end.room: the pips of all seats are kept in one number."""
    for room in range(1, ROOMS + 1):
        found = 0
        for square in range(SQUARES):
            if s.room[square] == room and s.top[square] != NO_TOKEN:
                seat = owner(s.top[square])
                found += (s.top[square] - seat * FACES) << PIP_BITS * seat
        for seat in range(s.players):
            found -= s.pips[seat, room - 1] << PIP_BITS * seat
        if found:
            return True
    return False


def reach_wrong(s: State) -> bool:
    """Whether the marked squares differ from those on which the seat to decide may place."""
    any_marked = False
    for square in range(SQUARES):
        marked = s.reach[square // SIDE] >> (square % SIDE) & 1 == 1
        any_marked = any_marked or marked
        if s.phase == Phase.START:
            allowed = square == s.start[s.seat]
        else:
            allowed = s.phase == Phase.TURN and may_place(s, s.seat, square)
        if marked != allowed:
            return True
    return s.phase != Phase.OVER and not any_marked


def may_place(s: State, seat: int, square: int) -> bool:
    """Whether a seat may place on a square, checked square by square.

    lumens.place.two, lumens.place.marker, lumens.place.home
    """
    row = square // SIDE
    column = square % SIDE
    if not on_board(s, row, column) or s.covered[square] != NO_TOKEN:
        return False
    if square == s.start[seat]:
        return s.per_square > 1
    if is_marker(s, square) or (s.per_square == 1 and s.top[square] != NO_TOKEN):
        return False
    return (
        counted(s, seat, row, column, 0, 1)
        or counted(s, seat, row, column, 0, -1)
        or counted(s, seat, row, column, 1, 0)
        or counted(s, seat, row, column, -1, 0)
    )


def counted(s: State, seat: int, row: int, column: int, down: int, right: int) -> bool:
    """Whether the first token met from a square on, this way, is the seat's and counts to it.

    lumens.place.origin, lumens.place.line, lumens.place.blocked
    """
    for distance in range(1, FACES + 1):
        row += down
        column += right
        if not on_board(s, row, column):
            return False
        token = s.top[row * SIDE + column]
        if token != NO_TOKEN:
            return token == seat * FACES + distance
    return False
