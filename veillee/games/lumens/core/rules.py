"""Lumens: the rules, from set-up to the last scoring, in the order in which they are played.

Plain functions on the state record; each names in its docstring the clauses that it carries out.
"""

from __future__ import annotations

from veillee.engine.jit.bits import number_of
from veillee.engine.jit.events import ALL, emit
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below
from veillee.games.lumens.core.events import EventCode
from veillee.games.lumens.core.state import (
    BOTH_FACES,
    FACES,
    KINDS,
    NO_TOKEN,
    NOBODY,
    PASSAGE,
    SEATS,
    SIDE,
    UNKNOWN,
    Phase,
    State,
)

MORE_THAN_ANY_PIPS = 128

BAND = 3
"""Number of rows listed at a time: their squares, a bit each, fit into one integer."""

# ---------------------------------------------------------------- set-up


def setup(s: State, rng: Cells, scratch: Cells, events: Cells | None) -> None:
    """lumens.material.tokens, lumens.setup.start, lumens.setup.first, lumens.setup.token"""
    if s.start[0] < 0:
        draw_starts(s, rng)
    if s.colours == 0:
        draw_colours(s, rng)
    for seat in range(s.players):
        for kind in range(KINDS):
            s.left[seat, kind] = s.total[kind]
    if s.first == NOBODY:
        s.first = below(rng, s.players)
    emit(events, EventCode.FIRST, ALL, s.first, 0, 0, 0, 0)
    all_draw(s, rng, events)
    s.phase = Phase.START
    ask_start(s, s.first)


def draw_starts(s: State, rng: Cells) -> None:
    """lumens.setup.start: who starts where is drawn."""
    s.start[0] = ~s.start[0]
    for left in range(s.players, 1, -1):
        at = below(rng, left)
        square = s.start[at]
        s.start[at] = s.start[left - 1]
        s.start[left - 1] = square


def draw_colours(s: State, rng: Cells) -> None:
    """lumens.material.tokens: any colours, in any order; those of nobody are kept in order."""
    free = (1 << SEATS) - 1
    for seat in range(SEATS):
        skip = below(rng, SEATS - seat) if seat < s.players else 0
        colour = 0
        while skip > 0 or not free >> colour & 1:
            skip -= free >> colour & 1
            colour += 1
        free ^= 1 << colour
        set_colour(s, seat, colour)


def set_colour(s: State, seat: int, colour: int) -> None:
    """Write the colour of a seat, which has had none; the sign bit is a bit like any other."""
    s.colours = ((s.colours | colour << 2 * seat) & 255 ^ 128) - 128


def colour_of(s: State, seat: int) -> int:
    return s.colours >> 2 * seat & 3


def all_draw(s: State, rng: Cells, events: Cells | None) -> None:
    """lumens.setup.token, lumens.setup.hand"""
    seat = s.first
    for _ in range(s.players):
        draw_token(s, seat, rng, events)
        seat = left_of(s, seat)


