"""The interface of a store: read rows, write with group commit, append to a table's log.

SQL is written once, in `queries.py`, in the dialect that SQLite and PostgreSQL share, with `$1`,
`$2`, … as parameters. Writes that arrive while a commit is under way share the next commit (group
commit): each is durable before its caller goes on, and a thousand a second cost a few dozen syncs.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from veillee.web import metrics

MIGRATIONS = Path(__file__).parent / "migrations"
Row = Sequence[Any]


class Statement(NamedTuple):
    """SQL and its parameters."""

    sql: str
    values: tuple[Any, ...] = ()


INSERT_ENTRY = (
    "INSERT INTO entry (table_id, number, token, at, data) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT DO NOTHING"
)
"""Append one entry to a table's log, unless its number is taken."""

UPSERT_OWED = (
    "INSERT INTO owed (kind, subject, due, owner, payer) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT (kind, subject) DO UPDATE SET "
    "due = excluded.due, owner = excluded.owner, payer = excluded.payer"
)
"""Say when a job is due, in the transaction of the entry that brings it about."""

UPDATE_TABLE = (
    "UPDATE game_table SET state = $2, awaited = $3, "
    "changed = CASE WHEN state = $2 THEN changed ELSE $4 END WHERE id = $1"
)
"""Say what lists show of a table, in the transaction of the entry that changes it."""

BULK = (INSERT_ENTRY, UPSERT_OWED, UPDATE_TABLE)
"""Statements that each store has a form of for many rows at once."""


class StoreError(Exception):
    """A store that cannot be used, with a sentence for the person who starts the server."""


