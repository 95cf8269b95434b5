"""`python -m benchmarks.move`: where the time of a move goes, in microseconds of processor.

Tables of four people, each with an open window, without a network: what the server does from the
words of a request to the bytes of four messages. Medians of rounds; ten tables are appended to at
once, as under load. What HTTP takes besides is in `python -m benchmarks.web`.

Looking at the clock within a message takes time itself. So each round is played twice: once to
measure all that shows a move, once to divide it into drawing, wording and encoding.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.__main__ import as_markdown
from benchmarks.measure import keep
from veillee.engine.drawing.svg import Canvas
from veillee.engine.precompile import KERNEL, ensure_compiled
from veillee.engine.registry import game, games
from veillee.engine.seed import Seed
from veillee.web.config import ServerConfig
from veillee.web.database import Statement
from veillee.web.delivery import broadcast, fragments, player_view
from veillee.web.delivery.broadcast import Viewer
from veillee.web.delivery.rendering import Layout
from veillee.web.http.context import AppContext
from veillee.web.people import Person
from veillee.web.tables import commands, listing, log
from veillee.web.tables.commands import Command
from veillee.web.tables.table import COMPILED, Table

SEATS = 4
AT_ONCE = 10
STAGES = ("checking", "appending", "applying", "drawing", "wording", "encoding")
SHOWING = ("drawing", "wording", "encoding")
DRAWING: tuple[tuple[Any, str], ...] = (
    (broadcast.Broadcast, "_draw"),
    (Canvas, "changes"),
    (player_view, "overlay"),
)
WORDING: tuple[tuple[Any, str], ...] = (
    (broadcast, "log_of"),
    (broadcast, "status"),
    (broadcast, "header_state"),
    (broadcast, "panel_state"),
    (fragments.Fragments, "header"),
    (fragments.Fragments, "panel"),
    (player_view, "choices"),
    (player_view, "awaited"),
)
Spent = dict[str, float]


class Clock:
    """Seconds spent in each stage; what a stage calls of another one counts there."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self.dividing = True
        """Whether the calls are counted to their stages, or to the stage that they are made in."""
        self._stages: list[str] = []
        self._since = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._switch()
        self._stages.append(name)
        try:
            yield
        finally:
            self._switch()
            self._stages.pop()

    def _switch(self) -> None:
        now = time.thread_time()
        if self._stages:
            self.spent[self._stages[-1]] += now - self._since
        self._since = now

    def time_calls(self, owner: Any, name: str, stage: str) -> None:
        """Count the calls of a function of a module or class to a stage."""
        function: Callable[..., Any] = getattr(owner, name)

        def timed(*values: Any, **named: Any) -> Any:
            if not self.dividing:
                return function(*values, **named)
            with self.stage(stage):
                return function(*values, **named)

        setattr(owner, name, timed)


@dataclass(eq=False)
class Window(Viewer):
    """A viewer whose messages are counted."""

    size: int = 0

    def put(self, *message: bytes) -> None:
        self.size += sum(map(len, message))

    def end(self) -> None:
        pass


async def begin(context: AppContext, name: str, number: int) -> Table:
    """A table whose four people look at it."""
    seats = min(SEATS, max(game(name).player_counts))
    people = [await context.people.save(Person(f"{number}-{i}", f"Name {i}")) for i in range(seats)]
    plan = log.Open(name, game(name).version, people[0].id, [""] * seats)
    sitting = [log.Sit(i, person.id, "00") for i, person in enumerate(people)]
    entries: list[log.Entry] = [plan, *sitting, log.Start()]
    table = await context.tables.create(f"t{number}", Seed.of(number), entries)
    for person in people:
        context.broadcast.join(table, Window(person.id, Layout("en", "wide")))
    return table


async def play(context: AppContext, clock: Clock, tables: list[Table], chance: Random) -> int:
    """Take one decision at each table; return how many it were."""
    entries: list[tuple[Table, log.Play, list[Statement]]] = []
    for table in tables:
        assert table.game is not None
        if table.game.over:
            continue
        action = table.spec.notation.text(chance.choice(table.game.legal_numbers()))
        person = table.seats[table.deciding].person
        form = {"action": action, "moment": str(table.moment), "token": "a"}
        with clock.stage("checking"):
            command = Command(table, person, form, "random", context.presence)
            (entry,) = commands.COMMANDS["play"](command)
        assert isinstance(entry, log.Play)
        with clock.stage("applying"):  # who decides next is stored with the decision
            extra = listing.changes(table, [entry], 1)
        entries.append((table, entry, extra))
    began = time.process_time()
    await asyncio.gather(*(append(context, *each) for each in entries))
    clock.spent["appending"] += time.process_time() - began
    for table, entry, _ in entries:
        with clock.stage("applying"):
            table.apply(entry, 1, f"{table.id}:{table.number}")
        with clock.stage("encoding"):
            context.broadcast.send(table)
    return len(entries)


async def append(
    context: AppContext, table: Table, entry: log.Play, extra: list[Statement]
) -> None:
    await context.store.append(table.id, table.number, [log.encode(entry)], None, 1, *extra)


async def measure(clock: Clock, name: str, rounds: int) -> Spent:
    """Microseconds of each stage for a move."""
    measured: list[Spent] = []
    with tempfile.TemporaryDirectory() as folder:
        context = AppContext(ServerConfig(str(Path(folder) / "move.sqlite"), level="random"))
        await context.open()
        for number in range(rounds + 1):
            parts = await play_round(context, clock, name, 2 * number, dividing=True)
            whole = await play_round(context, clock, name, 2 * number + 1, dividing=False)
            shown = sum(parts[stage] for stage in SHOWING)
            whole |= {stage: whole["encoding"] * parts[stage] / shown for stage in SHOWING}
            if number:  # the first one fills caches
                measured.append(whole)
        await context.close()
    return {stage: statistics.median(m[stage] for m in measured) for stage in STAGES}


async def play_round(
    context: AppContext, clock: Clock, name: str, number: int, *, dividing: bool
) -> Spent:
    """Play whole games and return the microseconds of each stage for a move."""
    first = number * AT_ONCE
    tables = [await begin(context, name, first + i) for i in range(AT_ONCE)]
    clock.spent.clear()
    clock.dividing = dividing
    chance, moves = Random(number), 0
    while played := await play(context, clock, tables, chance):
        moves += played
    return {stage: clock.spent[stage] / moves * 1e6 for stage in STAGES}


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.move", description=__doc__)
    ask.add_argument("--games", nargs="*", default=sorted(games()))
    ask.add_argument("--rounds", type=int, default=7)
    ask.add_argument("--keep", action="store_true", help="write README.md")
    chosen = ask.parse_args()
    columns: list[Spent] = []
    clock = Clock()
    for part, calls in (("drawing", DRAWING), ("wording", WORDING)):
        for owner, function in calls:
            clock.time_calls(owner, function, part)
    for name in chosen.games:
        ensure_compiled(game(name), (KERNEL,))
        COMPILED.add(game(name))
        columns.append(asyncio.run(measure(clock, name, chosen.rounds)))
    rows = [[stage, *(f"{column[stage]:.0f}" for column in columns)] for stage in STAGES]
    rows.append(["all of it", *(f"{sum(column.values()):.0f}" for column in columns)])
    table = as_markdown(["µs of a move shown to four", *chosen.games], rows)
    print(table)
    if chosen.keep:
        keep("move", f"{table}\n\nMedians of {chosen.rounds} rounds of {AT_ONCE} whole games.")


if __name__ == "__main__":
    main()
