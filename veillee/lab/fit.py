"""Fitting what a game's bots know: how much each feature of a position tells about who will win.

Players meet, one decision in ten is left to chance so that all kinds of positions are seen, and the
weights are those under which the winners were the likeliest: a seat's odds are the exponential of
its weighted features, and a weight goes from one value at the end to another at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.bots.jit.evaluation import OWN
from veillee.bots.jit.heuristics import BUFFER
from veillee.bots.weights import has_features, weight_names, weights_for
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import States
from veillee.engine.precompile import Calls, WarmUp
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.lab.executor import Workers, borrowed
from veillee.lab.jit import features
from veillee.lab.players import check, player

Table = npt.NDArray[np.float64]

ASTRAY = 0.1
"""Fraction of the decisions that are random."""
RIDGE = 1e-3
"""Keeps the weights of features that hardly differ from growing."""
STEPS = 12
FOLDS = 5


@dataclass(frozen=True)
class Fit:
    """Fitted weights, and how well they tell winners in games that they were not fitted to."""

    weights: dict[str, list[float]]
    """For each feature the weight at the end, and how much more at the beginning."""
    games: int
    positions: int
    loss: float
    """Mean log-loss in nats over games held back, a fifth at a time."""
    gain: tuple[float, float, float]
    """Reduction compared with the weights in use: mean, and 95% interval over games."""


def fit(
    spec: GameSpec,
    players: int,
    games: int,
    entrant: str,
    seed: int = 1,
    *,
    options: Mapping[str, Any] | None = None,
    pool: Workers | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Fit:
    """Let players meet and fit the weights to who won."""
    check_features(spec)
    if games < FOLDS:
        raise Refusal("option", "lab.games", games=games, fewest=FOLDS)
    spec.template(players, options)
    check(spec, entrant)
    tasks = [
        (spec.name, players, entrant, f"{seed}:{number}", options or {}) for number in range(games)
    ]
    states, shares, lengths = [], [], []
    with borrowed(pool) as running:
        for seen, share in running.map(positions, tasks):
            states.append(seen)
            shares += [share] * len(seen)
            lengths.append(len(seen))
            progress()
    features, won = by_distance(*read(spec, np.concatenate(states), players)), np.array(shares)
    number = np.repeat(np.arange(games), lengths)
    losses = held_out(features, won, number)
    in_use = weights_for(spec, players)[: len(weight_names(spec)), :OWN].T.reshape(-1)
    rows = likeliest(features, won).reshape(2, -1).T
    return Fit(
        weights=dict(zip(weight_names(spec), rows.tolist(), strict=True)),
        games=games,
        positions=len(won),
        loss=float(losses.mean()),
        gain=clustered(loss_of(in_use, features, won) - losses, number),
    )


def positions(
    name: str, players: int, entrant: str, seed: str, options: Mapping[str, Any]
) -> tuple[States, list[float]]:
    """Play one game; return all its positions and each seat's share of the win."""
    spec = spec_named(name)
    game = game_class(spec)(players, seed, compiled=True, **options)
    chance = Random(seed)
    choose = [player(spec, players, entrant, chance.getrandbits(30)) for _ in range(players)]
    found = []
    while not game.over:
        found.append(game.states.copy())
        astray = chance.random() < ASTRAY
        action = chance.choice(game.legal) if astray else choose[game.seat](game.seen_by(game.seat))
        game.play(action)
    won = game.winners
    return np.concatenate(found), [(seat in won) / len(won) for seat in range(players)]


def check_features(spec: GameSpec) -> None:
    """Refuse a game without features, to which nothing can be fitted."""
    if not has_features(spec):
        raise Refusal("unknown", "bots.features", game=spec.name)


def read(spec: GameSpec, states: States, players: int) -> tuple[Table, Table]:
    """Return the features, positions x seats x features, and each position's distance to the end.

    The states are changed.
    """
    build = Build(spec.tag, spec.package, compiled=True)
    reading = build.module(features, _bound(spec))
    found = np.zeros((len(states), players, len(weight_names(spec))))
    far = np.zeros(len(states))
    reading.read(states, np.zeros(BUFFER, np.int16), found, far)
    return found, far


def _bound(spec: GameSpec) -> tuple[ModuleType, ...]:
    assert spec.heuristics is not None
    return (*spec.compiled_modules, spec.heuristics)


def feature_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before features are read."""
    players = max(spec.player_counts)
    yield "features", lambda: read(spec, game_class(spec)(players, 0).states, players)


FEATURES = WarmUp("veillee.lab.fit:feature_calls", lambda spec: (features, *_bound(spec)))
"""Everything to compile of a game to read the features of its positions."""


def by_distance(found: Table, far: Table) -> Table:
    """Return the features as they are, and once more by how far it is to the end."""
    return np.concatenate([found, found * far[:, None, None]], 2)


def held_out(features: Table, shares: Table, number: npt.NDArray[np.int64]) -> Table:
    """Return the loss of each position under weights fitted without a fifth of the games."""
    losses = np.zeros(len(shares))
    for fold in range(FOLDS):
        held = number % FOLDS == fold
        weights = likeliest(features[~held], shares[~held])
        losses[held] = loss_of(weights, features[held], shares[held])
    return losses


def loss_of(weights: Table, features: Table, shares: Table) -> Table:
    """Return the log-loss of each position."""
    return log_loss(features @ weights, shares)


def log_loss(odds: Table, shares: Table) -> Table:
    """Return the log-loss of each position, from log-odds of the seats and what they got."""
    odds = odds - odds.max(1, keepdims=True)
    return np.asarray((shares * (np.log(np.exp(odds).sum(1, keepdims=True)) - odds)).sum(1))


def clustered(values: Table, number: npt.NDArray[np.int64]) -> tuple[float, float, float]:
    """Return the mean over positions and its 95% interval, positions of one game being one draw."""
    mean = float(values.mean())
    deviations = np.bincount(number, values - mean)
    half = 1.96 * float(np.sqrt((deviations**2).sum())) / len(values)
    return mean, mean - half, mean + half


def likeliest(features: Table, shares: Table) -> Table:
    """The weights under which those who won were the likeliest to: Newton's method."""
    size = features.reshape(-1, features.shape[2]).std(0)
    size[size == 0] = 1
    x = features / size
    weights = np.zeros(x.shape[2])
    for _ in range(STEPS):
        odds = x @ weights
        odds = np.exp(odds - odds.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        mean = np.einsum("ns,nsd->nd", odds, x)
        slope = np.einsum("ns,nsd->d", odds - shares, x) / len(x) + 2 * RIDGE * weights
        bend = np.einsum("ns,nsd,nse->de", odds, x, x, optimize=True) - mean.T @ mean
        bend = bend / len(x) + 2 * RIDGE * np.eye(len(weights))
        weights = weights - np.linalg.solve(bend, slope)
    return np.asarray(weights / size)
