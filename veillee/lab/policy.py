"""Learning the rollout policy of a game by playing it against itself.

For games whose heuristics name weights that are LEARNT. Evolution strategies estimate the policy's
gradient: weights a little off, and off the other way, meet a field of the weights as they are, on
the same deals. A pull towards the weights at the start regularises it, so that it settles instead
of running in circles, and the mean of the second half of all steps is what comes out.

With a field that stays, the same learns a best reply: what it gains is what the policy can lose to
one of its kind, which remembers what each player has shown as the policy does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from veillee.bots.jit import heuristics
from veillee.bots.weights import Weights, weights_for
from veillee.engine.batch import SEED_BITS
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import rng as chance
from veillee.engine.jit.compile import Build
from veillee.engine.precompile import Calls, WarmUp
from veillee.engine.registry import game as spec_named
from veillee.lab.executor import Workers, borrowed
from veillee.lab.jit import policy as kernel
from veillee.lab.results import ResultFile
from veillee.lab.scale import Ranges, Scale
from veillee.lab.versions import versions

PAIRS = 64
"""Directions that are tried in each step, each both ways."""
RATE = 20.0
PULL = 0.02
"""Part of the way back to the start that is taken in each step."""


@dataclass(frozen=True)
class Lessons:
    """Everything that learning a policy depends on, except the initial weights."""

    game: str
    players: int
    steps: int
    games: int
    """Games of each step."""
    seed: int = 1
    field_stays: bool = False
    """Learn a best reply to the weights at the start."""


def learnt(spec: GameSpec) -> Ranges:
    """Return the weights of a game that are learnt by playing."""
    found: Ranges = getattr(spec.heuristics, "LEARNT", {})
    return found


def learn(
    lessons: Lessons,
    start: Weights,
    *,
    file: Path | None = None,
    pool: Workers | None = None,
    report: Callable[[str, int, int], object] = lambda *_: None,
) -> tuple[Weights, list[float]]:
    """Return the learnt weights, and the mean share of what was tried in each step.

    Steps are kept in a file, from which an interrupted run goes on.
    """
    spec = spec_named(lessons.game)
    scale = Scale(start, learnt(spec))
    begin = now = scale.numbers(start)
    of_start = {"what": "policy", "weights": start.tolist()}
    kept = ResultFile(file, of_start | asdict(lessons) | {"steps": 0} | versions(spec))
    done = {step: line.result for step, line in kept.done().items()}
    path, curve = [], []
    with borrowed(pool) as running:
        for step in range(lessons.steps):
            report("policy", step, lessons.steps)
            if step not in done:
                field = start if lessons.field_stays else scale.weights(now)
                slope, share = gradient(lessons, step, scale.weights(now), field, running)
                moved = now + RATE * slope
                if not lessons.field_stays:
                    moved -= PULL * (now - begin)
                done[step] = [scale.limited(moved).tolist(), share]
                kept.add(step, done[step])
            now = np.array(done[step][0])
            path.append(now)
            curve.append(done[step][1])
    return scale.weights(np.mean(path[len(path) // 2 :], 0)), curve


def gradient(
    lessons: Lessons, step: int, now: Weights, field: Weights, running: Workers
) -> tuple[Any, float]:
    """Return by how much the share rises with each weight, and the mean share of all tries."""
    tasks = ((lessons, step, pair, now, field) for pair in range(PAIRS))
    slopes, shares = [], []
    for pair, (one, other) in enumerate(running.map(try_pair, tasks)):
        size = len(Scale(now, learnt(spec_named(lessons.game))).numbers(now))
        slopes.append(direction(lessons, step, pair, size) * (one - other) / 2)
        shares += [one, other]
    return np.mean(slopes, 0), float(np.mean(shares))


def direction(lessons: Lessons, step: int, pair: int, size: int) -> Any:
    """Return where a pair of tries goes from the weights as they are, in steps."""
    return np.random.default_rng((lessons.seed, step, pair)).standard_normal(size)


def try_pair(
    lessons: Lessons, step: int, pair: int, now: Weights, field: Weights
) -> tuple[float, float]:
    """Return the shares of weights off the current ones, one way and the other."""
    scale = Scale(now, learnt(spec_named(lessons.game)))
    middle = scale.numbers(now)
    games = max(lessons.players, lessons.games // (2 * PAIRS))
    first = (step * PAIRS + pair) * games
    away = direction(lessons, step, pair, len(middle))
    one, other = (
        share(lessons, scale.weights(scale.limited(middle + way * away)), field, first, games)
        for way in (1, -1)
    )
    return one, other


def share(lessons: Lessons, tried: Weights, field: Weights, first: int, games: int) -> float:
    """Return the share of wins of weights against a field of others, over numbered games."""
    spec = spec_named(lessons.game)
    template = spec.template(lessons.players)
    return float(
        compiled(spec).share(
            template,
            template.copy(),
            tried,
            field,
            lessons.seed & SEED_BITS,
            first,
            games,
            np.zeros(chance.SIZE, np.int64),
            np.zeros(spec.actions, np.int16),
            np.zeros(lessons.players, np.int16),
        )
    )


def policy_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before a policy learns."""
    players = max(spec.player_counts)
    weights = weights_for(spec, players)
    yield "policy", lambda: share(Lessons(spec.name, players, 1, 1), weights, weights, 0, 1)


POLICY = WarmUp("veillee.lab.policy:policy_calls", lambda spec: (kernel, *_bound(spec)))
"""Everything to compile of a game whose policy learns."""


@cache
def compiled(spec: GameSpec) -> SimpleNamespace:
    """Return `jit/policy.py` bound to a game's rules and heuristics."""
    return Build(spec.tag, spec.package, compiled=True).module(kernel, _bound(spec))


def _bound(spec: GameSpec) -> tuple[ModuleType, ...]:
    assert spec.heuristics is not None
    return (*spec.compiled_modules, heuristics, spec.heuristics)
