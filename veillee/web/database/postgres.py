"""The store in a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg

from veillee.web.database.store import (
    INSERT_ENTRY,
    UPDATE_TABLE,
    UPSERT_OWED,
    Outcome,
    Publisher,
    Row,
    Store,
    Write,
    announced,
    bulk_rows,
    pending_migrations,
)

MIGRATION_LOCK = 7261
"""Key of the advisory lock that lets one server at a time migrate."""
CONNECTIONS = 6
"""Most connections of one server."""
CHANNEL = "veillee"
"""The channel of LISTEN and NOTIFY."""
NOTIFY = "SELECT pg_notify('veillee', $1)"
PATIENCE = 10
"""Seconds after which a statement or a connection is given up."""


class PostgresStore(Store):
    """The same log and the same group commit as in SQLite."""

    BULK_INSERT = (
        "WITH entries AS (INSERT INTO entry (table_id, number, token, at, data) "
        "SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::text[])), "
        "jobs AS (INSERT INTO owed (kind, subject, due, owner, payer) "
        "SELECT * FROM unnest($6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[]) "
        "ON CONFLICT (kind, subject) DO UPDATE SET "
        "due = excluded.due, owner = excluded.owner, payer = excluded.payer), "
        "tables AS (UPDATE game_table SET state = new.state, awaited = new.awaited, "
        "changed = CASE WHEN game_table.state = new.state THEN changed ELSE new.at END "
        "FROM unnest($11::text[], $12::text[], $13::text[], $14::bigint[]) "
        "AS new(id, state, awaited, at) WHERE game_table.id = new.id) "
        "SELECT pg_notify('veillee', payload) FROM unnest($15::text[]) AS payload"
    )
    """Entries, jobs, tables and notifications in one round trip and one commit."""

    def __init__(self, url: str, publisher: Publisher | None = None) -> None:
        super().__init__(publisher)
        self.url = url

    async def _connect(self) -> None:
        self._pool = await asyncpg.create_pool(
            self.url,
            min_size=1,
            max_size=CONNECTIONS,
            timeout=PATIENCE,
            command_timeout=PATIENCE,
        )
        try:
            await self._migrate()
        except BaseException:
            await self._pool.close()
            raise

    async def _disconnect(self) -> None:
        await self._pool.close()

    async def _migrate(self) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)"
            )
            applied = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migration")
            for migration in pending_migrations(applied):
                await connection.execute(migration.script, timeout=None)
                await connection.execute("INSERT INTO migration VALUES ($1)", migration.number)

    async def read(self, sql: str, *values: Any) -> list[Row]:
        return [tuple(row) for row in await self._pool.fetch(sql, *values)]

    async def _insert(self, writes: Sequence[Write]) -> bool:
        entries = bulk_rows(writes, INSERT_ENTRY)
        jobs = bulk_rows(writes, UPSERT_OWED)
        tables = bulk_rows(writes, UPDATE_TABLE)
        announcements = [write.announcement for write in writes if write.announcement is not None]
        try:
            await self._pool.execute(
                self.BULK_INSERT,
                *(zip(*entries, strict=True) if entries else [()] * 5),
                *(zip(*jobs, strict=True) if jobs else [()] * 5),
                *(zip(*tables, strict=True) if tables else [()] * 4),
                self._payloads(announcements),
            )
        except asyncpg.UniqueViolationError:
            return False
        return True

    async def _carry_out(self, writes: Sequence[Write]) -> list[Outcome]:
        async with self._pool.acquire() as connection, connection.transaction():
            outcomes = [await self._carry_out_one(connection, write) for write in writes]
            for payload in self._payloads(announced(writes, outcomes)):
                await connection.execute(NOTIFY, payload)
        return outcomes

    @staticmethod
    async def _carry_out_one(connection: Any, write: Write) -> Outcome:
        for number, statement in enumerate(write.statements):
            if write.returning:
                rows = await connection.fetch(statement.sql, *statement.values)
                return [tuple(row) for row in rows]
            status = await connection.execute(statement.sql, *statement.values)
            if number == 0 and status.rpartition(" ")[2] == "0":
                return False
        return True

    def _is_at_fault(self, error: Exception) -> bool:
        gone = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError)
        return isinstance(error, asyncpg.PostgresError) and not isinstance(error, gone)
