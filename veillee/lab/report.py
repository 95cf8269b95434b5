"""Results on the screen: progress bars, tables, plots of matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from veillee.lab.calibrate import Calibration, interval
from veillee.lab.charts import pyplot
from veillee.lab.growth import Growth
from veillee.lab.match import Result, Sides, interval_within
from veillee.lab.players import entrant_of
from veillee.lab.tournament import Tournament
from veillee.lab.train import Generation
from veillee.lab.tune import Candidate

WHOLE = (-0.02, 1.02)
"""Limits of an axis of shares, with room for points at its ends."""
SHOWN_CANDIDATES = 7
"""Number of candidates listed beside the best."""


class SpeedColumn(ProgressColumn):
    """Finished units a second."""

    def render(self, task: Task) -> Text:
        seconds = task.finished_time or task.elapsed
        return Text(f"{task.completed / seconds:,.4g}/s" if seconds else "")


def bars() -> Progress:
    """Return progress bars with throughput and time left, on standard error."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        SpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        speed_estimate_period=300,
    )


@contextmanager
def progress(blocks: int) -> Iterator[Callable[[Result], None]]:
    """Show a bar for each match under way, with the share so far."""
    with bars() as shown:
        tasks: dict[tuple[str, str], TaskID] = {}

        def update(result: Result) -> None:
            terms = result.terms
            pair = (terms.challenger, terms.against)
            if pair not in tasks:
                tasks[pair] = shown.add_task("", total=blocks)
            line = f"{terms.challenger} – {terms.against} {result.mean:.3f}"
            shown.update(tasks[pair], completed=len(result.shares), description=line)

        yield update


@contextmanager
def study_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar for each cell of a study."""
    with bars() as shown:
        tasks: dict[str, TaskID] = {}

        def update(title: str, done: int, total: int) -> None:
            if title not in tasks:
                tasks[title] = shown.add_task(title, total=total)
            shown.update(tasks[title], completed=done)

        yield update


def matches(results: Sequence[Result]) -> None:
    """Show every match with its share and confidence interval."""
    table = Table(title=f"{results[0].terms.game}, {results[0].terms.players} players")
    for head in ("challenger", "against", "blocks", "share", "95%", "fair", "ms a decision"):
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
            _milliseconds(_total(result.thinking), _total(result.decisions())),
        )
    Console().print(table)


def _total(sides: Sides) -> list[float]:
    """Add up all phases, for the challenger and for the others."""
    return [sum(numbers[side] for numbers in sides.values()) for side in (0, 1)]


def _milliseconds(seconds: Sequence[float], decisions: Sequence[float]) -> str:
    """Return how long a decision took the challenger, and the others."""
    pairs = zip(seconds, decisions, strict=True)
    return " / ".join(f"{1000 * time / n:,.3g}" if n else "–" for time, n in pairs)


def breakdown(result: Result) -> None:
    """Show the challenger's shares by place in turn order and by role, and decisions by phase."""
    table = Table(title=f"shares of {result.terms.challenger}")
    for head in ("", "games", "share", "95%"):
        table.add_column(head, justify="right" if head else "left")
    groups = {f"in turn order {n + 1}": values for n, values in result.by_order().items()}
    for name, values in (groups | result.by_role()).items():
        low, high = interval_within(values)
        mean = sum(values) / len(values)
        table.add_row(name, str(len(values)), f"{mean:.3f}", f"{low:.3f}–{high:.3f}")
    Console().print(table)
    table = Table(title=f"{result.terms.challenger} / all others")
    for head in ("phase", "decisions", "ms a decision"):
        table.add_column(head, justify="left" if head == "phase" else "right")
    for phase, decisions in result.decisions().items():
        counted = " / ".join(f"{n:,}" for n in decisions)
        table.add_row(phase, counted, _milliseconds(result.thinking[phase], decisions))
    Console().print(table)


def strengths(found: Calibration) -> None:
    """Show the strength of every point with its confidence interval."""
    table = Table(title=f"strengths, {found.curve.players} players")
    for head in ("player", "level", "strength", "95%"):
        table.add_column(head, justify="left" if head in ("player", "level") else "right")
    for point in found.curve.points:
        low, high = interval(point)
        between = f"{low:.0f}–{high:.0f}" if point.error else "fixed"
        table.add_row(entrant_of(point.settings), point.level, f"{point.strength:.0f}", between)
    Console().print(table)


