"""The store, on SQLite and on PostgreSQL: what is written is there, once, and in order."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from typer.testing import CliRunner

from tests.web.loop import run
from tests.web.served import sqlite_in
from veillee.cli import app
from veillee.web.store import MIGRATIONS, SqliteStore, Statement, store_at

PUT = (
    "INSERT INTO entry (table_id, number, token, at, data) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT DO NOTHING"
)


def line(number: int, token: str | None = None, data: str = "x") -> Statement:
    return Statement(PUT, ("t", number, token, 0, data))


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


def test_a_token_counts_once(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        assert await store.write(line(0, "once"))
        assert not await store.write(line(1, "once"))
        assert await store.write(line(1))
        assert await store.write(line(2))
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
