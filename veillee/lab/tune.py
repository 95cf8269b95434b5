"""Tuning: search for values of a game that meet goals, with Optuna.

A file names the goals and the values that may move:

    game = "captain"
    name = "Fair captain"
    players = [4]
    level = "random"

    [values]
    coins = 30

    [free]
    captain_coins = { low = 0, high = 10 }

    [goals]
    seats = 0.01
    length = { low = 60, high = 90 }

`seats` and `roles` are the largest distance of a share of wins from a fair one. The others are
quantities of a study that must lie between two numbers; `minutes` is the length in minutes, if the
printed game takes as long as its box says.

Every trial plays the same deals. Its sampler is seeded by its number, so that a run that is resumed
goes on as it would have without the break.
"""

from __future__ import annotations

import copy
import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from veillee.engine.options import whole
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.variant import Variant, variant_of
from veillee.lab.executor import Workers, borrowed
from veillee.lab.extras import require
from veillee.lab.findings import SINGLE, rows
from veillee.lab.gather import Tally
from veillee.lab.study import Cell, Plan, check_plan, printed, study
from veillee.lab.versions import versions

DISTANCES = ("seats", "roles")
MINUTES = "minutes"
GOALS = (*DISTANCES, MINUTES, *SINGLE)
KEYS = ("game", "name", "players", "level", "values", "free", "goals")
CONFIRMED, MORE_GAMES = 6, 4
"""Number of candidates that are measured again, and the factor for their games."""
STARTUP = 8
"""Trials with random values before the sampler learns from them."""
PARTS = 2
"""Tasks of a cell for each worker: if one is slow, the others do more."""
EVERY = "*"
"""In a path: all entries of a table or list, which move together."""
NUMBER = "number"
"""The user attribute of a finished trial that counts those before it."""


@dataclass(frozen=True)
class Range:
    low: float
    high: float

    def distance(self, value: float) -> float:
        """Return how far a value lies outside, as a part of the nearest bound."""
        bound = min(max(value, self.low), self.high)
        return abs(value - bound) / max(abs(bound), 1e-9)


@dataclass(frozen=True)
class Task:
    """A tuning task: fixed values, free values, and goals."""

    game: str
    name: str
    players: tuple[int, ...]
    level: str
    values: Mapping[str, Any]
    free: Mapping[str, Range]
    """By the path of a number in the values: `wilds`, `songs.points.0`, `legends.*.3`."""
    goals: Mapping[str, Range]

    def variant(self, moved: Mapping[str, int]) -> Variant:
        """Return the variant with the free values set; refused if it can't be played."""
        values = copy.deepcopy(dict(self.values))
        for path, value in moved.items():
            _set(self.game, values, path, value)
        return variant_of({"game": self.game, "name": self.name, "values": values})


@dataclass(frozen=True)
class Candidate:
    """A trial that was played: its values, what they came to, and how far from the goals."""

    values: Mapping[str, int]
    reached: Mapping[str, float]
    """The goal quantities, worst over the numbers of players."""
    distances: tuple[float, ...]
    on_front: bool

    @property
    def meets_goals(self) -> bool:
        return not any(self.distances)


