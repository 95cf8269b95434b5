"""The tables of this server: loaded, cached, changed, and kept in step with other servers.

A change is checked against the table in memory and appended to its log if the entry's number is
still free. Once it is durable it is applied and shown, so nobody sees what could still be lost.
Entries that other servers append are announced on the bus; gaps are read from the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.web import metrics
from veillee.web.bus import (
    Bus,
    ListsChanged,
    MemoryBus,
    Notice,
    PersonChanged,
    Reconnected,
    ReviewMoved,
    TokensRevoked,
)
from veillee.web.clock import now
from veillee.web.database import Statement, Store, queries
from veillee.web.database.store import Announcement, LogRow
from veillee.web.jobs import TABLE, Jobs, Scheduled
from veillee.web.people import People
from veillee.web.tables import listing, log
from veillee.web.tables.messages import Changed, Messages, Renamed, ReviewChanged
from veillee.web.tables.presence import Presence
from veillee.web.tables.table import COMPILED, Table
from veillee.web.tables.turns import Turns

logger = logging.getLogger("veillee.tables")

IDLE = 2 * 60
"""Seconds after which a table that nobody watches leaves memory. It is soon read again: a log of 75
decisions takes 5 ms."""
RETRIES = (0.1, 0.4, 1.6, 6.4)
"""Seconds before a log that could not be read is read again."""
COMPARE = 15
"""Seconds between two comparisons of the watched tables with their logs."""
SWEEP = 20
"""Seconds between two looks for idle tables."""
MOST_ENTRIES = 20_000
MOST_EXTRA = 10_000
"""Length of the log after which only what a game needs to end is appended."""
NEEDED = (log.Play, log.Vote, log.Replace, log.Ready, log.Next, log.Start)
"""What a game needs to end. Nobody can repeat any of these at will: without `Return`, each seat is
replaced once."""
FULL = "web.table.full"
"""The refusal of what a log has no room for."""
REPLAY_CHUNK = 32
"""Entries replayed before other requests get their turn."""
GLIMPSE = 64
"""Entries that are read for a list of tables."""
TABLE_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
DUE_CHANGES = (log.Start, log.Play, log.Undo, log.Pause, log.Replace, log.Return)
"""Entries after which bots or clocks may have something else to do."""
LIST_CHANGES = (log.Start, log.Transfer)
"""Entries after which people may have one more game to play."""


class Draft(NamedTuple):
    """A table that is not stored yet, and what stores it."""

    table: Table
    statements: list[Statement]
    scheduled: Sequence[Scheduled] = ()


class TableRegistry:
    """`await tables.get(id)`, `await tables.change(table, make)`."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        jobs: Jobs,
        people: People,
        presence: Presence,
        publisher: Messages,
        turns: Turns | None = None,
    ) -> None:
        self._store = store
        self._bus = bus
        self._jobs = jobs
        self._people = people
        self._presence = presence
        self._messages = publisher
        self._turns = turns
        self._alone = isinstance(bus, MemoryBus)
        """Whether this is the only process that changes tables."""
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._used: dict[str, float] = {}
        self._watchers: Counter[str] = Counter()
        """How many watch each table here."""
        self._in_doubt = asyncio.Event()
        """Set when announcements may have been lost."""
        self._background: set[asyncio.Task[Any]] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        self._tasks = [
            asyncio.create_task(self._receive()),
            asyncio.create_task(self._compare()),
            asyncio.create_task(self._sweep()),
        ]

    async def close(self) -> None:
        for task in [*self._tasks, *self._background]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def __len__(self) -> int:
        return len(self._tables)

    def _spawn(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.create_task(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # ------------------------------------------------------------ reading

    async def get(self, table_id: str) -> Table:
        """A table from memory, else replayed from its log. Other servers may be ahead of it."""
        self._used[table_id] = time.monotonic()
        table = self._tables.get(table_id)
        if table is not None:
            return table
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def current(self, table_id: str) -> Table:
        """Return a table with all entries of its log applied."""
        known = table_id in self._tables
        table = await self.get(table_id)
        if known and not self._alone:
            await self.catch_up(table)
        return table

    def forget(self, table_id: str) -> None:
        """Drop a table that was deleted from memory."""
        self._tables.pop(table_id, None)

    def in_memory(self, table_id: str) -> Table | None:
        return self._tables.get(table_id)

    async def _load(self, table_id: str) -> Table:
        seed = (
            await queries.seed_of(self._store, table_id) if TABLE_ID.fullmatch(table_id) else None
        )
        if seed is None:
            self._used.pop(table_id, None)
            raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
        table = Table(table_id, Seed(bytes.fromhex(seed)))
        await self._replay(table)
        self._tables[table_id] = table
        metrics.TABLES.set(len(self._tables))
        return table

    async def _replay(self, table: Table) -> None:
        """Apply what the log has beyond the table, and let others have their turn meanwhile."""
        start = table.number  # announcements may be applied while the log is read
        rows = await queries.entries_of(self._store, table.id, start)
        for first in range(0, len(rows), REPLAY_CHUNK):
            if first:
                await asyncio.sleep(0)
            self._apply_rows(table, start + first, rows[first : first + REPLAY_CHUNK])
        await self._people.learn_names(table.name_keys())

    async def catch_up(self, table: Table) -> bool:
        """Apply what other servers appended. Return whether there was anything."""
        before = table.number
        await self._replay(table)
        if table.number == before:
            return False
        self._messages.publish(Changed(table))
        return True

    def _apply_rows(self, table: Table, number: int, rows: Sequence[LogRow]) -> bool:
        """Apply rows, the first with `number`, as far as they are new and follow on the table."""
        if table.number < number:
            return False
        new = rows[table.number - number :]
        for row in new:
            table.apply(log.decode(row.data), row.at, row.token)
        return bool(new)

    async def glimpse(self, table_id: str) -> Table:
        """A table for a list: from memory, else without its game."""
        found = self._tables.get(table_id)
        if found is not None:
            return found
        table = Table(table_id, Seed(bytes(32)))
        for data, at in await queries.first_entries_of(self._store, table_id, GLIMPSE):
            entry = log.decode(data)
            if isinstance(entry, log.Start):
                break
            table.apply(entry, at)
        await self._people.learn_names(table.name_keys())
        return table

    def names_at(self, table: Table, nobody: str) -> list[str]:
        return table.names(self._people.names, nobody)

    # ------------------------------------------------------------ changing

    async def change(
        self,
        table: Table,
        make: Callable[[Table], Sequence[log.Entry]],
        token: str | None = None,
        extra: Sequence[Statement] = (),
    ) -> bool:
        """Append what `make` returns when it looks at the table, unless it refuses.

        If another server was faster, the table is brought up to date and `make` asked once more. A
        token that was used before does nothing. Return whether anything was appended.
        """
        async with table.lock:
            try:
                if await self._attempt(table, make, token, extra):
                    return True
            except _Late:
                await self.catch_up(table)
            except Refusal:
                if self._alone or not await self.catch_up(table):
                    raise
            else:
                if self._alone or not await self.catch_up(table):
                    return False
            try:
                return await self._attempt(table, make, token, extra)
            except _Late:
                raise Refusal("late", "web.late", "web.late") from None

    async def _attempt(
        self,
        table: Table,
        make: Callable[[Table], Sequence[log.Entry]],
        token: str | None,
        extra: Sequence[Statement],
    ) -> bool:
        if token and token in table.tokens:
            return False
        if table.closed:
            raise Refusal("illegal", "web.table.closed", "web.table.closed")
        entries = make(table)
        if not entries:
            return False
        self._check_length(table, entries)
        number, at, other = table.number, max(now(), table.at), table.last_other
        extra = [*extra, *listing.changes(table, entries, at)]
        scheduled = self._schedule(table, entries, at)
        extra = [*extra, *(each.statement for each in scheduled)]
        data = [log.encode(entry) for entry in entries]
        try:
            appended = await self._store.append(table.id, number, data, token, at, *extra)
        except Exception:  # whether it was appended is not known: the log tells
            self._spawn(self._catch_up_with_retries(table))
            raise
        if not appended:
            raise _Late
        if table.number == number:  # else the announcement was faster
            for i, entry in enumerate(entries):
                table.apply(entry, at, token if i == 0 else None)
        for each in scheduled:
            self._jobs.begin(each)
        if table.last_other != other and not self._people.knows(table.name_keys()):
            await self._learn_and_publish(table)
        else:
            self._messages.publish(Changed(table))
        if any(isinstance(entry, LIST_CHANGES) for entry in entries):
            self._tell_lists(table)
        return True

    @staticmethod
    def _check_length(table: Table, entries: Sequence[log.Entry]) -> None:
        needed = all(isinstance(entry, NEEDED) or entry == log.Pause(on=False) for entry in entries)
        if table.number + len(entries) > (MOST_ENTRIES if needed else MOST_EXTRA):
            raise Refusal("illegal", FULL, FULL)

    def _schedule(self, table: Table, entries: Sequence[log.Entry], at: int) -> list[Scheduled]:
        """Return the jobs that entries cause: bots, clocks and notifications."""
        told = self._turns.schedule(table, entries, at) if self._turns else []
        if self._changes_due(table, entries):
            return [self._jobs.schedule(TABLE, table.id, at, table.payer), *told]
        if log.Start() in entries:  # or the next server to start would look what is due
            return [self._jobs.schedule(TABLE, table.id, None, table.payer), *told]
        return told

    @staticmethod
    def _changes_due(table: Table, entries: Sequence[log.Entry]) -> bool:
        """Tell whether a bot or a clock may have to act after these entries."""
        if not any(isinstance(entry, DUE_CHANGES) for entry in entries):
            return False
        if table.plan.timing != "untimed" or any(seat.bot for seat in table.seats):
            return True
        return any(isinstance(entry, log.Bot | log.Replace) for entry in entries)

    def _tell_lists(self, table: Table) -> None:
        """Tell all servers that the people of a table may have one more game to play."""
        self._spawn(self._bus.tell(ListsChanged(sorted(table.people))))

    # ------------------------------------------------------------ creating

    async def create(
        self, table_id: str, seed: Seed, entries: Sequence[log.Entry], *extra: Statement
    ) -> Table:
        """Create a table with its first entries. One that exists already stays as it is."""
        draft = self.draft(table_id, seed, entries)
        if await self._store.write(*draft.statements, *extra):
            await self.add(draft)
        return await self.get(table_id)

    def draft(self, table_id: str, seed: Seed, entries: Sequence[log.Entry]) -> Draft:
        """Prepare a table that is not stored yet."""
        at = now()
        table = Table(table_id, seed)
        for entry in entries:
            table.apply(entry, at)
        statements = [
            queries.insert_table(
                table.id, seed.hex, table.state, table.plan.listed, at, table.awaited
            ),
            *(
                queries.insert_entry(table.id, number, None, at, log.encode(entry))
                for number, entry in enumerate(entries)
            ),
            *(queries.insert_sitting(person, table.id) for person in sorted(table.people)),
            *listing.notify(table, table.awaited, at),
        ]
        scheduled = self._schedule(table, entries, at)
        return Draft(table, [*statements, *(each.statement for each in scheduled)], scheduled)

    async def add(self, draft: Draft) -> None:
        """Keep a table that was stored, and let its bots begin."""
        table = draft.table
        await self._people.learn_names(table.name_keys())
        self._used[table.id] = time.monotonic()
        self._tables.setdefault(table.id, table)
        metrics.TABLES.set(len(self._tables))
        for scheduled in draft.scheduled:
            self._jobs.begin(scheduled)
        if table.state == "playing":
            self._tell_lists(table)

    # ------------------------------------------------------------ other servers

    async def watch(self, table: Table) -> None:
        """Hear what other servers append to a table, and learn what they appended before."""
        self._watchers[table.id] += 1
        if not self._alone:
            await self._bus.subscribe(table.id)
            await self.catch_up(table)

    async def unwatch(self, table: Table) -> None:
        """End what `watch` began, also if that failed."""
        self._watchers[table.id] -= 1
        if not self._watchers[table.id]:
            del self._watchers[table.id]
            await self._bus.unsubscribe(table.id)

    async def _receive(self) -> None:
        while True:
            for message in await self._bus.receive():
                try:
                    await self._handle(message)
                except Exception:
                    logger.exception("a message of the bus could not be handled: %s", message)

    async def _handle(self, message: Announcement | Notice | Reconnected) -> None:
        match message:
            case Announcement():
                self._hear(message)
            case PersonChanged():
                await self._person_changed(message.person)
            case ReviewMoved():
                self._messages.publish(ReviewChanged(message.review))
            case TokensRevoked() | ListsChanged():
                self._messages.publish(message)
            case Reconnected():
                self._in_doubt.set()

    async def _compare(self) -> None:
        """Compare the watched tables with their logs: now and then, because an announcement can be
        lost without a trace, and whenever the bus was away."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(COMPARE):
                    await self._in_doubt.wait()
            self._in_doubt.clear()
            try:
                lengths = await queries.lengths_of(self._store, list(self._watchers))
            except Exception as error:  # noqa: BLE001 - the store is away: it will come back
                logger.warning("tables cannot be compared with their logs: %s", error)
                await asyncio.sleep(1)
                self._in_doubt.set()
                continue
            for table_id, length in lengths.items():
                table = self._tables.get(table_id)
                if table is not None and table.number < length:
                    self._spawn(self._catch_up_with_retries(table))

    async def _catch_up_with_retries(self, table: Table) -> None:
        """Catch up with the log. If the store does not come back for long, `_compare` goes on."""
        for pause in (0.0, *RETRIES):
            await asyncio.sleep(pause)
            try:
                await self.catch_up(table)
            except Exception as error:  # noqa: BLE001 - the store is away: it will come back
                logger.warning("table %s cannot be read: %s", table.id, error)
            else:
                return

    def _hear(self, announcement: Announcement) -> None:
        """Apply announced entries; read them from the log if some are missing."""
        table = self._tables.get(announcement.table_id)
        if table is None or announcement.number < table.number:
            return
        other = table.last_other
        if announcement.rows is None or table.number < announcement.number:
            self._spawn(self._catch_up_with_retries(table))
        elif self._apply_rows(table, announcement.number, announcement.rows):
            if table.last_other != other and not self._people.knows(table.name_keys()):
                self._spawn(self._learn_and_publish(table))
            else:
                self._messages.publish(Changed(table))

    async def _learn_and_publish(self, table: Table) -> None:
        try:
            await self._people.learn_names(table.name_keys())
        except Exception as error:  # noqa: BLE001 - the store is away: it will come back
            logger.warning("the names at table %s cannot be read: %s", table.id, error)
        self._messages.publish(Changed(table))

    async def _person_changed(self, person: str) -> None:
        await self._people.refresh(person)
        for table in list(self._tables.values()):
            if person in table.people:
                await self._people.learn_names(table.name_keys(), again=True)
                self._messages.publish(Renamed(table))

    # ------------------------------------------------------------ memory

    async def _sweep(self) -> None:
        """Now and then forget the tables that nobody uses."""
        while True:
            await asyncio.sleep(SWEEP)
            old = time.monotonic() - IDLE
            for table_id, table in list(self._tables.items()):
                used = table.lock.locked() or self._presence.is_watched(table_id)
                if self._used.get(table_id, 0) < old and not used:
                    del self._tables[table_id]
            metrics.TABLES.set(len(self._tables))
            self._used = {key: at for key, at in self._used.items() if key in self._tables}
            self._people.keep_names(
                key for table in self._tables.values() for key in table.name_keys()
            )

    def use_compiled(self, spec: GameSpec) -> None:
        """Let the tables of a game run on machine code from now on."""
        COMPILED.add(spec)
        for table in self._tables.values():
            if table.game is not None and table.spec is spec:
                table.game.run_compiled()


class _Late(Exception):
    """Another server appended first."""
