"""Jobs: done once, tried again when they fail, taken over when their server dies."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.loop import run
from tests.web.parts import Postgres
from tests.web.served import sqlite_in
from veillee.web.clock import now
from veillee.web.database import Store, queries, store_at
from veillee.web.jobs import TABLE, Jobs

SPAWN = multiprocessing.get_context("spawn")
ENDLESS = "endless"
"""A table whose job is under way for ever."""


class Server:
    """A server whose jobs append an entry to the log of their table, `moves` times."""

    def __init__(self, store: Store, name: str, moves: int) -> None:
        self.store = store
        self.name = name
        self.moves = moves
        self.failures = 0
        self.jobs = Jobs(store, {TABLE: self.play}, owner=name)

    async def schedule(self, table_id: str, delay: int = 0) -> None:
        """Append an entry after which a bot must play."""
        number = await queries.length_of(self.store, table_id)
        scheduled = self.jobs.schedule(TABLE, table_id, now() + delay)
        if await self.store.append(table_id, number, [self.name], None, 0, scheduled.statement):
            self.jobs.begin(scheduled)

    async def play(self, table_id: str) -> None:
        if table_id == ENDLESS:
            await asyncio.sleep(3600)
        number = await queries.length_of(self.store, table_id)
        due = now() if number + 1 < self.moves else None
        scheduled = self.jobs.schedule(TABLE, table_id, due)
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is full")
        if await self.store.append(table_id, number, [self.name], None, 0, scheduled.statement):
            self.jobs.begin(scheduled)


@asynccontextmanager
async def server(database: str, name: str, moves: int = 2) -> AsyncIterator[Server]:
    store = store_at(database)
    await store.open()
    server = Server(store, name, moves)
    await server.jobs.open()
    yield server
    await server.jobs.close()
    await store.close()


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def names(store: Store, table_id: str) -> str:
    """Who appended each entry, in order."""
    return "".join(row.data for row in await queries.entries_of(store, table_id))


async def nothing_is_owed(store: Store) -> bool:
    return await queries.next_due(store, TABLE) is None


def test_a_job_is_done_and_what_it_schedules_too(database: str) -> None:
    async def story() -> None:
        async with server(database, "a", moves=5) as one:
            await one.schedule("t")
            await until(lambda: nothing_is_owed(one.store))
            assert await names(one.store, "t") == "aaaaa"

    run(story())


@pytest.mark.parametrize("hours", [-1, 1])
def test_setting_the_system_clock_delays_no_job(
    database: str, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """The entries of a table are dated by a clock that is not set; so are the jobs they bring."""
    real = time.time

    async def story() -> None:
        async with server(database, "a", moves=3) as one:
            monkeypatch.setattr(time, "time", lambda: real() + hours * 3600)
            await one.schedule("t")
            await until(lambda: nothing_is_owed(one.store), seconds=3)
            assert await names(one.store, "t") == "aaa"

    run(story())


def test_two_servers_do_each_job_once(database: str) -> None:
    """Jobs that nobody began are taken by whoever finds them."""

    async def story() -> None:
        async with server(database, "a", moves=1) as one, server(database, "b", moves=1) as other:
            tables = [f"t{n}" for n in range(40)]
            await asyncio.gather(
                *(one.store.write(queries.owe(TABLE, table, now() + 200)) for table in tables)
            )
            await until(lambda: nothing_is_owed(other.store))
            assert {len(await names(one.store, table)) for table in tables} == {1}

    run(story())


def test_a_job_for_later_waits_and_can_be_cancelled(database: str) -> None:
    async def story() -> None:
        async with server(database, "a", moves=2) as one:
            await one.schedule("t", delay=60_000)
            cancelled = one.jobs.schedule(TABLE, "u", now() + 1000)
            await one.store.write(cancelled.statement)
            one.jobs.begin(cancelled)
            nothing = one.jobs.schedule(TABLE, "u", None)
            await one.store.write(nothing.statement)
            one.jobs.begin(nothing)
            await asyncio.sleep(1.3)
            assert await names(one.store, "t") == "a"
            assert await names(one.store, "u") == ""
            assert await queries.next_due(one.store, TABLE) is not None

    run(story())


def test_a_job_that_ends_without_anything_to_follow_is_settled(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        done = []

        async def rest(subject: str) -> None:
            done.append(subject)

        jobs = Jobs(store, {"analysis": rest})
        await jobs.open()
        await store.write(queries.owe("analysis", "game", now()))
        await until(lambda: _none_due(store, "analysis"))
        await asyncio.sleep(0.1)
        assert done == ["game"]
        await jobs.close()
        await store.close()

    async def _none_due(store: Store, kind: str) -> bool:
        return await queries.next_due(store, kind) is None

    run(story())


def test_failed_work_is_tried_again(database: str) -> None:
    async def story() -> None:
        async with server(database, "a", moves=3) as one:
            one.failures = 3
            await one.schedule("t")
            await until(lambda: nothing_is_owed(one.store))
            assert await names(one.store, "t") == "aaa"

    run(story())


def test_bots_go_on_after_the_database_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than a write waits for the lock."""
    monkeypatch.setattr("veillee.web.database.sqlite.BUSY_TIMEOUT", 200)

    async def story() -> None:
        database = sqlite_in(tmp_path)
        async with server(database, "a", moves=30) as one:
            await one.schedule("t")
            other = sqlite3.connect(database, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(1.5)
            other.execute("ROLLBACK")
            other.close()
            await until(lambda: nothing_is_owed(one.store))
            assert len(await names(one.store, "t")) == 30

    run(story())


def test_bots_go_on_after_a_restart_of_postgresql(
    postgres: Postgres, postgres_database: str
) -> None:
    async def story() -> None:
        async with server(postgres_database, "a", moves=400) as one:
            await one.schedule("t")
            await asyncio.to_thread(postgres.restart)
            await until(lambda: nothing_is_owed(one.store), 40)
            assert len(await names(one.store, "t")) == 400

    run(story())


@pytest.mark.parametrize("lost", ["append", "write_returning"])
def test_a_job_goes_on_although_the_reply_to_its_commit_was_lost(
    database: str, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """The server is not told that it has appended, or claimed. It holds another job all the time,
    and nobody else is there to take over."""
    monkeypatch.setattr(Jobs, "LEASE", 0.5)
    monkeypatch.setattr(Jobs, "RENEWAL", 0.1)

    async def story() -> None:
        async with server(database, "a", moves=2) as one:
            commit = getattr(one.store, lost)

            async def lose(*values: Any) -> None:
                monkeypatch.setattr(one.store, lost, commit)
                await commit(*values)
                raise OSError("the connection is closed")

            await one.schedule(ENDLESS)
            monkeypatch.setattr(one.store, lost, lose)
            if lost == "append":
                with pytest.raises(OSError, match="closed"):
                    await one.schedule("t")
            else:
                await one.store.write(queries.owe(TABLE, "t", now()))
            await until(lambda: _played(one.store))

    async def _played(store: Store) -> bool:
        return len(await names(store, "t")) == 2

    run(story())


def test_tables_in_play_without_a_job_get_one(database: str) -> None:
    """As in a store of version 0.1.0, or after a server of that version."""

    async def story() -> None:
        store = store_at(database)
        await store.open()
        await store.write(queries.insert_table("t", "", "playing", False, 0))
        await store.write(queries.insert_table("over", "", "over", False, 0))
        await store.close()
        async with server(database, "a", moves=1) as one:
            await until(lambda: nothing_is_owed(one.store))
            await until(lambda: _played(one.store))
            assert await names(one.store, "over") == ""

    async def _played(store: Store) -> bool:
        return await names(store, "t") == "a"

    run(story())


def test_a_server_that_stops_leaves_its_jobs_to_others_at_once(database: str) -> None:
    async def story() -> None:
        async with server(database, "b") as other:
            async with server(database, "a") as one:
                await one.schedule("t", delay=2000)
            due = await queries.next_due(other.store, TABLE)
            assert due is None or due <= now()
            await until(lambda: nothing_is_owed(other.store))
            assert await names(other.store, "t") == "ab"

    run(story())


def work_until_killed(database: str) -> None:
    """A server with twenty jobs that are under way for ever."""

    async def think(subject: str) -> None:
        await asyncio.sleep(3600)

    async def story() -> None:
        store = store_at(database)
        await store.open()
        jobs = Jobs(store, {TABLE: think}, owner="a")
        await jobs.open()
        for number in range(20):
            scheduled = jobs.schedule(TABLE, f"t{number}", now())
            await store.append(f"t{number}", 0, ["a"], None, 0, scheduled.statement)
            jobs.begin(scheduled)
        await asyncio.sleep(3600)

    asyncio.run(story())


def test_jobs_of_a_killed_server_are_taken_over_within_five_seconds(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the kill the other server's clock stops at the last moment at which it may look.

    So a slow machine changes nothing, and a longer lease would never end.
    """
    killed = SPAWN.Process(target=work_until_killed, args=(database,))
    killed.start()

    async def story() -> None:
        async with server(database, "b") as other:
            await until(lambda: _all(other.store, "a"))
            await asyncio.sleep(Jobs.LEASE + 1)  # as long as it lives, nobody takes its work
            assert await _all(other.store, "a")
            assert killed.pid is not None
            os.kill(killed.pid, signal.SIGKILL)
            killed.join()
            last_look = now() + 5000 - int(Jobs.RENEWAL * 1000)
            monkeypatch.setattr("veillee.web.clock.now", lambda: last_look)
            await until(lambda: _all(other.store, "ab"))

    async def _all(store: Store, expected: str) -> bool:
        return {await names(store, f"t{number}") for number in range(20)} == {expected}

    run(story())


def test_a_server_takes_no_more_jobs_than_it_can_do(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        under_way = 0
        most = 0

        async def work(subject: str) -> None:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.05)
            under_way -= 1

        for number in range(12):
            await store.write(queries.owe(TABLE, f"t{number}", 0))
        jobs = Jobs(store, {TABLE: work}, most=4)
        await jobs.open()
        await until(lambda: nothing_is_owed(store))
        assert most == 4
        await jobs.close()
        await store.close()

    run(story())


@pytest.mark.parametrize("kind", ["analysis", "retention"])
def test_jobs_of_a_kind_that_a_server_does_not_do_are_left_to_others(
    database: str, kind: str
) -> None:
    async def story() -> None:
        async with server(database, "a") as one:
            scheduled = one.jobs.schedule(kind, "x", now())
            assert not scheduled.owner
            await one.store.write(scheduled.statement)
            await asyncio.sleep(0.2)
            assert await queries.next_due(one.store, kind) is not None

    run(story())


def test_a_payer_with_many_jobs_leaves_room_for_others(database: str) -> None:
    """Of the waiting jobs of one payer only as many are taken as there is room for others."""

    async def story() -> None:
        store = store_at(database)
        await store.open()
        begun: list[str] = []

        async def work(subject: str) -> None:
            begun.append(subject)
            await asyncio.sleep(3600)

        for number in range(40):
            await store.write(queries.owe(TABLE, f"flood{number}", number, payer="flooder"))
        jobs = Jobs(store, {TABLE: work}, most=16)
        await jobs.open()
        await until(lambda: _are(begun, 8))
        flood = jobs.schedule(TABLE, "flood", now(), "flooder")
        assert not flood.owner, "left until one of the payer's jobs is done"
        await store.write(flood.statement)
        await store.write(queries.owe(TABLE, "left to us", now(), payer="ida"))
        await until(lambda: _are(begun, 9))
        assert begun[-1] == "left to us"
        own = jobs.schedule(TABLE, "our own", now(), "bo")
        await store.write(own.statement)
        jobs.begin(own)
        await until(lambda: _are(begun, 10))
        assert begun[-1] == "our own"
        await jobs.close()
        await store.close()

    async def _are(begun: list[str], count: int) -> bool:
        return len(begun) >= count

    run(story())


def test_waiting_jobs_are_taken_from_all_payers_in_turn(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        for number in range(6):
            await store.write(queries.owe(TABLE, f"a{number}", number, payer="a"))
        await store.write(queries.owe(TABLE, "b", 7, payer="b"))
        await store.write(queries.owe(TABLE, "c", 8, payer="c"))
        taken = await store.write_returning(queries.claim(TABLE, 10, 20, "me", 4, 9))
        assert sorted(map(tuple, taken)) == [("a0", "a"), ("a1", "a"), ("b", "b"), ("c", "c")]
        assert await queries.next_due(store, TABLE, ["a"]) == 20
        await store.close()

    run(story())
