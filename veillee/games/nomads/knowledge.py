"""Nomads: what the bots know of it beyond the rules."""

from __future__ import annotations

from typing import Any

from veillee.engine.chance import below
from veillee.engine.record import Cells
from veillee.games.nomads.actions import WRITE
from veillee.games.nomads.rules import (
    held_value,
    legend_price,
    ones,
    standing,
)
from veillee.games.nomads.state import CARDS, LEGENDS, SONGS, State, Tile

WRITABLE = 0.9
"""What a point is worth that one could write now, at the cost of a turn."""
HOPE = 0.45
"""What a tile is worth beyond its -1, for what it may still become."""
EAGER = 3
"""One time in how many a playout passes a card over that it could write."""


def guess(s: State, points: Cells, result: Any) -> float:
    """Standing and Moons, and what the tiles in front of each may become."""
    tiles = 0
    for space in range(s.ring):
        tiles += s.tiles[space]
    far = tiles / 112.0
    for seat in range(s.players):
        result[seat] = standing(s, seat) + s.moons[seat] + promise(s, seat, far)
    return 1.5 + 5.0 * far


def promise(s: State, seat: int, far: float) -> float:
    wilds = s.hand[seat, Tile.WILD]
    total = 0.0
    for legend in range(LEGENDS):
        held = s.hand[seat, legend]
        if held:
            gain = 0
            for card in range(CARDS):
                price = legend_price(s, seat, legend, card)
                if gain < price <= held:
                    gain = price
            room = 5 - held_value(s, seat, legend) - gain
            rest = min(held - gain, max(room, 0))
            total += 2.0 * WRITABLE * gain + rest * (HOPE + far)
    total += wilds * (1.0 + far)
    if s.song[seat] == 0:
        different = ones(s.kinds[seat]) + wilds
        best = 0
        for song in range(SONGS):
            if s.song_offer[song] and s.song_cost[song] <= different:
                best = max(best, s.song_points[song])
        total += 0.5 * best
    return total


def lean(s: State, actions: Cells, n: int, rng: Cells) -> int:
    """Any action, but mostly a card when one can be written: the last of them, a dear one."""
    if n > 1 and actions[n - 1] >= WRITE and below(rng, EAGER):
        first = n - 1
        while first > 0 and actions[first - 1] >= WRITE:
            first -= 1
        return first + below(rng, n - first)
    return below(rng, n)
