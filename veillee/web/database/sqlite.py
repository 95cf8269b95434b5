"""The store in one SQLite file."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from veillee.web.database.store import (
    INSERT_ENTRY,
    UPDATE_TABLE,
    UPSERT_OWED,
    Outcome,
    Publisher,
    Row,
    Store,
    Write,
    bulk_rows,
    pending_migrations,
)

BUSY_TIMEOUT = 10_000
"""Milliseconds that a write waits while another process writes."""

_json = msgspec.json.Encoder()


class SqliteStore(Store):
    """One file. One thread writes; readers see the last commit.

    The writer's thread and the event loop compete for the interpreter, and each switch costs more
    than a write. So a batch is one statement if it can be, which releases the interpreter from the
    lock to the sync.
    """

    BULK_INSERT = (
        "INSERT INTO entry (table_id, number, token, at, data) "
        "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        "json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]') "
        "FROM json_each(?)"
    )
    BULK_UPSERT = (
        "INSERT INTO owed (kind, subject, due, owner, payer) "
        "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        "json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]') "
        "FROM json_each(?) WHERE true ON CONFLICT (kind, subject) DO UPDATE SET "
        "due = excluded.due, owner = excluded.owner, payer = excluded.payer"
    )

    BULK_UPDATE = (
        "UPDATE game_table SET state = new.state, awaited = new.awaited, "
        "changed = CASE WHEN game_table.state = new.state THEN changed ELSE new.at END FROM "
        "(SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS state, "
        "json_extract(value, '$[2]') AS awaited, json_extract(value, '$[3]') AS at "
        "FROM json_each(?)) AS new WHERE game_table.id = new.id"
    )

    def __init__(self, path: Path, publisher: Publisher | None = None) -> None:
        super().__init__(publisher)
        self.path = path
        self._reading = threading.Lock()

    async def _connect(self) -> None:
        self._out = self.prepare()
        self._in = connect(self.path)
        self._thread = ThreadPoolExecutor(1, "store")

    async def _disconnect(self) -> None:
        self._thread.shutdown()
        with self._reading:  # closing a connection while a thread reads from it crashes the process
            self._in.close()
        self._out.close()

    def prepare(self) -> sqlite3.Connection:
        """Create the file, readable by its owner only, or migrate it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        create_private(self.path)
        connection = connect(self.path)
        try:
            with transaction(connection):
                applied = connection.execute("PRAGMA user_version").fetchone()[0]
                for migration in pending_migrations(applied):
                    for statement in statements_in(migration.script):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {migration.number}")
        except BaseException:
            connection.close()
            raise
        return connection

    async def read(self, sql: str, *values: Any) -> list[Row]:
        return await asyncio.to_thread(self._read, sql, values)

    def _read(self, sql: str, values: tuple[Any, ...]) -> list[Row]:
        with self._reading:
            return self._in.execute(sql, by_number(values)).fetchall()

    async def _insert(self, writes: Sequence[Write]) -> bool:
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._insert_now, writes
        )

    def _insert_now(self, writes: Sequence[Write]) -> bool:
        entries = _json.encode(bulk_rows(writes, INSERT_ENTRY)).decode()
        jobs = bulk_rows(writes, UPSERT_OWED)
        tables = bulk_rows(writes, UPDATE_TABLE)
        try:
            if not jobs and not tables:
                self._out.execute(self.BULK_INSERT, (entries,))
                return True
            with transaction(self._out):
                self._out.execute(self.BULK_INSERT, (entries,))
                if jobs:
                    self._out.execute(self.BULK_UPSERT, (_json.encode(jobs).decode(),))
                if tables:
                    self._out.execute(self.BULK_UPDATE, (_json.encode(tables).decode(),))
        except sqlite3.IntegrityError:
            return False
        return True

    async def _carry_out(self, writes: Sequence[Write]) -> list[Outcome]:
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._carry_out_now, writes
        )

    def _carry_out_now(self, writes: Sequence[Write]) -> list[Outcome]:
        with transaction(self._out):
            return [self._carry_out_one(write) for write in writes]

    def _carry_out_one(self, write: Write) -> Outcome:
        for number, statement in enumerate(write.statements):
            done = self._out.execute(statement.sql, by_number(statement.values))
            if write.returning:
                return done.fetchall()
            if number == 0 and done.rowcount == 0:
                return False
        return True

    def _is_at_fault(self, error: Exception) -> bool:
        return not isinstance(error, sqlite3.OperationalError)


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection that any thread may use and whose commits are durable."""
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def create_private(path: Path) -> None:
    """Create an empty file that only its owner can read, unless there is a file."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def statements_in(script: str) -> Iterator[str]:
    """Split a script into statements, as SQLite itself understands them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


def by_number(values: Sequence[Any]) -> dict[str, Any]:
    """Return the values of PostgreSQL's parameters `$1`, `$2`, …, which SQLite reads as names."""
    return {str(number): value for number, value in enumerate(values, 1)}
