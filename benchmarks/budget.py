"""`python -m benchmarks.budget`: how strong sage is by how many iterations it may do.

Every budget meets the same table on the same deals, so that one curve tells what each doubling
gains. With `--keep`, an interrupted run goes on.

    python -m benchmarks.budget captain greedy 25 50 100 200 400 800 1600 --blocks 80 --seed 8
"""

from __future__ import annotations

import argparse
from pathlib import Path

from veillee.lab.match import Result, Terms, match


def curve(results: dict[int, Result], path: Path) -> None:
    """Shares with their intervals over budgets, each tick twice the one before."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    budgets = list(results)
    terms = results[budgets[0]].terms
    means = [result.mean for result in results.values()]
    around = [
        [result.mean - result.interval[0] for result in results.values()],
        [result.interval[1] - result.mean for result in results.values()],
    ]
    figure, axes = plt.subplots(figsize=(6, 3.5))
    axes.errorbar(budgets, means, yerr=around, fmt="o-", color="#c2571a", capsize=3)
    axes.axhline(terms.fair, color="#555", linestyle=":")
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets], rotation=45)
    axes.set_ylim(0, 1)
    axes.set_xlabel("iterations of sage")
    axes.set_ylabel(f"share against {terms.against}")
    axes.set_title(terms.game)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.budget", description=__doc__)
    ask.add_argument("game")
    ask.add_argument("against")
    ask.add_argument("iterations", nargs="+", type=int)
    ask.add_argument("--players", type=int, default=3)
    ask.add_argument("--blocks", type=int, default=30)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--keep", type=Path)
    ask.add_argument("--plot", type=Path)
    chosen = ask.parse_args()
    results: dict[int, Result] = {}
    print("| iterations | games | share | 95% |", "| ---: | ---: | ---: | ---: |", sep="\n")
    for n in chosen.iterations:
        challenger = f"sage:iterations={n}"
        terms = Terms(chosen.game, chosen.players, challenger, chosen.against, chosen.seed)
        result = results[n] = match(terms, chosen.blocks, file=chosen.keep)
        low, high = result.interval
        games = len(result.shares) * chosen.players
        print(f"| {n:,} | {games} | {result.mean:.3f} | {low:.2f}–{high:.2f} |", flush=True)
    if chosen.plot:
        curve(results, chosen.plot)


if __name__ == "__main__":
    main()
