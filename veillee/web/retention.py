"""Retention: delete finished and abandoned tables and people without tables, by age.

It is a job that one server does every hour. All ages are in days; 0 keeps everything.
"""

from __future__ import annotations

import logging

import msgspec

from veillee.web import clock
from veillee.web.database import Store, queries
from veillee.web.jobs import Jobs
from veillee.web.tables import log as entries

log = logging.getLogger("veillee.retention")

RETENTION = "retention"
"""The kind of job."""
EVERY = 3600_000
"""Milliseconds between two runs."""
DAY = 86_400_000
CHUNK = 200
"""Tables that are deleted between two looks for more."""


class Ages(msgspec.Struct, frozen=True):
    """Days after which something is deleted; 0 for never."""

    finished: int = 0
    """Tables whose game is over."""
    abandoned: int = 0
    """Tables at which nothing has happened, waiting for players or in play."""
    people: int = 0
    """People who have no table."""


class Retention:
    """Deletes what is older than its age."""

    def __init__(self, store: Store, jobs: Jobs, ages: Ages) -> None:
        self._store = store
        self._jobs = jobs
        self._ages = ages

    async def open(self) -> None:
        """Schedule the job, or remove it if nothing has to be deleted."""
        due = clock.now() if self._ages != Ages() else None
        await self._store.write(queries.owe(RETENTION, "all", due))

    async def run(self, subject: str) -> None:
        """Do the job and schedule the next."""
        tables = await self.delete_old()
        if tables:
            log.warning("%d tables were deleted because of their age", tables)
        scheduled = self._jobs.schedule(RETENTION, subject, clock.now() + EVERY)
        await self._store.write(scheduled.statement)
        self._jobs.begin(scheduled)

    async def delete_old(self) -> int:
        """Delete what is old enough; return how many tables that were."""
        count = 0
        for state, days in (
            ("over", self._ages.finished),
            ("gathering", self._ages.abandoned),
            ("playing", self._ages.abandoned),
        ):
            while days and (found := await self._old_tables(state, days)):
                for table_id in found:
                    await delete_table(self._store, table_id)
                count += len(found)
        for statement in queries.delete_emptied(clock.now() - DAY):
            await self._store.write(statement)
        if self._ages.people:
            for statement in queries.delete_idle_people(clock.now() - self._ages.people * DAY):
                await self._store.write(statement)
        return count

    async def _old_tables(self, state: str, days: int) -> list[str]:
        return await queries.tables_to_delete(self._store, state, clock.now() - days * DAY, CHUNK)


async def close_table(store: Store, table_id: str) -> int:
    """Append that a table is closed; return the number of that entry. Nothing follows it."""
    while True:
        number = await queries.next_number(store, table_id)
        closed = entries.encode(entries.Close())
        if await store.append(table_id, number, [closed], None, clock.now()):
            await store.write(queries.unlist_table(table_id))
            return number


async def delete_table(store: Store, table_id: str) -> None:
    """Close a table and delete all but that."""
    number = await close_table(store, table_id)
    await store.write(*queries.empty_table(table_id, number, clock.now()))
