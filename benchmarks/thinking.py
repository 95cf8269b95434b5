"""`python -m benchmarks.thinking`: does the strongest level answer in time on a busy machine?

As many processes as there are cores do nothing but count, while it thinks, by the clock alone,
about decision after decision of games that it plays on. Tells the time of the answers against the
budget, and the memory of the process.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from veillee.bots.bot import Bot
from veillee.bots.levels import LEVELS
from veillee.engine.game import game_class
from veillee.engine.registry import games


def count() -> None:
    while True:
        pass


@contextmanager
def busy() -> Iterator[None]:
    """Every core has something else to do."""
    spawn = multiprocessing.get_context("spawn")
    others = [spawn.Process(target=count, daemon=True) for _ in range(os.cpu_count() or 1)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()
            other.join()


def answers(name: str, players: int, decisions: int) -> list[float]:
    """Seconds that each answer took; the first, which loads the machine code, is left out."""
    spec = games()[name]
    budget = replace(LEVELS[-1].budget_for(spec), iterations=None)
    thinker = Bot(spec, players, budget)
    took: list[float] = []
    number = 0
    while len(took) <= decisions:
        game = game_class(spec)(players, number, compiled=True)
        number += 1
        while not game.over and len(took) <= decisions:
            view = game.seen_by(game.seat)
            choices = len(game.legal)
            start = time.perf_counter()
            action = thinker.choose(view)
            if choices > 1:
                took.append(time.perf_counter() - start)
            game.play(action)
    return took[1:]


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.thinking", description=__doc__)
    ask.add_argument("games", nargs="*", default=list(games()))
    ask.add_argument("--players", type=int, default=3)
    ask.add_argument("--decisions", type=int, default=200)
    chosen = ask.parse_args()
    for name in chosen.games:
        budget = LEVELS[-1].budget_for(games()[name]).seconds or 0.0
        with busy():
            took = np.array(answers(name, chosen.players, chosen.decisions)) / budget
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{name}: {len(took)} answers, budget {budget} s; median {np.median(took):.3f}, "
            f"99th percentile {np.percentile(took, 99):.3f}, longest {took.max():.3f} of it; "
            f"{megabytes} MB so far; load averages {' '.join(f'{x:.1f}' for x in os.getloadavg())}",
            flush=True,
        )


if __name__ == "__main__":
    main()
