"""Short-lived values that all servers share: who is at a table, how much a client has used.

Nothing here need outlive a restart. The default, for one process, is a dictionary; several servers
share a table of their database, or Redis. Both are meant for a few calls a second with many keys
each, not for one call with each request.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from veillee.web import clock
from veillee.web.database import Store, StoreError, is_postgres, queries

T = TypeVar("T")

CHUNK = 100
"""Keys in one statement."""
PRESENCE = "presence:"
USAGE = "usage"


class SharedKeys(ABC):
    """Presence by table and person, and counters by key; each ends after some seconds."""

    async def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Disconnect."""

    @abstractmethod
    async def arrive(self, people: Sequence[tuple[str, str]], seconds: float) -> None:
        """Say that people (table id, person) are at tables, for so long unless said again."""

    @abstractmethod
    async def present(self, table_ids: Sequence[str]) -> dict[str, set[str]]:
        """Return who is at each of these tables, at whichever server."""

    @abstractmethod
    async def add(self, amounts: Mapping[str, int], seconds: float) -> dict[str, int]:
        """Add to counters and return their values. One that rests for so long begins anew."""

    @abstractmethod
    async def sweep(self) -> None:
        """Delete what has ended."""


def shared_keys_at(store: Store, database: str, bus: str = "", workers: int = 1) -> SharedKeys:
    """Return the shared keys that go with a bus: see `bus_at`."""
    if bus:
        return RedisKeys(bus)
    return SqlKeys(store) if is_postgres(database) or workers > 1 else MemoryKeys()


class MemoryKeys(SharedKeys):
    """For one process."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], tuple[int, float]] = {}
        """Value and end of each key."""

    async def arrive(self, people: Sequence[tuple[str, str]], seconds: float) -> None:
        for key in people:
            self._values[key] = (1, time.monotonic() + seconds)

    async def present(self, table_ids: Sequence[str]) -> dict[str, set[str]]:
        now = time.monotonic()
        people: dict[str, set[str]] = {table_id: set() for table_id in table_ids}
        for (table_id, person), (_, end) in self._values.items():
            if table_id in people and end >= now:
                people[table_id].add(person)
        return people

    async def add(self, amounts: Mapping[str, int], seconds: float) -> dict[str, int]:
        now = time.monotonic()
        totals = {}
        for key, amount in amounts.items():
            value, end = self._values.get((USAGE, key), (0, now))
            totals[key] = amount + (value if end >= now else 0)
            self._values[USAGE, key] = (totals[key], now + seconds)
        return totals

    async def sweep(self) -> None:
        now = time.monotonic()
        self._values = {key: each for key, each in self._values.items() if each[1] >= now}


class SqlKeys(SharedKeys):
    """For servers on one database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def arrive(self, people: Sequence[tuple[str, str]], seconds: float) -> None:
        rows = [(PRESENCE + table_id, person, 1) for table_id, person in set(people)]
        await self._add(rows, seconds)

    async def present(self, table_ids: Sequence[str]) -> dict[str, set[str]]:
        people: dict[str, set[str]] = {table_id: set() for table_id in table_ids}
        for chunk in _chunks(table_ids):
            spaces = [PRESENCE + table_id for table_id in chunk]
            for space, person in await queries.shared_keys_in(self._store, spaces, clock.now()):
                people[space.removeprefix(PRESENCE)].add(person)
        return people

    async def add(self, amounts: Mapping[str, int], seconds: float) -> dict[str, int]:
        return await self._add([(USAGE, key, n) for key, n in amounts.items()], seconds)

    async def _add(self, rows: Sequence[tuple[str, str, int]], seconds: float) -> dict[str, int]:
        totals = {}
        now = clock.now()
        for chunk in _chunks(sorted(rows)):  # in one order for all servers, against deadlocks
            statement = queries.add_shared(chunk, now, now + int(seconds * 1000))
            totals.update({str(k): int(v) for k, v in await self._store.write_returning(statement)})
        return totals

    async def sweep(self) -> None:
        await self._store.write(queries.delete_expired(clock.now()))


class RedisKeys(SharedKeys):
    """For servers with Redis, where keys end by themselves."""

    PREFIX = "veillee:"

    def __init__(self, url: str) -> None:
        try:
            from redis.asyncio import Redis
        except ModuleNotFoundError:
            raise StoreError("Redis needs its library: pip install 'veillee[redis]'.") from None
        self._redis = Redis.from_url(url, socket_timeout=5, decode_responses=True)

    async def close(self) -> None:
        await self._redis.aclose()

    async def arrive(self, people: Sequence[tuple[str, str]], seconds: float) -> None:
        """A sorted set for each table: people by the time until which they are there."""
        until = time.time() + seconds
        by_table: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for table_id, person in people:
            by_table[table_id][person] = until
        pipeline = self._redis.pipeline(transaction=False)
        for table_id, members in by_table.items():
            pipeline.zadd(self.PREFIX + PRESENCE + table_id, members)
            # As long again: others at the table may have been told of for longer.
            pipeline.expire(self.PREFIX + PRESENCE + table_id, int(2 * seconds) + 1)
        await pipeline.execute()

    async def present(self, table_ids: Sequence[str]) -> dict[str, set[str]]:
        pipeline = self._redis.pipeline(transaction=False)
        for table_id in table_ids:
            pipeline.zrangebyscore(self.PREFIX + PRESENCE + table_id, time.time(), "+inf")
        answers = await pipeline.execute()
        return {table_id: set(p) for table_id, p in zip(table_ids, answers, strict=True)}

    async def add(self, amounts: Mapping[str, int], seconds: float) -> dict[str, int]:
        pipeline = self._redis.pipeline(transaction=False)
        for key, amount in amounts.items():
            pipeline.incrby(f"{self.PREFIX}{USAGE}:{key}", amount)
            pipeline.pexpire(f"{self.PREFIX}{USAGE}:{key}", int(seconds * 1000))
        answers = await pipeline.execute()
        return {key: int(value) for key, value in zip(amounts, answers[::2], strict=True)}

    async def sweep(self) -> None:
        """Nothing is left to delete."""


def _chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for first in range(0, len(values), CHUNK):
        yield values[first : first + CHUNK]
