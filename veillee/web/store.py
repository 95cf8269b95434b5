"""Where tables are kept: an append-only log in SQLite, or in PostgreSQL by one setting.

Both speak the same SQL; only the driver differs. Writes that arrive while one commit is under way
share the next (group commit): each is on the disk before its caller goes on, and a thousand a
second cost a few dozen syncs. Lines of logs, which is nearly all there is, go in one statement.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

MIGRATIONS = Path(__file__).parent / "migrations"
Row = Sequence[Any]
_json = msgspec.json.Encoder()


class Statement(NamedTuple):
    sql: str
    values: tuple[Any, ...] = ()


LINE = (
    "INSERT INTO entry (table_id, number, token, at, data) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT DO NOTHING"
)
"""One line of a table's log, unless there is one with its number."""


class Write(NamedTuple):
    """Statements that happen together. If the first one changes nothing, none of them does."""

    statements: Sequence[Statement]
    done: asyncio.Future[bool]

    @property
    def is_lines(self) -> bool:
        return all(statement.sql == LINE for statement in self.statements)


Results = list[bool | Exception]


def sorted_out(writes: Sequence[Write]) -> tuple[list[Write], list[Write]]:
    """Those that only add lines to logs, and the others."""
    lines = [write for write in writes if write.is_lines]
    return lines, [write for write in writes if not write.is_lines]


def values_in(writes: Sequence[Write]) -> list[tuple[Any, ...]]:
    return [statement.values for write in writes for statement in write.statements]


class Store(ABC):
    """`await store.write(...)` returns when it is on the disk; `await store.read(...)` gives rows.

    SQL is written with `$1`, `$2` and in the dialect that both databases understand.
    """

    @abstractmethod
    async def open(self) -> None: ...

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def read(self, sql: str, *values: Any) -> list[Row]: ...

    @abstractmethod
    async def write(self, *statements: Statement) -> bool:
        """False if the first statement changed nothing (somebody was faster)."""


def store_at(url: str) -> Store:
    """The store of an address: `postgresql://…`, or `sqlite:///path`, or a plain path."""
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresStore(url)
    return SqliteStore(Path(url.removeprefix("sqlite:///")))


def migrations() -> list[tuple[int, str]]:
    return [(int(file.stem), file.read_text("utf-8")) for file in sorted(MIGRATIONS.glob("*.sql"))]


class SqliteStore(Store):
    """One file. One thread writes; readers see the last commit.

    The thread and the loop take turns with the interpreter, and each change of turns costs more
    than a write: so the thread is given all that waits at once, and asked for it in one statement,
    which carries everything from the first lock to the sync without the interpreter. A sync costs
    as much as many writes: so after one, the next waits a moment for company, and the longer, the
    more company the last one had.
    """

    PAUSE = 0.004
    """Seconds from one commit to the next, at least, for each write in it."""
    LONGEST_PAUSE = 0.020

    LINES = (
        "INSERT INTO entry (table_id, number, token, at, data) "
        "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        "json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]') "
        "FROM json_each(?)"
    )

    def __init__(self, path: Path) -> None:
        self.path = path
        self._waiting: list[Write] = []
        self._busy = False
        """Whether the thread has something, or will be given something in a moment."""
        self._next = 0.0
        """When, on the loop's clock, it may be given something again."""
        self._writes: queue.SimpleQueue[list[Write] | None] = queue.SimpleQueue()
        self._reading = threading.Lock()
        self._writer: threading.Thread | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._out = self.prepare()
        self._in = self._connect()
        self._writer = threading.Thread(target=self._write_on, name="store")
        self._writer.start()

    def prepare(self) -> sqlite3.Connection:
        """Make the file, or bring it up to date."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = self._connect()
        connection.execute("BEGIN IMMEDIATE")
        done = connection.execute("PRAGMA user_version").fetchone()[0]
        for number, script in migrations():
            if number > done:
                for statement in script.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    async def close(self) -> None:
        if self._writer is not None:
            self._hand_over()
            self._writes.put(None)
            await asyncio.to_thread(self._writer.join)
            self._writer = None
            self._in.close()
            self._out.close()

    async def read(self, sql: str, *values: Any) -> list[Row]:
        return await asyncio.to_thread(self._read, _numbered(sql), values)

    def _read(self, sql: str, values: tuple[Any, ...]) -> list[Row]:
        with self._reading:
            return self._in.execute(sql, values).fetchall()

    async def write(self, *statements: Statement) -> bool:
        done: asyncio.Future[bool] = self._loop.create_future()
        self._waiting.append(Write(statements, done))
        if not self._busy:
            self._see_to_it()
        return await done

    def _see_to_it(self) -> None:
        self._busy = True
        self._loop.call_at(self._next, self._hand_over)

    def _hand_over(self) -> None:
        if self._waiting:
            pause = min(self.PAUSE * len(self._waiting), self.LONGEST_PAUSE)
            self._next = self._loop.time() + pause
            self._writes.put(self._waiting)
            self._waiting = []

    def _write_on(self) -> None:
        """The writer's thread: commit what it is given, say so."""
        while (writes := self._writes.get()) is not None:
            lines, others = sorted_out(writes)
            results = self._together(lines) or self._one_by_one(lines)
            results += self._one_by_one(others)
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits
                self._loop.call_soon_threadsafe(self._written, lines + others, results)

    def _written(self, writes: Sequence[Write], results: Results) -> None:
        self._busy = False
        if self._waiting:
            self._see_to_it()
        _resolve(writes, results)

    def _together(self, writes: Sequence[Write]) -> Results | None:
        """Write lines of logs in one statement, which is a transaction. None if that cannot be: it
        undoes itself where a single line was there already."""
        if not writes:
            return None
        try:
            self._out.execute(self.LINES, (_json.encode(values_in(writes)).decode(),))
        except sqlite3.Error:
            return None
        return [True] * len(writes)

    def _one_by_one(self, writes: Sequence[Write]) -> Results:
        """Write all in one transaction, so that each learns whether somebody was faster."""
        if not writes:
            return []
        try:
            self._out.execute("BEGIN IMMEDIATE")
            results: Results = [self._carry_out(write) for write in writes]
            self._out.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._out.execute("ROLLBACK")
            return [error] * len(writes)
        return results

    def _carry_out(self, write: Write) -> bool:
        for number, statement in enumerate(write.statements):
            done = self._out.execute(_numbered(statement.sql), statement.values)
            if number == 0 and done.rowcount == 0:
                return False
        return True


