"""Is the analysis true? Its judgements beside those of a search with 50 times the budget.

    python -m benchmarks.analysis --positions 100

Positions are decisions drawn at random from games between an elder and wanderers. For each, three
things are compared: whether the action that the analysis calls best holds up (the longer search
finds nothing clearly better), whether both call the action that was played a mistake, and how far
the chances to win of the seat that decides are apart.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np

from veillee.analysis.analyse import tasks
from veillee.analysis.decision import WHOLE, Judgement, Task, judge
from veillee.bots.levels import bot
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import games
from veillee.lab.executor import workers

TIMES = 50
PER_GAME = 4
"""Positions from one game."""


class Comparison(NamedTuple):
    """One position: the analysis beside the longer search."""

    holds: bool
    """Whether the best action of the analysis is not clearly worse than another."""
    regret: int
    """What it costs according to the longer search, in ten-thousandths."""
    both_costly: bool
    neither_costly: bool
    apart: int
    """Difference of the chances before the decision, in ten-thousandths."""
    cost_apart: int


def played(spec: GameSpec, seed: int) -> Game:
    """A game between an elder and wanderers."""
    players = spec.player_counts[seed % len(spec.player_counts)]
    game = game_class(spec)(players, seed, compiled=True)
    seats = [
        bot(spec, players, "elder" if seat == seed % players else "wanderer", seed)
        for seat in range(players)
    ]
    while not game.over:
        game.play(seats[game.seat].choose(game.seen_by(game.seat)))
    return game


def positions(spec: GameSpec, count: int, seed: int) -> list[Task]:
    """Decisions drawn at random, with the budget that the analysis of their game gives them."""
    found: list[Task] = []
    chance = Random(seed)
    while len(found) < count:
        work = tasks(played(spec, seed + len(found)))
        found += chance.sample(work, min(PER_GAME, count - len(found)))
    return found


def compare(task: Task, times: int) -> Comparison:
    """Judge a decision twice; the longer search also judges the first one's best action."""
    short = judge(task)
    long_task = msgspec.structs.replace(
        task, iterations=times * task.iterations, seed=task.seed + (1 << 40)
    )
    long = judge(long_task)
    preferred = short.promising[0][0]
    of_best = long
    if preferred != task.action:
        of_best = judge(msgspec.structs.replace(long_task, action=preferred))
    seat = int(np.frombuffer(task.view, games()[task.game].dtype)[0]["seat"])
    costs = [_cost(each, seat) for each in (short, long)]
    regret = _cost(of_best, seat)
    return Comparison(
        holds=regret == 0,
        regret=regret,
        both_costly=min(costs) > 0,
        neither_costly=max(costs) == 0,
        apart=abs(short.before[seat] - long.before[seat]),
        cost_apart=abs(costs[0] - costs[1]),
    )


def _cost(judgement: Judgement, seat: int) -> int:
    return judgement.before[seat] - judgement.after[seat]


def row(name: str, found: list[Comparison]) -> str:
    """A line of the table in docs/analysis.md."""
    n = len(found)
    holds = sum(each.holds for each in found)
    agree = sum(each.both_costly or each.neither_costly for each in found)
    costly = sum(each.both_costly for each in found)
    points = 100 / WHOLE
    return (
        f"| {name} | {n} | {share(holds, n)} | {max(each.regret for each in found) * points:.1f} | "
        f"{share(agree, n)} | {costly} | {np.mean([each.apart for each in found]) * points:.1f} | "
        f"{np.mean([each.cost_apart for each in found]) * points:.1f} |"
    )


def share(part: int, n: int) -> str:
    """A percentage with its 95% Wilson interval."""
    z, p = 1.96, part / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    low, high = round(100 * (middle - half)), round(100 * (middle + half))
    return f"{round(100 * p)}% ({low}–{high})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100, help="positions of each game")
    parser.add_argument("--times", type=int, default=TIMES, help="how many times the budget")
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="*", default=list(games()))
    given = parser.parse_args()
    print(
        "| game | positions | its best holds | worst regret (points) | same verdict | "
        "costly for both | chances apart (points) | costs apart (points) |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    )
    with workers(given.processes) as pool:
        for name in given.games:
            found = positions(games()[name], given.positions, given.seed)
            work = ((task, given.times) for task in found)
            print(row(name, list(pool.map(compare, work))), flush=True)


if __name__ == "__main__":
    main()
