"""A finished game gone through: every seat's chance to win, what decisions cost, and luck.

Before every decision stands a row of chances, one for each seat, with the best action; after it a
row with the action taken. The difference of the two is what the decision changed. What happens
between a decision and the next one, because a card is drawn or because the next seat knows other
things, is luck. So for every seat, to the last ten-thousandth,

    result - start = own decisions + decisions of others + luck

whatever the search found: it decides only how the sum is divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from veillee.analysis.decision import Judgement, Row, Task, chances, judge
from veillee.bots.bot import fingerprint
from veillee.bots.weights import weights_for
from veillee.engine.game import Game
from veillee.engine.i18n import LANGUAGES
from veillee.engine.jit.layout import States
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named

FORMAT = "veillee.analysis/1"
ITERATIONS = 600_000
"""For a whole game, shared by its decisions: 6 to 20 seconds on two processors."""
FEWEST, MOST = 800, 40_000
"""Iterations for a decision in very long and very short games."""

Names = Mapping[str, Sequence[str]]
"""The names of the seats, by language."""
Map = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterable[Any]]
"""Runs a function for each tuple of arguments and returns the results in order."""


class Decision(msgspec.Struct, frozen=True):
    """One decision of the game."""

    step: int
    """Number of the decision in the game, from 0."""
    seat: int
    action: str
    before: Row
    after: Row
    best: str
    """The best action, in notation; `action` itself if nothing was better."""
    error: int
    promising: Sequence[tuple[str, int]]
    reasons: dict[str, str]

    @property
    def cost(self) -> int:
        """Cost of the decision for the seat that took it, in ten-thousandths."""
        return self.before[self.seat] - self.after[self.seat]


class Sums(msgspec.Struct, frozen=True):
    """The parts of a seat's result, in ten-thousandths."""

    start: int
    own: int
    others: int
    luck: int
    result: int


class Analysis(msgspec.Struct, frozen=True):
    """A finished game, analysed."""

    game: str
    rules: int
    players: Sequence[str]
    steps: int
    """Number of decisions in the game, those without a choice included."""
    decisions: Sequence[Decision]
    """Those with a choice."""
    result: Row
    iterations: int
    """Iterations of search for each decision."""
    seed: int
    bots: str
    """Fingerprint of rules, search and weights (`bots.bot.fingerprint`)."""
    post_mortem: Any = None
    """Additions of the game itself (`GameSpec.post_mortem`), as data."""
    format: str = FORMAT

    @property
    def start(self) -> Row:
        return self.decisions[0].before if self.decisions else self.result

    def sums(self, seat: int) -> Sums:
        """Return where a seat's result came from."""
        own = others = luck = 0
        for decision, following in zip(self.decisions, self._following(), strict=True):
            change = decision.after[seat] - decision.before[seat]
            if decision.seat == seat:
                own += change
            else:
                others += change
            luck += following[seat] - decision.after[seat]
        return Sums(self.start[seat], own, others, luck, self.result[seat])

    def _following(self) -> Iterator[Row]:
        """Yield the row that follows each decision: that of the next, and the result."""
        yield from (decision.before for decision in self.decisions[1:])
        if self.decisions:
            yield self.result

    def rows(self) -> list[Row]:
        """Return the chances before every step of the game, and the result."""
        rows: list[Row] = []
        now = self.start
        for decision in self.decisions:
            rows += [now] * (decision.step - len(rows))
            rows.append(decision.before)
            now = decision.after
        rows += [now] * (self.steps - len(rows))
        return [*rows, self.result]

    def costly(self, least: int = 0) -> list[Decision]:
        """Return the decisions that cost more than so much, the costliest first."""
        found = [decision for decision in self.decisions if decision.cost > least]
        return sorted(found, key=lambda decision: -decision.cost)


