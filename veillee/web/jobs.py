"""Jobs: work that one server does at a time, and that another takes over when it dies.

A job is a row: kind, subject, when it is due, and who works at it. It is written in the
transaction of the log entry that brings it about, so it exists if and only if the entry does. The
server that wrote it begins at once; its row stays due a little later, and is put off again and
again while the server lives (a lease). A server that finds a row due takes it. Work that takes
longer than its lease, because a server was stopped or its clock is wrong, is done twice; the number
in the log lets one of them win.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from veillee.web import clock, metrics
from veillee.web.database import Statement, Store, queries

log = logging.getLogger("veillee.jobs")

TABLE = "table"
"""The kind of job that lets bots play and clocks run out at a table; the subject is its id."""
NOTIFY = "notify"
"""The kind of job that tells a person that it is their turn; the subject is the table's id."""


class Job(NamedTuple):
    kind: str
    subject: str


Handler = Callable[[str], Awaitable[None]]
"""Does the job of a subject. What follows is scheduled with `Jobs.schedule`; an exception means
that it is to be tried again."""


class Scheduled(NamedTuple):
    """A job to be written with `statement` and, once that is committed, begun with `Jobs.begin`."""

    job: Job
    due: int | None
    statement: Statement
    owner: str = ""
    """The server that does it, with a number that tells its jobs apart; "" for whichever finds it
    due."""
    payer: str = ""
    """On whose account it is done."""


