"""Results for the eye: a progress bar, tables, a plot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from veillee.lab.growth import Growth
from veillee.lab.match import Result
from veillee.lab.tournament import Tournament


@contextmanager
def progress(blocks: int) -> Iterator[Callable[[Result], None]]:
    """A bar for each match under way, with the share so far."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[tuple[str, str], TaskID] = {}

        def told(result: Result) -> None:
            terms = result.terms
            pair = (terms.challenger, terms.against)
            if pair not in tasks:
                tasks[pair] = bars.add_task("", total=blocks)
            line = f"{terms.challenger} – {terms.against} {result.mean:.3f}"
            bars.update(tasks[pair], completed=len(result.shares), description=line)

        yield told


def matches(results: Sequence[Result]) -> None:
    """Every match with its share and confidence interval."""
    table = Table(title=f"{results[0].terms.game}, {results[0].terms.players} players")
    for head in ("challenger", "against", "blocks", "share", "95%", "fair"):
        table.add_column(head, justify="left" if head in ("challenger", "against") else "right")
    for result in results:
        low, high = result.interval
        table.add_row(
            result.terms.challenger,
            result.terms.against,
            str(len(result.shares)),
            f"{result.mean:.3f}",
            f"{low:.3f}–{high:.3f}",
            f"{result.terms.fair:.3f}",
        )
    Console().print(table)


def ratings(held: Tournament) -> None:
    table = Table(title="ratings")
    for head in ("player", "rating", "±"):
        table.add_column(head)
    for name, (mu, sigma) in sorted(held.ratings().items(), key=lambda item: -item[1][0]):
        table.add_row(name, f"{mu:.1f}", f"{sigma:.1f}")
    Console().print(table)


def rises(held: Growth) -> None:
    """How much a doubling gives, over all budgets and over the smaller and the larger ones."""
    table = Table(title="each doubling")
    for head in ("from", "to", "share rises by", "95%"):
        table.add_column(head, justify="right")
    for first, last, rise, low, high in held.rises():
        table.add_row(f"{first:,}", f"{last:,}", f"{rise:.3f}", f"{low:.3f}–{high:.3f}")
    Console().print(table)


def _plots() -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "veillee"
    import matplotlib.pyplot as plt

    return plt


def draw_growth(held: Growth, path: Path) -> None:
    """The share by budget, each with its interval, as a picture."""
    plt = _plots()
    results = list(held.results.values())
    budgets = list(held.results)
    figure, axes = plt.subplots(figsize=(7, 3.6))
    for budget, result in held.results.items():
        axes.plot([budget, budget], result.interval, color="#c2571a", linewidth=2)
    axes.plot(budgets, [result.mean for result in results], "o-", color="#c2571a")
    axes.axhline(results[0].terms.fair, color="#555", linestyle=":")
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets], fontsize=8)
    axes.set_ylim(0, 1)
    axes.set_xlabel("iterations a decision")
    axes.set_ylabel(f"share against {results[0].terms.against}")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def draw(held: Tournament, path: Path) -> None:
    """The shares with their intervals, as a picture."""
    plt = _plots()
    results = list(held.results.values())
    figure, axes = plt.subplots(figsize=(7, 0.5 * len(results) + 1.2))
    for place, result in enumerate(reversed(results)):
        low, high = result.interval
        axes.plot([low, high], [place, place], color="#c2571a", linewidth=2)
        axes.plot([result.mean], [place], "o", color="#c2571a")
    axes.axvline(results[0].terms.fair, color="#555", linestyle=":")
    axes.set_yticks(range(len(results)))
    axes.set_yticklabels(
        [f"{r.terms.challenger} against {r.terms.against}" for r in reversed(results)]
    )
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of wins (95% over blocks)")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
