"""Results for the eye: a progress bar, tables, a plot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

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


def draw(held: Tournament, path: Path) -> None:
    """The shares with their intervals, as a picture."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

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
