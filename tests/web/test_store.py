"""The store, on SQLite and on PostgreSQL: what is written is there, once, and in order."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from unittest.mock import Mock

import pytest
from typer.testing import CliRunner

from tests.web.loop import run
from tests.web.served import sqlite_in
from veillee.cli import app
from veillee.engine.refusal import Refusal
from veillee.web.bots import RANDOM
from veillee.web.entries import Any_, Play
from veillee.web.house import House
from veillee.web.people import Person
from veillee.web.store import LINE, MIGRATIONS, SqliteStore, Statement, store_at
from veillee.web.table import Table


def line(number: int, token: str | None = None, data: str = "x") -> Statement:
    return Statement(LINE, ("t", number, token, 0, data))


def test_what_is_written_is_read_back(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        assert await store.write(line(0), line(1, data="é"))
        rows = await store.read("SELECT number, data FROM entry WHERE table_id = $1", "t")
        assert [tuple(row) for row in rows] == [(0, "x"), (1, "é")]
        await store.close()

    run(story())


def test_the_second_of_two_with_one_number_writes_nothing(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        first, second = await asyncio.gather(
            store.write(line(0, data="a"), line(1, data="a")),
            store.write(line(0, data="b"), line(1, data="b")),
        )
        assert sorted([first, second]) == [False, True]
        rows = await store.read("SELECT data FROM entry")
        assert len({row[0] for row in rows}) == 1
        assert len(rows) == 2
        await store.close()

    run(story())


def test_many_writes_share_commits_and_none_is_lost(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        await asyncio.gather(*(store.write(line(n)) for n in range(500)))
        assert (await store.read("SELECT count(*) FROM entry"))[0][0] == 500
        await store.close()

    run(story())


def test_one_who_is_late_among_many_is_told_and_the_others_write(database: str) -> None:
    """And what the late one wrote besides is not there either."""

    async def story() -> None:
        store = store_at(database)
        await store.open()
        assert await store.write(line(0, "once"))
        results = await asyncio.gather(
            store.write(line(1)),
            store.write(line(0, data="late"), line(5, data="late")),
            store.write(line(2), line(3, "é'\\\"")),
        )
        assert list(results) == [True, False, True]
        rows = await store.read("SELECT number, token, data FROM entry ORDER BY number")
        tokens = ["once", None, None, "é'\\\""]
        assert [tuple(row) for row in rows] == [(n, tokens[n], "x") for n in range(4)]
        await store.close()

    run(story())


def test_writes_under_way_are_written_when_the_store_is_closed(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        writes = [asyncio.create_task(store.write(line(n))) for n in range(3)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*writes) == [True] * 3

    run(story())


def test_an_error_reaches_all_who_wrote_and_the_store_goes_on(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        results = await asyncio.gather(
            store.write(line(0)),
            store.write(Statement("INSERT INTO nowhere VALUES ($1)", (1,))),
            return_exceptions=True,
        )
        assert isinstance(results[1], Exception)
        assert await store.write(line(7))
        await store.close()

    run(story())


def test_opening_again_keeps_what_is_there(database: str) -> None:
    async def story() -> None:
        for expected in (0, 1):
            store = store_at(database)
            await store.open()
            assert (await store.read("SELECT count(*) FROM entry"))[0][0] == expected
            await store.write(line(expected))
            await store.close()

    run(story())


def test_sqlite_is_durable_and_versioned(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(Path(sqlite_in(tmp_path)))
        await store.open()
        assert (await store.read("PRAGMA journal_mode"))[0][0] == "wal"
        assert (await store.read("PRAGMA synchronous"))[0][0] == 2
        assert (await store.read("PRAGMA user_version"))[0][0] == len(list(MIGRATIONS.iterdir()))
        await store.close()

    run(story())


def test_backup_of_a_running_store(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(Path(sqlite_in(tmp_path)))
        await store.open()
        await store.write(line(0))
        copy = tmp_path / "copy.sqlite"
        command = ["backup", str(copy), "--database", sqlite_in(tmp_path)]
        assert CliRunner().invoke(app, command).exit_code == 0
        await store.write(line(1))
        with sqlite3.connect(copy) as copied:
            assert copied.execute("SELECT count(*) FROM entry").fetchone()[0] == 1
        assert CliRunner().invoke(app, command).exit_code == 2
        await store.close()

    run(story())


def test_what_was_done_through_another_house_is_not_done_again(database: str) -> None:
    """Two processes have a table in memory; the same request reaches first the one, then the
    other: that one is late, learns what there is, and does nothing a second time."""

    async def story() -> None:
        one, other = (House(store_at(database), Mock(), RANDOM) for _ in range(2))
        for house in (one, other):
            await house.store.open()
            await house.open()
        table = await one.set_table(Person("p", "Ida"), "nomads", ["", ""], sit={0: "", 1: "Bo"})
        here, there = await one.table(table.id), await other.table(table.id)
        assert here.game is not None
        action = here.game.legal[0].text

        def play(table: Table) -> list[Any_]:
            return [Play(table.deciding, action)]

        assert await one.change(here, play, "once")
        with pytest.raises(Refusal):
            await other.change(there, play, "once")
        anew = await other.table(table.id)
        assert anew.number == here.number
        assert not await other.change(anew, play, "once")
        rows = await other.store.read("SELECT count(*) FROM entry WHERE token = $1", "once")
        assert rows[0][0] == 1
        await one.close()
        await other.close()

    run(story())
