"""Presence: who is at which table, by open windows and by the last heartbeat.

Servers share it by keys that expire when a person counts as away (see `shared_keys.py`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Collection

from veillee.web.shared_keys import MemoryKeys, SharedKeys
from veillee.web.tables.messages import Messages, PresenceChanged
from veillee.web.tables.table import Table

logger = logging.getLogger("veillee.tables")

FORGET_AFTER = 15 * 60
"""Seconds after which a heartbeat is forgotten."""
INTERVAL = 3.0
"""Seconds between two exchanges with other servers."""
PATIENCE = 1.0
"""Seconds that a page waits to learn who is at other servers."""


class Presence:
    """The people at the tables."""

    def __init__(self, messages: Messages, away: float, keys: SharedKeys | None = None) -> None:
        self.away = away
        """Seconds without a heartbeat after which a person counts as away."""
        self._keys = keys or MemoryKeys()
        self._alone = isinstance(self._keys, MemoryKeys)
        self._messages = messages
        self._windows: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """Open streams by table and person."""
        self._tables: dict[str, Table] = {}
        """The tables that somebody watches here."""
        self._seen: dict[tuple[str, str], float] = {}
        self._untold: set[tuple[str, str]] = set()
        """Heartbeats that other servers don't know yet."""
        self._renewal = away / 3
        """Seconds after which other servers are told again of a window that is still open."""
        self._told: dict[tuple[str, str], float] = {}
        """When other servers were last told of people with an open window."""
        self._elsewhere: dict[str, set[str]] = {}
        """People present on all servers together, at each table where somebody is not here."""
        self._began = time.monotonic()

    def enter(self, table: Table, person: str) -> None:
        """A person opens a window."""
        self.note(table, person)
        self._windows[table.id][person] += 1
        self._tables[table.id] = table

    def leave(self, table: Table, person: str) -> None:
        """A person closes a window."""
        self.note(table, person)
        windows = self._windows[table.id]
        windows[person] -= 1
        if windows[person] <= 0:
            del windows[person]
            self._tell(table, person)
        if not windows:
            del self._windows[table.id], self._tables[table.id]
            self._elsewhere.pop(table.id, None)

    def note(self, table: Table, person: str) -> None:
        """Record a heartbeat of a person."""
        returned = person in table.people and self.is_away(table, person)
        self._seen[table.id, person] = time.monotonic()
        if person not in self._windows.get(table.id, ()):
            self._tell(table, person)
        if returned:
            self._messages.publish(PresenceChanged(table))

    def _tell(self, table: Table, person: str) -> None:
        """Tell other servers of a heartbeat, soon. Of those who only watch nobody need know."""
        if not self._alone and person in table.people:
            self._untold.add((table.id, person))

    def is_watched(self, table_id: str) -> bool:
        return table_id in self._windows

    def is_here(self, table: Table, person: str) -> bool:
        """Tell whether a person has a window open, or had one a moment ago at another server."""
        here = person in self._windows.get(table.id, ())
        return here or person in self._elsewhere.get(table.id, ())

    def is_away(self, table: Table, person: str) -> bool:
        """Tell whether a person sent no heartbeat for so long that the others may go on.

        Where there are days for each decision, nobody need be there.
        """
        if person in self._windows.get(table.id, ()) or table.plan.timing == "days":
            return False
        if person in self._elsewhere.get(table.id, ()):
            return False
        return time.monotonic() - self._seen.get((table.id, person), self._began) > self.away

    def has_absent(self, table: Table) -> bool:
        """Tell whether somebody has no open window here and does not count as away yet."""
        absent = table.people - self._windows[table.id].keys()
        return any(not self.is_away(table, person) for person in absent)

    def away_seats(self, table: Table, here: Collection[str] = ()) -> tuple[bool, ...]:
        """At which seats a person is away. Those who are `here` are not."""
        if table.people.issubset(here):
            return (False,) * len(table.seats)
        people = [seat.person for seat in table.seats]
        return tuple([bool(p) and p not in here and self.is_away(table, p) for p in people])

    def forget_old(self) -> None:
        """Forget old heartbeats; people with an open window send one."""
        now = time.monotonic()
        for table_id, windows in self._windows.items():
            for person in windows:
                self._seen[table_id, person] = now
        old = now - max(FORGET_AFTER, self.away)
        self._seen = {key: at for key, at in self._seen.items() if at > old}

    # ------------------------------------------------------------ other servers

    async def refresh(self, table: Table) -> None:
        """Learn who is at a table elsewhere."""
        if not self._alone:
            self._elsewhere |= await self._keys.present([table.id])

    async def try_refresh(self, table: Table) -> None:
        """Learn who is at a table elsewhere. Play goes on if that cannot be known."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.refresh(table)
        except Exception as error:  # noqa: BLE001 - the store or Redis is away: it will come back
            logger.warning("presence is not known: %s", error or type(error).__name__)

    async def share(self) -> None:
        """Exchange with other servers, until cancelled."""
        while not self._alone:
            await asyncio.sleep(INTERVAL)
            try:
                await self.exchange()
            except Exception as error:  # noqa: BLE001 - the store is away: it will come back
                logger.warning("presence cannot be shared: %s", error)

    async def exchange(self) -> None:
        """Tell other servers who came and who left, and learn what they tell."""
        await self._tell_others()
        before = self._elsewhere
        self._elsewhere = await self._keys.present(self._incomplete())
        for table_id, people in self._elsewhere.items():
            table = self._tables.get(table_id)
            if table is None:
                continue
            if table.people & (people ^ before.get(table_id, table.people)):
                self._messages.publish(PresenceChanged(table))
        await self._keys.sweep()

    def _incomplete(self) -> list[str]:
        """The tables with a person who has no window open here."""
        windows = self._windows
        return sorted(id_ for id_, t in self._tables.items() if t.people - windows[id_].keys())

    async def _tell_others(self) -> None:
        """Tell of new heartbeats, and now and then of windows that are still open."""
        now = time.monotonic()
        old = now - self._renewal
        here = {
            (id_, person)
            for id_, table in self._tables.items()
            for person in table.people & self._windows[id_].keys()
        }
        due = {key for key in here if self._told.get(key, old) <= old}
        untold, self._untold = self._untold, set()
        try:
            await self._keys.arrive(sorted(due), self.away + self._renewal + INTERVAL)
            await self._keys.arrive(sorted(untold - here), self.away + INTERVAL)
        except BaseException:
            self._untold |= untold
            raise
        self._told = {key: now if key in due else self._told[key] for key in here}
