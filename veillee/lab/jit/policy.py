"""Play whole games by the rollout policy, compiled with a game and its heuristics."""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.cells import copy_record
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import seed_fast

setup: Any = None
legal: Any = None
apply: Any = None
places: Any = None
rollout_policy: Any = None


def share(
    template: Any,
    state: Any,
    challenger: Any,
    field: Any,
    seed: int,
    first: int,
    games: int,
    rng: Cells,
    actions: Cells,
    place: Cells,
) -> float:
    """Return the share of wins of one seat with other weights than the rest, seat after seat."""
    s = state[0]
    won = 0.0
    for game in range(first, first + games):
        copy_record(state[0], template[0])
        seed_fast(rng, seed, game)
        setup(s, rng, actions, None)
        mine = game % s.players
        while s.seat != OVER:
            n = legal(s, actions)
            weights = challenger if s.seat == mine else field
            apply(s, actions[rollout_policy(s, weights, actions, n, rng)], rng, None)
        places(s, place)
        winners = 0
        for seat in range(s.players):
            winners += place[seat] == 1
        if place[mine] == 1:
            won += 1.0 / winners
    return won / games
