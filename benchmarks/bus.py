"""`python -m benchmarks.bus`: what an append and its announcement cost on each bus.

One process appends, as a server does, from many tables at once; another one hears all of it. Both
tell the processor time they used. PostgreSQL and Redis use processor time of their own besides. All
kinds take turns, round after round; look at the ratios within a run.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from tests.web.parts import Postgres, Redis
from veillee.web.bus import Bus, MemoryBus, bus_at
from veillee.web.database import store_at
from veillee.web.database.store import Announcement

SPAWN = multiprocessing.get_context("spawn")
ENTRY = '{"is":"play","seat":1,"action":"D4-E5+2"}'


class Kind(NamedTuple):
    name: str
    database: str
    bus: str = ""
    workers: int = 2


class Cost(NamedTuple):
    """Microseconds of the processor, and microseconds until another process has heard."""

    append: float
    receive: float
    delay: float


async def migrate(kind: Kind) -> None:
    store = store_at(kind.database)
    await store.open()
    await store.close()


async def append(kind: Kind, bus: Bus, tables: list[str], first: int, count: int) -> float:
    """Append to many tables at once; return the microseconds of processor for each entry."""
    store = store_at(kind.database, bus)
    await store.open()
    await bus.open()

    async def play(table_id: str) -> None:
        for number in range(first, first + count):
            at = time.monotonic_ns() // 1000
            assert await store.append(table_id, number, [ENTRY], None, at)

    began = time.process_time()
    await asyncio.gather(*map(play, tables))
    used = time.process_time() - began
    await bus.close()
    await store.close()
    return used / (count * len(tables)) * 1e6


async def receive(bus: Bus, tables: list[str], expected: int, parent: Connection) -> None:
    """Hear all entries; send the processor time and the median delay to the parent."""
    await bus.open()
    for table_id in tables:
        await bus.subscribe(table_id)
    parent.send("ready")
    began = time.process_time()
    delays: list[int] = []
    while len(delays) < expected:
        messages = await bus.receive()
        now = time.monotonic_ns() // 1000
        for message in messages:
            if isinstance(message, Announcement):
                delays += [now - row.at for row in message.rows or ()]
    parent.send(((time.process_time() - began) / expected * 1e6, statistics.median(delays)))
    await bus.close()


def receiver(kind: Kind, tables: list[str], expected: int, parent: Connection) -> None:
    bus = bus_at(kind.database, kind.bus, kind.workers)
    asyncio.run(receive(bus, tables, expected, parent))


def measure(kind: Kind, tables: list[str], first: int, count: int) -> Cost:
    bus = bus_at(kind.database, kind.bus, kind.workers)
    if isinstance(bus, MemoryBus):
        return Cost(asyncio.run(append(kind, bus, tables, first, count)), 0, 0)
    ours, theirs = SPAWN.Pipe()
    expected = count * len(tables)
    other = SPAWN.Process(target=receiver, args=(kind, tables, expected, theirs), daemon=True)
    other.start()
    theirs.close()
    assert ours.recv() == "ready"
    cost = asyncio.run(append(kind, bus, tables, first, count))
    used, delay = ours.recv()
    other.join()
    return Cost(cost, used, delay)


@contextmanager
def kinds() -> Iterator[list[Kind]]:
    """Yield each kind of bus, on databases that are started for it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = Postgres()
        stack.callback(postgres.close)
        redis = stack.enter_context(Redis())
        new_database: Callable[[], str] = lambda: stack.enter_context(postgres.new_database())  # noqa: E731
        yield [
            Kind("SQLite, memory", str(folder / "one.sqlite"), workers=1),
            Kind("SQLite, watched", str(folder / "two.sqlite")),
            Kind("SQLite, Redis", str(folder / "three.sqlite"), redis.url),
            Kind("PostgreSQL, NOTIFY", new_database()),
            Kind("PostgreSQL, Redis", new_database(), redis.url),
        ]


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.bus", description=__doc__)
    ask.add_argument("--rounds", type=int, default=5)
    ask.add_argument("--tables", type=int, default=10, help="tables that append at once")
    ask.add_argument("--entries", type=int, default=100, help="entries of each table in a round")
    chosen = ask.parse_args()
    tables = [f"table{n}" for n in range(chosen.tables)]
    costs: dict[str, list[Cost]] = {}
    with kinds() as every:
        for kind in every:
            asyncio.run(migrate(kind))
        for number in range(chosen.rounds):
            for kind in every:
                cost = measure(kind, tables, number * chosen.entries, chosen.entries)
                costs.setdefault(kind.name, []).append(cost)
    show(costs)


def show(costs: dict[str, list[Cost]]) -> None:
    shown = Table("bus", "append µs", "ratio", "receive µs", "delay ms")
    medians = {
        name: Cost(*(statistics.median(column) for column in zip(*rounds, strict=True)))
        for name, rounds in costs.items()
    }
    least = min(cost.append for cost in medians.values())
    for name, cost in medians.items():
        ratio = f"{cost.append / least:.2f}"
        heard = (f"{cost.receive:.0f}", f"{cost.delay / 1000:.1f}") if cost.receive else ("", "")
        shown.add_row(name, f"{cost.append:.0f}", ratio, *heard)
    Console().print(shown)


if __name__ == "__main__":
    main()
