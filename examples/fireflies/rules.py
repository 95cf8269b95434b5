"""Fireflies: the rules. Numba compiles this module: integers and loops, no lists or strings."""

from typing import Annotated

from veillee.engine.jit.events import ALL, emit
from veillee.engine.jit.layout import I1, OVER, Cells, StateRecord
from veillee.engine.jit.rng import below
from veillee.engine.jit.scratch import stack_array

SEATS, FIREFLIES, MOST, LAST_POINTS = 4, 21, 3, 2
WISH, CATCH = 0, 1  # numbers of the events


class State(StateRecord):
    """The meadow. `players`, `seat` (whose turn it is) and `phase` are inherited."""

    left: I1
    last: I1
    wish: Annotated[Cells, "i1", SEATS]
    caught: Annotated[Cells, "i1", SEATS, MOST + 1]  # how often a seat caught so many at once


def setup(s: State, rng: Cells, scratch: Cells, events: Cells | None) -> None:
    """fireflies.setup: each player draws a secret wish; the first player is drawn too."""
    s.left = FIREFLIES
    for seat in range(s.players):
        s.wish[seat] = 1 + below(rng, MOST)
        emit(events, WISH, 1 << seat, seat, s.wish[seat], 0, 0, 0)
    s.seat = below(rng, s.players)


def legal(s: State, out: Cells) -> int:
    """fireflies.catch: action 0 catches one firefly, action 1 two, action 2 three."""
    n = min(MOST, s.left)
    for action in range(n):
        out[action] = action
    return n


def apply(s: State, action: int, rng: Cells, events: Cells | None) -> None:
    """fireflies.catch: the game ends when no firefly is left."""
    n = action + 1
    s.left -= n
    s.caught[s.seat, n] += 1
    s.last = s.seat
    emit(events, CATCH, ALL, s.seat, n, 0, 0, 0)
    s.seat = (s.seat + 1) % s.players if s.left else OVER


def scores(s: State, out: Cells) -> None:
    """fireflies.score: a point for each catch that was your wish, two for the last firefly."""
    for seat in range(s.players):
        bonus = LAST_POINTS if s.left == 0 and seat == s.last else 0
        out[seat] = s.caught[seat, s.wish[seat]] + bonus


def places(s: State, out: Cells) -> None:
    """fireflies.score: most points win; seats with the same points share a place."""
    points = stack_array(SEATS)
    scores(s, points)
    for seat in range(s.players):
        out[seat] = 1
        for other in range(s.players):
            out[seat] += points[other] > points[seat]


def view(s: State, seats: int) -> None:
    """fireflies.setup: the wishes of the others are hidden until the end."""
    for seat in range(s.players):
        if s.seat != OVER and not seats >> seat & 1:
            s.wish[seat] = 0


def resample(s: State, seats: int, rng: Cells) -> None:
    """Draw the hidden wishes again: each of the three is as likely as before the first catch."""
    for seat in range(s.players):
        if s.seat != OVER and not seats >> seat & 1:
            s.wish[seat] = 1 + below(rng, MOST)
