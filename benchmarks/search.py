"""`python -m benchmarks.search`: iterations of search beside OpenSpiel's, in one run.

Ours: three players at the opening, the search of the strongest level, which judges a position soon
by what it knows of the game; and the same with every playout played to its end. OpenSpiel's: its
C++ ISMCTSBot, one random playout to the end in each simulation, at the first decision that offers a
choice.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version

from benchmarks.measure import Measure, interleaved, keep
from benchmarks.ours import Run
from benchmarks.peers import drawn
from veillee.bots.bot import Bot, Budget
from veillee.bots.levels import LEVELS
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import games

PEERS = ("hearts", "oh_hell(players=4)")
TO_THE_END = 100_000
PLAYERS = 3


def searching(spec: GameSpec, budget: Budget, threads: int = 1) -> Run:
    """Iterations at the opening."""
    game = game_class(spec)(PLAYERS, 1, compiled=True)
    view = game.seen_by(game.seat)

    bot = Bot(spec, PLAYERS, budget, 1, threads)

    def run(size: int) -> float:
        bot.budget = replace(budget, iterations=size)
        return bot.think(view).iterations

    return run


def ours() -> Iterator[Measure]:
    for spec in games().values():
        best = replace(LEVELS[-1].budget_for(spec), seconds=None)
        whole = replace(best, opens=0, horizon=TO_THE_END)
        yield Measure(f"{spec.name}", searching(spec, best), size=256)
        yield Measure(f"{spec.name}, whole playouts", searching(spec, whole), size=256)
        for threads, words in ((1, "one thread"), (2, "two threads")):
            run = searching(spec, best, threads)
            yield Measure(f"{spec.name}, {words}", run, cores=2, size=16_384)


def peers() -> Iterator[Measure]:
    for title in PEERS:
        yield Measure(f"OpenSpiel {title}", simulating(title), size=256)


def simulating(title: str) -> Run:
    """OpenSpiel's simulations."""
    import pyspiel

    state = pyspiel.load_game(title).new_initial_state()
    chance = random.Random(1)
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        forced = not state.is_chance_node()
        state.apply_action(state.legal_actions()[0] if forced else drawn(state, chance))

    def run(size: int) -> float:
        playouts = pyspiel.RandomRolloutEvaluator(1, 1)
        pyspiel.ISMCTSBot(1, playouts, 2.0, size).step(state)
        return size

    return run


def table(rates: dict[str, float]) -> list[str]:
    """A line for each, and how many times the faster peer it is."""
    best = max(rate for name, rate in rates.items() if name.startswith("OpenSpiel"))
    lines = ["| three players, opening | iterations/s | x faster peer |", "| --- | ---: | ---: |"]
    for name, rate in rates.items():
        if not name.endswith(("thread", "threads")):
            lines.append(f"| {name} | {rate:,.0f} | {rate / best:.2f} |")
    lines += ["", "| two threads | x one |", "| --- | ---: |"]
    for name in games():
        ratio = rates[f"{name}, two threads"] / rates[f"{name}, one thread"]
        lines.append(f"| {name} | {ratio:.2f} |")
    return lines


def conditions(rounds: int) -> str:
    found = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "open_spiel"))
    load = " ".join(f"{x:.1f}" for x in os.getloadavg())
    return (
        f"Medians of {rounds} interleaved rounds; processor time on one core, except for threads; "
        f"load averages {load} at the end; {found}."
    )


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    ask.add_argument("--rounds", type=int, default=7)
    ask.add_argument("--keep", action="store_true", help="write the table into README.md")
    chosen = ask.parse_args()
    measures = [*ours(), *peers()]
    for number in interleaved(measures, chosen.rounds):
        print(f"round {number + 1} of {chosen.rounds}", flush=True)
    lines = table({measure.name: measure.rate for measure in measures})
    lines += ["", conditions(chosen.rounds)]
    print(*lines, sep="\n")
    if chosen.keep:
        keep("search", "\n".join(lines))


if __name__ == "__main__":
    main()