def analyse(
    game: Game,
    *,
    iterations: int = ITERATIONS,
    seed: int = 1,
    names: Names | None = None,
    run: Map | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Analyse a finished game.

    Args:
        game: The game, played to its end.
        iterations: Iterations of search for the whole game.
        seed: What the searches start from: with equal seeds, equal results.
        names: The names of the seats by language; those of the game, if left out.
        run: Where decisions are judged, such as `lab.executor.Workers.map`; here, if left out.
        progress: Is told how many decisions of how many have been judged.

    Raises:
        Refusal: If the game is not over.
    """
    (found,) = _analyses([game], iterations, seed, names, run, progress)
    return found


def analyse_many(
    games: Sequence[Game],
    *,
    iterations: int = ITERATIONS,
    seed: int = 1,
    run: Map | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Analysis]:
    """Yield the analysis of each finished game; see `analyse`.

    The decisions of all games go through `run` in one go, so that no worker waits at the end of
    each game.
    """
    return _analyses(games, iterations, seed, None, run, progress)


def _analyses(
    games: Sequence[Game],
    iterations: int,
    seed: int,
    names: Names | None,
    run: Map | None,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Analysis]:
    work = [tasks(game, iterations, seed, names) for game in games]
    total = sum(map(len, work))
    calls: Iterator[tuple[Any, ...]] = (
        call
        for game, parts in zip(games, work, strict=True)
        for call in (
            *((judge, part) for part in parts),
            (post_mortem, *post_mortem_task(game, seed)),
        )
    )
    results = iter((_call(*call) for call in calls) if run is None else run(_call, calls))
    done = 0
    if progress:
        progress(done, total)
    for game, parts in zip(games, work, strict=True):
        found: list[Judgement] = []
        for judgement in islice(results, len(parts)):
            found.append(judgement)
            done += 1
            if progress:
                progress(done, total)
        yield assembled(game, parts, found, seed, next(results))


def _call(do: Callable[..., Any], *given: Any) -> Any:
    return do(*given)


def tasks(
    game: Game, iterations: int = ITERATIONS, seed: int = 1, names: Names | None = None
) -> list[Task]:
    """Return the decisions of a game that have to be judged, each with its view only."""
    if not game.over:
        raise Refusal("illegal", "analysis.unfinished")
    steps = [game.steps[step] for step in real_decisions(game)]
    each = min(max(iterations // max(len(steps), 1), FEWEST), MOST)
    made = []
    for number, step in enumerate(steps):
        view: States = np.frombuffer(bytearray(step.before), game.spec.dtype)
        game.redact(view, 1 << step.seat)
        made.append(
            Task(
                game=game.spec.name,
                rules=game.spec.version,
                view=view.tobytes(),
                action=step.action,
                names=names or dict.fromkeys(LANGUAGES, game.names),
                iterations=each,
                seed=(seed << 16) + number,
            )
        )
    return made


def real_decisions(game: Game) -> list[int]:
    """Return the numbers of the steps at which there was something to choose."""
    out = np.zeros(game.spec.actions, np.int16)
    found = []
    for number, step in enumerate(game.steps):
        states = np.frombuffer(bytearray(step.before), game.spec.dtype)
        # Plain code, because the server may run while the game is being compiled.
        if game.spec.plain.legal_at([game.spec.twin(states)], 0, out.data) > 1:
            found.append(number)
    return found


def assembled(
    game: Game, work: Sequence[Task], found: Sequence[Judgement], seed: int, told: Any
) -> Analysis:
    """Return the analysis of a game from the judgements of its tasks and its post-mortem."""
    text = game.spec.notation.text
    decisions = [
        Decision(
            step=step,
            seat=game.steps[step].seat,
            action=text(game.steps[step].action),
            before=each.before,
            after=each.after,
            best=text(each.best),
            error=each.error,
            promising=[(text(action), chance) for action, chance in each.promising],
            reasons=each.reasons,
        )
        for step, each in zip(real_decisions(game), found, strict=True)
    ]
    return Analysis(
        game=game.spec.name,
        rules=game.spec.version,
        players=list(game.names),
        steps=len(game.steps),
        decisions=decisions,
        result=chances([seat in game.winners for seat in range(game.players)]),
        iterations=work[0].iterations if work else 0,
        seed=seed,
        bots=fingerprint(game.spec, game.players),
        post_mortem=told,
    )


def post_mortem_task(game: Game, seed: int = 1) -> tuple[str, int, bytes, int]:
    """Return the arguments of `post_mortem`, which can be sent to a worker."""
    states = b"".join([*(step.before for step in game.steps), game.states.tobytes()])
    return game.spec.name, game.spec.version, states, seed


def post_mortem(game: str, rules: int, states: bytes, seed: int) -> Any:
    """Return what the game itself has to say of its states; None if it says nothing."""
    spec = spec_named(game, rules)
    if spec.post_mortem is None:
        return None
    found: States = np.frombuffer(states, spec.dtype)
    weights = weights_for(spec, int(found[0]["players"]))
    return spec.post_mortem.find(spec, found, weights, seed)
