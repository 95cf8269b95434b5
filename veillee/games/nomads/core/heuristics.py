"""Nomads: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below
from veillee.games.nomads.core.actions import WRITE
from veillee.games.nomads.core.rules import (
    held_value,
    ones,
    price_above,
    standing,
    top_disc,
    top_tile,
)
from veillee.games.nomads.core.state import CARDS, LEGENDS, SONGS, State, Tile

EAGER = 3
"""One time in how many a playout passes a card over that it could write."""


class Feature(IntEnum):
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


FEATURES = len(Feature)
Weight = Feature
"""Log-odds of winning for each feature, and a network on top of them: fitted to games that bots
played (`weights.toml`)."""
STORY = 112.0
"""All tiles there are at first."""


def distance(s: State) -> float:
    """How much of the story is still to be told."""
    tiles = 0
    for space in range(s.ring):
        tiles += s.tiles[space]
    return tiles / STORY


def features(s: State, out: Cells) -> None:
    """Write the features of all seats, one after the other."""
    for seat in range(s.players):
        features_of(s, seat, out)


def features_of(s: State, seat: int, out: Cells) -> None:
    at = seat * FEATURES
    wilds = s.hand[seat, Tile.WILD]
    points = standing(s, seat)
    lacking = 0
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
        lacking |= (wanted > held) << legend
        cards += worth > 0
    out[at + Feature.POINTS] = points + s.moons[seat]
    out[at + Feature.BEST] = best
    out[at + Feature.WRITABLE] = writable
    out[at + Feature.USEFUL] = useful
    out[at + Feature.SPARE] = spare
    out[at + Feature.WILDS] = wilds
    out[at + Feature.SONG] = best_song(s, seat)
    out[at + Feature.CARDS] = cards
    out[at + Feature.TO_DECIDE] = s.seat == seat
    out[at + Feature.HEARING] = hearing(s, seat, lacking)
    out[at + Feature.LEADING] = s.chart
    if s.chart:
        for other in range(s.players):
            if other != seat and standing(s, other) >= points:
                out[at + Feature.LEADING] = 0


def best_song(s: State, seat: int) -> int:
    best = 0
    if s.song[seat] == 0:
        different = ones(s.kinds[seat]) + s.hand[seat, Tile.WILD]
        for song in range(SONGS):
            if s.song_offer[song] and s.song_cost[song] <= different:
                best = max(best, s.song_points[song])
    return best


def hearing(s: State, seat: int, lacking: int) -> int:
    """Count the spaces where a seat would hear a legend that it lacks; a Wild counts for two."""
    found = 0
    for space in range(s.ring):
        if s.tiles[space] and s.owner[top_disc(s, space)] == seat:
            tile = top_tile(s, space)
            if tile == Tile.WILD:
                found += 2
            elif tile < LEGENDS:
                found += lacking >> tile & 1
    return found


def rollout_policy(s: State, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Any action, but mostly a card when one can be written."""
    if n > 1 and actions[n - 1] >= WRITE and below(rng, EAGER):
        first = n - 1
        while first > 0 and actions[first - 1] >= WRITE:
            first -= 1
        return first + below(rng, n - first)
    return below(rng, n)
