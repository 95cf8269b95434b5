"""`python -m tests.engine.worlds 100000`: worlds dealt in every phase, each played to the end.

What a phase tells everybody (Siana can choose, an attack has a target, a purchase can be paid)
must hold in every world that `resample` deals; the invariants say so, and here they are checked.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from tests.engine import worlds_kernel
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.compile import Build
from veillee.engine.registry import games
from veillee.engine.seed import fast_row

MOST_GAMES = 400_000


def play_worlds(
    spec: GameSpec, players: int, wanted: int, most_games: int = MOST_GAMES, **options: Any
) -> dict[str, int]:
    """Return how many worlds of each phase were dealt and played to the end."""
    build = Build(spec.name, spec.package, compiled=True)
    kernel = build.module(worlds_kernel, spec.compiled_modules)
    template = spec.template(players, options)
    state, world = template.copy(), template.copy()
    counts = np.zeros(len(spec.phases), np.int64)
    rng, actions = fast_row(0), np.zeros(spec.actions, np.int16)
    for game in range(most_games):
        wrong = kernel.play_worlds(template, state, world, 7, game, rng, actions, counts, wanted)
        assert wrong == 0, (wrong, spec.position.write(spec.twin(world)))
        if counts.min() >= wanted:
            break
    return dict(zip(spec.phases, counts.tolist(), strict=True))


if __name__ == "__main__":
    wanted = int(sys.argv[1])
    for spec in games().values():
        for players in spec.player_counts:
            start = time.perf_counter()
            counts = play_worlds(spec, players, wanted)
            seconds = time.perf_counter() - start
            print(f"{spec.name}, {players} players, {seconds:.0f} s: {counts}", flush=True)
