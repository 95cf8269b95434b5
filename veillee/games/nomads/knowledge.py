"""Nomads: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from veillee.engine.chance import below
from veillee.engine.record import Cells
from veillee.games.nomads.actions import WRITE
from veillee.games.nomads.rules import held_value, ones, price_above, standing, top_disc, top_tile
from veillee.games.nomads.state import CARDS, LEGENDS, SONGS, State, Tile

EAGER = 3
"""One time in how many a playout passes a card over that it could write."""


class Sign(IntEnum):
    """What tells how a seat stands."""

    POINTS = 0
    """With its Moons, as they stand."""
    BEST = 1
    """The dearest card that it could write now, in tiles."""
    WRITABLE = 2
    """What all cards would cost that it could write without Wilds, one of each legend."""
    USEFUL = 3
    """Tiles that a card on offer may still need."""
    SPARE = 4
    """Tiles that none does."""
    WILDS = 5
    SONG = 6
    """The best Song that it could sing now."""
    CARDS = 7
    TO_DECIDE = 8
    HEARING = 9
    """Spaces on which it would hear a useful tile."""
    LEADING = 10
    """Moons on the chart, for who stands alone at the head."""


SIGNS = len(Sign)
WEIGHTS = np.array(
    [
        [0.352, -0.058],
        [0.223, -0.355],
        [0.251, -0.336],
        [0.159, 0.638],
        [0.064, 0.375],
        [0.833, 0.116],
        [0.146, -0.240],
        [0.139, 0.323],
        [0.237, 0.016],
        [-0.010, 0.110],
        [0.042, 0.066],
    ]
)
"""What each sign is worth at the end, and how much more at the beginning: the logarithm of the odds
to win, fitted to games that bots played (docs/bots.md)."""
STORY = 112.0
"""All tiles there are at first."""


def guess(s: State, points: Cells, result: Any) -> float:
    """By the signs of each seat."""
    far = distance(s)
    for seat in range(s.players):
        signs(s, seat, points)
        result[seat] = 0.0
        for sign in range(SIGNS):
            result[seat] += points[sign] * (WEIGHTS[sign, 0] + WEIGHTS[sign, 1] * far)
    return 1.0


def distance(s: State) -> float:
    """How much of the story is still to be told."""
    tiles = 0
    for space in range(s.ring):
        tiles += s.tiles[space]
    return tiles / STORY


def signs(s: State, seat: int, out: Cells) -> None:
    wilds = s.hand[seat, Tile.WILD]
    points = standing(s, seat)
    best = 0
    writable = 0
    useful = 0
    spare = 0
    cards = 0
    for legend in range(LEGENDS):
        held = s.hand[seat, legend]
        worth = held_value(s, seat, legend)
        wanted = 0
        payable = 0
        for card in range(CARDS):
            price = price_above(s, worth, legend, card)
            wanted = max(wanted, price)
            if price <= held + wilds:
                best = max(best, price)
            if price <= held:
                payable = max(payable, price)
        writable += payable
        useful += min(held, wanted)
        spare += max(held - wanted, 0)
        cards += worth > 0
    out[Sign.POINTS] = points + s.moons[seat]
    out[Sign.BEST] = best
    out[Sign.WRITABLE] = writable
    out[Sign.USEFUL] = useful
    out[Sign.SPARE] = spare
    out[Sign.WILDS] = wilds
    out[Sign.SONG] = best_song(s, seat)
    out[Sign.CARDS] = cards
    out[Sign.TO_DECIDE] = s.seat == seat
    out[Sign.HEARING] = hearing(s, seat)
    out[Sign.LEADING] = s.chart
    for other in range(s.players):
        if other != seat and standing(s, other) >= points:
            out[Sign.LEADING] = 0


def best_song(s: State, seat: int) -> int:
    best = 0
    if s.song[seat] == 0:
        different = ones(s.kinds[seat]) + s.hand[seat, Tile.WILD]
        for song in range(SONGS):
            if s.song_offer[song] and s.song_cost[song] <= different:
                best = max(best, s.song_points[song])
    return best


def hearing(s: State, seat: int) -> int:
    found = 0
    for space in range(s.ring):
        if s.tiles[space] and s.owner[top_disc(s, space)] == seat:
            tile = top_tile(s, space)
            if tile == Tile.WILD:
                found += 2
            elif tile < LEGENDS:
                worth = held_value(s, seat, tile)
                wanted = 0
                for card in range(CARDS):
                    wanted = max(wanted, price_above(s, worth, tile, card))
                found += wanted > s.hand[seat, tile]
    return found


def lean(s: State, actions: Cells, n: int, rng: Cells) -> int:
    """Any action, but mostly a card when one can be written."""
    if n > 1 and actions[n - 1] >= WRITE and below(rng, EAGER):
        first = n - 1
        while first > 0 and actions[first - 1] >= WRITE:
            first -= 1
        return first + below(rng, n - first)
    return below(rng, n)
