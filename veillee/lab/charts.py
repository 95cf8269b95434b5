"""Charts of a study, as SVG that can stand inside a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from itertools import combinations
from textwrap import wrap
from typing import Any

import numpy as np

from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.lab.extras import require
from veillee.lab.findings import Estimate, label, level_name, rows, signed, title, worth
from veillee.lab.gather import LOWEST_SCORE, Tally
from veillee.lab.match import Z
from veillee.lab.tune import Candidate, Task

COLOURS = ("#b5470f", "#2f5d8a", "#4d7a3a", "#7a4a86", "#8a6d1f", "#5a5a5a")
MARKERS = ("o", "s", "^", "D", "v", "P")
"""So that series are told apart without colour."""
SHOWN_KINDS = 16
TRIAL = ""
"""Stands for the number of the trial, where goals are by their names."""
LABEL_WIDTH = 36
"""Characters of the label of an axis before it is broken."""
Tallies = dict[str, Tally]
"""By the name of the variant."""


def dots(spec: GameSpec, tables: dict[int, Tallies], quantity: str, words: Words) -> str:
    """Draw shares of the win with 95% intervals: a panel for each number of players."""

    def draw(axes: Any, players: int, tallies: Tallies) -> None:
        names: list[str] = []
        for i, (variant, tally) in enumerate(tallies.items()):
            found = [(name, value) for name, value in rows(spec, tally, quantity) if value.n]
            names = [label(words, spec, quantity, name) for name, _ in found]
            shift = (i - (len(tallies) - 1) / 2) * 0.22
            _with_error(axes, np.arange(len(found)) + shift, [v for _, v in found], i, variant)
        axes.set_xticks(range(len(names)), names, rotation=0 if len(names) < 5 else 30)
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.axhline(1 / players, color="#555", linestyle=":", linewidth=1)
        axes.yaxis.set_major_formatter(lambda value, _: words.decimal(value, 2))

    return _panels(tables, draw, words("lab.head.share"), words)


def distributions(tables: dict[int, Tallies], quantity: str, words: Words) -> str:
    """Draw how often each value of a quantity was seen: a panel for each number of players."""
    lowest = LOWEST_SCORE if quantity == "score" else 0

    def draw(axes: Any, _: int, tallies: Tallies) -> None:
        for i, (variant, tally) in enumerate(tallies.items()):
            counts = tally.counts[quantity]
            seen = np.flatnonzero(counts)
            span = np.arange(seen[0], seen[-1] + 1)
            width = max(len(span) // 60, 1)
            starts = span[::width]
            share = np.add.reduceat(counts[span], starts - span[0]) / counts.sum() / width
            axes.stairs(
                share * 100,
                np.append(starts, starts[-1] + width) + lowest - 0.5,
                color=COLOURS[i],
                linestyle=("-", "--")[i % 2],
                label=variant,
            )
        axes.set_ylim(bottom=0)
        axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
        of_games = quantity == "length"
        axes.set_xlabel(title(words, quantity) if of_games else words("lab.chart.points"))

    unit = "lab.chart.of_games" if quantity == "length" else "lab.chart.of_players"
    return _panels(tables, draw, words(unit), words)


def kinds_chart(spec: GameSpec, tallies: Tallies, words: Words) -> str:
    """Draw how often kinds of actions are played, and the win share with them minus without."""
    plt = pyplot()
    first = next(iter(tallies.values()))
    use = rows(spec, first, "use")
    most = sorted(range(len(use)), key=lambda i: -use[i][1].mean)[:SHOWN_KINDS]
    most = [i for i in most if use[i][1].mean > 0]
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9, 0.32 * len(most) + 1.3), sharey=True, width_ratios=(2, 3)
    )
    for i, (variant, tally) in enumerate(tallies.items()):
        at = np.arange(len(most)) + (i - (len(tallies) - 1) / 2) * 0.25
        used = rows(spec, tally, "use")
        _with_error(left, at, [used[k][1] for k in most], i, variant, across=True)
        differences = [worth(spec, tally, k) for k in most]
        _with_error(right, at, differences, i, variant, across=True)
    left.set_yticks(range(len(most)), [label(words, spec, "use", use[k][0]) for k in most])
    left.invert_yaxis()
    left.set_xlabel(words("lab.chart.times"))
    right.axvline(0, color="#555", linestyle=":", linewidth=1)
    right.set_xlabel(words("lab.chart.worth"))
    right.xaxis.set_major_formatter(lambda value, _: signed(words, value * 100, 0))
    _legend(figure, right)
    return _svg(figure)


def strength_chart(spec: GameSpec, by_level: dict[str, Tally], players: int, words: Words) -> str:
    """Draw the share of each role by the strength of play."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 3.2))
    for i, role in enumerate(spec.roles):
        values = [rows(spec, tally, "roles")[i][1] for tally in by_level.values()]
        if not all(value.n for value in values):
            continue
        at = np.arange(len(values)) + (i - len(spec.roles) / 2) * 0.05
        _with_error(axes, at, values, i, label(words, spec, "roles", role), line=True)
    axes.axhline(1 / players, color="#555", linestyle=":", linewidth=1)
    axes.set_xticks(range(len(by_level)), [level_name(words, level) for level in by_level])
    axes.yaxis.set_major_formatter(lambda value, _: words.decimal(value, 1))
    axes.set_ylabel(f"{words('lab.head.share')}, {words('lab.chart.players', n=players)}")
    _legend(figure, axes)
    return _svg(figure)


