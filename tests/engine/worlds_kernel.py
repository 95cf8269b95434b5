"""Deals worlds and plays them to the end; compiled with the rules by `tests.engine.worlds`."""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below, seed_fast

setup: Any = None
legal: Any = None
apply: Any = None
resample: Any = None
broken: Any = None

DEALS_A_VISIT = 8
STUCK = -1
ENDLESS = -2
LONGEST = 20_000


def play_worlds(
    template: Any,
    state: Any,
    world: Any,
    seed: int,
    game: int,
    rng: Cells,
    actions: Cells,
    counts: Cells,
    wanted: int,
) -> int:
    """Play one random game; at its decisions, deal worlds for random seats and play them out.

    Counts the worlds of each phase, up to `wanted`. Returns 0, the number that `broken` gave, or
    STUCK or ENDLESS; then `world` is the state in which it happened.
    """
    state[0] = template[0]
    seed_fast(rng, seed, game)
    setup(state[0], rng, actions, None)
    while True:
        s = state[0]
        for _ in range(DEALS_A_VISIT):
            if counts[s.phase] < wanted:
                counts[s.phase] += 1
                world[0] = state[0]
                resample(world[0], below(rng, 1 << s.players), rng)
                wrong = play_out(world[0], rng, actions)
                if wrong:
                    return wrong
        if s.seat == OVER:
            return 0
        apply(s, actions[below(rng, legal(s, actions))], rng, None)


def play_out(s: Any, rng: Cells, actions: Cells) -> int:
    """Check a dealt world and play it to the end."""
    wrong = broken(s)
    if wrong:
        return int(wrong)
    for _ in range(LONGEST):
        if s.seat == OVER:
            return 0
        n = legal(s, actions)
        if n <= 0:
            return STUCK
        apply(s, actions[below(rng, n)], rng, None)
    return ENDLESS
