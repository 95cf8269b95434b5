"""Who is stronger: one deal through all seat rotations is a block, and blocks are what is counted.

In a block of `n` players the challenger sits once in each seat against `n - 1` of the field, on the
same deal; its share of wins in the block is one observation. Fair is 1/n. The reverse, one of the
field against `n - 1` challengers, is the match with the names exchanged.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from veillee.engine.game import game_of
from veillee.engine.library import game as contract_named
from veillee.lab.players import check, player
from veillee.lab.sequential import Sequential


@dataclass(frozen=True)
class Terms:
    """What a match is about: all that its result depends on."""

    game: str
    players: int
    challenger: str
    against: str
    seed: int = 1
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def fair(self) -> float:
        return 1 / self.players


@dataclass
class Result:
    """The blocks played so far."""

    terms: Terms
    shares: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares) if self.shares else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence, the variance taken over blocks."""
        return interval(self.shares) if len(self.shares) > 1 else (0.0, 1.0)

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
    """Between what the mean lies with 95% confidence."""
    n = len(values)
    mean = sum(values) / n
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    return mean - 1.96 * spread, mean + 1.96 * spread


def match(
    terms: Terms,
    blocks: int,
    *,
    file: Path | None = None,
    processes: int | None = None,
    sequential: Sequential | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Play up to so many blocks; with a file, goes on where it was interrupted."""
    check_terms(terms)
    result = Result(terms, _done(terms, file)[:blocks])
    progress(result)
    workers = processes or os.cpu_count() or 1
    with ProcessPoolExecutor(workers) as pool:
        for share in _in_order(pool, terms, range(len(result.shares), blocks), workers):
            result.shares.append(share)
            if file:
                _keep(terms, file, share)
            progress(result)
            if sequential and sequential.answer(result.shares, terms.fair):
                break
        pool.shutdown(wait=True, cancel_futures=True)
    return result


def check_terms(terms: Terms) -> None:
    """Refuse what can't be played, before anything is started."""
    contract = contract_named(terms.game)
    contract.template(terms.players, terms.options)
    for spec in (terms.challenger, terms.against):
        check(contract, spec)


def _in_order(
    pool: ProcessPoolExecutor, terms: Terms, numbers: Sequence[int], workers: int
) -> Iterator[float]:
    """Blocks as they come, in their order, with no more under way than keep the cores busy."""
    waiting: list[Any] = []
    rest = iter(numbers)
    for number in rest:
        waiting.append(pool.submit(block, terms, number))
        if len(waiting) >= 2 * workers:
            yield waiting.pop(0).result()
    for future in waiting:
        yield future.result()


def block(terms: Terms, number: int) -> float:
    """The challenger's share of wins on one deal, seated everywhere."""
    seats = range(terms.players)
    won = 0.0
    for seat in seats:
        seated = [terms.challenger if at == seat else terms.against for at in seats]
        won += play(terms, number, seated)[seat]
    return won / terms.players


def play(terms: Terms, number: int, seated: Sequence[str]) -> list[float]:
    """One game; every seat's share of the win."""
    contract = contract_named(terms.game)
    game = game_of(contract)(
        terms.players, f"{terms.seed}:{number}", compiled=True, **terms.options
    )
    choosers = [
        player(contract, terms.players, spec, number * terms.players + seat)
        for seat, spec in enumerate(seated)
    ]
    while not game.over:
        game.play(choosers[game.seat](game.seen_by(game.seat)))
    return [1 / len(game.winners) if seat in game.winners else 0.0 for seat in range(terms.players)]


def _done(terms: Terms, file: Path | None) -> list[float]:
    """The blocks of these terms that a file holds already."""
    if file is None or not file.exists():
        return []
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [line["share"] for line in lines if line["terms"] == asdict(terms)]


def _keep(terms: Terms, file: Path, share: float) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps({"terms": asdict(terms), "share": share}) + "\n")