def front_chart(task: Task, candidates: Sequence[Candidate], games: int, words: Words) -> str:
    """Draw candidates by each pair of goals, or by one goal in the order of the trials."""
    plt = pyplot()
    values = {goal: [each.reached[goal] for each in candidates] for goal in task.goals}
    pairs: list[tuple[str, str]] = [*combinations(values, 2)]
    if not pairs:
        pairs = [(TRIAL, goal) for goal in values]
        values[TRIAL] = [*range(1, len(candidates) + 1)]
    columns = min(len(pairs), 3)
    lines = -(-len(pairs) // columns)
    size = (6, 4) if columns == 1 else (3.6 * columns, 3.1 * lines)
    figure, grid = plt.subplots(lines, columns, figsize=size, squeeze=False)
    panels = list(grid.flat)
    for axes, (across, up) in zip(panels, pairs, strict=False):
        _candidates(axes, candidates, values[across], values[up], words)
        axes.set_xlabel(_goal(words, across))
        axes.set_ylabel(_goal(words, up))
    for axes in panels[len(pairs) :]:
        axes.set_visible(False)
    figure.suptitle(
        words(
            "lab.tune.title",
            name=task.name,
            players=words.listed([str(n) for n in task.players]),
            candidates=words.whole(len(candidates)),
            games=words.whole(games),
        ),
        fontsize=10,
    )
    _legend(figure, panels[0])
    return _svg(figure)


def _candidates(
    axes: Any,
    candidates: Sequence[Candidate],
    across: Sequence[float],
    up: Sequence[float],
    words: Words,
) -> None:
    """Draw all candidates by two goals: what was tried, the front, and what meets all goals."""
    kinds = (
        ("tried", "o", "none", "#999", 5, lambda each: not each.on_front),
        ("front", "o", "full", COLOURS[0], 5, lambda each: each.on_front),
        ("meets", "s", "none", COLOURS[2], 10, lambda each: each.meets_goals),
    )
    for name, marker, fill, colour, size, belongs in kinds:
        some = [i for i, each in enumerate(candidates) if belongs(each)]
        if some:
            axes.plot(
                [across[i] for i in some],
                [up[i] for i in some],
                marker,
                fillstyle=fill,
                color=colour,
                markersize=size,
                label=words(f"lab.tune.{name}"),
            )


def _goal(words: Words, goal: str) -> str:
    return (
        words("lab.tune.trial")
        if goal == TRIAL
        else "\n".join(wrap(title(words, goal), LABEL_WIDTH))
    )


def _with_error(
    axes: Any,
    at: Any,
    values: Sequence[Estimate],
    i: int,
    label: str,
    *,
    across: bool = False,
    line: bool = False,
) -> None:
    """Draw means with their 95% intervals, up or across."""
    means = [value.mean if value.n else np.nan for value in values]
    errors = [Z * value.error for value in values]
    axes.errorbar(
        **(
            {"x": means, "y": at, "xerr": errors}
            if across
            else {"x": at, "y": means, "yerr": errors}
        ),
        fmt=MARKERS[i % len(MARKERS)] + ("-" if line else ""),
        color=COLOURS[i % len(COLOURS)],
        markersize=4,
        linewidth=1.4,
        capsize=2,
        label=label,
    )


def _panels(
    tables: dict[int, Tallies],
    draw: Callable[[Any, int, Tallies], None],
    across: str,
    words: Words,
) -> str:
    plt = pyplot()
    columns = min(len(tables), 2)
    lines = -(-len(tables) // columns)
    figure, grid = plt.subplots(lines, columns, figsize=(4.6 * columns, 2.7 * lines), squeeze=False)
    panels = list(grid.flat)
    for axes, (players, tallies) in zip(panels, tables.items(), strict=False):
        draw(axes, players, tallies)
        axes.set_title(words("lab.chart.players", n=players), fontsize=10)
    for axes in panels[len(tables) :]:
        axes.set_visible(False)
    for row in grid:
        row[0].set_ylabel(across)
    _legend(figure, panels[0])
    return _svg(figure)


def _legend(figure: Any, axes: Any) -> None:
    """Name the series under all panels, if there are several."""
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        figure.legend(
            handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=6, frameon=False
        )


def pyplot() -> Any:
    mpl = require("matplotlib")
    mpl.use("Agg")
    mpl.rcParams.update(
        {
            "svg.hashsalt": "veillee",
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    return require("matplotlib.pyplot")


def _svg(figure: Any) -> str:
    """Return a figure as an SVG element, without the XML header and metadata."""
    figure.tight_layout()
    out = StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(out, format="svg", metadata=nothing, transparent=True, bbox_inches="tight")
    pyplot().close(figure)
    text = out.getvalue()
    return text[text.index("<svg") :]
