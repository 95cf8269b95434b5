"""`python -m benchmarks`: one run, interleaved, medians; into results.json and README.md."""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import ours, peers
from benchmarks.measure import Measure, interleaved, keep
from veillee.engine.registry import game, games

HERE = Path(__file__).parent


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    ask.add_argument("--games", nargs="*", default=list(games()), help="which of our games")
    ask.add_argument("--rounds", type=int, default=9, help="rounds of every measurement")
    ask.add_argument(
        "--compile-rounds", type=int, default=1, help="rounds from an empty cache; may be 0"
    )
    ask.add_argument("--keep", action="store_true", help="write results.json and README.md")
    chosen = ask.parse_args()
    results = run([game(name) for name in chosen.games], chosen.rounds, chosen.compile_rounds)
    console = Console()
    for table in tables(results):
        console.print(as_rich(*table))
    console.print(*results["conditions"].values(), sep=" · ")
    if chosen.keep:
        store(results)


def run(contracts: list[Any], rounds: int, compile_rounds: int) -> dict[str, Any]:
    load = os.getloadavg()[0]
    measured = [m for spec in contracts for m in ours.measures(spec)]
    measured += peers.measures()
    for _ in track(interleaved(measured, rounds), "measuring", total=rounds):
        pass
    seconds = ours.seconds_to_import(rounds)
    for spec in contracts:
        seconds |= ours.seconds_to_compile(spec, compile_rounds)
    rates = {measure.name: measure.rate for measure in measured}
    return {
        "conditions": conditions(rounds, load),
        "rates": rates,
        "spread": {measure.name: spread(measure) for measure in measured},
        "cores": {c.name: two_cores(measured, c) for c in contracts},
        "bytes": {spec.name: spec.dtype.itemsize for spec in contracts},
        "seconds": seconds,
    }


def spread(measure: Measure) -> float:
    """The fastest round over the slowest: how quiet the machine was."""
    return max(measure.rates) / min(measure.rates)


def two_cores(measured: list[Measure], spec: Any) -> float:
    """The median over the rounds of two threads' rate over one's, by the clock on the wall."""
    by_name = {measure.name: measure for measure in measured}
    one = by_name[f"{spec.name}, one thread"].rates
    two = by_name[f"{spec.name}, two threads"].rates
    return sorted(b / a for a, b in zip(one, two, strict=True))[len(one) // 2]


def conditions(rounds: int, load: float) -> dict[str, str]:
    processor = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
            if line.startswith("model name")
        )
        if Path("/proc/cpuinfo").exists()
        else iter(()),
        platform.processor(),
    )
    names = ("numba", "numpy", "open_spiel")
    return {
        "processor": f"{processor}, {os.cpu_count()} cores",
        "software": f"Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in names),
        "rounds": f"medians of {rounds} interleaved rounds, processor time on one core",
        "load": f"load before the run {load:.2f}",
    }


def tables(results: dict[str, Any]) -> list[tuple[list[str], list[list[str]]]]:
    rates, seconds = results["rates"], results["seconds"]
    oware, hexes = rates["OpenSpiel oware"], rates["OpenSpiel hex(board_size=11)"]
    speeds = [
        [name, f"{rate:,.0f}", f"{rate / oware:.2f}", f"{rate / hexes:.2f}"]
        for name, rate in rates.items()
    ]
    others = [[name, f"{value:.2f} s"] for name, value in seconds.items()]
    others += [
        [f"{name}, clone + apply", f"{1e6 / rates[f'{name}, clone + apply']:.2f} µs"]
        for name in results["bytes"]
    ]
    others += [[f"{name}, state", f"{size} bytes"] for name, size in results["bytes"].items()]
    others += [
        [f"{name}, two cores", f"{gain:.2f}x one"] for name, gain in results["cores"].items()
    ]
    return [
        (["one core unless said", "per second", "x oware", "x hex(11)"], speeds),
        (["what", "how much"], others),
    ]


def as_rich(head: list[str], rows: list[list[str]]) -> Table:
    table = Table()
    for number, title in enumerate(head):
        table.add_column(title, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*row)
    return table


def as_markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def store(results: dict[str, Any]) -> None:
    (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    parts = [as_markdown(*table) for table in tables(results)]
    parts.append("; ".join(results["conditions"].values()) + ".")
    keep("figures", "\n\n".join(parts))


if __name__ == "__main__":
    main()
