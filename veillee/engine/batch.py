"""Many games at once, with no Python per game: random playouts, and stepping an array of games."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.engine import chance
from veillee.engine.contract import Contract
from veillee.engine.record import OVER, States, copies_of
from veillee.engine.refusal import Refusal

CHUNK = 256
"""Games that one call into machine code plays."""
SEED_BITS = (1 << 63) - 1

Numbers = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Result:
    """How playouts went: a row for each game, a column for each seat; place 1 is a winner's."""

    decisions: int
    scores: Numbers
    places: Numbers


def playouts(
    contract: Contract,
    players: int,
    n: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int = 1,
    compiled: bool = True,
) -> Result:
    """Play n random games to the end. The same whatever the number of threads."""
    template = contract.template(players, options)
    scores = np.zeros((n, players), np.int16)
    places = np.zeros((n, players), np.int16)
    run = contract.compiled.playouts if compiled else _plainly(contract)

    firsts = iter(range(0, n, CHUNK))

    def play() -> int:
        """Chunk after chunk of those that no thread has taken, in memory of this thread's own."""
        state = np.zeros(1, contract.dtype)
        rng = np.zeros(chance.SIZE, np.int64)
        actions = np.zeros(contract.actions, np.int16)
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


def _plainly(contract: Contract) -> Any:
    """The kernel's `playouts`, uncompiled, for the same arguments."""

    def run(
        template: States, state: States, seed: int, first: int, *arrays: npt.NDArray[Any]
    ) -> Any:
        rng, actions, scores, places = arrays
        return contract.plain.playouts(
            contract.twins(template),
            contract.twins(state),
            seed,
            first,
            rng.data,
            actions.data,
            [row.data for row in scores],
            [row.data for row in places],
        )

    return run


class Batch:
    """An array of games that are stepped together, each with its own chance.

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
        contract: Contract,
        players: int,
        n: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.contract = contract
        self.players = players
        self.states = copies_of(contract.template(players, options), n)
        self.rngs = np.zeros((n, chance.SIZE), np.int64)
        self._kernel = contract.compiled
        self._scratch = np.zeros(contract.actions, np.int16)
        self._kernel.setup_all(self.states, seed & SEED_BITS, self.rngs, self._scratch)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def over(self) -> Flags:
        """Which games are over."""
        return np.asarray(self.states["seat"] == OVER)

    @property
    def seat(self) -> npt.NDArray[np.int8]:
        """Whose decision it is in each game; -1 where it is over."""
        return self.states["seat"].copy()

    def legal(self) -> tuple[Numbers, Numbers]:
        """The legal actions, a row for each game, and how many of each row count: 0 at the end."""
        actions = np.zeros((len(self), self.contract.actions), np.int16)
        counts = np.zeros(len(self), np.int16)
        self._kernel.legal_all(self.states, actions, counts)
        return actions, counts

    def step(self, actions: npt.ArrayLike, *, checked: bool = True) -> None:
        """One decision in each game; in those that are over, nothing.

        An illegal action is refused and no game changes. Without the check, which costs as much as
        the step, an illegal action may do anything.
        """
        chosen = np.array(actions, np.int16)
        if chosen.shape != (len(self),):
            raise ValueError(f"{len(self)} games take {len(self)} actions, not {chosen.shape}")
        if checked:
            self._check(chosen)
        self._kernel.step(self.states, chosen, self.rngs)

    def _check(self, chosen: Numbers) -> None:
        wrong = self._kernel.first_illegal(self.states, chosen, self._scratch)
        if wrong < 0:
            return
        action = int(chosen[wrong])
        if not 0 <= action < self.contract.actions:
            raise Refusal("unknown", "veillee.action", "veillee.action", action=action)
        seen = self.states[wrong : wrong + 1].copy()
        self._kernel.view_at(seen, 0, 1 << int(seen["seat"][0]))
        raise Refusal("illegal", self.contract.forbids(self.contract.twin(seen), action))

    @property
    def scores(self) -> Numbers:
        """Every seat's points in each game as they stand."""
        return self._results()[0]

    @property
    def places(self) -> Numbers:
        """Every seat's place in each game as it stands, 1 for the winners."""
        return self._results()[1]

    def _results(self) -> tuple[Numbers, Numbers]:
        scores = np.zeros((len(self), self.players), np.int16)
        places = np.zeros((len(self), self.players), np.int16)
        self._kernel.results_all(self.states, scores, places)
        return scores, places
