"""Everybody against everybody: the full table of results decides, ratings describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from veillee.lab.match import Result, Terms, match


@dataclass
class Tournament:
    """Every ordered pair: one challenger against a field of another."""

    results: dict[tuple[str, str], Result] = field(default_factory=dict)

    def ratings(self) -> dict[str, tuple[float, float]]:
        """Each player's rating and its uncertainty (openskill's Plackett-Luce)."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        names = sorted({name for pair in self.results for name in pair})
        ratings = {name: model.rating(name=name) for name in names}
        most = max((len(result.shares) for result in self.results.values()), default=0)
        for number in range(most):
            for (one, other), result in self.results.items():
                if number < len(result.shares):
                    ahead = result.shares[number] - result.terms.fair
                    ranks: list[float] = [0, 1] if ahead > 0 else [1, 0] if ahead < 0 else [0, 0]
                    [[ratings[one]], [ratings[other]]] = model.rate(
                        [[ratings[one]], [ratings[other]]], ranks=ranks
                    )
        return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}

    def data(self) -> dict[str, Any]:
        return {
            "matches": [result.data() for result in self.results.values()],
            "ratings": {
                name: {"rating": mu, "uncertainty": sigma}
                for name, (mu, sigma) in self.ratings().items()
            },
        }


def tournament(
    game: str,
    players: int,
    names: Sequence[str],
    blocks: int,
    *,
    ladder: bool = False,
    seed: int = 1,
    options: dict[str, Any] | None = None,
    file: Path | None = None,
    processes: int | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Tournament:
    """Play every pair both ways; as a ladder, each against the one before it."""
    pairs = [(one, other) for one in names for other in names if one != other]
    if ladder:
        pairs = [(above, below) for below, above in pairwise(names)]
    held = Tournament()
    for one, other in pairs:
        terms = Terms(game, players, one, other, seed, options or {})
        held.results[one, other] = match(
            terms, blocks, file=file, processes=processes, progress=progress
        )
    return held
