"""Lumens: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from veillee.engine.bits import number_of
from veillee.engine.chance import below
from veillee.engine.record import Cells
from veillee.games.lumens.rules import BAND, band, find_reach, points_in_room, tokens_left
from veillee.games.lumens.state import FACES, KINDS, NO_TOKEN, PASSAGE, SIDE, State


class Sign(IntEnum):
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


SIGNS = len(Sign)
WEIGHTS = np.array(
    [
        [0.115, -0.188],
        [0.025, -0.018],
        [0.037, -0.043],
        [0.036, -0.038],
        [0.109, -0.038],
        [0.059, -0.038],
        [0.359, -0.019],
        [0.225, 0.037],
        [0.134, 0.208],
        [0.051, -0.205],
    ]
)
"""What each sign is worth at the end, and how much more at the beginning: the logarithm of the odds
to win, fitted to games that bots played (docs/bots.md)."""
SAFE = 6
SAFE_AT_THE_MIDDLE = 12


def guess(s: State, points: Cells, result: Any) -> float:
    """By the signs of each seat. Forgets where the seat to decide may place."""
    far = distance(s)
    for seat in range(s.players):
        signs(s, seat, points)
        result[seat] = 0.0
        for sign in range(SIGNS):
            result[seat] += points[sign] * (WEIGHTS[sign, 0] + WEIGHTS[sign, 1] * far)
    return 1.0


def distance(s: State) -> float:
    """How many of all tokens are still to be placed."""
    left = 0
    total = 0
    for seat in range(s.players):
        left += tokens_left(s, seat)
    for kind in range(KINDS):
        total += s.total[kind]
    return left / (total * s.players)


def signs(s: State, seat: int, out: Cells) -> None:
    points = 0
    lead = 0
    second = 0
    for room in range(1, s.rooms + 1):
        pips = s.pips[seat, room - 1]
        most = 0
        less = 0
        for other in range(s.players):
            if other != seat:
                theirs = s.pips[other, room - 1]
                less = max(less, min(most, theirs))
                most = max(most, theirs)
        points += points_in_room(s, seat, room)
        lead += within(pips - most, SAFE)
        if s.players > 2:
            second += within(pips - less, SAFE)
        if room == s.central:
            out[Sign.CENTRAL] = within(pips - most, SAFE_AT_THE_MIDDLE)
    out[Sign.POINTS] = points
    out[Sign.LEAD] = lead
    out[Sign.SECOND] = second
    out[Sign.TO_DECIDE] = s.seat == seat
    for kind in range(KINDS):
        out[Sign.ONES + kind] = s.left[seat, kind]
    look_around(s, seat, out)


def within(number: int, most: int) -> int:
    return max(-most, min(most, number))


def look_around(s: State, seat: int, out: Cells) -> None:
    out[Sign.REACH] = 0
    out[Sign.PREY] = 0
    if s.out >> seat & 1 or tokens_left(s, seat) == 0:
        return
    find_reach(s, seat)
    for row in range(0, s.side, BAND):
        squares = band(s.reach[row], s.reach[row + 1], s.reach[row + 2])
        while squares:
            bit = squares & -squares
            squares ^= bit
            square = row * SIDE + number_of(bit)
            if s.room[square] != PASSAGE:
                out[Sign.REACH] += 1
                token = s.top[square]
                if token != NO_TOKEN and (token - 1) // FACES != seat:
                    out[Sign.PREY] += (token - 1) % FACES + 1


def lean(s: State, actions: Cells, n: int, rng: Cells) -> int:
    """Any action."""
    return below(rng, n)