class StoreTooNew(StoreError):
    """The store was migrated by a newer version of the program."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"The store has schema version {found}, but this version of Veillée knows only up to "
            f"{known}. Install the newer Veillée again, or name another store with --database."
        )


class LogRow(NamedTuple):
    """An entry as it is stored: its data, the idempotency token, milliseconds since 1970."""

    data: str
    token: str | None
    at: int


class Announcement(msgspec.Struct, frozen=True, array_like=True, tag="entries"):
    """Entries that were committed, the first with `number`. Without rows, read them in the log."""

    table_id: str
    number: int
    rows: list[LogRow] | None


class Publisher(Protocol):
    """The part of a bus that a store uses."""

    def payloads(self, announcements: Sequence[Announcement]) -> list[str]:
        """Return what PostgreSQL must NOTIFY in the transaction that commits the entries."""

    def publish(self, announcements: Sequence[Announcement]) -> None:
        """Announce entries that were committed."""


class Write(NamedTuple):
    """Statements of one transaction. If the first one changes nothing, none is carried out."""

    statements: Sequence[Statement]
    done: asyncio.Future[Any]
    announcement: Announcement | None = None
    returning: bool = False
    """Whether the caller wants the rows of its only statement."""

    @property
    def is_bulk(self) -> bool:
        return not self.returning and all(s.sql in BULK for s in self.statements)

    def resolve(self, result: Outcome) -> None:
        """Tell the caller the outcome, unless it has given up waiting."""
        if self.done.done():
            return
        if isinstance(result, Exception):
            self.done.set_exception(result)
        else:
            self.done.set_result(result)


Outcome = bool | list[Row] | Exception


class Store(ABC):
    """`append` and `write` return when it is durable; `read` gives rows."""

    PAUSE = 0.004
    """Seconds from one commit to the next, for each write in the first but one. A commit costs as
    much as ten writes, so under load the next one waits a moment for company. Where writes come one
    by one, nobody waits."""
    LONGEST_PAUSE = 0.020

    def __init__(self, publisher: Publisher | None = None) -> None:
        self._publisher = publisher
        self._waiting: list[Write] = []
        self._arrived = asyncio.Event()
        self._committer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, migrate, and begin to write."""
        await self._connect()
        self._closing = False
        self._committer = asyncio.create_task(self._commit_batches())

    async def close(self) -> None:
        """Write what waits, and disconnect."""
        if self._committer is not None:
            self._closing = True
            self._arrived.set()
            await self._committer
            self._committer = None
            await self._disconnect()

    @abstractmethod
    async def read(self, sql: str, *values: Any) -> list[Row]:
        """Return the rows of a query."""

    async def write(self, *statements: Statement) -> bool:
        """Carry out statements in one transaction.

        If the first one changes nothing, none is carried out, and False is returned.
        """
        return bool(await self._add(statements))

    async def write_returning(self, statement: Statement) -> list[Row]:
        """Carry out a statement and return its rows."""
        rows: list[Row] = await self._add([statement], returning=True)
        return rows

    async def append(
        self,
        table_id: str,
        number: int,
        entries: Sequence[str],
        token: str | None,
        at: int,
        *extra: Statement,
    ) -> bool:
        """Append entries to a table's log, the first with `number`, and announce them.

        Return False, and change nothing, if the number is taken: another server was faster. The
        token belongs to the first entry. `extra` is carried out in the same transaction. After an
        exception the entries may be in the log or not: compare the table with it.
        """
        rows = [LogRow(data, None if i else token, at) for i, data in enumerate(entries)]
        statements = [
            Statement(INSERT_ENTRY, (table_id, number + i, row.token, row.at, row.data))
            for i, row in enumerate(rows)
        ]
        announcement = Announcement(table_id, number, rows)
        return bool(await self._add([*statements, *extra], announcement))

    async def _add(
        self,
        statements: Sequence[Statement],
        announcement: Announcement | None = None,
        *,
        returning: bool = False,
    ) -> Any:
        if self._committer is None or self._closing:
            raise RuntimeError("The store is closed.")
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(Write(statements, done, announcement, returning))
        self._arrived.set()
        return await done

    async def _commit_batches(self) -> None:
        """Commit batch after batch until the store is closed."""
        while self._waiting or not self._closing:
            await self._arrived.wait()
            self._arrived.clear()
            batch, self._waiting = self._waiting, []
            for bulk in (True, False):
                writes = [write for write in batch if write.is_bulk is bulk]
                if writes:
                    metrics.COMMIT_WRITES.observe(len(writes))
                    with metrics.COMMIT.time():
                        outcomes = await self._commit(writes, bulk)
                    self._report(writes, outcomes)
            if not self._closing:
                await asyncio.sleep(min(self.PAUSE * (len(batch) - 1), self.LONGEST_PAUSE))

    async def _commit(self, writes: Sequence[Write], bulk: bool) -> list[Outcome]:
        """Carry out writes and return what came of each."""
        try:
            if bulk and await self._insert(writes):
                return [True] * len(writes)
            return await self._carry_out(writes)
        except Exception as error:  # noqa: BLE001 - whatever it is, the callers must learn of it
            if len(writes) > 1 and self._is_at_fault(error):
                return [(await self._commit([write], bulk))[0] for write in writes]
            return [error] * len(writes)

    def _report(self, writes: Sequence[Write], outcomes: Sequence[Outcome]) -> None:
        """Tell the callers, then the bus."""
        for write, outcome in zip(writes, outcomes, strict=True):
            write.resolve(outcome)
            if isinstance(outcome, Exception):
                metrics.COMMIT_ERRORS.inc()
        if self._publisher is not None:
            self._publisher.publish(announced(writes, outcomes))

    def _payloads(self, announcements: Sequence[Announcement]) -> list[str]:
        return [] if self._publisher is None else self._publisher.payloads(announcements)

    @abstractmethod
    async def _connect(self) -> None: ...

    @abstractmethod
    async def _disconnect(self) -> None: ...

    @abstractmethod
    async def _insert(self, writes: Sequence[Write]) -> bool:
        """Insert all rows of bulk statements. Return False, and change nothing, if a number of a
        log is taken."""

    @abstractmethod
    async def _carry_out(self, writes: Sequence[Write]) -> list[Outcome]:
        """Carry out writes one after the other in one transaction."""

    @abstractmethod
    def _is_at_fault(self, error: Exception) -> bool:
        """Tell whether one of the statements caused the error, not the connection or the disk."""


def announced(batch: Sequence[Write], outcomes: Sequence[Outcome]) -> list[Announcement]:
    """Return the announcements of the writes that were carried out."""
    return [
        write.announcement
        for write, outcome in zip(batch, outcomes, strict=True)
        if outcome is True and write.announcement is not None
    ]


def bulk_rows(writes: Sequence[Write], sql: str) -> list[tuple[Any, ...]]:
    """Return the parameters of all statements with this SQL; the last for each job and table."""
    rows = [s.values for write in writes for s in write.statements if s.sql == sql]
    if sql == INSERT_ENTRY:
        return rows
    key = 2 if sql == UPSERT_OWED else 1
    return list({row[:key]: row for row in rows}.values())


class Migration(NamedTuple):
    number: int
    script: str


def pending_migrations(applied: int) -> list[Migration]:
    """Return the migrations after number `applied`, or raise `StoreTooNew`."""
    migrations = [
        Migration(int(file.stem.partition("_")[0]), file.read_text("utf-8"))
        for file in sorted(MIGRATIONS.glob("*.sql"))
    ]
    if applied > migrations[-1].number:
        raise StoreTooNew(applied, migrations[-1].number)
    return [migration for migration in migrations if migration.number > applied]
