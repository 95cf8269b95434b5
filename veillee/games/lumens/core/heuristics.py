"""Lumens: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.jit.bits import number_of
from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below
from veillee.engine.jit.scratch import stack_array
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
    NO_TOKEN,
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
    solid = stack_array(CELLS)
    swing = stack_array(ROOMS)
    takers = stack_array(ROOMS)
    for room in range(s.rooms):
        takers[room] = 0.0
    count_solid(s, solid)
    for i in range(s.players):
        seat = (s.seat + i) % s.players
        # The rules have found already where the seat to decide may place.
        if seat != s.seat or s.phase != Phase.TURN:
            find_reach(s, seat)
        look_around(s, seat, swing, out)
        count_rooms(s, seat, solid, swing, takers, out)
    for seat in range(s.players):
        out[seat * FEATURES + Feature.EXPOSED] = 0
        for room in range(s.rooms):
            if takers[room] > 0.0 and holds(s, seat, room):
                out[seat * FEATURES + Feature.EXPOSED] += 1


def holds(s: State, seat: int, room: int) -> bool:
    """Tell whether a seat is ahead of all others in a room."""
    for other in range(s.players):
        if other != seat and s.pips[other, room] >= s.pips[seat, room]:
            return False
    return True


def count_solid(s: State, solid: Any) -> None:
    """Sum up, for each seat and room, the pips of tokens that can't be covered any more."""
    for seat in range(s.players):
        for room in range(s.rooms):
            solid[seat * ROOMS + room] = 0.0
        for row in range(s.side):
            squares = s.own[seat, row] & s.closed[row]
            while squares:
                bit = squares & -squares
                squares ^= bit
                square = row * SIDE + number_of(bit)
                if s.room[square] != PASSAGE:
                    pips = (s.top[square] - 1) % FACES + 1
                    solid[seat * ROOMS + s.room[square] - 1] += pips


def count_rooms(s: State, seat: int, solid: Any, swing: Any, takers: Any, out: Cells) -> None:
    at = seat * FEATURES
    points = 0
    lead = 0
    second = 0
    sure = 0
    takeable = 0
    central = central_room(s)
    for room in range(1, s.rooms + 1):
        pips = s.pips[seat, room - 1]
        most = 0
        less = 0
        firmest = 0.0
        for other in range(s.players):
            if other != seat:
                theirs = s.pips[other, room - 1]
                less = max(less, min(most, theirs))
                most = max(most, theirs)
                firmest = max(firmest, solid[other * ROOMS + room - 1])
        if pips >= most:
            points += s.points[0] if pips else 0
        elif pips >= less and s.players > 2:
            points += s.points[1] if pips else 0
        if pips <= most and swing[room - 1] > most - pips:
            takeable += 1
            takers[room - 1] += 1.0
        lead += within(pips - most, SAFE)
        sure += within(int(solid[seat * ROOMS + room - 1] - firmest), SAFE)
        if s.players > 2:
            second += within(pips - less, SAFE)
        if room == central:
            out[at + Feature.CENTRAL] = within(pips - most, SAFE_AT_THE_MIDDLE)
    out[at + Feature.POINTS] = points
    out[at + Feature.LEAD] = lead
    out[at + Feature.SECOND] = second
    out[at + Feature.SOLID] = sure
    out[at + Feature.TAKEABLE] = takeable
    out[at + Feature.TO_DECIDE] = s.seat == seat
    for kind in range(KINDS):
        out[at + Feature.ONES + kind] = s.left[seat, kind]


def within(number: int, most: int) -> int:
    return max(-most, min(most, number))


def look_around(s: State, seat: int, swing: Any, out: Cells) -> None:
    """Count what lies where a seat may place, and what a token there could gain in each room."""
    at = seat * FEATURES
    out[at + Feature.REACH] = 0
    out[at + Feature.PREY] = 0
    for room in range(s.rooms):
        swing[room] = 0.0
    if s.out >> seat & 1 or tokens_left(s, seat) == 0:
        return
    for row in range(0, s.side, BAND):
        squares = band(s.reach[row], s.reach[row + 1], s.reach[row + 2])
        while squares:
            bit = squares & -squares
            squares ^= bit
            square = row * SIDE + number_of(bit)
            room = s.room[square]
            if room != PASSAGE:
                out[at + Feature.REACH] += 1
                token = s.top[square]
                gain = FACES
                if token != NO_TOKEN:
                    pips = (token - 1) % FACES + 1
                    if (token - 1) // FACES != seat:
                        out[at + Feature.PREY] += pips
                        gain += pips
                    else:
                        gain -= pips
                swing[room - 1] = max(swing[room - 1], float(gain))


def rollout_policy(s: State, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Any action."""
    return below(rng, n)
