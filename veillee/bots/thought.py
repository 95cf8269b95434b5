"""The outcome of a search: visits and expected results of every action."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from veillee.engine.game_spec import GameSpec


@dataclass(frozen=True, eq=False)
class Thought:
    """The value of every legal action and of the decision as a whole, as the search sees them.

    A result is a seat's share of the win, with a small part for the margin (`jit.search`); the
    results of a row need not add up to 1.
    """

    spec: GameSpec
    seat: int
    """The seat that decides."""
    actions: npt.NDArray[np.int16]
    """The legal actions, in the order of the rules."""
    visits: npt.NDArray[np.int64]
    """Visits of each action; 0 where it was never tried."""
    results: npt.NDArray[np.float64]
    """Actions x seats: the expected result of each seat, NaN for an action never taken."""
    expected: npt.NDArray[np.float64]
    """The expected result of each seat over the whole search."""
    iterations: int
    """Number of iterations of this decision."""

    @property
    def preference(self) -> npt.NDArray[np.float64]:
        """Visits, and between actions visited equally often the expected result."""
        return self.visits.astype(np.float64) + np.nan_to_num(self.results[:, self.seat])

    @property
    def best(self) -> int:
        """The preferred action."""
        return int(self.actions[np.argmax(self.preference)])


@dataclass(frozen=True, eq=False)
class Estimate:
    """Value of one action: each seat's expected result, and its standard error."""

    mean: npt.NDArray[np.float64]
    error: npt.NDArray[np.float64]
