"""Where tables are kept: an append-only log in SQLite, or in PostgreSQL by one setting.

Both speak the same SQL; only the driver differs. Writes that arrive while one commit is under way
share the next (group commit): each is on the disk before its caller goes on, and a thousand a
second cost a few dozen syncs.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MIGRATIONS = Path(__file__).parent / "migrations"
Row = Sequence[Any]


@dataclass(frozen=True)
class Statement:
    sql: str
    values: tuple[Any, ...] = ()


@dataclass
class Write:
    """Statements that happen together. If the first one changes nothing, none of them does."""

    statements: Sequence[Statement]
    done: asyncio.Future[bool]


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
    """One file. One thread writes; readers see the last commit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writes: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._reading = threading.Lock()
        self._writer: threading.Thread | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._out = self._connect()
        self._migrate()
        self._in = self._connect()
        self._writer = threading.Thread(target=self._write_on, name="store")
        self._writer.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA busy_timeout = 10000")
        return connection

    def _migrate(self) -> None:
        done = self._out.execute("PRAGMA user_version").fetchone()[0]
        for number, script in migrations():
            if number > done:
                self._out.executescript(
                    f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT"
                )

    async def close(self) -> None:
        if self._writer is not None:
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
        write = Write(statements, self._loop.create_future())
        self._writes.put(write)
        return await write.done

    def _write_on(self) -> None:
        """The writer's thread: take all that waits, commit it together, say so."""
        going_on = True
        while going_on:
            batch = [self._writes.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    batch.append(self._writes.get_nowait())
            going_on = None not in batch
            writes = [write for write in batch if write is not None]
            results: list[bool | Exception]
            try:
                self._out.execute("BEGIN IMMEDIATE")
                results = [self._carry_out(write) for write in writes]
                self._out.execute("COMMIT")
            except sqlite3.Error as error:
                with contextlib.suppress(sqlite3.Error):
                    self._out.execute("ROLLBACK")
                results = [error] * len(writes)
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits
                self._loop.call_soon_threadsafe(_resolve, writes, results)

    def _carry_out(self, write: Write) -> bool:
        for number, statement in enumerate(write.statements):
            done = self._out.execute(_numbered(statement.sql), statement.values)
            if number == 0 and done.rowcount == 0:
                return False
        return True


class PostgresStore(Store):
    """A PostgreSQL database; the same log, the same group commit."""

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
            results: list[bool | Exception]
            try:
                async with self._pool.acquire() as connection, connection.transaction():
                    results = [await self._carry_out(connection, write) for write in writes]
            except Exception as error:  # noqa: BLE001 - whatever it is, the callers must hear of it
                results = [error] * len(writes)
            _resolve(writes, results)

    @staticmethod
    async def _carry_out(connection: Any, write: Write) -> bool:
        for number, statement in enumerate(write.statements):
            status = await connection.execute(statement.sql, *statement.values)
            if number == 0 and status.rpartition(" ")[2] == "0":
                return False
        return True


def _resolve(writes: Sequence[Write], results: Sequence[bool | Exception]) -> None:
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
