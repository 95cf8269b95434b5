"""Observations after each legal action, for agents that learn to evaluate positions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veillee.adapters.build import compiled, copied, row_length
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.seed import fast_row

FAST_CELLS = 8


class LookAhead:
    """Tries every action on copies. What the seat to decide may not know is resampled first, so
    views serve as well as true states, and nothing can be learned that a seat may not know."""

    def __init__(self, spec: GameSpec, seed: int = 0) -> None:
        self.spec = spec
        self._row = fast_row(seed)
        self._seed = seed

    def __call__(
        self, states: States
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
        """For games that are not over: observations, actions, and where each game's begin.

        Row r of the first is what the seat that decides sees after action r of the second.
        """
        spec, n = self.spec, len(states)
        legal = np.zeros((n, spec.actions), np.int16)
        counts = np.zeros(n, np.int16)
        spec.compiled.legal_all(states, legal, counts)
        dealt = copied(states)
        seats = states["seat"].astype(np.int64)
        for i in range(n):
            spec.compiled.resample_at(dealt, i, 1 << int(seats[i]), self._row)
        first = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        actions = np.concatenate([legal[i, : counts[i]] for i in range(n)])
        raw = dealt.view(np.uint8).reshape(n, -1).repeat(counts, axis=0)
        tried = raw.reshape(-1).view(states.dtype)
        rngs = np.zeros((len(actions), FAST_CELLS), np.int64)
        self._seed += 1
        compiled(spec).seed_all(rngs, self._seed)
        spec.compiled.step(tried, actions, rngs)
        rows = np.empty((len(actions), row_length(spec)), np.int8)
        observe = compiled(spec).observe_at
        for r, seat in enumerate(seats.repeat(counts).tolist()):
            observe(tried, r, seat, rows[r])
        return rows, actions, first
