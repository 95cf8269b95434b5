"""`python -m benchmarks.strength`: all matches that tell how strong the bots are, resumable.

    python -m benchmarks.strength --list
    python -m benchmarks.strength --frozen OLD/.venv/bin/python --keep strength.jsonl

At every number of players of every game: sage against a frozen older version at equal time, one
against the rest and the reverse; sage against greedy; every level against the one below. A line
ends early when its sequential test is answered. A run that is interrupted goes on where it was, and
`--only` picks lines by a part of their names. `--list` says what each line takes at most.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from veillee.bots.levels import NAMES
from veillee.engine.game import game_class
from veillee.engine.registry import games
from veillee.lab.executor import workers
from veillee.lab.match import Result, Terms, match
from veillee.lab.players import PROGRAM, player
from veillee.lab.sprt import Sequential

TIMES = (0.3, 0.8)
"""Seconds a decision against the frozen version."""
ASKED = {"nomads": 1.4, "lumens": 1.4, "captain": 1.25}
"""The share asked for against the frozen version, in fair shares."""
EXCEPTIONS = {("lumens", 2): 0.65, ("nomads", 2): 0.65, ("nomads", 3): 0.5, ("captain", 3): 0.42}
STARTING = 1.5
"""Seconds that a program takes to start."""
THINKING = {"wanderer": 0.005, "teller": 0.02, "elder": 0.1, "sage": 0.8}
"""Seconds that a decision of a level takes at most."""


@dataclass(frozen=True)
class Line:
    """A match, and the share that is asked of its challenger."""

    terms: Terms
    asked: float
    seconds: float
    """What a decision takes at most, the mean of all seats."""

    @property
    def name(self) -> str:
        t = self.terms
        sides = [
            f"the older at {side.rpartition(' ')[2]} s" if side.startswith(PROGRAM) else side
            for side in (t.challenger, t.against)
        ]
        return f"{t.game} {t.players}: {sides[0]} against {sides[1]}"


def lines(frozen: str, seed: int) -> Iterator[Line]:
    """Yield all matches."""
    for name, spec in games().items():
        for players in spec.player_counts:
            fair = 1 / players
            asked = EXCEPTIONS.get((name, players), ASKED.get(name, 1.0) * fair)
            for seconds in TIMES:
                new = f"sage:seconds={seconds}"
                old = f"program:{frozen} benchmarks/frozen_bot.py --seconds {seconds}"
                yield Line(Terms(name, players, new, old, seed), asked, seconds)
                # The reverse: one of the old against new ones must not reach its fair share.
                yield Line(Terms(name, players, old, new, seed), fair, seconds)
            of_sage = THINKING["sage"] * fair
            yield Line(Terms(name, players, "sage", "greedy", seed), min(2 * fair, 0.95), of_sage)
            for weaker, stronger in pairwise(NAMES):
                seconds = fair * THINKING[stronger] + (1 - fair) * THINKING.get(weaker, 0)
                yield Line(Terms(name, players, stronger, weaker, seed), fair, seconds)


def hours(line: Line, count: int) -> float:
    """Estimate how long so many games take one process, from the decisions of a random game."""
    terms = line.terms
    spec = games()[terms.game]
    game = game_class(spec)(terms.players, 1, compiled=True)
    chooser = player(spec, terms.players, "random", 1)
    decisions = 0
    while not game.over:
        decisions += len(game.legal_numbers()) > 1
        game.play(chooser(game.seen_by(game.seat)))
    programs = any(side.startswith(PROGRAM) for side in (terms.challenger, terms.against))
    starting = STARTING * terms.players if programs else 0
    return (decisions * line.seconds + starting) * count / 3600


def run(line: Line, count: int, keep: Path, processes: int) -> Result:
    blocks = -(-count // line.terms.players)
    test = Sequential(max(line.asked - line.terms.fair, 0.3 * line.terms.fair))
    with workers(processes) as pool:
        return match(line.terms, blocks, file=keep, pool=pool, sequential=test)


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    ask.add_argument("--frozen", default="python", help="the interpreter of the older version")
    ask.add_argument("--keep", type=Path, default=Path("strength.jsonl"))
    ask.add_argument("--games", type=int, default=400, help="games of each line at most")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--only", default="", help="lines whose name has this in it")
    ask.add_argument("--processes", type=int, default=1)
    ask.add_argument("--list", action="store_true", help="say what there is, and how long it takes")
    chosen = ask.parse_args()
    picked = [one for one in lines(chosen.frozen, chosen.seed) if chosen.only in one.name]
    print("| match | asked | games | share | 95% |\n| --- | ---: | ---: | ---: | ---: |")
    total = 0.0
    for line in picked:
        if chosen.list:
            takes = hours(line, chosen.games) / chosen.processes
            total += takes
            print(f"| {line.name} | {line.asked:.3f} | {takes:.1f} h at most | | |", flush=True)
            continue
        result = run(line, chosen.games, chosen.keep, chosen.processes)
        low, high = result.interval
        played = len(result.shares) * line.terms.players
        found = f"{result.mean:.3f} | {low:.3f}–{high:.3f}"
        print(f"| {line.name} | {line.asked:.3f} | {played} | {found} |", flush=True)
    if chosen.list:
        print(f"\n{len(picked)} matches, {total:.0f} hours at most")


if __name__ == "__main__":
    main()
