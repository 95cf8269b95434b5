"""Appending to a table's log: one server wins each number, and nothing is half written."""

from __future__ import annotations

import asyncio
import multiprocessing
from pathlib import Path

import pytest

from tests.web.loop import run
from tests.web.served import sqlite_in
from veillee.web.bus import MemoryBus
from veillee.web.database import Statement, queries, store_at
from veillee.web.database.store import Announcement

SPAWN = multiprocessing.get_context("spawn")


def test_entries_get_consecutive_numbers_and_the_first_has_the_token(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        assert await store.append("t", 0, ["a", "b"], "once", 7)
        assert await store.append("t", 2, ["c"], None, 8)
        rows = [("a", "once", 7), ("b", None, 7), ("c", None, 8)]
        assert await queries.entries_of(store, "t") == rows
        assert await queries.entries_of(store, "t", 2) == rows[2:]
        await store.close()

    run(story())


def test_what_belongs_to_an_append_that_is_late_is_not_written_either(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        assert await store.append("t", 0, ["first"], None, 7)
        late = store.append("t", 0, ["late", "late"], None, 8, queries.owe("table", "t", 9))
        meanwhile = store.append("u", 0, ["fine"], None, 8, queries.owe("table", "u", 9))
        assert list(await asyncio.gather(late, meanwhile)) == [False, True]
        assert await queries.length_of(store, "t") == 1
        assert await store.read("SELECT subject, due FROM owed") == [("u", 9)]
        await store.close()

    run(story())


def test_a_job_is_written_with_its_entry_and_the_last_time_counts(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        await asyncio.gather(
            store.append("t", 0, ["a"], None, 7, queries.owe("table", "t", 5)),
            store.append("t", 1, ["b"], None, 7, queries.owe("table", "t", 6, "me")),
        )
        assert await store.read("SELECT * FROM owed") == [("table", "t", 6, "me", "")]
        await store.append("t", 2, ["c"], None, 7, queries.owe("table", "t", None))
        assert await queries.next_due(store, "table") is None
        await store.close()

    run(story())


def test_a_wrong_statement_does_not_fail_the_writes_beside_it(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        duplicate = queries.insert_guest("g", "host", "Bo", 7)
        assert await store.write(duplicate)
        results = await asyncio.gather(
            store.append("t", 0, ["a"], None, 7, queries.insert_sitting("ida", "t")),
            store.write(duplicate),
            store.append("u", 0, ["a"], None, 7, queries.insert_sitting("ida", "u")),
            return_exceptions=True,
        )
        assert [results[0], results[2]] == [True, True]
        assert isinstance(results[1], Exception)
        assert await queries.count_tables_of(store, "ida") == 2
        await store.close()

    run(story())


def test_only_what_was_committed_is_announced(tmp_path: Path) -> None:
    async def story() -> None:
        bus = MemoryBus()
        store = store_at(sqlite_in(tmp_path), bus)
        await store.open()
        await bus.subscribe("t")
        await store.append("t", 0, ["a"], None, 7)
        results = await asyncio.gather(
            store.append("t", 0, ["late"], None, 7),
            store.append("t", 1, ["b"], None, 7, Statement("INSERT INTO nowhere VALUES (1)")),
            store.append("t", 2, ["c"], None, 7),
            return_exceptions=True,
        )
        assert results[0] is False
        assert isinstance(results[1], Exception)
        messages = await bus.receive()
        assert [m.number for m in messages if isinstance(m, Announcement)] == [0, 2]
        await store.close()

    run(story())


def test_a_closed_store_refuses_writes(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        await store.close()
        with pytest.raises(RuntimeError, match="closed"):
            await store.append("t", 0, ["a"], None, 7)

    run(story())


def race(database: str, name: str, wins: multiprocessing.Queue[tuple[str, list[int]]]) -> None:
    """Append to one log as fast as it goes, as one of several servers."""

    async def story() -> None:
        store = store_at(database)
        await store.open()
        won = [n for n in range(60) if await store.append("t", n, [f"{name}{n}"], None, 0)]
        await store.close()
        wins.put((name, won))

    asyncio.run(story())


def test_of_two_servers_that_append_at_once_exactly_one_wins(database: str) -> None:
    wins: multiprocessing.Queue[tuple[str, list[int]]] = SPAWN.Queue()
    servers = [SPAWN.Process(target=race, args=(database, name, wins)) for name in "ab"]
    for server in servers:
        server.start()
    won = dict(wins.get(timeout=60) for _ in servers)
    for server in servers:
        server.join()
    assert sorted(won["a"] + won["b"]) == list(range(60))

    async def look() -> None:
        store = store_at(database)
        await store.open()
        rows = await queries.entries_of(store, "t")
        assert len(rows) == 60
        assert all(number in won[row.data[0]] for number, row in enumerate(rows))
        await store.close()

    run(look())
