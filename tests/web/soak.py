"""`python -m tests.web.soak`: an hour at 500 tables, with people who come and go.

In the first half hour the server's caches fill: 20,000 people (`people.MOST_CACHED`) and some
megabytes of words and drawings. In the second half hour its memory must be flat. A table stays in
memory for two minutes after the last person has left it, so there are more of them when people play
faster; what the number of tables explains is not counted as growth. There must be no error in the
log. `--minutes 2 --tables 50` is enough to try it out.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import numpy as np
import psutil

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.servers import NOTED, Server
from tests.web.parts import free_port

SETTLED = 30
"""Minutes after which memory is compared."""
GROWTH = 0.02
"""The part of its memory by which a server may have grown after that."""
TABLES, STREAMS = "veillee_tables", "veillee_streams"
DECISIONS = 'veillee_commands_total{command="play"}'
SEATS = (("me", "screen"), ("me", "bot:random"), ("me", "bot:random", "screen"))


async def play(addresses: list[str], number: int, pause: float) -> None:
    """Play one game after the other."""
    while True:
        player = Player(addresses, number)
        player.pause = pause
        player.path = await player.open_table(*SEATS[number % len(SEATS)])
        watching = asyncio.create_task(come_and_go(addresses, number, player.path))
        try:
            await player.play()
        finally:
            await end([watching])
            await player.http.aclose()


async def come_and_go(addresses: list[str], number: int, path: str) -> None:
    """Watch a table for a while, leave without a word, and come back."""
    chance = Random(number)
    while True:
        watcher = Watcher(addresses, number, path)
        watching = asyncio.create_task(watcher.watch())
        try:
            await asyncio.sleep(chance.uniform(1, 30))
        finally:
            await end([watching])
            await watcher.http.aclose()
        await asyncio.sleep(chance.uniform(0, 10))


class Sample(NamedTuple):
    minute: float
    memory: float
    """Megabytes of the server's process, without those of its bots."""
    tables: float
    streams: float
    decisions: float

    def __str__(self) -> str:
        counts = (
            f"{self.tables:.0f} tables  {self.streams:.0f} streams  {self.decisions:.0f} decisions"
        )
        return f"{self.minute:5.1f} min  {self.memory:7.1f} MB  {counts}"


async def sample(server: Server, metrics: int, minute: float) -> Sample:
    """Look at the memory of a server and at what it has to do."""
    async with httpx.AsyncClient() as client:
        lines = (await client.get(f"http://127.0.0.1:{metrics}/metrics")).text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    counts = (float(values.get(name, 0)) for name in (TABLES, STREAMS, DECISIONS))
    memory = psutil.Process(server.pid).memory_info().rss / 1e6
    return Sample(minute, memory, *counts)


async def soak(
    server: Server, metrics: int, minutes: float, tables: int, pause: float
) -> list[str]:
    """Return what is wrong."""
    tasks = []
    for number in range(tables):
        tasks.append(asyncio.create_task(play([server.address], number, pause)))
        await asyncio.sleep(0.02)
    began = time.monotonic()
    samples: list[Sample] = []
    while (passed := (time.monotonic() - began) / 60) < minutes:
        await asyncio.sleep(10)
        samples.append(await sample(server, metrics, passed))
        print(samples[-1], flush=True)
        if any(task.done() for task in tasks):
            break
    failed = [repr(task.exception()) for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    lines = [line for line in server.log.splitlines() if any(word in line for word in NOTED)]
    return failed + lines + growth([each for each in samples if each.minute > SETTLED])


def growth(samples: Sequence[Sample]) -> list[str]:
    """Tell whether memory grew in time, beyond what the number of tables in memory explains."""
    if len(samples) < 10:
        print("too short to judge memory")
        return []
    memory = np.array([each.memory for each in samples])
    known = np.array([[1.0, each.tables, each.minute] for each in samples])
    _, per_table, per_minute = np.linalg.lstsq(known, memory)[0]
    grown = per_minute * (samples[-1].minute - samples[0].minute)
    told = (
        f"{grown:+.1f} MB in time, {per_table:.3f} MB for each table, "
        f"{memory.mean():.1f} MB on average"
    )
    print(f"memory: {told}")
    return [f"memory grew: {told}"] if grown > memory.mean() * GROWTH else []


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m tests.web.soak", description=__doc__)
    ask.add_argument("--minutes", type=float, default=60)
    ask.add_argument("--tables", type=int, default=500)
    ask.add_argument("--pause", type=float, default=4, help="seconds before each decision")
    chosen = ask.parse_args()
    metrics = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(str(Path(folder) / "soak.sqlite"), "--metrics", str(metrics)) as server,
    ):
        problems = asyncio.run(soak(server, metrics, chosen.minutes, chosen.tables, chosen.pause))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
