"""Lumens: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.jit.bits import number_of, size_of
from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below
from veillee.engine.jit.scratch import stack_integers
from veillee.games.lumens.core.rules import (
    BAND,
    band,
    central_room,
    find_reach,
    tokens_left,
)
from veillee.games.lumens.core.state import (
    FACES,
    KINDS,
    PASSAGE,
    ROOMS,
    SEATS,
    SIDE,
    Phase,
    State,
)


class Feature(IntEnum):
    """What tells how a seat stands."""

    POINTS = 0
    LEAD = 1
    """Over all rooms, the pips ahead of the best other; no room counts for more than six."""
    SECOND = 2
    """The same, ahead of the second best other, where there is one."""
    CENTRAL = 3
    """Ahead in the central room, which decides a tie."""
    REACH = 4
    """Squares of rooms on which it could place."""
    PREY = 5
    """Pips of others that it could cover."""
    ONES = 6
    """Tokens left, by kind."""
    TWOS = 7
    THREES = 8
    TO_DECIDE = 9
    SOLID = 10
    """As LEAD, but only of tokens on others, which can't be covered any more."""
    TAKEABLE = 11
    """Rooms in which it could get ahead of all others with one token."""
    EXPOSED = 12
    """Rooms that it holds and another could take so."""


FEATURES = len(Feature)
Weight = Feature
"""Log-odds of winning for each feature, and a network on top of them: fitted to games that bots
played (`weights.toml`)."""
SAFE = 6
SAFE_AT_THE_MIDDLE = 12
CELLS = SEATS * ROOMS
FACE_OF = (0, *(1 + token % FACES for token in range(SEATS * FACES)))
"""The face of each token on the board, 0 for none."""


def distance(s: State) -> float:
    """How many of all tokens are still to be placed."""
    left = 0
    total = 0
    for seat in range(s.players):
        left += tokens_left(s, seat)
    for kind in range(KINDS):
        total += s.total[kind]
    return left / (total * s.players)


def features(s: State, out: Cells) -> None:
    """Write the features of all seats, one after the other.

    Forgets where the seat to decide may place.
    """
    solid = stack_integers(CELLS)
    swing = stack_integers(ROOMS)
    held = stack_integers(SEATS)
    takers = 0
    count_solid(s, solid)
    for i in range(s.players):
        seat = (s.seat + i) % s.players
        # The rules have found already where the seat to decide may place.
        if seat != s.seat or s.phase != Phase.TURN:
            find_reach(s, seat)
        look_around(s, seat, swing, out)
        takers |= count_rooms(s, seat, solid, swing, held, out)
    for seat in range(s.players):
        out[seat * FEATURES + Feature.EXPOSED] = size_of(held[seat] & takers)


def count_solid(s: State, solid: Cells) -> None:
    """Sum up, for each seat and room, the pips of tokens that can't be covered any more."""
    for seat in range(s.players):
        for room in range(ROOMS):
            solid[seat * ROOMS + room] = 0
        for row in range(s.side):
            squares = s.own[seat, row] & s.closed[row]
            while squares:
                bit = squares & -squares
                squares ^= bit
                square = row * SIDE + number_of(bit)
                if s.room[square] != PASSAGE:
                    solid[seat * ROOMS + s.room[square] - 1] += s.top[square] - seat * FACES


def count_rooms(s: State, seat: int, solid: Cells, swing: Cells, held: Cells, out: Cells) -> int:
    """Compare a seat with the others in every room; return the rooms it could take, a bit each.

    The rooms that it holds are written into `held`. Loops run over all rooms, without branches, so
    that they become vectors: rooms that a board does not have are empty, and count for nothing.
    """
    most = stack_integers(ROOMS)
    less = stack_integers(ROOMS)
    firmest = stack_integers(ROOMS)
    for room in range(ROOMS):
        most[room] = 0
        less[room] = 0
        firmest[room] = 0
    for other in range(s.players):
        if other != seat:
            for room in range(ROOMS):
                theirs = s.pips[other, room]
                less[room] = max(less[room], min(most[room], theirs))
                most[room] = max(most[room], theirs)
                firmest[room] = max(firmest[room], solid[other * ROOMS + room])
    firsts = 0
    seconds = 0
    lead = 0
    second = 0
    sure = 0
    takeable = 0
    holding = 0
    for room in range(ROOMS):
        pips = s.pips[seat, room]
        firsts += (pips > 0) & (pips >= most[room])
        seconds += (pips > 0) & (pips < most[room]) & (pips >= less[room])
        takeable |= ((pips <= most[room]) & (swing[room] > most[room] - pips)) << room
        holding |= (pips > most[room]) << room
        lead += within(pips - most[room], SAFE)
        sure += within(solid[seat * ROOMS + room] - firmest[room], SAFE)
        second += within(pips - less[room], SAFE)
    several = s.players > 2
    central = central_room(s) - 1
    at = seat * FEATURES
    out[at + Feature.POINTS] = s.points[0] * firsts + s.points[1] * seconds * several
    out[at + Feature.LEAD] = lead
    out[at + Feature.SECOND] = second * several
    out[at + Feature.CENTRAL] = within(s.pips[seat, central] - most[central], SAFE_AT_THE_MIDDLE)
    out[at + Feature.SOLID] = sure
    out[at + Feature.TAKEABLE] = size_of(takeable)
    out[at + Feature.TO_DECIDE] = s.seat == seat
    for kind in range(KINDS):
        out[at + Feature.ONES + kind] = s.left[seat, kind]
    held[seat] = holding
    return takeable


def within(number: int, most: int) -> int:
    return max(-most, min(most, number))


def look_around(s: State, seat: int, swing: Cells, out: Cells) -> None:
    """Count what lies where a seat may place, and what a token there could gain in each room."""
    at = seat * FEATURES
    out[at + Feature.REACH] = 0
    out[at + Feature.PREY] = 0
    for room in range(ROOMS):
        swing[room] = 0
    if s.out >> seat & 1 or tokens_left(s, seat) == 0:
        return
    reach = 0
    prey = 0
    for row in range(0, s.side, BAND):
        squares = band(s.reach[row], s.reach[row + 1], s.reach[row + 2])
        while squares:
            bit = squares & -squares
            squares ^= bit
            square = row * SIDE + number_of(bit)
            room = s.room[square]
            if room != PASSAGE:
                reach += 1
                token = s.top[square]
                pips = FACE_OF[token]
                own = (token > seat * FACES) & (token <= (seat + 1) * FACES)
                prey += pips * (not own)
                gain = FACES + pips - 2 * pips * own
                swing[room - 1] = max(swing[room - 1], gain)
    out[at + Feature.REACH] = reach
    out[at + Feature.PREY] = prey


def rollout_policy(s: State, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Any action."""
    return below(rng, n)
