"""Generations of bots that learn from games among themselves.

In each generation players that search with a small budget meet. Some seats are taken by earlier
generations, and in half of the games a tenth of the decisions is left to chance, so that all kinds
of positions are seen. The evaluation is then fitted to who won and to what the searches expected:
linear weights first, and a network on top of them (`network.py`) where it tells winners better in
games held back; or the numbers of an evaluation without features (`appraisal.py`), after the policy
has learnt by playing (`policy.py`). A generation is admitted if it wins a sequential match against
the last one that was.

A game depends only on the seed, the generation, its shard and the weights that play, and is kept as
its actions with the searches' values. A run that is interrupted goes on from the file it keeps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.bots.bot import WARM_UPS, Bot, Budget
from veillee.bots.jit.evaluation import BIAS, DISTANCE, END, MORE, OUTPUT, OWN, TOTALS
from veillee.bots.weights import Weights, has_features, weights_for, with_network
from veillee.engine.batch import SEED_BITS
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.precompile import WarmUp
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.lab.appraisal import APPRAISAL, appraised_loss, fit_numbers, numbers_of
from veillee.lab.executor import Workers, borrowed
from veillee.lab.fit import (
    FEATURES,
    FOLDS,
    Table,
    by_distance,
    check_features,
    clustered,
    likeliest,
    log_loss,
    read,
)
from veillee.lab.jit.self_play import NOT_SEARCHED
from veillee.lab.match import Result, Terms
from veillee.lab.network import train_network
from veillee.lab.players import budget, budget_without_clock
from veillee.lab.policy import POLICY, Lessons, learn, learnt
from veillee.lab.results import ResultFile
from veillee.lab.self_play import SELF_PLAY, SelfPlay, replay
from veillee.lab.sprt import Sequential
from veillee.lab.versions import versions

SHARD = 32
"""Games that make a task."""
NEWEST = 0.7
"""Fraction of the seats that the newest generation takes, once there is an older one."""
ASTRAY_GAMES = 0.5
"""In how many games a tenth of the decisions is left to chance."""
MOST_POSITIONS = 800_000
"""Positions to which weights are fitted: enough, and they fit into memory."""
SEARCHED = 0.5
"""Weight of the searches' values in the target; the rest is the result of the game."""
STEP_GAMES = 100_000
"""Games of each step of a policy that learns."""
GAIN = 0.2
"""Gain that a sequential match tests for, as a fraction of the fair share."""
DIGITS = 5
"""To how many digits weights are rounded, so that a file of them holds what was measured."""
UNIT = 1000
"""Values are kept in thousandths."""

