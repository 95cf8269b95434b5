"""What more thinking gives: one player with one budget after another, against the same opponent on
the same deals.

Since the deals are the same, each block tells by how much its share rises with every doubling (a
straight line through its shares), and the mean over the blocks has an interval as a match has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

from veillee.lab.match import Result, Terms, interval, match


@dataclass
class Growth:
    """The matches, by budget."""

    results: dict[int, Result]

    def per_doubling(self, budgets: Sequence[int]) -> tuple[float, float, float]:
        """How much the share rises when the budget doubles, over some of them: mean, low, high."""
        blocks = np.array([self.results[budget].shares for budget in budgets])
        slopes = np.polyfit([log2(budget) for budget in budgets], blocks, 1)[0]
        return (float(slopes.mean()), *interval(slopes.tolist()))

    def halves(self) -> list[list[int]]:
        """The budgets: all of them; of four or more also the smaller and the larger half."""
        budgets = sorted(self.results)
        middle = len(budgets) // 2
        return [budgets, *([budgets[:middle], budgets[middle:]] if middle > 1 else [])]

    def data(self) -> dict[str, Any]:
        return {
            "matches": [result.data() for result in self.results.values()],
            "per doubling": [
                dict(zip(("from", "to", "rise", "low", "high"), row, strict=True))
                for row in self.rises()
            ],
        }

    def rises(self) -> list[tuple[int, int, float, float, float]]:
        return [(some[0], some[-1], *self.per_doubling(some)) for some in self.halves()]


def growth(
    game: str,
    players: int,
    player: str,
    against: str,
    budgets: Sequence[int],
    blocks: int,
    *,
    seed: int = 1,
    file: Path | None = None,
    processes: int | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Growth:
    """Play with each budget, in iterations; `player` is a level or a search."""
    apart = "," if ":" in player else ":"
    return Growth(
        {
            budget: match(
                Terms(game, players, f"{player}{apart}iterations={budget}", against, seed),
                blocks,
                file=file,
                processes=processes,
                progress=progress,
            )
            for budget in sorted(budgets)
        }
    )
