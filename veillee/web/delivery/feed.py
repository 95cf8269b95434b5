"""The feed: wakes the streams of programs when something happens at the tables they follow.

Programs get a table as it is when they are ready to take it, so a slow one misses steps of the
picture but never the last, and nothing piles up for it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict

from veillee.web import metrics
from veillee.web.tables.messages import Changed, Message, Messages, ReviewChanged
from veillee.web.tables.presence import Presence
from veillee.web.tables.table import Table


class Follower:
    """A program that follows tables."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.tables: dict[str, Table] = {}
        self.changed: dict[str, bool] = {}
        """The tables at which something happened; True if it is in no log: names, absences."""
        self.ended = False
        self._woken = asyncio.Event()

    def wake(self, table_id: str, *, unlogged: bool) -> None:
        self.changed[table_id] = self.changed.get(table_id, False) or unlogged
        self._woken.set()

    def end(self) -> None:
        self.ended = True
        self._woken.set()

    async def wait(self, seconds: float) -> dict[str, bool]:
        """Wait until something changed, at most so long; return what did."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            pass
        self._woken.clear()
        changed, self.changed = self.changed, {}
        return changed


class Feed:
    """All followers on this server."""

    def __init__(self, presence: Presence, messages: Messages) -> None:
        self._presence = presence
        self._followers: defaultdict[str, set[Follower]] = defaultdict(set)
        self._all: set[Follower] = set()
        self.closing = False
        messages.subscribe(self._receive)

    def add(self, person: str) -> Follower:
        follower = Follower(person)
        self._all.add(follower)
        metrics.STREAMS.inc()
        if self.closing:
            follower.end()
        return follower

    def remove(self, follower: Follower) -> None:
        for table in list(follower.tables.values()):
            self.leave(table, follower)
        self._all.discard(follower)
        metrics.STREAMS.dec()

    def join(self, table: Table, follower: Follower) -> None:
        self._followers[table.id].add(follower)
        follower.tables[table.id] = table
        self._presence.enter(table, follower.person)

    def leave(self, table: Table, follower: Follower) -> None:
        del follower.tables[table.id]
        self._followers[table.id].discard(follower)
        if not self._followers[table.id]:
            del self._followers[table.id]
        self._presence.leave(table, follower.person)

    def _receive(self, message: Message) -> None:
        if isinstance(message, ReviewChanged):
            return
        for follower in self._followers.get(message.table.id, ()):
            follower.wake(message.table.id, unlogged=not isinstance(message, Changed))

    def end_streams(self) -> None:
        """End all streams: programs come back by themselves."""
        self.closing = True
        for follower in self._all:
            follower.end()
