"""Matches: a block is one deal played with all seat rotations, and statistics are over blocks.

In a block of `n` players the challenger sits once in each seat against `n - 1` of the field, on the
same deal; its share of wins in the block is one observation. Fair is 1/n. The reverse, one of the
field against `n - 1` challengers, is the match with the names exchanged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from veillee.bots.external import Forfeit, Program
from veillee.engine.game import game_class
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.lab.executor import Workers, borrowed
from veillee.lab.players import check, player
from veillee.lab.results import ResultFile, versions
from veillee.lab.sprt import Sequential

Z = 1.96
"""Standard errors on each side of a mean that make a 95% interval."""


@dataclass(frozen=True)
class Terms:
    """Everything that the result of a match depends on."""

    game: str
    players: int
    challenger: str
    against: str
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    variant: Mapping[str, str] | None = None
    """Name and hash of the variant that the options come from."""

    @property
    def fair(self) -> float:
        return 1 / self.players


@dataclass
class Result:
    """The blocks played so far."""

    terms: Terms
    shares: list[float] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)
    """Processor time, also of blocks played in an earlier run."""

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares) if self.shares else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval, from the variance over blocks, cut to 0 to 1."""
        if len(self.shares) < 2:
            return 0.0, 1.0
        low, high = interval(self.shares)
        if low == high:
            return wilson(self.mean, len(self.shares))
        return max(low, 0.0), min(high, 1.0)

    def data(self) -> dict[str, Any]:
        low, high = self.interval
        return asdict(self.terms) | {
            "fair": self.terms.fair,
            "blocks": len(self.shares),
            "games": len(self.shares) * self.terms.players,
            "share": self.mean,
            "low": low,
            "high": high,
        }


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95% confidence interval of a mean, by the normal approximation."""
    n = len(values)
    mean = sum(values) / n
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    return mean - Z * spread, mean + Z * spread


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the Wilson score interval, which has a width even if all blocks were alike."""
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * sqrt(share * (1 - share) / n + Z**2 / (4 * n * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def match(
    terms: Terms,
    blocks: int,
    *,
    first: int = 0,
    file: Path | None = None,
    pool: Workers | None = None,
    sequential: Sequential | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Play up to `blocks` blocks, numbered from `first`; those in the file are not replayed.

    The sequential test, if there is one, ends the match as soon as its question is answered.
    """
    check_terms(terms, blocks)
    kept = ResultFile(file, {"what": "match", **asdict(terms), **versions(spec_named(terms.game))})
    result = Result(terms)
    progress(result)
    tasks = {number: (terms, number) for number in range(first, first + blocks)}
    with borrowed(pool) as running, closing(kept.complete(running, block, tasks)) as lines:
        for line in lines:
            result.shares.append(line.result)
            result.seconds += line.seconds
            progress(result)
            if sequential and sequential.answer(result.shares, terms.fair):
                break
    return result


def check_terms(terms: Terms, blocks: int = 1) -> None:
    """Refuse what can't be played or tells nothing, before anything is started."""
    spec = spec_named(terms.game)
    spec.template(terms.players, terms.options)
    for entrant in (terms.challenger, terms.against):
        check(spec, entrant)
    if terms.challenger == terms.against:
        raise Refusal("option", "lab.mirror", name=terms.challenger)
    if blocks < 1:
        raise Refusal("option", "lab.blocks", blocks=blocks, fewest=1)


def block(terms: Terms, number: int) -> float:
    """Return the challenger's share of wins on one deal, seated everywhere."""
    seats = range(terms.players)
    won = 0.0
    for seat in seats:
        seated = [terms.challenger if at == seat else terms.against for at in seats]
        won += play(terms, number, seated)[seat]
    return won / terms.players


def play(terms: Terms, number: int, seated: Sequence[str]) -> list[float]:
    """Play one game; return every seat's share of the win.

    A program that forfeits loses to all others.
    """
    spec = spec_named(terms.game)
    game = game_class(spec)(terms.players, f"{terms.seed}:{number}", compiled=True, **terms.options)
    choosers = [
        player(spec, terms.players, entrant, number * terms.players + seat)
        for seat, entrant in enumerate(seated)
    ]
    winners: Sequence[int]
    try:
        while not game.over:
            game.play(choosers[game.seat](game.seen_by(game.seat)))
        winners = game.winners
    except Forfeit as forfeit:
        print(f"Game {number}, seat {game.seat}: {forfeit}", file=sys.stderr)
        winners = [seat for seat in range(terms.players) if seat != game.seat]
    finally:
        for chooser in choosers:
            if isinstance(chooser, Program):
                chooser.finish(game)
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(terms.players)]
