"""Everybody against everybody: the full table of results decides, ratings describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from veillee.engine.refusal import Refusal
from veillee.lab.executor import Workers, borrowed
from veillee.lab.extras import require
from veillee.lab.match import Result, Terms, check_terms, match


@dataclass
class Tournament:
    """Every ordered pair: one challenger against a field of another."""

    results: dict[tuple[str, str], Result] = field(default_factory=dict)

    def ratings(self) -> dict[str, tuple[float, float]]:
        """Return each player's rating and its uncertainty (openskill's Plackett-Luce)."""
        model = require("openskill.models").PlackettLuce()
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
    options: Mapping[str, Any] | None = None,
    variant: Mapping[str, str] | None = None,
    first: int = 0,
    file: Path | None = None,
    pool: Workers | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Tournament:
    """Play every pair both ways; as a ladder, each against the one before it.

    With two players both ways are the same games, which are played once.
    """
    require("openskill")
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise Refusal("option", "lab.contestants")
    pairs = [(one, other) for one in names for other in names if one != other]
    if ladder:
        pairs = [(above, below) for below, above in pairwise(names)]
    elif players == 2:
        pairs = list(combinations(names, 2))
    all_terms = [Terms(game, players, *pair, seed, options or {}, variant) for pair in pairs]
    for terms in all_terms:
        check_terms(terms, blocks)
    held = Tournament()
    with borrowed(pool) as running:
        for terms in all_terms:
            found = match(terms, blocks, first=first, file=file, pool=running, progress=progress)
            held.results[terms.challenger, terms.against] = found
            if players == 2 and not ladder:
                held.results[terms.against, terms.challenger] = reversed_result(found)
    return held


def reversed_result(result: Result) -> Result:
    """Return a two-player match as seen from the other side."""
    terms = result.terms
    exchanged = replace(terms, challenger=terms.against, against=terms.challenger)
    return Result(exchanged, [1 - share for share in result.shares])