Report = Callable[[str, int, int], object]
"""Is told what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class Plan:
    """Everything that a training run depends on, except the weights in use."""

    game: str
    players: int
    games: int
    """Games of each generation, rounded up to whole shards."""
    player: str = "teller"
    """The player: see `lab/players.py`. Its weights are those of the generations."""
    judge: str = "sage:iterations=400"
    """The player of the match for admission."""
    blocks: int = 150
    """Deals of that match at most."""
    steps: int = 100
    """Steps in which the policy learns in each generation, where the game has one that does."""
    seed: int = 1


@dataclass(frozen=True)
class Losses:
    """Mean log-loss in nats on games held back, and how much less that is than with those in use.

    Gains are the mean and its 95% interval, positions of one game being one draw.
    """

    in_use: float
    linear: tuple[float, float, float]
    """Of weights without a network."""
    network: tuple[float, float, float] | None
    """With one; None for an evaluation without features."""


@dataclass(frozen=True)
class Generation:
    """The result of one generation."""

    number: int
    games: int
    positions: int
    weights: Weights
    data: str
    """Hash of the games that it was fitted to."""
    losses: Losses
    match: Result
    admitted: bool


def train(
    plan: Plan,
    generations: int,
    *,
    file: Path | None = None,
    pool: Workers | None = None,
    report: Report = lambda *_: None,
    told: Callable[[Generation], object] = lambda _: None,
) -> list[Generation]:
    """Train a number of generations and return them."""
    spec = check_plan(plan, generations)
    admitted = [weights_for(spec, plan.players)]
    games: list[Played] = []
    found = []
    with borrowed(pool) as running:
        for number in range(generations):
            step = Step(plan, number, file, running, report)
            newest = step.learn_policy(admitted[-1])
            games += step.self_play([*admitted[:-1], newest])
            report(f"fit {number}", 0, 1)
            weights, losses, positions = fitted(spec, plan, games, newest, number)
            result, better = step.judge(weights, admitted[-1])
            if better:
                admitted.append(weights)
            data = hashlib.sha256(json.dumps(games).encode()).hexdigest()[:16]
            found.append(
                Generation(number, len(games), positions, weights, data, losses, result, better)
            )
            told(found[-1])
    return found


def warm_ups(spec: GameSpec) -> tuple[WarmUp, ...]:
    """Return everything to compile of a game before its bots are trained."""
    policy = (POLICY,) if learnt(spec) else ()
    return (*WARM_UPS, SELF_PLAY, APPRAISAL if numbers_of(spec) else FEATURES, *policy)


def check_plan(plan: Plan, generations: int) -> GameSpec:
    """Refuse what can't be trained, before anything is started."""
    spec = spec_named(plan.game)
    if not numbers_of(spec):
        check_features(spec)
    spec.template(plan.players)
    trains_with(plan)
    budget(spec, plan.judge)
    for count, fewest in ((plan.games, FOLDS), (generations, 1), (plan.blocks, 1)):
        if count < fewest:
            raise Refusal("option", "lab.games", games=count, fewest=fewest)
    return spec


# ---------------------------------------------------------------- games

Played = dict[str, Any]
"""A game: `seed` and `number` of its deal, `actions`, and the `values` that all seats expected at
each of them, [] where nothing was searched."""


