"""The feed: wakes the streams of programs when something happens at the tables they follow.

Programs get a table as it is when they are ready to take it, so a slow one misses steps of the
picture but never the last, and nothing piles up for it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict

from veillee.web import metrics
from veillee.web.bus import ListsChanged, TokensRevoked
from veillee.web.tables.messages import (
    Changed,
    Message,
    Messages,
    PresenceChanged,
    Renamed,
    ReviewChanged,
)
from veillee.web.tables.presence import Presence
from veillee.web.tables.table import Table


class Follower:
    """A program that follows tables, with a token of a person."""

    def __init__(self, person: str, token: str) -> None:
        self.person = person
        self.token = token
        self.tables: dict[str, Table] = {}
        self.changed: dict[str, bool] = {}
        """The tables at which something happened; True if it is in no log: names, absences."""
        self.list_changed = True
        """Whether the person may have other invitations or games than when it was last looked."""
        self.ended = False
        """Whether nothing more may be sent."""
        self._woken = asyncio.Event()

    def wake(self, table_id: str, *, unlogged: bool) -> None:
        self.changed[table_id] = self.changed.get(table_id, False) or unlogged
        self._woken.set()

    def wake_for_list(self) -> None:
        self.list_changed = True
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

    def add(self, person: str, token: str) -> Follower:
        follower = Follower(person, token)
        self._all.add(follower)
        metrics.STREAMS.inc()
        if self.closing:
            follower.end()
        return follower

    def remove(self, follower: Follower) -> None:
        if follower not in self._all:
            return
        for table in list(follower.tables.values()):
            self.leave(table, follower)
        self._all.discard(follower)
        metrics.STREAMS.dec()

    def join(self, table: Table, follower: Follower) -> None:
        self._presence.enter(table, follower.person)  # first: only others are told who is back
        self._followers[table.id].add(follower)
        follower.tables[table.id] = table

    def leave(self, table: Table, follower: Follower) -> None:
        del follower.tables[table.id]
        self._followers[table.id].discard(follower)
        if not self._followers[table.id]:
            del self._followers[table.id]
        self._presence.leave(table, follower.person)

    def _receive(self, message: Message) -> None:
        match message:
            case Changed(table):
                self._wake(table, unlogged=False)
            case Renamed(table) | PresenceChanged(table):
                self._wake(table, unlogged=True)
            case ListsChanged(people):
                for follower in self._all:
                    if follower.person in people:
                        follower.wake_for_list()
            case TokensRevoked(tokens):
                for follower in self._all:
                    if follower.token in tokens:
                        follower.end()
            case ReviewChanged():
                pass

    def _wake(self, table: Table, *, unlogged: bool) -> None:
        for follower in self._followers.get(table.id, ()):
            follower.wake(table.id, unlogged=unlogged)

    def end_streams(self) -> None:
        """End all streams: programs come back by themselves."""
        self.closing = True
        for follower in self._all:
            follower.end()