def ask_start(s: State, seat: int) -> None:
    """lumens.setup.token: the face is chosen; the square is the start marker."""
    s.seat = seat
    clear_reach(s)
    s.reach[s.start[seat] // SIDE] = 1 << (s.start[seat] % SIDE)


# ---------------------------------------------------------------- a turn


def legal(s: State, out: Cells) -> int:
    """Fill `out` with the legal actions of the seat to decide; return how many there are.

    An unknown token, in a view, counts as any of those left.
    """
    hand = s.hand[s.seat]
    n = 0
    for kind in range(1, KINDS + 1):
        if hand == kind or (hand == UNKNOWN and s.left[s.seat, kind - 1]):
            n = list_squares(s, kind, out, n)
    return n


def list_squares(s: State, kind: int, out: Cells, n: int) -> int:
    """List every square in reach, once with each face. lumens.place.face"""
    for row in range(0, s.side, BAND):
        squares = band(s.reach[row], s.reach[row + 1], s.reach[row + 2])
        while squares:
            bit = squares & -squares
            squares ^= bit
            first = (row * SIDE + number_of(bit)) * FACES
            out[n] = first + kind - 1
            out[n + 1] = first + BOTH_FACES - kind - 1
            n += 2
    return n


def apply(s: State, action: int, rng: Cells, events: Cells | None) -> None:
    """Carry out one legal action.

    lumens.setup.hand, lumens.turn.order, lumens.turn.draw
    """
    seat = s.seat
    place(s, action // FACES, action % FACES + 1, events)
    after = left_of(s, seat)
    if s.phase == Phase.TURN:
        draw_token(s, seat, rng, events)
        next_turn(s, after, events)
    elif after == s.first:
        all_draw(s, rng, events)
        s.phase = Phase.TURN
        next_turn(s, after, events)
    else:
        ask_start(s, after)


def left_of(s: State, seat: int) -> int:
    """lumens.turn.order: seats are numbered clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def next_turn(s: State, seat: int, events: Cells | None) -> None:
    """Ask the first seat, from this one on, that can place; without one the game ends.

    lumens.turn.order, lumens.place.out, lumens.end.when
    """
    for _ in range(s.players):
        if s.hand[seat] != NO_TOKEN and not s.out >> seat & 1:
            s.seat = seat
            if find_reach(s, seat):
                return
            s.out |= 1 << seat
            emit(events, EventCode.OUT, ALL, seat, 0, 0, 0, 0)
        seat = left_of(s, seat)
    clear_reach(s)
    s.phase = Phase.OVER
    s.seat = OVER
    tell_rooms(s, events)


# ---------------------------------------------------------------- placing


def find_reach(s: State, seat: int) -> bool:
    """Mark the squares on which a seat may place; return whether there are any.

    lumens.place.origin, lumens.place.two, lumens.place.marker, lumens.place.home,
    lumens.place.forced
    """
    clear_reach(s)
    for row in range(0, s.side, BAND):
        squares = band(s.own[seat, row], s.own[seat, row + 1], s.own[seat, row + 2])
        while squares:
            bit = squares & -squares
            squares ^= bit
            number = number_of(bit)
            rows = (number >= SIDE) + (number >= 2 * SIDE)
            count_from(s, seat, row + rows, number - rows * SIDE)
    found = 0
    for row in range(s.side):
        s.reach[row] &= ~s.closed[row]
        found |= s.reach[row]
    home = s.start[seat]
    if s.covered[home] == NO_TOKEN and s.per_square > 1:
        s.reach[home // SIDE] |= 1 << (home % SIDE)
        return True
    return found != 0


def clear_reach(s: State) -> None:
    for row in range(s.side):
        s.reach[row] = 0


def band(first: int, second: int, third: int) -> int:
    """Join three rows into one set of squares."""
    return first | second << SIDE | third << 2 * SIDE


def taken_in_row(s: State, row: int) -> int:
    """Return the columns of a row in which tokens lie."""
    return s.own[0, row] | s.own[1, row] | s.own[2, row] | s.own[3, row]


def count_from(s: State, seat: int, row: int, column: int) -> None:
    """Mark the squares that a token reaches: right, left, down and up.

    lumens.place.line, lumens.place.blocked
    """
    face = s.top[row * SIDE + column] - seat * FACES
    between = (1 << (face - 1)) - 1
    bit = 1 << column
    last = s.side - 1
    # Branch-free: which way is free is hard to predict, and most of the time is spent here.
    beside = taken_in_row(s, row)
    right = (column + face <= last) & (beside >> (column + 1) & between == 0)
    left = (column >= face) & (beside << face >> (column + 1) & between == 0)
    s.reach[row] |= (bit << face) * right | (bit >> face) * left
    along = s.taken[column]
    down = (row + face <= last) & (along >> (row + 1) & between == 0)
    s.reach[min(row + face, last)] |= bit * down
    up = (row >= face) & (along << face >> (row + 1) & between == 0)
    s.reach[max(row - face, 0)] |= bit * up


def place(s: State, square: int, face: int, events: Cells | None) -> None:
    """lumens.place.face, lumens.place.cover, lumens.setup.token"""
    seat = s.seat
    row = square // SIDE
    column = square % SIDE
    emit(events, EventCode.PLACE, ALL, seat, square, face, in_colour(s, s.top[square]), 0)
    if s.phase == Phase.START or s.per_square == 1:
        s.closed[row] |= 1 << column
    elif s.top[square] != NO_TOKEN:
        cover(s, square)
    s.taken[column] |= 1 << row
    s.own[seat, row] |= 1 << column
    s.top[square] = seat * FACES + face
    if s.room[square] != PASSAGE:
        s.pips[seat, s.room[square] - 1] += face
    s.left[seat, kind_of(face) - 1] -= 1
    s.hand[seat] = NO_TOKEN


def in_colour(s: State, token: int) -> int:
    """Return a token as 6 * colour + face; 0 for none. Tokens in the record count by seat."""
    if token == NO_TOKEN:
        return NO_TOKEN
    seat = (token - 1) // FACES
    return token + (colour_of(s, seat) - seat) * FACES


def cover(s: State, square: int) -> None:
    """lumens.place.cover: only the token on top will count."""
    token = s.top[square]
    seat = (token - 1) // FACES
    row = square // SIDE
    bit = 1 << (square % SIDE)
    s.covered[square] = token
    s.closed[row] |= bit
    s.own[seat, row] &= ~bit
    if s.room[square] != PASSAGE:
        s.pips[seat, s.room[square] - 1] -= token - seat * FACES


def kind_of(face: int) -> int:
    """Return the kind, that is the low face, of a token that shows a face.

    lumens.material.tokens
    """
    return min(face, BOTH_FACES - face)


def draw_token(s: State, seat: int, rng: Cells, events: Cells | None) -> None:
    """lumens.turn.draw: the hand is empty, so all tokens left are in the bag."""
    if tokens_left(s, seat):
        s.hand[seat] = any_token(s, seat, rng)
        emit(events, EventCode.DRAW, 1 << seat, seat, s.hand[seat], 0, 0, 0)


def tokens_left(s: State, seat: int) -> int:
    """Return how many tokens bag and hand hold together."""
    tokens = 0
    for kind in range(KINDS):
        tokens += s.left[seat, kind]
    return tokens


def any_token(s: State, seat: int, rng: Cells) -> int:
    """Draw one of the tokens in bag and hand, each equally likely."""
    ones = s.left[seat, 0]
    twos = s.left[seat, 1]
    at = below(rng, tokens_left(s, seat))
    return 1 + (at >= ones) + (at >= ones + twos)


# ---------------------------------------------------------------- end


def points_in_room(s: State, seat: int, room: int) -> int:
    """lumens.end.room, lumens.end.points, lumens.end.tie"""
    pips = s.pips[seat, room - 1]
    if pips == 0:
        return 0
    ahead = 0
    for other in range(s.players):
        if s.pips[other, room - 1] > pips:
            ahead += 1
    if ahead == 0:
        return s.points[0]
    if ahead == 1 and s.players > 2:
        return s.points[1]
    return 0


def central_room(s: State) -> int:
    """lumens.material.board: the room that holds the middle square."""
    return s.room[s.side // 2 * (SIDE + 1)]


def tell_rooms(s: State, events: Cells | None) -> None:
    """lumens.end.room"""
    if events is not None:
        for room in range(1, s.rooms + 1):
            for seat in range(s.players):
                pips = s.pips[seat, room - 1]
                if pips:
                    points = points_in_room(s, seat, room)
                    emit(events, EventCode.ROOM, ALL, room, seat, pips, points, 0)


def scores(s: State, out: Cells) -> None:
    """lumens.end.points"""
    for seat in range(s.players):
        points = 0
        for room in range(1, s.rooms + 1):
            points += points_in_room(s, seat, room)
        out[seat] = points


def places(s: State, out: Cells) -> None:
    """lumens.end.win: 1 for a winner; those who are equal in all share a place."""
    scores(s, out)
    central = central_room(s)
    for seat in range(s.players):
        out[seat] = out[seat] * MORE_THAN_ANY_PIPS + s.pips[seat, central - 1]
    rank = 1
    while rank <= s.players:
        best = 0
        for seat in range(s.players):
            best = max(best, out[seat])
        ranked = 0
        for seat in range(s.players):
            if out[seat] == best:
                # Negative, so that it is not ranked again.
                out[seat] = -rank
                ranked += 1
        rank += ranked
    for seat in range(s.players):
        out[seat] = -out[seat]
