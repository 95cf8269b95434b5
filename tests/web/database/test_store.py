"""The store, on SQLite and on PostgreSQL: what is written is there, once, and in order."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.web.loop import run
from tests.web.served import sqlite_in
from veillee.cli.main import app
from veillee.web.database import SqliteStore, Statement, StoreError, queries, store_at
from veillee.web.database.sqlite import statements_in
from veillee.web.database.store import MIGRATIONS


def line(number: int, token: str | None = None, data: str = "x") -> Statement:
    return queries.insert_entry("t", number, token, 0, data)


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


def test_a_lone_write_does_not_wait_for_company(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        monkeypatch.setattr(SqliteStore, "PAUSE", 3600)
        monkeypatch.setattr(SqliteStore, "LONGEST_PAUSE", 3600)
        store = store_at(sqlite_in(tmp_path))
        await store.open()
        async with asyncio.timeout(60):
            for number in range(3):
                await store.write(line(number))
            await asyncio.gather(store.write(line(3)), store.write(line(4)))
        after_company = asyncio.create_task(store.write(line(5)))
        await asyncio.sleep(0.2)
        assert not after_company.done()
        after_company.cancel()

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


def test_closing_waits_for_a_read_under_way(tmp_path: Path) -> None:
    """The thread of a read goes on even if whoever asked for it was cancelled."""
    count = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) "
        "SELECT count(*) + note_end() FROM n"
    )
    ends: list[bool] = []

    def note_end() -> int:
        ends.append(True)
        return 0

    async def story() -> None:
        store = SqliteStore(tmp_path / "s.sqlite")
        await store.open()
        store._in.create_function("note_end", 0, note_end)
        reading = asyncio.create_task(store.read(count))
        await asyncio.sleep(0.1)
        reading.cancel()
        assert not ends
        await store.close()
        assert ends

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
        assert (await store.read("PRAGMA user_version"))[0][0] == len(
            list(MIGRATIONS.glob("*.sql"))
        )
        await store.close()

    run(story())


def test_a_store_of_version_0_1_0_opens_with_its_games(tmp_path: Path) -> None:
    with sqlite3.connect(sqlite_in(tmp_path)) as old:
        for script in ("0001_tables.sql", "0002_drop_token_index.sql"):
            old.executescript((MIGRATIONS / script).read_text("utf-8"))
        old.execute("INSERT INTO entry VALUES ('t', 0, NULL, 0, 'x')")
        old.execute("PRAGMA user_version = 2")

    async def story() -> None:
        store = store_at(sqlite_in(tmp_path))
        await store.open()
        assert await queries.entries_of(store, "t") == [("x", None, 0)]
        assert await store.write(line(1))
        await store.close()

    run(story())


def test_a_store_of_a_newer_version_is_refused_and_left_alone(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        if isinstance(store, SqliteStore):
            store.prepare().execute("PRAGMA user_version = 99").connection.close()
        else:
            await store.write(Statement("INSERT INTO migration VALUES (99)"))
        await store.close()
        with pytest.raises(StoreError, match="schema version 99"):
            await store_at(database).open()

    run(story())


def test_serve_refuses_a_newer_store_with_a_sentence(tmp_path: Path) -> None:
    with sqlite3.connect(sqlite_in(tmp_path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    command = ["serve", "--port", "0", "--database", sqlite_in(tmp_path)]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 2
    assert "Install the newer Veillée again" in refused.output


def test_statements_are_split_where_they_end() -> None:
    script = "-- first; still the first\nCREATE TABLE a (b TEXT DEFAULT ';');\n\nDROP TABLE a"
    one, two = statements_in(script)
    assert one.endswith("';');\n")
    assert two.strip() == "DROP TABLE a"


def test_only_the_owner_can_read_the_store_and_its_backup(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        await store.open()
        await store.write(line(0))
        command = ["backup", str(tmp_path / "copy.sqlite"), "--database", sqlite_in(tmp_path)]
        assert CliRunner().invoke(app, command).exit_code == 0
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert set(modes.values()) == {0o600}, modes
        assert len(modes) == 4
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


def test_notices_are_read_once_and_leave_by_age(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        last = await queries.last_notice(store)
        for number, at in enumerate((0, 1, queries.NOTICE_KEPT + 1)):
            await store.write(*queries.add_notice(f"notice {number}", at))
        found = await queries.notices_after(store, last)
        assert [data for _, data in found] == ["notice 1", "notice 2"]
        assert await queries.notices_after(store, found[-1][0]) == []
        await store.close()

    run(story())
