"""A sequential test: stops a match as soon as its question is answered.

The question is whether the challenger's share is fair or `gain` above it. The generalised
likelihood ratio of the two, with the variance of the blocks seen so far, is held against Wald's
bounds for the two kinds of error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from veillee.engine.refusal import Refusal


@dataclass(frozen=True)
class Sequential:
    """`gain` is the difference in share one wants to tell from none."""

    gain: float = 0.1
    false_alarm: float = 0.05
    miss: float = 0.05
    fewest: int = 10

    def __post_init__(self) -> None:
        if not 0 < self.gain < 1:
            raise Refusal("option", "lab.gain", gain=self.gain)

    def ratio(self, shares: Sequence[float], fair: float) -> float:
        """The log-likelihood ratio of "better by gain" to "fair"."""
        n = len(shares)
        mean = sum(shares) / n
        variance = sum((share - mean) ** 2 for share in shares) / n
        variance = max(variance, 1 / (4 * n))
        return n * self.gain * (2 * (mean - fair) - self.gain) / (2 * variance)

    def answer(self, shares: Sequence[float], fair: float) -> str | None:
        """ "better", "not better", or None while the question is open."""
        if len(shares) < self.fewest:
            return None
        ratio = self.ratio(shares, fair)
        if ratio >= log((1 - self.miss) / self.false_alarm):
            return "better"
        if ratio <= log(self.miss / (1 - self.false_alarm)):
            return "not better"
        return None
