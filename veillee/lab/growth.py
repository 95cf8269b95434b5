"""What more thinking gives: one player with one budget after another, against the same opponent on
the same deals.

Since the deals are the same, each block tells by how much its share rises with every doubling (a
straight line through its shares), and the mean over the blocks has an interval as a match has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

from veillee.engine.refusal import Refusal
from veillee.lab.executor import Workers, borrowed
from veillee.lab.match import Result, Terms, check_terms, interval, match


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
    options: Mapping[str, Any] | None = None,
    variant: Mapping[str, str] | None = None,
    first: int = 0,
    file: Path | None = None,
    pool: Workers | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Growth:
    """Play with each budget, in iterations; `player` is a level or a search."""
    if len(set(budgets)) < 2 or min(budgets) < 1:
        raise Refusal("option", "lab.budgets")
    if blocks < 2:
        raise Refusal("option", "lab.blocks", blocks=blocks, fewest=2)
    separator = "," if ":" in player else ":"
    entrants = {n: f"{player}{separator}iterations={n}" for n in sorted(set(budgets))}
    all_terms = {
        n: Terms(game, players, entrant, against, seed, options or {}, variant)
        for n, entrant in entrants.items()
    }
    for terms in all_terms.values():
        check_terms(terms)
    with borrowed(pool) as running:
        return Growth(
            {
                n: match(terms, blocks, first=first, file=file, pool=running, progress=progress)
                for n, terms in all_terms.items()
            }
        )