def tune(
    task: Task,
    trials: int,
    games: int,
    *,
    seed: int = 1,
    storage: Path | None = None,
    pool: Workers | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Candidate]:
    """Try values up to a total number of trials; return the candidates in their order."""
    optuna = require("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    check_task(task, trials, games)
    run = task, games, seed, versions(spec_named(task.game))
    name = hashlib.sha256(repr(run).encode()).hexdigest()[:16]
    search = optuna.create_study(
        storage=None if storage is None else f"sqlite:///{storage}",
        study_name=name,
        directions=["minimize"] * len(task.goals),
        load_if_exists=True,
    )
    waiting = search.get_trials(states=[optuna.trial.TrialState.WAITING])
    if not waiting and not _finished(search):
        search.enqueue_trial({path: _current(task, path) for path in task.free})
    with borrowed(pool) as running:
        scale = _minutes_per_decision(task, games, seed, running)
        while (number := len(_finished(search))) < trials:
            progress(number)
            search.sampler = optuna.samplers.TPESampler(
                seed=seed * 100_003 + number, n_startup_trials=STARTUP
            )
            trial = search.ask()
            moved = {
                path: trial.suggest_int(path, int(free.low), int(free.high))
                for path, free in task.free.items()
            }
            try:
                reached = _known(search, moved) or _measured(
                    task, task.variant(moved), games, seed, scale, running
                )
            except Refusal:
                trial.set_user_attr(NUMBER, number)
                search.tell(trial, state=optuna.trial.TrialState.FAIL)
                continue
            trial.set_user_attr("reached", reached)
            trial.set_user_attr(NUMBER, number)
            search.tell(trial, _objectives(task, reached))
    progress(trials)
    candidates = _candidates(task, search)
    if not candidates:
        raise Refusal("impossible", "lab.tune.nothing")
    return candidates


def confirm(
    task: Task, candidates: list[Candidate], games: int, *, seed: int, pool: Workers
) -> tuple[Candidate, dict[str, float]]:
    """Measure the most promising candidates again, on other deals and with more games.

    The best of many trials is partly luck. Returns the one that is best now, and what it came to.
    """
    scale = _minutes_per_decision(task, games, seed, pool)
    promising = sorted(candidates, key=_order)[:CONFIRMED]
    again = []
    for candidate in promising:
        variant = task.variant(candidate.values)
        reached = _measured(task, variant, games * MORE_GAMES, seed, scale, pool)
        again.append(replace(candidate, reached=reached, distances=tuple(_excess(task, reached))))
    found = min(again, key=_order)
    return promising[again.index(found)], dict(found.reached)


def _order(candidate: Candidate) -> tuple[float, ...]:
    """Order candidates: the nearest to all goals together first, then the fairest."""
    return (sum(candidate.distances), *_raw(candidate))


def _raw(candidate: Candidate) -> tuple[float, ...]:
    return tuple(candidate.reached[name] for name in DISTANCES if name in candidate.reached)


def _finished(search: Any) -> list[Any]:
    """Return the trials that were told their result; one that was interrupted is not among them."""
    return [
        trial for trial in search.trials if NUMBER in trial.user_attrs and trial.state.is_finished()
    ]


def _known(search: Any, moved: Mapping[str, int]) -> dict[str, float] | None:
    """Return what the same values came to before: the same deals would come to the same."""
    for trial in search.trials:
        if trial.params == moved and "reached" in trial.user_attrs:
            found: dict[str, float] = trial.user_attrs["reached"]
            return found
    return None


def _candidates(task: Task, search: Any) -> list[Candidate]:
    """Return what was tried, each set of values once."""
    front = {trial.number for trial in search.best_trials}
    found = {
        tuple(trial.params.values()): Candidate(
            trial.params,
            trial.user_attrs["reached"],
            tuple(_excess(task, trial.user_attrs["reached"])),
            trial.number in front,
        )
        for trial in _finished(search)
        if "reached" in trial.user_attrs
    }
    return list(found.values())


def _measured(
    task: Task, variant: Variant, games: int, seed: int, minutes: float, pool: Workers
) -> dict[str, float]:
    """Play a variant; return the goal quantities, the worst over the numbers of players."""
    spec = spec_named(task.game)
    plan = Plan(task.game, (variant,), task.players, (task.level,), games, games, seed)
    found: dict[str, list[float]] = {goal: [] for goal in task.goals}
    for cell, tally in _tallies(plan, pool).items():
        for goal in task.goals:
            if goal in DISTANCES:
                shares = [value.mean for _, value in rows(spec, tally, goal) if value.n]
                found[goal].append(max(abs(share - 1 / cell.players) for share in shares))
            elif goal == MINUTES:
                found[goal].append(_mean(task, tally, "length") * minutes)
            else:
                found[goal].append(_mean(task, tally, goal))
    return {goal: max(values, key=task.goals[goal].distance) for goal, values in found.items()}


def _tallies(plan: Plan, pool: Workers) -> dict[Cell, Tally]:
    """Return the tallies of a study. All workers share each cell, which may have few games."""
    return study(plan, pool=pool, chunk=-(-plan.games // (PARTS * pool.size))).cells


def _mean(task: Task, tally: Tally, quantity: str) -> float:
    return rows(spec_named(task.game), tally, quantity)[0][1].mean


def _minutes_per_decision(task: Task, games: int, seed: int, pool: Workers) -> float:
    """Return how long a decision takes if the printed game lasts as long as its box says."""
    if MINUTES not in task.goals:
        return 0.0
    spec = spec_named(task.game)
    plan = Plan(task.game, (printed(task.game),), task.players, (task.level,), games, games, seed)
    lengths = [_mean(task, tally, "length") for tally in _tallies(plan, pool).values()]
    return spec.minutes * len(lengths) / sum(lengths)


def _objectives(task: Task, reached: Mapping[str, float]) -> list[float]:
    """Return what is minimised: distances from fair as they are, others outside their range."""
    return [
        value if goal in DISTANCES else task.goals[goal].distance(value)
        for goal, value in reached.items()
    ]


def _excess(task: Task, reached: Mapping[str, float]) -> list[float]:
    """Return by how much each goal is missed; 0 where it is met."""
    return [task.goals[goal].distance(value) for goal, value in reached.items()]


# ---------------------------------------------------------------- the file


def read_task(path: Path) -> Task:
    """Read a tuning task from a TOML file, or refuse it."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", "lab.tune.file", path=str(path), error=str(error)) from error
    for key in data:
        if key not in KEYS:
            raise Refusal("unknown", "lab.tune.key", name=key, keys=", ".join(KEYS))
    spec = spec_named(str(data.get("game")))
    players = data.get("players", [spec.usual_players])
    if not isinstance(players, list) or not players or not all(whole(n) for n in players):
        raise Refusal("unreadable", "lab.study.players", players=str(players)[:40])
    variant = variant_of({key: data[key] for key in ("game", "name", "values") if key in data})
    free = {
        place: _range(f"free.{place}", given, whole_numbers=True)
        for place, given in _table(data, "free").items()
    }
    goals = {
        name: Range(0, _number(name, given)) if name in DISTANCES else _range(name, given)
        for name, given in _table(data, "goals").items()
    }
    level = str(data.get("level", "random"))
    return Task(spec.name, variant.name, tuple(players), level, dict(variant.values), free, goals)


def check_task(task: Task, trials: int, games: int) -> None:
    """Refuse what can't be tuned, before anything is started."""
    if trials < 1:
        raise Refusal("option", "lab.tune.trials", trials=trials)
    for goal in task.goals:
        if goal not in GOALS or (goal == "roles" and not spec_named(task.game).roles):
            raise Refusal("unknown", "lab.tune.goal", name=goal, goals=", ".join(GOALS))
    for path in task.free:
        _current(task, path)
    base = Variant(task.game, task.name, task.values)
    check_plan(Plan(task.game, (base,), task.players, (task.level,), games, games))


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    if not isinstance(found, dict) or not found:
        raise Refusal("unreadable", "lab.tune.table", name=key)
    return found


def _range(name: str, given: Any, *, whole_numbers: bool = False) -> Range:
    if not isinstance(given, dict) or set(given) != {"low", "high"}:
        raise Refusal("unreadable", "lab.tune.range", name=name)
    low, high = _number(name, given["low"]), _number(name, given["high"])
    if low > high or (whole_numbers and not (low.is_integer() and high.is_integer())):
        raise Refusal("unreadable", "lab.tune.range", name=name)
    return Range(low, high)


def _number(name: str, given: Any) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool):
        raise Refusal("unreadable", "lab.tune.range", name=name)
    return float(given)


def _current(task: Task, path: str) -> int:
    """Return the number at a path, in the task's values or in those of the printed game."""
    at: Any = _defaults(task.game) | dict(task.values)
    try:
        for part in path.split("."):
            at = at[_keys(at, part)[0]]
    except (KeyError, IndexError, ValueError, TypeError):
        at = None
    if not whole(at):
        raise Refusal("unknown", "lab.tune.path", path=path)
    return int(at)


def _set(game: str, values: dict[str, Any], path: str, value: int) -> None:
    """Set the numbers at a path; what is not there yet is copied from the printed game."""
    name, *rest = path.split(".")
    values.setdefault(name, copy.deepcopy(_defaults(game)[name]))
    _set_inside(values, [name, *rest], value)


def _set_inside(at: Any, parts: list[str], value: int) -> None:
    for key in _keys(at, parts[0]):
        if len(parts) == 1:
            at[key] = value
        else:
            _set_inside(at[key], parts[1:], value)


def _keys(at: Any, part: str) -> list[Any]:
    """Return the keys or places that a part of a path stands for: `*` for all."""
    if part == EVERY:
        return list(range(len(at))) if isinstance(at, list) else list(at)
    return [int(part)] if isinstance(at, list) else [part]


def _defaults(game: str) -> dict[str, Any]:
    return {option.name: option.default for option in spec_named(game).options.OPTIONS}


def data(task: Task, candidates: list[Candidate]) -> dict[str, Any]:
    """Return the candidates as JSON data."""
    return {
        "game": task.game,
        "goals": {goal: [bounds.low, bounds.high] for goal, bounds in task.goals.items()},
        "candidates": [
            {
                "values": dict(candidate.values),
                "reached": dict(candidate.reached),
                "front": candidate.on_front,
                "meets goals": candidate.meets_goals,
            }
            for candidate in candidates
        ],
    }


def variant_file(task: Task, candidate: Candidate) -> str:
    """Return a candidate as the text of a variant file, in JSON."""
    variant = task.variant(candidate.values)
    content = {"game": variant.game, "name": variant.name, "values": dict(variant.values)}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
