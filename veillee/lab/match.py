"""Matches: a block is one deal played with all seat rotations, and statistics are over blocks.

In a block of `n` players the challenger sits once in each seat against `n - 1` of the field, on the
same deal; its share of wins in the block is one observation. Fair is 1/n. The reverse, one of the
field against `n - 1` challengers, is the match with the names exchanged. The field can be mixed,
`teller+spark`: its players take the other seats in turn.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from veillee.bots.bot import WARM_UPS, search_calls
from veillee.bots.external import Forfeit, Program
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.precompile import ensure_compiled, kernel_calls
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.lab.executor import Workers, borrowed
from veillee.lab.gather import MIX, in_order
from veillee.lab.players import PROGRAM, check, player
from veillee.lab.results import Line, Measured, ResultFile
from veillee.lab.sprt import Sequential
from veillee.lab.versions import versions

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

    @property
    def opponents(self) -> list[str]:
        """The players of the field; a program comes last, since its command may contain a +."""
        named, program, command = self.against.partition(PROGRAM)
        names = named.removesuffix(MIX).split(MIX) if named else []
        return [*names, program + command] if program else names


Counts = dict[str, float]
Sides = dict[str, list[float]]
"""By phase two numbers: the challenger's, and that of all others together."""


class Played(NamedTuple):
    """One game, by seat: shares of the win, places in turn order, roles, and what was decided."""

    shares: list[float]
    order: list[int]
    roles: list[str]
    """Empty in games without roles; "" for one that was not chosen before somebody forfeited."""
    decisions: list[Counts]
    """The number of decisions in each phase."""
    seconds: list[Counts]
    """Processor time for them; of programs the time that they were waited for."""


@dataclass(frozen=True)
class Block:
    """One deal: a list has an item for each game, in which the challenger sat in that seat."""

    won: list[float]
    """The challenger's share of the win."""
    order: list[int]
    """Its place in turn order, from 0."""
    roles: list[str]
    decisions: Sides

    @property
    def share(self) -> float:
        return sum(self.won) / len(self.won)


@dataclass
class Result:
    """The blocks played so far."""

    terms: Terms
    shares: list[float] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)
    """Processor time, also of blocks played in an earlier run."""
    blocks: list[Block] = field(default_factory=list)
    """What the shares come from, if it is known."""
    thinking: Sides = field(default_factory=dict, compare=False)
    """Seconds that the decisions of a phase took, see `Played.seconds`."""

    def add(self, block: Block, thinking: Sides) -> None:
        self.shares.append(block.share)
        self.blocks.append(block)
        _add(self.thinking, thinking)

    def by_order(self) -> dict[int, list[float]]:
        """The challenger's shares at each place in turn order, from 0."""
        found = defaultdict[int, list[float]](list)
        for block in self.blocks:
            for place, won in zip(block.order, block.won, strict=True):
                found[place].append(won)
        return dict(sorted(found.items()))

    def by_role(self) -> dict[str, list[float]]:
        """The challenger's shares with each role."""
        found = defaultdict[str, list[float]](list)
        for block in self.blocks:
            for role, won in zip(block.roles, block.won, strict=False):
                if role:
                    found[role].append(won)
        return dict(sorted(found.items()))

    def decisions(self) -> Sides:
        """The number of decisions in each phase."""
        found: Sides = {}
        for block in self.blocks:
            _add(found, block.decisions)
        return found

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares) if self.shares else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval, from the variance over blocks."""
        return interval_within(self.shares)

    def data(self) -> dict[str, Any]:
        low, high = self.interval
        return asdict(self.terms) | {
            "fair": self.terms.fair,
            "blocks": len(self.shares),
            "games": len(self.shares) * self.terms.players,
            "share": self.mean,
            "low": low,
            "high": high,
            "order": [_summed(values) for values in self.by_order().values()],
            "roles": {role: _summed(values) for role, values in self.by_role().items()},
            "decisions": self.decisions(),
            "seconds": self.thinking,
        }


def _add(total: Sides, more: Sides) -> None:
    for phase, (own, others) in more.items():
        so_far = total.get(phase, [0, 0])
        total[phase] = [so_far[0] + own, so_far[1] + others]


def _summed(values: Sequence[float]) -> dict[str, float]:
    low, high = interval_within(values)
    return {"games": len(values), "share": sum(values) / len(values), "low": low, "high": high}


def interval_within(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95% confidence interval of a mean of shares, cut to 0 to 1."""
    if len(values) < 2:
        return 0.0, 1.0
    low, high = interval(values)
    if low == high:
        return wilson(values[0], len(values))
    return max(low, 0.0), min(high, 1.0)


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
    with (
        borrowed(pool) as running,
        closing(kept.complete(running, block, tasks, _is_whole)) as lines,
    ):
        for line in lines:
            result.add(Block(**line.result), line.measured)
            result.seconds += line.seconds
            progress(result)
            if sequential and sequential.answer(result.shares, terms.fair):
                break
    return result