class Jobs:
    """The jobs of one server.

    >>> scheduled = jobs.schedule("table", table_id, due)      # doctest: +SKIP
    >>> if await store.append(..., scheduled.statement):       # doctest: +SKIP
    ...     jobs.begin(scheduled)
    """

    LEASE = 3.5
    """Seconds after which others take over from a server that sends no heartbeat."""
    RENEWAL = 1.0
    """Seconds between two heartbeats; also the longest time between two looks for due jobs."""
    FIRST_RETRY = 0.25
    LAST_RETRY = 10.0
    """Seconds before failed work is tried again, at first and at most."""

    def __init__(
        self, store: Store, handlers: Mapping[str, Handler], most: int = 256, owner: str = ""
    ) -> None:
        self._store = store
        self._handlers = handlers
        self._most = most
        self._owner = owner or secrets.token_hex(8)
        self._held: dict[Job, Scheduled] = {}
        """Jobs of this server that wait or run."""
        self._promised: dict[str, tuple[str, float]] = {}
        """Payer and time of jobs that are being written for this server, by owner."""
        self._tasks: dict[Job, asyncio.Task[None]] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._renewed = 0.0
        self._numbers = itertools.count()

    async def open(self) -> None:
        self._watcher = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """Stop work and leave it to others."""
        if self._watcher is None:
            return
        for task in [self._watcher, *self._tasks.values()]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._watcher = None
        try:
            await self._store.write(queries.release(self._owner, clock.now()))
        except Exception as error:  # noqa: BLE001 - the lease ends by itself
            log.warning("jobs could not be released: %s", error)

    def schedule(self, kind: str, subject: str, due: int | None, payer: str = "") -> Scheduled:
        """Schedule a job for `due`, in milliseconds since 1970; None cancels it.

        Of a payer's jobs no more are held than there is room for others.
        """
        job = Job(kind, subject)
        now = clock.now()
        lease = int(self.LEASE * 1000)
        has_room = job in self._held or (self._free > 0 and payer not in self._full())
        if due is None or due > now + lease or kind not in self._handlers or not has_room:
            owed = queries.owe(kind, subject, due, payer=payer)
            return Scheduled(job, due, owed, payer=payer)
        owner = self._new_owner()
        if job not in self._held:
            self._promised[owner] = payer, time.monotonic()
        owed = queries.owe(kind, subject, max(due, now) + lease, owner, payer)
        return Scheduled(job, due, owed, owner, payer)

    @property
    def _free(self) -> int:
        """How many more jobs this server may hold."""
        return self._most - len(self._held) - len(self._promised)

    def _full(self) -> list[str]:
        """Return the payers of whose jobs as many are held as there is room for others."""
        free = self._free
        if self._most - free < free:
            return []
        held = Counter(scheduled.payer for scheduled in self._held.values())
        held.update(payer for payer, _ in self._promised.values())
        return [payer for payer, count in held.items() if payer and count >= free]

    def _new_owner(self) -> str:
        """Return a name for the column `owner` that no other job of ours has.

        So a job that is settled can't settle one that was scheduled meanwhile.
        """
        return f"{self._owner}/{next(self._numbers)}"

    def begin(self, scheduled: Scheduled) -> None:
        """Begin a job that was written, or drop one that was cancelled or left to others."""
        self._promised.pop(scheduled.owner, None)
        job = scheduled.job
        task = self._tasks.get(job)
        at_work = task is not None and task is asyncio.current_task()
        if task is not None and not at_work:
            task.cancel()
        if not scheduled.owner:
            self._held.pop(job, None)
            return
        self._held[job] = scheduled
        if not at_work:
            task = asyncio.create_task(self._work(job))
            self._tasks[job] = task
            task.add_done_callback(lambda done: self._forget(job, done))

    def _forget(self, job: Job, task: asyncio.Task[None]) -> None:
        if self._tasks.get(job) is task:
            del self._tasks[job]
            self._held.pop(job, None)

    async def _work(self, job: Job) -> None:
        """Do a job when it is due, and what it schedules for itself, until nothing is owed."""
        failures = 0
        while job in self._held:
            scheduled = self._held[job]
            await asyncio.sleep(((scheduled.due or 0) - clock.now()) / 1000)
            try:
                await self._handlers[job.kind](job.subject)
                if self._held.get(job) is scheduled:  # nothing follows
                    await self._store.write(queries.settle(job.kind, job.subject, scheduled.owner))
                    self._held.pop(job, None)
                failures = 0
            except Exception:
                metrics.JOB_FAILURES.labels(job.kind).inc()
                pause = min(self.FIRST_RETRY * 2**failures, self.LAST_RETRY)
                failures += 1
                log.exception("job %s %s failed, again in %.2f s", *job, pause)
                await asyncio.sleep(random.uniform(pause / 2, pause))

    async def _watch(self) -> None:
        """Send heartbeats and look for jobs that are due."""
        adopted = False
        while True:
            try:
                if not adopted and TABLE in self._handlers:
                    await self._store.write(queries.owe_all_in_play(TABLE, clock.now()))
                adopted = True
                self._forget_promises()
                await self._renew()
                pause = min([await self._claim(kind) for kind in self._handlers])
            except Exception as error:  # noqa: BLE001 - the store is away: it will come back
                log.warning("jobs cannot be looked for: %s", error)
                pause = self.RENEWAL
            await asyncio.sleep(pause)

    def _forget_promises(self) -> None:
        """Forget the jobs that were not written in the end."""
        old = time.monotonic() - self.LEASE
        self._promised = {key: each for key, each in self._promised.items() if each[1] > old}

    async def _renew(self) -> None:
        """Keep the jobs that are held.

        A row that bears our name but is not held, because the reply to its commit was lost, falls
        due and is taken by whoever finds it.
        """
        if self._held and time.monotonic() - self._renewed >= self.RENEWAL:
            now = clock.now()
            until = now + int(self.LEASE * 1000)
            for kind in {job.kind for job in self._held}:
                owners = {held.owner for job, held in self._held.items() if job.kind == kind}
                await self._store.write(queries.renew(kind, sorted(owners), now, until))
            self._renewed = time.monotonic()

    async def _claim(self, kind: str) -> float:
        """Take jobs that are due; return how many seconds to wait before looking again."""
        free, full = self._free, self._full()
        longest = self.RENEWAL / 4 if full or free <= 0 else self.RENEWAL
        if free <= 0:
            return longest
        due = await queries.next_due(self._store, kind, full)
        now = clock.now()
        if due is None or due > now:
            return longest if due is None else min((due - now) / 1000, longest)
        until = now + int(self.LEASE * 1000)
        owner = self._new_owner()
        claim = queries.claim(kind, now, until, owner, free, max(1, free // 2), full)
        for subject, payer in await self._store.write_returning(claim):
            self.begin(Scheduled(Job(kind, str(subject)), now, claim, owner, str(payer)))
        return 0.01
