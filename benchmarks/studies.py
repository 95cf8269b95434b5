"""`python -m benchmarks.studies`: random games of a study beside plain playouts, in one run.

A study counts every decision, follows the lead in some games and adds everything up.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from benchmarks.measure import Measure, interleaved, keep
from benchmarks.ours import Run, playing
from veillee.bots.characters import RANDOM
from veillee.engine.game_spec import GameSpec
from veillee.engine.precompile import KERNEL, ensure_compiled
from veillee.engine.registry import games
from veillee.lab.gather import CHUNK, STUDY, Setting, Tally, gather

STUDIED, PLAIN = "study", "playouts"


def studying(spec: GameSpec, players: int) -> Run:
    """Random games as a study plays them: decisions."""
    setting = Setting(spec.name, players, RANDOM, 1, {}, "")

    def run(size: int) -> float:
        length = Tally.of(gather(setting, 0, size)).moments["length"]
        return float(length[0, 1])

    return run


def measures() -> Iterator[Measure]:
    for spec in games().values():
        ensure_compiled(spec, (KERNEL, STUDY))
        for players in spec.player_counts:
            title = f"{spec.name}, {players} players"
            yield Measure(f"{title}: {PLAIN}", playing(spec, players), size=CHUNK)
            yield Measure(f"{title}: {STUDIED}", studying(spec, players), size=CHUNK)


def table(found: list[Measure]) -> list[str]:
    lines = [
        "| random games, one core | playouts | study | study / playouts |",
        "| --- | ---: | ---: | ---: |",
    ]
    for plain, studied in zip(found[::2], found[1::2], strict=True):
        title = plain.name.partition(":")[0]
        rates = f"{plain.rate:,.0f} | {studied.rate:,.0f}"
        lines.append(f"| {title} | {rates} | {studied.rate / plain.rate:.2f} |")
    return lines


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.studies", description=__doc__)
    ask.add_argument("--rounds", type=int, default=15)
    ask.add_argument("--keep", action="store_true", help="write the table into README.md")
    chosen = ask.parse_args()
    found = list(measures())
    for number in interleaved(found, chosen.rounds):
        print(f"round {number + 1} of {chosen.rounds}", flush=True)
    load = " ".join(f"{x:.1f}" for x in os.getloadavg())
    conditions = (
        f"Decisions a second of processor time; medians of {chosen.rounds} interleaved rounds; "
        f"load averages {load} at the end."
    )
    lines = [*table(found), "", conditions]
    print(*lines, sep="\n")
    if chosen.keep:
        keep("studies", "\n".join(lines))


if __name__ == "__main__":
    main()
