"""`python -m tests.web.soak`: an hour at 500 tables, with people who come and go.

In the first half hour the server's caches fill: 20,000 people (`people.MOST_CACHED`) and some
megabytes of words and drawings. In the second half hour its memory must be flat. There must be no
error in its log. `--minutes 2 --tables 50` is enough to try it out.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import httpx

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.servers import NOTED, Server
from tests.web.parts import free_port

SETTLED = 30
"""Minutes after which memory is compared."""
GROWTH = 1.02
"""How much more memory the last quarter may have than the first one after that."""
COUNTS = {
    "veillee_tables": "tables",
    "veillee_streams": "streams",
    'veillee_commands_total{command="play"}': "decisions",
}
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


def memory_of(server: Server) -> float:
    """Megabytes of the server's process, without those of its bots."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000


async def counts_of(port: int) -> str:
    """How much the server has to do, which its memory depends on."""
    async with httpx.AsyncClient() as client:
        lines = (await client.get(f"http://127.0.0.1:{port}/metrics")).text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return "  ".join(f"{float(values.get(name, 0)):7.0f} {what}" for name, what in COUNTS.items())


async def soak(
    server: Server, metrics: int, minutes: float, tables: int, pause: float
) -> list[str]:
    """Return what is wrong."""
    tasks = []
    for number in range(tables):
        tasks.append(asyncio.create_task(play([server.address], number, pause)))
        await asyncio.sleep(0.02)
    began = time.monotonic()
    memory: list[tuple[float, float]] = []
    while (passed := (time.monotonic() - began) / 60) < minutes:
        await asyncio.sleep(10)
        memory.append((passed, memory_of(server)))
        counts = await counts_of(metrics)
        print(f"{passed:5.1f} min  {memory[-1][1]:7.1f} MB  {counts}", flush=True)
        if any(task.done() for task in tasks):
            break
    failed = [repr(task.exception()) for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    lines = [line for line in server.log.splitlines() if any(word in line for word in NOTED)]
    return failed + lines + growth([megabytes for at, megabytes in memory if at > SETTLED])


def growth(memory: list[float]) -> list[str]:
    """Compare the first and the last quarter of what was measured after memory had settled."""
    quarter = len(memory) // 4
    if not quarter:
        print("too short to compare memory")
        return []
    first, last = statistics.mean(memory[:quarter]), statistics.mean(memory[-quarter:])
    print(f"memory: {first:.1f} MB, then {last:.1f} MB")
    return [f"memory grew from {first:.1f} to {last:.1f} MB"] if last > first * GROWTH else []


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