class Step:
    """The games of one generation, kept in a file."""

    def __init__(
        self, plan: Plan, number: int, file: Path | None, running: Workers, report: Report
    ) -> None:
        self._plan, self._number, self._file = plan, number, file
        self._running, self._report = running, report

    def learn_policy(self, start: Weights) -> Weights:
        """Return the weights with those of the policy learnt by playing, if the game has such."""
        plan = self._plan
        if not plan.steps or not learnt(spec_named(plan.game)):
            return start
        seed = plan.seed + self._number
        lessons = Lessons(plan.game, plan.players, plan.steps, STEP_GAMES, seed)
        found, _ = learn(lessons, start, file=self._file, pool=self._running, report=self._report)
        return found.round(DIGITS)

    def self_play(self, admitted: Sequence[Weights]) -> list[Played]:
        """Return the games of this generation, playing those that are not in the file."""
        plan, shards = self._plan, -(-self._plan.games // SHARD)
        tasks = [(plan, self._number, shard, list(admitted)) for shard in range(shards)]
        found = self._blocks("games", admitted, play_shard, tasks, lambda _: False)
        return [game for shard in found for game in shard]

    def judge(self, new: Weights, old: Weights) -> tuple[Result, bool]:
        """Play the match for admission; return it and whether the new weights are better."""
        plan = self._plan
        terms = Terms(plan.game, plan.players, f"generation {self._number}", "before", plan.seed)
        test = Sequential(GAIN * terms.fair)
        tasks = [(plan, self._number, block, new, old) for block in range(plan.blocks)]
        found = self._blocks(
            "match",
            [new, old],
            duel,
            tasks,
            lambda shares: test.answer(shares, terms.fair) is not None,
        )
        result = Result(terms, found)
        answer = test.answer(found, terms.fair)
        return result, answer == "better" or (answer is None and result.interval[0] > terms.fair)

    def _blocks(
        self,
        what: str,
        weights: Sequence[Weights],
        task: Callable[..., Any],
        tasks: Sequence[tuple[Any, ...]],
        ends: Callable[[list[Any]], bool],
    ) -> list[Any]:
        """Return the results of tasks in their order, until there are enough of them."""
        spec = spec_named(self._plan.game)
        run = {"what": f"train {what}", "generation": self._number, "weights": hash_of(weights)}
        plan = asdict(self._plan) | {"games": 0, "blocks": 0}  # so that more can be added
        kept = ResultFile(self._file, run | plan | versions(spec))
        results: list[Any] = []
        self._report(f"{what} {self._number}", 0, len(tasks))
        with closing(kept.complete(self._running, task, dict(enumerate(tasks)))) as lines:
            for line in lines:
                results.append(line.result)
                self._report(f"{what} {self._number}", len(results), len(tasks))
                if ends(results):
                    break
        return results


def hash_of(weights: Sequence[Weights]) -> str:
    return hashlib.sha256(b"".join(each.tobytes() for each in weights)).hexdigest()[:16]


def play_shard(
    plan: Plan, generation: int, shard: int, admitted: Sequence[Weights]
) -> list[Played]:
    """Play the games of one shard: mixed generations, perhaps with decisions left to chance."""
    spec = spec_named(plan.game)
    games = SelfPlay(spec, plan.players, trains_with(plan), admitted)
    seed = seed_of(plan, generation)
    found: list[Played] = []
    for number in range(shard * SHARD, (shard + 1) * SHARD):
        chance = Random(f"{plan.seed}:{generation}:{number}")
        who = [
            len(admitted) - 1 if chance.random() < NEWEST else chance.randrange(len(admitted))
            for _ in range(plan.players)
        ]
        astray = chance.random() < ASTRAY_GAMES
        actions, values = games.play(seed, number, who, astray)
        expected = [
            [] if row[0] == NOT_SEARCHED else np.rint(row * UNIT).astype(int).tolist()
            for row in values
        ]
        found.append(
            {"seed": seed, "number": number, "actions": actions.tolist(), "values": expected}
        )
    return found


def seed_of(plan: Plan, generation: int) -> int:
    """Return the seed of the deals of a generation."""
    digest = hashlib.sha256(f"{plan.seed}:{generation}".encode()).digest()
    return int.from_bytes(digest[:8]) & SEED_BITS


def trains_with(plan: Plan) -> Budget:
    """Return how much the players of a generation think.

    Raises:
        Refusal: If they have a time limit, or are no bots that search.
    """
    found = budget_without_clock(spec_named(plan.game), plan.player)
    if found is None:
        raise Refusal("option", "lab.train.player", player=plan.player[:40])
    return found


def duel(plan: Plan, generation: int, block: int, new: Weights, old: Weights) -> float:
    """Return the share of wins of new weights on one deal, seated everywhere."""
    spec = spec_named(plan.game)
    won = 0.0
    for seat in range(plan.players):
        game = game_class(spec)(
            plan.players, f"{plan.seed}:{generation}:match:{block}", compiled=True
        )
        bots = [
            _bot(plan, plan.judge, new if at == seat else old, block * plan.players + at)
            for at in range(plan.players)
        ]
        while not game.over:
            game.play(bots[game.seat].choose(game.seen_by(game.seat)))
        won += (seat in game.winners) / len(game.winners)
    return won / plan.players


def _bot(plan: Plan, entrant: str, weights: Weights, seed: int) -> Bot:
    spec = spec_named(plan.game)
    return Bot(spec, plan.players, budget(spec, entrant), seed, weights=weights)


# ---------------------------------------------------------------- fitting


@dataclass(frozen=True)
class Data:
    """Positions of games, with what is learnt from them."""

    states: States
    won: Table
    """Each seat's share of the win."""
    target: Table
    """The training target: the result of the game mixed with the search's expectation."""
    game: npt.NDArray[np.int64]
    """The number of the game that a position comes from."""


def read_games(spec: GameSpec, players: int, games: Sequence[Played]) -> Data:
    """Play games again and return their positions: all, or evenly chosen ones of many."""
    every = -(-sum(len(played["actions"]) for played in games) // MOST_POSITIONS)
    states, won, target, number = [], [], [], []
    skipped = 0
    for n, played in enumerate(games):
        actions = played["actions"]
        positions, shares = replay(spec, players, played["seed"], played["number"], actions)
        states.append(positions[skipped::every])
        for value in played["values"][skipped::every]:
            expected = np.array(value or shares, np.float64)
            won.append(shares)
            target.append(SEARCHED * expected / expected.sum() + (1 - SEARCHED) * np.array(shares))
            number.append(n)
        skipped = (skipped - len(actions)) % every
    return Data(np.concatenate(states), np.array(won), np.array(target), np.array(number))


def fitted(
    spec: GameSpec, plan: Plan, games: Sequence[Played], in_use: Weights, generation: int
) -> tuple[Weights, Losses, int]:
    """Return weights fitted to games, their losses, and the number of positions.

    The losses are of weights fitted without a fifth of the games.
    """
    data = read_games(spec, plan.players, games)
    fold = data.game % FOLDS
    if has_features(spec):
        weights, losses = fit_features(spec, data, fold, in_use, (plan.seed, generation))
    else:
        weights, losses = fit_evaluation(spec, data, fold, in_use)
    return weights.round(DIGITS), losses, len(data.won)


def fit_features(
    spec: GameSpec, data: Data, fold: npt.NDArray[np.int64], in_use: Weights, seed: Sequence[int]
) -> tuple[Weights, Losses]:
    """Fit linear weights, and a network that stays only if it is better beyond doubt."""
    found, far = read(spec, data.states, data.won.shape[1])
    held = fold == 0
    linear, network = fit_without(found, far, data.target, held, fold == 1, seed)
    tested = [
        log_loss(log_odds(weights, found[held], far[held]), data.won[held])
        for weights in (in_use, linear, network)
    ]
    gains = [clustered(tested[0] - each, data.game[held]) for each in tested[1:]]
    worth_it = clustered(tested[1] - tested[2], data.game[held])[1] > 0
    linear, network = fit_without(found, far, data.target, np.zeros_like(held), held, seed)
    return network if worth_it else linear, Losses(float(tested[0].mean()), gains[0], gains[1])


def fit_without(
    found: Table,
    far: Table,
    target: Table,
    held: npt.NDArray[np.bool_],
    aside: npt.NDArray[np.bool_],
    seed: Sequence[int],
) -> tuple[Weights, Weights]:
    """Return linear weights, and those with a network, fitted to all games but those held back.

    Training of the network is stopped by the loss of those set aside.
    """
    found, far, target, aside = found[~held], far[~held], target[~held], aside[~held]
    linear = likeliest(by_distance(found, far), target).reshape(2, -1).T
    rows = train_network(found, far, log_odds(linear, found, far), target, aside, seed)
    return linear, with_network(linear, rows)


def fit_evaluation(
    spec: GameSpec, data: Data, fold: npt.NDArray[np.int64], in_use: Weights
) -> tuple[Weights, Losses]:
    """Fit the numbers of an evaluation without features."""
    held = fold == 0
    states, won = data.states[held], data.won[held]
    without = fit_numbers(spec, in_use, data.states[~held], data.target[~held])
    before, after = (appraised_loss(spec, each, states, won) for each in (in_use, without))
    losses = Losses(float(before.mean()), clustered(before - after, data.game[held]), None)
    return fit_numbers(spec, in_use, data.states, data.target), losses


def log_odds(weights: Weights, found: Table, far: Table) -> Table:
    """Evaluate positions as `bots/jit/evaluation.py` does."""
    n = found.shape[2]
    odds = found @ weights[:n, END] + (found @ weights[:n, MORE]) * far[:, None]
    if len(weights) > n:
        own, totals = weights[:, OWN:TOTALS], weights[:n, TOTALS:]
        shared = found.sum(1) @ totals + far[:, None] * own[n + DISTANCE] + own[n + BIAS]
        odds = odds + np.maximum(found @ own[:n] + shared[:, None], 0) @ own[n + OUTPUT]
    return np.asarray(odds)


def source(plan: Plan, generation: Generation, command: str) -> str:
    """Return what made weights: the command, and hashes of the data and of the bots that played."""
    spec = spec_named(plan.game)
    code = versions(spec)["code"]
    return f"{command}, generation {generation.number}, games {generation.data}, code {code}"
