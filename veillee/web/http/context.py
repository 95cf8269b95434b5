"""The application context: its parts, how they are wired, started and stopped."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any, TypeVar

from veillee.bots.bot import WARM_UPS
from veillee.bots.characters import RANDOM
from veillee.engine.precompile import compile_games, is_compiled
from veillee.engine.registry import games
from veillee.web.analyses import ANALYSIS, Analyses
from veillee.web.bans import Bans
from veillee.web.bot_pool import BotPool, load_compiled, usual_processes
from veillee.web.bus import Notices, bus_at
from veillee.web.config import ServerConfig
from veillee.web.database import notify_queries, queries, store_at
from veillee.web.delivery.broadcast import Broadcast
from veillee.web.delivery.feed import Feed
from veillee.web.delivery.fragments import Fragments
from veillee.web.http.rate_limit import Limits
from veillee.web.http.signing import Signer
from veillee.web.jobs import NOTIFY, TABLE, Handler, Jobs
from veillee.web.mail import Mailer
from veillee.web.notifications import Notifier
from veillee.web.people import People
from veillee.web.readiness import Readiness
from veillee.web.retention import RETENTION, Ages, Retention
from veillee.web.reviews import Reviews
from veillee.web.shared_keys import shared_keys_at
from veillee.web.tables.messages import Messages
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.scheduler import Scheduler
from veillee.web.tables.seeds import SeedSource
from veillee.web.tables.table import COMPILING
from veillee.web.tables.turns import TURN, Turns
from veillee.web.tokens import Tokens
from veillee.web.web_push import PushSigner, new_key
from veillee.web.webhooks import WEBHOOK, Webhooks

T = TypeVar("T")

LONGEST_COMPILATION = 20 * 60
"""Seconds after which bots wait no longer for compiled code."""


class AppContext:
    """Everything that requests need."""

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.bus = bus_at(config.database, config.bus, config.workers)
        self.store = store_at(config.database, self.bus)
        self.people = People(self.store, self.bus)
        self.messages = Messages()
        self.keys = shared_keys_at(self.store, config.database, config.bus, config.workers)
        self.presence = Presence(self.messages, config.away, self.keys)
        handlers: dict[str, Handler] = {}
        self.jobs = Jobs(self.store, handlers)
        self.webhooks = Webhooks(
            self.store, self.jobs, self.people, self.presence, private=config.private_endpoints
        )
        handlers[WEBHOOK] = self.webhooks.call
        self.turns = Turns(self.jobs, [self.webhooks])
        handlers[TURN] = self._tell_turns
        self.tables = TableRegistry(
            self.store, self.bus, self.jobs, self.people, self.presence, self.messages, self.turns
        )
        self.reviews = Reviews(self.store, self.bus, self.messages)
        self.bots = BotPool(config.bot_processes or usual_processes(config.workers))
        self.scheduler = Scheduler(
            self.tables,
            self.store,
            self.jobs,
            self.presence,
            self.bots,
            config.level,
        )
        handlers[TABLE] = self.scheduler.attend
        ages = Ages(config.delete_finished, config.delete_abandoned, config.delete_people)
        self.retention = Retention(self.store, self.jobs, ages)
        handlers[RETENTION] = self.retention.run
        self.analyses = Analyses(
            self.store, self.jobs, self.tables, self.bots, config.analysis_iterations
        )
        handlers[ANALYSIS] = self.analyses.run
        self.mailer = Mailer(config.smtp, config.mail_from if config.address else "")
        self.notifier = Notifier(
            self.store,
            self.tables,
            self.people,
            self.presence,
            self.mailer,
            config.address,
            private=config.private_endpoints,
        )
        handlers[NOTIFY] = self.notifier.attend
        self.bans = Bans(self.store, config.ban_refresh)
        self.notices = Notices(self.store, self.bus, config.ban_refresh)
        self.tokens = Tokens(self.store, self.bus, self.people, self.messages)
        self.feed = Feed(self.presence, self.messages)
        self.limits = Limits()
        self.readiness = Readiness(self.store)

    signer: Signer
    seeds: SeedSource
    broadcast: Broadcast

    async def open(self) -> None:
        await self.store.open()
        await self.bus.open()
        key = await queries.signing_key(self.store, secrets.token_hex(32))
        self.signer = Signer(key)
        self.seeds = SeedSource(key.rpartition(",")[2])
        self.notifier.signer = PushSigner(
            await notify_queries.vapid_key(self.store, new_key()), self._contact
        )
        self.broadcast = Broadcast(self.tables, self.presence, self.messages, Fragments(self.seeds))
        self.broadcast.open()
        self.tables.open()
        await self.bans.open()
        if not self.bus.READS_NOTICES:
            await self.notices.open()
        await self.webhooks.open()
        await self.retention.open()
        await self.jobs.open()
        self._tasks: list[asyncio.Task[Any]] = [
            asyncio.create_task(self._load_compiled()),
            asyncio.create_task(self.presence.share()),
            asyncio.create_task(self.limits.share(self.keys)),
        ]

    async def read_signed(self, read: Callable[[Signer, str], T | None], text: str) -> T | None:
        """Return what a signed text says, None if nobody signed it.

        Another server may have signed with a key that is newer than ours: so the keys are read
        again before a text is rejected.
        """
        if not text:
            return None
        found = read(self.signer, text)
        if found is None:
            keys = await queries.signing_keys(self.store)
            if keys != self.signer.keys:
                self.signer = Signer(keys)
                found = read(self.signer, text)
        return found

    @property
    def _contact(self) -> str:
        """Where push services can reach the host."""
        if not self.config.contact and self.config.address.startswith("https:"):
            return self.config.address
        return f"mailto:{self.config.contact or 'veillee@localhost'}"

    async def _load_compiled(self) -> None:
        """Switch tables to machine code when it is there, and have it compiled if nobody does.

        Until then tables run uncompiled and bots wait; random bots need no machine code.
        """
        missing = list(games().values()) if self.config.level != RANDOM else []
        COMPILING.update(spec for spec in missing if not is_compiled(spec, WARM_UPS))
        if COMPILING and not self.config.compiling:
            self._tasks.append(
                asyncio.create_task(asyncio.to_thread(compile_games, None, WARM_UPS))
            )
        deadline = time.monotonic() + LONGEST_COMPILATION
        while missing and time.monotonic() < deadline:
            for spec in missing.copy():
                if await asyncio.to_thread(load_compiled, spec):
                    self.tables.use_compiled(spec)
                    self.bots.warm_up([spec.name], self.config.level)
                    missing.remove(spec)
                    COMPILING.discard(spec)
            await asyncio.sleep(1)
        COMPILING.clear()

    async def _tell_turns(self, table_id: str) -> None:
        await self.turns.attend(await self.tables.current(table_id))

    def end_streams(self) -> None:
        """End all streams: who watches comes back by themselves."""
        self.broadcast.end_streams()
        self.reviews.end_streams()
        self.feed.end_streams()

    async def close(self) -> None:
        self.broadcast.close()
        self.feed.end_streams()
        for task in self._tasks:
            task.cancel()
        await self.jobs.close()
        await self.bans.close()
        await self.notices.close()
        await self.webhooks.close()
        await self.tables.close()
        await self.keys.close()
        await self.bus.close()
        await self.store.close()
        await self.bots.close()
