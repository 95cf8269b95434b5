"""`veillee analyse`: a finished game gone through in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from veillee.analysis import Analysis, analyse
from veillee.analysis.analyse import ITERATIONS
from veillee.analysis.chart import Chart
from veillee.analysis.report import tables
from veillee.bots.bot import WARM_UPS
from veillee.engine.drawing.picture import Theme, standalone
from veillee.engine.game import Game
from veillee.engine.game_spec import ReportTable
from veillee.engine.i18n import Words
from veillee.engine.precompile import ensure_compiled
from veillee.lab.executor import Workers
from veillee.lab.report import bars


def analyse_all(
    games: list[Game], words: Words, pool: Workers, seed: int, iterations: int | None
) -> list[Analysis]:
    """Analyse one game, or those of a series, with a progress bar on standard error."""
    found = []
    with bars() as shown:
        for game in games:
            ensure_compiled(game.spec, WARM_UPS)
            bar = shown.add_task(words("analysis.progress"), total=None)

            def told(done: int, total: int, bar: Any = bar) -> None:
                shown.update(bar, completed=done, total=total)

            found.append(
                analyse(
                    game,
                    iterations=iterations or ITERATIONS,
                    seed=seed,
                    run=pool.map,
                    progress=told,
                )
            )
    return found


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


def write_json(found: list[Analysis]) -> None:
    """Print analyses as JSON: an object, or a list for the games of a series."""
    data: Any = found[0] if len(found) == 1 else found
    typer.echo(msgspec.json.format(msgspec.json.encode(data)).decode())


def write_chart(found: list[Analysis], words: Words, path: Path, theme: Theme) -> None:
    """Write the chart; those of a series are numbered."""
    for number, analysis in enumerate(found, start=1):
        name = path if len(found) == 1 else path.with_stem(f"{path.stem}-{number}")
        drawn = standalone(Chart(analysis, words, analysis.players).draw(), theme)
        name.write_text(drawn, "utf-8")
