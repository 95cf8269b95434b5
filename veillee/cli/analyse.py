"""`veillee analyse`: finished games gone through in the terminal."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from veillee.analysis import Analysis, analyse_many
from veillee.analysis.analyse import ITERATIONS
from veillee.analysis.chart import Chart
from veillee.analysis.report import tables
from veillee.bots.bot import WARM_UPS
from veillee.engine.drawing.picture import Theme, standalone
from veillee.engine.game import Game
from veillee.engine.game_spec import ReportTable
from veillee.engine.i18n import Words
from veillee.engine.precompile import ensure_compiled
from veillee.engine.refusal import Refusal
from veillee.lab.executor import Workers
from veillee.lab.report import bars

SUFFIX = ".analysis.json"
"""Ends the names of the files that analyses are written into."""


def read(paths: list[Path], replay: Callable[[Path], Any]) -> dict[Path, list[Game]]:
    """Return the finished games of each record; a folder stands for the records in it."""
    found: dict[Path, list[Game]] = {}
    for path in paths:
        inside = (file for file in path.glob("*.json") if not file.name.endswith(SUFFIX))
        for record in sorted(inside) if path.is_dir() else [path]:
            game = replay(record)
            if not game.over:
                raise Refusal(
                    "illegal", "analysis.unfinished", "analysis.unfinished.in", record=str(record)
                )
            found[record] = getattr(game, "games", [game])
    if not found:
        raise Refusal("unreadable", "veillee.file", path=str(paths[0]))
    return found


def analyse_all(
    games: list[Game], words: Words, pool: Workers, seed: int, iterations: int | None
) -> Iterator[Analysis]:
    """Analyse games, with a progress bar on standard error."""
    for spec in dict.fromkeys(game.spec for game in games):
        ensure_compiled(spec, WARM_UPS)
    with bars() as shown:
        bar = shown.add_task(words("analysis.progress"), total=None)
        yield from analyse_many(
            games,
            iterations=iterations or ITERATIONS,
            seed=seed,
            run=pool.map,
            progress=lambda done, total: shown.update(bar, completed=done, total=total),
        )


def line(record: Path, analysis: Analysis, game: Game, words: Words) -> str:
    """Return what a list of many games says of one."""
    return words(
        "analysis.line",
        len(analysis.costly()),
        record=record.name,
        title=words(f"{game.spec.name}.title"),
        winners=words.listed([game.names[seat] for seat in game.winners]),
    )


def check_folder(out: Path, records: Iterable[Path]) -> None:
    """Refuse a folder that can't be written, and records whose analyses would have one name."""
    if not (out.is_dir() and os.access(out, os.W_OK)):
        raise Refusal("impossible", "lab.folder", path=str(out))
    for name, n in Counter(record.stem for record in records).items():
        if n > 1:
            raise Refusal("impossible", "analysis.names", name=name, folder=str(out))


def write(found: list[Analysis], record: Path, out: Path) -> None:
    """Write the analysis of a record into a folder."""
    (out / f"{record.stem}{SUFFIX}").write_text(as_json(found) + "\n", "utf-8")


def show(analysis: Analysis, game: Game, words: Words) -> None:
    """Print the tables of an analysis."""
    console = Console()
    for table in tables(analysis, game, words, game.names):
        if table.rows:
            console.print(_drawn(table))
    if not analysis.costly():
        console.print(words("analysis.costly.none"))
    console.print(words("analysis.note", iterations=analysis.iterations), soft_wrap=True)


def _drawn(table: ReportTable) -> Table:
    drawn = Table(*(escape(head) for head in table.heads), title=escape(table.title))
    for row in table.rows:
        drawn.add_row(*(escape(cell) for cell in row.cells))
    return drawn


def as_json(found: list[Analysis]) -> str:
    """Return analyses as JSON: an object, or a list for several games."""
    data: Any = found[0] if len(found) == 1 else found
    return msgspec.json.format(msgspec.json.encode(data)).decode()


def write_chart(found: list[Analysis], words: Words, path: Path, theme: Theme) -> None:
    """Write the chart; those of several games are numbered."""
    for number, analysis in enumerate(found, start=1):
        name = path if len(found) == 1 else path.with_stem(f"{path.stem}-{number}")
        drawn = standalone(Chart(analysis, words, analysis.players).draw(), theme)
        name.write_text(drawn, "utf-8")
