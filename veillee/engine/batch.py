"""Many games at once, with no Python per game: random playouts, and stepping an array of games."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import rng as chance
from veillee.engine.jit.layout import OVER, States, copies_of
from veillee.engine.refusal import Refusal

CHUNK = 256
"""Games that one call into machine code plays."""
SEED_BITS = (1 << 63) - 1

Numbers = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Result:
    """Results of playouts: a row for each game, a column for each seat; winners have place 1."""

    decisions: int
    scores: Numbers
    places: Numbers


def playouts(
    spec: GameSpec,
    players: int,
    n: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int = 1,
    compiled: bool = True,
) -> Result:
    """Play `n` random games to the end; the result does not depend on the number of threads."""
    template = spec.template(players, options)
    scores = np.zeros((n, players), np.int16)
    places = np.zeros((n, players), np.int16)
    run = spec.compiled.playouts if compiled else _plainly(spec)

    firsts = iter(range(0, n, CHUNK))

    def play() -> int:
        """Play chunks that no other thread has taken, in memory of this thread's own."""
        state = np.zeros(1, spec.dtype)
        rng = np.zeros(chance.SIZE, np.int64)
        actions = np.zeros(spec.actions, np.int16)
        decisions = 0
        for first in firsts:
            rows = slice(first, first + CHUNK)
            decisions += run(
                template, state, seed & SEED_BITS, first, rng, actions, scores[rows], places[rows]
            )
        return decisions

    if threads == 1:
        return Result(play(), scores, places)
    with ThreadPoolExecutor(threads) as pool:
        plays = [pool.submit(play) for _ in range(threads)]
        return Result(sum(each.result() for each in plays), scores, places)


def _plainly(spec: GameSpec) -> Any:
    """Return the kernel's `playouts`, uncompiled, for the same arguments."""

    def run(
        template: States, state: States, seed: int, first: int, *arrays: npt.NDArray[Any]
    ) -> Any:
        rng, actions, scores, places = arrays
        return spec.plain.playouts(
            spec.twins(template),
            spec.twins(state),
            seed,
            first,
            rng.data,
            actions.data,
            [row.data for row in scores],
            [row.data for row in places],
        )

    return run


class Batch:
    """An array of games that are stepped together, each with a random generator of its own.

    >>> import numpy as np, veillee
    >>> batch = veillee.nomads.Game.batch(100, players=3, seed=1)
    >>> choose = np.random.default_rng(1)
    >>> while not batch.over.all():
    ...     actions, counts = batch.legal()
    ...     at = choose.integers(np.maximum(counts, 1))
    ...     batch.step(actions[np.arange(100), at])
    >>> batch.scores.shape
    (100, 3)
    """

    def __init__(
        self,
        spec: GameSpec,
        players: int,
        n: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.spec = spec
        self.players = players
        self.states = copies_of(spec.template(players, options), n)
        self.rngs = np.zeros((n, chance.SIZE), np.int64)
        self._kernel = spec.compiled
        self._scratch = np.zeros(spec.actions, np.int16)
        self._kernel.setup_all(self.states, seed & SEED_BITS, self.rngs, self._scratch)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def over(self) -> Flags:
        """Which games are over."""
        return np.asarray(self.states["seat"] == OVER)

    @property
    def seat(self) -> npt.NDArray[np.int8]:
        """The seat whose decision it is in each game; -1 where it is over."""
        return self.states["seat"].copy()

    def legal(self) -> tuple[Numbers, Numbers]:
        """Return the legal actions, a row for each game, and how many entries of a row are valid.

        A game that is over has none.
        """
        actions = np.zeros((len(self), self.spec.actions), np.int16)
        counts = np.zeros(len(self), np.int16)
        self._kernel.legal_all(self.states, actions, counts)
        return actions, counts

    def step(self, actions: npt.ArrayLike, *, checked: bool = True) -> None:
        """Take one decision in each game that is not over.

        Args:
            actions: An action number for each game.
            checked: Whether to validate the actions, which takes as long as the step itself. An
                illegal action that is not checked may corrupt its game.

        Raises:
            Refusal: If an action is illegal; no game changes.
        """
        chosen = np.array(actions, np.int16)
        if chosen.shape != (len(self),):
            raise ValueError(f"expected {len(self)} actions, got an array of shape {chosen.shape}")
        if checked:
            self._check(chosen)
        self._kernel.step(self.states, chosen, self.rngs)

    def _check(self, chosen: Numbers) -> None:
        wrong = self._kernel.first_illegal(self.states, chosen, self._scratch)
        if wrong < 0:
            return
        action = int(chosen[wrong])
        if not 0 <= action < self.spec.actions:
            raise Refusal("unknown", "veillee.action", "veillee.action", action=action)
        seen = self.states[wrong : wrong + 1].copy()
        self._kernel.view_at(seen, 0, 1 << int(seen["seat"][0]))
        raise Refusal("illegal", self.spec.forbids(self.spec.twin(seen), action))

    @property
    def scores(self) -> Numbers:
        """The points of each seat in each game as they stand."""
        return self._results()[0]

    @property
    def places(self) -> Numbers:
        """The place of each seat in each game as it stands, 1 for the winners."""
        return self._results()[1]

    def _results(self) -> tuple[Numbers, Numbers]:
        scores = np.zeros((len(self), self.players), np.int16)
        places = np.zeros((len(self), self.players), np.int16)
        self._kernel.results_all(self.states, scores, places)
        return scores, places