def generation_line(found: Generation) -> str:
    """Tell what a generation learnt and how it fared."""

    def less(gain: tuple[float, float, float]) -> str:
        return f"{gain[0]:.4f} less ({gain[1]:.4f} to {gain[2]:.4f})"

    low, high = found.match.interval
    told = [
        f"generation {found.number}: {found.games} games",
        f"{found.positions} positions; held-out loss {found.losses.in_use:.4f}",
        f"fitted {less(found.losses.linear)}",
    ]
    if found.losses.network:
        told.append(f"network {less(found.losses.network)}")
    told += [
        f"match of {len(found.match.shares)} blocks: {found.match.mean:.3f} ({low:.3f}–{high:.3f})",
        "admitted" if found.admitted else "not admitted",
    ]
    return ", ".join(told)


def ratings(held: Tournament) -> None:
    table = Table(title="ratings")
    for head in ("player", "rating", "±"):
        table.add_column(head)
    for name, (mu, sigma) in sorted(held.ratings().items(), key=lambda item: -item[1][0]):
        table.add_row(name, f"{mu:.1f}", f"{sigma:.1f}")
    Console().print(table)


def rises(held: Growth) -> None:
    """Show what a doubling gives, over all budgets and over the smaller and the larger ones."""
    table = Table(title="each doubling")
    for head in ("from", "to", "share rises by", "95%"):
        table.add_column(head, justify="right")
    for first, last, rise, low, high in held.rises():
        table.add_row(f"{first:,}", f"{last:,}", f"{rise:.3f}", f"{low:.3f}–{high:.3f}")
    Console().print(table)


def candidates(found: Sequence[Candidate], best: Candidate, again: Mapping[str, float]) -> None:
    """Show the front of a tuning, and what the best candidate came to on other deals."""
    front = [candidate for candidate in found if candidate.on_front and candidate is not best]
    shown = [best, *front[:SHOWN_CANDIDATES]]
    table = Table(title="front")
    table.add_column("")
    for number in range(len(shown)):
        table.add_column("best" if number == 0 else str(number + 1), justify="right")
    for path in best.values:
        table.add_row(path, *(str(each.values[path]) for each in shown))
    table.add_section()
    for goal in best.reached:
        table.add_row(goal, *(f"{each.reached[goal]:.4g}" for each in shown))
    table.add_row("meets the goals", *("yes" if each.meets_goals else "no" for each in shown))
    table.add_section()
    for goal, value in again.items():
        table.add_row(f"{goal}, on other deals", f"{value:.4g}")
    Console().print(table)


def draw_growth(held: Growth, path: Path) -> None:
    """Draw the share by budget, each with its interval."""
    plt = pyplot()
    results = list(held.results.values())
    budgets = list(held.results)
    figure, axes = plt.subplots(figsize=(7, 3.6))
    for budget, result in held.results.items():
        axes.plot([budget, budget], result.interval, color="#c2571a", linewidth=2)
    axes.plot(budgets, [result.mean for result in results], "o-", color="#c2571a")
    axes.axhline(results[0].terms.fair, color="#555", linestyle=":")
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets], fontsize=8)
    axes.set_ylim(*WHOLE)
    axes.set_title(_title(results))
    axes.set_xlabel("iterations a decision")
    axes.set_ylabel(f"share against {results[0].terms.against}")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def draw(held: Tournament, path: Path) -> None:
    """Draw the shares with their intervals."""
    plt = pyplot()
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
    axes.set_xlim(*WHOLE)
    axes.set_title(_title(results))
    axes.set_xlabel("share of wins (95% over blocks)")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def _title(results: Sequence[Result]) -> str:
    terms, blocks = results[0].terms, {len(result.shares) for result in results}
    n = "–".join(str(bound) for bound in sorted({min(blocks), max(blocks)}))
    return f"{terms.game}, {terms.players} players, {n} blocks each"