def _is_whole(line: Line) -> bool:
    """Whether a line has more than the share, which was all that was kept at first."""
    return isinstance(line.result, dict)


def check_terms(terms: Terms, blocks: int = 1) -> None:
    """Refuse what can't be played or tells nothing, before anything is started."""
    spec = spec_named(terms.game)
    spec.template(terms.players, terms.options)
    for entrant in (terms.challenger, *terms.opponents):
        check(spec, entrant)
    if terms.challenger == terms.against:
        raise Refusal("option", "lab.mirror", name=terms.challenger)
    if blocks < 1:
        raise Refusal("option", "lab.blocks", blocks=blocks, fewest=1)


def block(terms: Terms, number: int) -> Measured:
    """Play one deal with the challenger in each seat; return a `Block` as data, and its seconds."""
    games = [play(terms, number, seated(terms, number, seat)) for seat in range(terms.players)]
    found = Block(
        [game.shares[seat] for seat, game in enumerate(games)],
        [game.order[seat] for seat, game in enumerate(games)],
        [game.roles[seat] for seat, game in enumerate(games) if game.roles],
        _sides([game.decisions for game in games]),
    )
    return Measured(asdict(found), _sides([game.seconds for game in games]))


def _sides(games: Sequence[Sequence[Counts]]) -> Sides:
    """Add up what the challenger did in its seat of each game, and what the others did."""
    found: Sides = {}
    for challenger, seats in enumerate(games):
        for seat, counts in enumerate(seats):
            own = seat == challenger
            _add(found, {phase: [n, 0] if own else [0, n] for phase, n in counts.items()})
    return found


def seated(terms: Terms, number: int, seat: int) -> list[str]:
    """Return who sits where on a deal, with the challenger in a seat."""
    others = terms.opponents
    names = [others[(number + at) % len(others)] for at in range(terms.players - 1)]
    return [*names[:seat], terms.challenger, *names[seat:]]


@cache
def _load(spec: GameSpec) -> None:
    """Load the machine code of a game into this process, which is nobody's thinking time."""
    ensure_compiled(spec, WARM_UPS)
    for calls in (kernel_calls, search_calls):
        for _, call in calls(spec):
            call()


def play(terms: Terms, number: int, seated: Sequence[str]) -> Played:
    """Play one game. A program that forfeits loses to all others."""
    spec = spec_named(terms.game)
    _load(spec)
    game = game_class(spec)(terms.players, f"{terms.seed}:{number}", compiled=True, **terms.options)
    choosers = [
        player(spec, terms.players, entrant, number * terms.players + seat)
        for seat, entrant in enumerate(seated)
    ]
    clocks = [
        time.perf_counter if isinstance(chooser, Program) else time.thread_time
        for chooser in choosers
    ]
    decisions: list[Counts] = [defaultdict(int) for _ in choosers]
    seconds: list[Counts] = [defaultdict(float) for _ in choosers]
    winners: Sequence[int]
    try:
        while not game.over:
            seat, phase, view = game.seat, game.phase, game.seen_by(game.seat)
            began = clocks[seat]()
            action = choosers[seat](view)
            seconds[seat][phase] += clocks[seat]() - began
            decisions[seat][phase] += 1
            game.play(action)
        winners = game.winners
    except Forfeit as forfeit:
        print(f"Game {number}, seat {game.seat}: {forfeit}", file=sys.stderr)
        winners = [seat for seat in range(terms.players) if seat != game.seat]
    finally:
        for chooser in choosers:
            if isinstance(chooser, Program):
                chooser.finish(game)
    seats = range(terms.players)
    first = int(in_order(game.states, terms.players)[0, 0])
    return Played(
        [1 / len(winners) if seat in winners else 0.0 for seat in seats],
        [(seat - first) % terms.players for seat in seats],
        [("", *spec.roles)[game.state.adventurer[seat]] for seat in seats] if spec.roles else [],
        decisions,
        seconds,
    )