class PostgresStore(Store):
    """A PostgreSQL database; the same log, the same group commit."""

    LINES = (
        "INSERT INTO entry (table_id, number, token, at, data) SELECT * FROM "
        "unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::text[])"
    )

    def __init__(self, url: str) -> None:
        self.url = url
        self._writes: asyncio.Queue[Write | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        import asyncpg

        self._pool = await asyncpg.create_pool(self.url, min_size=1, max_size=6)
        await self._migrate()
        self._writer = asyncio.create_task(self._write_on())

    async def _migrate(self) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(7261)")
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)"
            )
            done = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migration")
            for number, script in migrations():
                if number > done:
                    await connection.execute(script)
                    await connection.execute("INSERT INTO migration VALUES ($1)", number)

    async def close(self) -> None:
        if self._writer is not None:
            await self._writes.put(None)
            await self._writer
            self._writer = None
            await self._pool.close()

    async def read(self, sql: str, *values: Any) -> list[Row]:
        return [tuple(row) for row in await self._pool.fetch(sql, *values)]

    async def write(self, *statements: Statement) -> bool:
        write = Write(statements, asyncio.get_running_loop().create_future())
        await self._writes.put(write)
        return await write.done

    async def _write_on(self) -> None:
        going_on = True
        while going_on:
            batch = [await self._writes.get()]
            while not self._writes.empty():
                batch.append(self._writes.get_nowait())
            going_on = None not in batch
            writes = [write for write in batch if write is not None]
            lines, others = sorted_out(writes)
            results = await self._together(lines) or await self._one_by_one(lines)
            results += await self._one_by_one(others)
            _resolve(lines + others, results)

    async def _together(self, writes: Sequence[Write]) -> Results | None:
        """As for SQLite, with a column in each value."""
        if not writes:
            return None
        try:
            await self._pool.execute(self.LINES, *zip(*values_in(writes), strict=True))
        except Exception:  # noqa: BLE001 - whatever it is, it is tried again one by one
            return None
        return [True] * len(writes)

    async def _one_by_one(self, writes: Sequence[Write]) -> Results:
        if not writes:
            return []
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                return [await self._carry_out(connection, write) for write in writes]
        except Exception as error:  # noqa: BLE001 - whatever it is, the callers must hear of it
            return [error] * len(writes)

    @staticmethod
    async def _carry_out(connection: Any, write: Write) -> bool:
        for number, statement in enumerate(write.statements):
            status = await connection.execute(statement.sql, *statement.values)
            if number == 0 and status.rpartition(" ")[2] == "0":
                return False
        return True


def _resolve(writes: Sequence[Write], results: Results) -> None:
    for write, result in zip(writes, results, strict=True):
        if write.done.done():
            continue
        if isinstance(result, Exception):
            write.done.set_exception(result)
        else:
            write.done.set_result(result)


@cache
def _numbered(sql: str) -> str:
    return sql.replace("$", "?")
