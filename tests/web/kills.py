"""`python -m tests.web.kills --kills 1000`: kill -9 under load, over all set-ups.

People play and watch at many tables, some with bots. Again and again a server, or one of its
workers, is killed and started again. In the end nothing acknowledged may be lost or counted twice,
no table may be stuck, and every picture must be the one that the log gives.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.replayed import assert_shows_the_log
from tests.web.cluster.servers import Server, decisions
from tests.web.parts import Postgres, Redis

SET_UPS = ("sqlite", "workers", "postgresql", "redis")
SEATS = (("me", "screen"), ("me", "bot:random"), ("me", "bot:random", "screen"))
STUCK = 60
"""Seconds in which every table must go on after the last kill."""


class SetUp(NamedTuple):
    name: str
    servers: list[Server]
    one_worker: bool = False
    """Whether a single worker is killed; its supervisor replaces it."""


@contextmanager
def set_ups(names: list[str]) -> Iterator[list[SetUp]]:
    """Yield the set-ups of these names, with their servers running."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = []
        if "sqlite" in names:
            database = str(folder / "one.sqlite")
            found.append(SetUp("sqlite", [Server(database)]))
        if "workers" in names:
            database = str(folder / "several.sqlite")
            found.append(SetUp("workers", [Server(database, "--workers", "2")], one_worker=True))
        if "postgresql" in names:
            postgres = Postgres()
            stack.callback(postgres.close)
            database = stack.enter_context(postgres.new_database())
            found.append(SetUp("postgresql", [Server(database) for _ in range(2)]))
        if "redis" in names:
            redis = stack.enter_context(Redis())
            database = str(folder / "redis.sqlite")
            found.append(SetUp("redis", [Server(database, "--bus", redis.url) for _ in range(2)]))
        for set_up in found:
            for server in set_up.servers:
                stack.callback(server.close)
                server.start()
        yield found


class Result(NamedTuple):
    kills: int
    acknowledged: int
    tables: int
    problems: list[str]


async def kill_under_load(set_up: SetUp, kills: int, tables: int, seed: int) -> Result:
    """Kill so many times while people play, then compare all that was seen with the log."""
    chance = Random(seed)
    addresses = [server.address for server in set_up.servers]
    players: list[Player] = []
    watchers: list[Watcher] = []
    finished: list[Player] = []

    async def play(number: int) -> None:
        while True:
            player = Player(addresses, number)
            players.append(player)
            player.path = await player.open_table(*SEATS[number % len(SEATS)])
            watcher = Watcher(addresses, number + 1, player.path)
            watchers.append(watcher)
            watching = asyncio.create_task(watcher.watch())
            try:
                await player.play()
                finished.append(player)
                await _shows_all(set_up, player, watcher)
            finally:
                await end([watching])

    tasks = [asyncio.create_task(play(number)) for number in range(tables)]
    problems: list[str] = []
    for _ in range(kills):
        if not await _load(players, tables):
            problems.append("nobody could play after a kill")
            break
        await asyncio.sleep(chance.uniform(0, 0.5))
        await asyncio.to_thread(_kill, set_up, chance)
        problems += [repr(task.exception()) for task in tasks if task.done()]
        if problems:
            break
    before = len(finished)
    deadline = time.monotonic() + STUCK
    while len(finished) < before + tables and time.monotonic() < deadline and not problems:
        await asyncio.sleep(0.2)
        problems += [repr(task.exception()) for task in tasks if task.done()]
    if len(finished) < before + tables:
        problems.append(f"only {len(finished) - before} games ended after the last kill")
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    acknowledged = 0
    for player in players:
        stored = await decisions(set_up.servers[0].database, player.path)
        lost = [each for each in player.acknowledged if stored[each[0] : each[0] + 1] != [each[1]]]
        problems += [f"{player.path}: lost {each}" for each in lost]
        acknowledged += len(player.acknowledged)
    return Result(kills, acknowledged, len(watchers), problems)


async def _load(players: list[Player], decisions: int) -> bool:
    """Wait until so many more decisions are acknowledged; tell whether they were.

    A kill while nobody plays yet would find nothing.
    """
    before = sum(len(player.acknowledged) for player in players)
    deadline = time.monotonic() + STUCK
    while time.monotonic() < deadline:
        if sum(len(player.acknowledged) for player in players) >= before + decisions:
            return True
        await asyncio.sleep(0.01)
    return False


async def _shows_all(set_up: SetUp, player: Player, watcher: Watcher) -> None:
    """Fail unless the screens of a watcher and of a new one become what the log gives."""
    database = set_up.servers[0].database
    fresh = Watcher(player.addresses, 0, player.path)
    task = asyncio.create_task(fresh.watch())
    try:
        async with asyncio.timeout(STUCK):
            while fresh.screen.state != "over" or watcher.screen.number != fresh.screen.number:
                await asyncio.sleep(0.05)
    finally:
        await end([task])
    for screen in (watcher.screen, fresh.screen):
        await assert_shows_the_log(screen, database, player.path)


def _kill(set_up: SetUp, chance: Random) -> None:
    server = chance.choice(set_up.servers)
    if set_up.one_worker and chance.random() < 0.8:
        workers = server.workers()
        if workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
        return
    server.kill()
    server.start()


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m tests.web.kills", description=__doc__)
    ask.add_argument("--kills", type=int, default=1000, help="in all, over all set-ups")
    ask.add_argument("--tables", type=int, default=12)
    ask.add_argument("--set-ups", nargs="*", default=list(SET_UPS))
    ask.add_argument("--seed", type=int, default=9)
    chosen = ask.parse_args()
    failed = False
    with set_ups(chosen.set_ups) as every:
        for set_up in every:
            began = time.monotonic()
            result = asyncio.run(
                kill_under_load(set_up, chosen.kills // len(every), chosen.tables, chosen.seed)
            )
            print(
                f"{set_up.name}: {result.kills} kills, {result.acknowledged} decisions "
                f"acknowledged, {result.tables} tables, {time.monotonic() - began:.0f} s, "
                f"{len(result.problems)} problems",
                flush=True,
            )
            for problem in result.problems:
                print(f"  {problem}", flush=True)
            failed |= bool(result.problems)
    sys.exit(failed)


if __name__ == "__main__":
    main()
