"""Nomads: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.jit.bits import highest
from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below
from veillee.engine.jit.scratch import stack_integers
from veillee.games.nomads.core.actions import WRITE
from veillee.games.nomads.core.rules import held_value, ones, top_disc
from veillee.games.nomads.core.state import CARDS, LEGENDS, NOBODY, SEATS, SONGS, State, Tile

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
    offers = stack_integers(LEGENDS)
    points = stack_integers(SEATS)
    lacking = stack_integers(SEATS)
    for legend in range(LEGENDS):
        offers[legend] = values_on_offer(s, legend)
    for seat in range(s.players):
        count_cards(s, seat, offers, points, lacking, out)
    count_hearing(s, lacking, out)
    count_leading(s, points, out)


def values_on_offer(s: State, legend: int) -> int:
    """Return the values of the cards of a legend that are on offer, a bit each: none is over 30."""
    values = 0
    for card in range(CARDS):
        values |= s.offer[legend, card] << s.value[legend, card]
    return values


def count_cards(
    s: State, seat: int, offers: Cells, points: Cells, lacking: Cells, out: Cells
) -> None:
    """Count what a seat has, and could write. Prices are sets too: those of all cards at once."""
    at = seat * FEATURES
    wilds = s.hand[seat, Tile.WILD]
    total = -wilds
    lacks = 0
    payable = 0
    writable = 0
    useful = 0
    spare = 0
    cards = 0
    for legend in range(LEGENDS):
        held = s.hand[seat, legend]
        worth = held_value(s, seat, legend)
        prices = offers[legend] >> worth
        wanted = highest(prices)
        payable |= prices & ((2 << held + wilds) - 1)
        writable += highest(prices & ((2 << held) - 1))
        useful += min(held, wanted)
        spare += max(held - wanted, 0)
        lacks |= (wanted > held) << legend
        cards += worth > 0
        total += worth - held
    song = s.song[seat]
    total += s.song_points[max(song - 1, 0)] * (song > 0)
    points[seat] = total
    lacking[seat] = lacks
    out[at + Feature.POINTS] = total + s.moons[seat]
    out[at + Feature.BEST] = highest(payable)
    out[at + Feature.WRITABLE] = writable
    out[at + Feature.USEFUL] = useful
    out[at + Feature.SPARE] = spare
    out[at + Feature.WILDS] = wilds
    out[at + Feature.SONG] = best_song(s, seat)
    out[at + Feature.CARDS] = cards
    out[at + Feature.TO_DECIDE] = s.seat == seat


def best_song(s: State, seat: int) -> int:
    best = 0
    if s.song[seat] == 0:
        different = ones(s.kinds[seat]) + s.hand[seat, Tile.WILD]
        for song in range(SONGS):
            if s.song_offer[song] and s.song_cost[song] <= different:
                best = max(best, s.song_points[song])
    return best


def count_hearing(s: State, lacking: Cells, out: Cells) -> None:
    """Count the spaces where a seat would hear a legend that it lacks; a Wild counts for two."""
    for seat in range(s.players):
        out[seat * FEATURES + Feature.HEARING] = 0
    for space in range(s.ring):
        seat = s.owner[top_disc(s, space)]
        if s.tiles[space] and seat != NOBODY:
            tile = s.stack[space, s.tiles[space] - 1]
            # A Moon is in no set of legends, and a Wild counts for two.
            heard = (lacking[seat] >> tile & 1) + 2 * (tile == Tile.WILD)
            out[seat * FEATURES + Feature.HEARING] += heard


def count_leading(s: State, points: Cells, out: Cells) -> None:
    """Write the Moons on the chart for the seat that stands alone at the head."""
    for seat in range(s.players):
        alone = True
        for other in range(s.players):
            alone &= (other == seat) | (points[other] < points[seat])
        out[seat * FEATURES + Feature.LEADING] = s.chart * alone


def rollout_policy(s: State, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Any action, but mostly a card when one can be written."""
    if n > 1 and actions[n - 1] >= WRITE and below(rng, EAGER):
        first = n - 1
        while first > 0 and actions[first - 1] >= WRITE:
            first -= 1
        return first + below(rng, n - first)
    return below(rng, n)
