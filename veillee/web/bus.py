"""The bus: how servers learn what others appended to the logs.

The log is the truth, the bus only wakes: a message may be lost or come twice. Entries carry their
number, so a server reads a gap from the log and ignores what it has. After the connection was lost,
the bus delivers `Reconnected`, and every subscribed table is to be compared with the log.

| bus           | for                              | entries are announced by                |
|---------------|----------------------------------|-----------------------------------------|
| `MemoryBus`   | one process                      | the store, after the commit             |
| `SqliteBus`   | several workers, one SQLite file | the log itself: new rows are looked for |
| `PostgresBus` | any number of servers            | `NOTIFY` in the entries' transaction    |
| `RedisBus`    | any number of servers            | `PUBLISH`, after the commit             |
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from veillee.web import metrics
from veillee.web.database import Store, StoreError, is_postgres, path_of, queries
from veillee.web.database.sqlite import by_number, connect, transaction
from veillee.web.database.store import Announcement, LogRow
from veillee.web.refreshed import Refreshed

if TYPE_CHECKING:
    import asyncpg
    from redis.asyncio.client import PubSub

log = logging.getLogger("veillee.bus")

MOST_WAITING = 20_000
"""Messages that wait to be received; beyond, they are dropped as if the connection was lost."""
PING = 5.0
"""Seconds of silence after which a connection is tested, and seconds to answer."""
SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
"""Seconds between two attempts to reconnect, at first and at most."""


class PersonChanged(msgspec.Struct, frozen=True, array_like=True, tag="person"):
    """A person has another name or other settings, or was deleted."""

    person: str


class ReviewMoved(msgspec.Struct, frozen=True, array_like=True, tag="review"):
    """A review shows another moment, or has another leader."""

    review: str


class TokensRevoked(msgspec.Struct, frozen=True, array_like=True, tag="tokens"):
    """Tokens of the API are no longer valid."""

    tokens: list[str]


class ListsChanged(msgspec.Struct, frozen=True, array_like=True, tag="lists"):
    """People are invited to a table, or one of their games began."""

    people: list[str]


Notice = PersonChanged | ReviewMoved | TokensRevoked | ListsChanged
"""A message to all servers that is in no log."""


class Reconnected(msgspec.Struct, frozen=True):
    """Messages may have been lost: compare every subscribed table with its log."""


Message = Announcement | Notice | Reconnected

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[list[Announcement | Notice]] = msgspec.json.Decoder(
    list[Announcement | Notice]
)


def encode(*notices: Notice) -> str:
    return _encoder.encode(notices).decode()


def _decode(data: str | bytes) -> Sequence[Message]:
    """Decode messages. A newer server may tell what this version does not understand."""
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        log.warning("a message of the bus cannot be read: %s", error)
        return [Reconnected()]


class Bus(ABC):
    """`await bus.subscribe(table_id)`, then `for message in await bus.receive()`.

    One task receives. What this server itself appended or told comes back, too.
    """

    READS_NOTICES = False
    """Whether it delivers the notices in the store by itself."""

    def __init__(self) -> None:
        self._tables: set[str] = set()
        self._messages: list[Message] = []
        self._arrived = asyncio.Event()

    @abstractmethod
    async def open(self) -> None:
        """Connect; return when messages are heard."""

    @abstractmethod
    async def close(self) -> None: ...

    async def subscribe(self, table_id: str) -> None:
        """Hear of a table. Read its log after this: then nothing can be missed in between."""
        self._tables.add(table_id)

    async def unsubscribe(self, table_id: str) -> None:
        self._tables.discard(table_id)

    async def receive(self) -> list[Message]:
        """Wait for messages and return all there are, the oldest first."""
        await self._arrived.wait()
        self._arrived.clear()
        messages, self._messages = self._messages, []
        return messages

    @abstractmethod
    async def tell(self, notice: Notice) -> None:
        """Tell all servers something that is in no log."""

    def payloads(self, announcements: Sequence[Announcement]) -> list[str]:  # noqa: ARG002
        """Return what PostgreSQL must NOTIFY in the transaction that commits the entries."""
        return []

    def publish(self, announcements: Sequence[Announcement]) -> None:  # noqa: B027 - not all need it
        """Announce entries that were committed."""

    def deliver(self, messages: Sequence[Message]) -> None:
        """Hand messages to the receiver, those about tables only if it subscribed to them."""
        wanted = [message for message in messages if self._is_wanted(message)]
        if not wanted:
            return
        self._messages += wanted
        self._measure(wanted)
        if len(self._messages) > MOST_WAITING:
            log.warning("more than %d messages of the bus wait: dropped", MOST_WAITING)
            self._messages = [Reconnected()]
        self._arrived.set()

    def _measure(self, messages: Sequence[Message]) -> None:
        now = time.time()
        for message in messages:
            match message:
                case Announcement(rows=[LogRow(at=at), *_]):
                    metrics.BUS_DELAY.observe(max(0.0, now - at / 1000))
                case Reconnected():
                    metrics.BUS_RECONNECTS.inc()

    def _is_wanted(self, message: Message) -> bool:
        match message:
            case Announcement():
                return message.table_id in self._tables
            case _:
                return True


def bus_at(database: str, address: str = "", workers: int = 1) -> Bus:
    """Return the bus for servers on a database: Redis if an address is given, else the least."""
    if address:
        return RedisBus(address)
    if is_postgres(database):
        return PostgresBus(database)
    return SqliteBus(path_of(database)) if workers > 1 else MemoryBus()


class MemoryBus(Bus):
    """For one process: messages go from the store to the receiver."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def tell(self, notice: Notice) -> None:
        self.deliver([notice])

    def publish(self, announcements: Sequence[Announcement]) -> None:
        self.deliver(announcements)


class SqliteBus(Bus):
    """For several workers on one SQLite file, which they watch.

    `PRAGMA data_version` tells whether anybody has committed: 3 µs, every 5 ms. Then the new rows
    of the log are those with a higher rowid. Writers pay nothing. Notices are rows of their own.
    """

    READS_NOTICES = True
    INTERVAL = 0.005
    NEW_ROWS = (
        "SELECT rowid, table_id, number, data, token, at FROM entry WHERE rowid > ? ORDER BY rowid"
    )
    NEW_NOTICES = "SELECT id, data FROM notice WHERE id > ? ORDER BY id"
    LAST = "SELECT coalesce((SELECT max(rowid) FROM entry), 0), coalesce(max(id), 0) FROM notice"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    async def open(self) -> None:
        self._connection = connect(self.path)
        self._version = self._data_version()
        self._row, self._notice = self._connection.execute(self.LAST).fetchone()
        self._watcher = asyncio.create_task(self._watch())

    async def close(self) -> None:
        await _end(self._watcher)
        self._connection.close()

    async def tell(self, notice: Notice) -> None:
        try:
            await asyncio.to_thread(self._tell, encode(notice))
        except sqlite3.Error as error:
            log.warning("a notice was not sent: %s", error)

    def _tell(self, data: str) -> None:
        now = int(time.time() * 1000)
        with contextlib.closing(connect(self.path)) as connection, transaction(connection):
            for statement in queries.add_notice(data, now):
                connection.execute(statement.sql, by_number(statement.values))

    async def _watch(self) -> None:
        failed = False
        while True:
            await asyncio.sleep(self.INTERVAL)
            try:
                version = self._data_version()
                if failed or version != self._version:
                    self._look(failed)
                    self._version = version
                    failed = False
            except sqlite3.Error as error:
                if not failed:
                    log.warning("the database cannot be watched: %s", error)
                failed = True

    def _data_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _look(self, failed: bool) -> None:
        """Deliver what is new. If rows were deleted, nobody knows what is."""
        last_row, last_notice = self._connection.execute(self.LAST).fetchone()
        if failed or last_row < self._row or last_notice < self._notice:
            self.deliver([Reconnected()])
            self._row, self._notice = last_row, last_notice
        rows = self._connection.execute(self.NEW_ROWS, (self._row,))
        for row, table_id, number, data, token, at in rows:
            self.deliver([Announcement(table_id, number, [LogRow(data, token, at)])])
            self._row = row
        for notice, data in self._connection.execute(self.NEW_NOTICES, (self._notice,)):
            self.deliver(_decode(data))
            self._notice = notice


class NetworkBus(Bus):
    """A bus with a connection that may break: it is made again, with growing pauses."""

    async def open(self) -> None:
        self._open = asyncio.Event()
        self._listener = asyncio.create_task(self._listen())
        await self._open.wait()

    async def close(self) -> None:
        await _end(self._listener)

    async def _listen(self) -> None:
        pause = SHORTEST_PAUSE
        while True:
            try:
                async with asyncio.timeout(2 * PING):
                    await self._connect()
                if self._open.is_set():
                    log.warning("the bus is connected again")
                    self.deliver([Reconnected()])
                self._open.set()
                pause = SHORTEST_PAUSE
                await self._stay_connected()
            except self._errors() as error:
                log.warning("the bus has lost its connection: %s", error or type(error).__name__)
            finally:
                await self._disconnect()
            await asyncio.sleep(random.uniform(pause / 2, pause))
            pause = min(2 * pause, LONGEST_PAUSE)

    @abstractmethod
    def _errors(self) -> tuple[type[Exception], ...]:
        """Return the errors that mean a broken connection."""

    @abstractmethod
    async def _connect(self) -> None:
        """Connect and hear what is subscribed to."""

    @abstractmethod
    async def _stay_connected(self) -> None:
        """Return or raise when the connection is broken."""

    @abstractmethod
    async def _disconnect(self) -> None:
        """Drop the connection, if there is one."""


class PostgresBus(NetworkBus):
    """PostgreSQL's LISTEN and NOTIFY, on one channel that every server hears whole."""

    PAYLOAD = 7_900
    """Most bytes of a notification: PostgreSQL refuses 8,000."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self._connection: asyncpg.Connection | None = None
        self._using = asyncio.Lock()
        """A connection carries out one statement at a time, and refuses a second one."""

    def payloads(self, announcements: Sequence[Announcement]) -> list[str]:
        """Pack announcements into as few notifications as they fit in."""
        payloads: list[str] = []
        parts: list[str] = []
        size = 0
        for announcement in announcements:
            part = self._part(announcement)
            length = len(part.encode()) + 1
            if parts and size + length > self.PAYLOAD:
                payloads.append(f"[{','.join(parts)}]")
                parts, size = [], 0
            parts.append(part)
            size += length
        return [*payloads, f"[{','.join(parts)}]"] if parts else payloads

    def _part(self, announcement: Announcement) -> str:
        data = _encoder.encode(announcement)
        if len(data) >= self.PAYLOAD:
            data = _encoder.encode(msgspec.structs.replace(announcement, rows=None))
        return data.decode()

    async def tell(self, notice: Notice) -> None:
        from veillee.web.database.postgres import NOTIFY

        try:
            async with self._using:
                if self._connection is not None:
                    await self._connection.execute(NOTIFY, encode(notice))
        except self._errors() as error:
            log.warning("a notice was not sent: %s", error)

    def _errors(self) -> tuple[type[Exception], ...]:
        import asyncpg

        return (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)

    async def _connect(self) -> None:
        import asyncpg

        from veillee.web.database.postgres import CHANNEL

        self._connection = await asyncpg.connect(self.url, command_timeout=PING)
        self._lost = asyncio.Event()
        self._connection.add_termination_listener(self._note_loss)
        async with self._using:
            await self._connection.add_listener(CHANNEL, self._hear)

    def _note_loss(self, _connection: object) -> None:
        self._lost.set()

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self.deliver(_decode(str(payload)))

    async def _stay_connected(self) -> None:
        while not self._lost.is_set():
            try:
                async with asyncio.timeout(PING):
                    await self._lost.wait()
            except TimeoutError:
                assert self._connection is not None
                async with self._using:
                    await self._connection.execute("SELECT 1")

    async def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


class RedisBus(NetworkBus):
    """Redis or Valkey, with a channel for each table."""

    EVERYONE = "veillee"

    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ModuleNotFoundError:
            raise StoreError("Redis needs its library: pip install 'veillee[redis]'.") from None
        self._redis = Redis.from_url(
            url, retry=Retry(NoBackoff(), 0), socket_connect_timeout=PING, decode_responses=True
        )
        self._pubsub: PubSub | None = None
        self._confirmed: dict[str, asyncio.Event] = {}
        self._outgoing: list[tuple[str, bytes]] = []
        self._sender: asyncio.Task[None] | None = None

    async def close(self) -> None:
        await super().close()
        if self._sender is not None:
            await self._sender
        await self._redis.aclose()

    async def subscribe(self, table_id: str) -> None:
        """As above. Without an answer of Redis, messages are heard when it is back."""
        await super().subscribe(table_id)
        if self._pubsub is None:  # it will subscribe to all tables when it is connected
            return
        channel = self._channel(table_id)
        confirmed = self._confirmed.setdefault(channel, asyncio.Event())
        with contextlib.suppress(*self._errors()):
            async with asyncio.timeout(PING):
                await self._pubsub.subscribe(channel)
                await confirmed.wait()

    async def unsubscribe(self, table_id: str) -> None:
        await super().unsubscribe(table_id)
        channel = self._channel(table_id)
        self._confirmed.pop(channel, None)
        if self._pubsub is not None:
            with contextlib.suppress(*self._errors()):
                await self._pubsub.unsubscribe(channel)

    async def tell(self, notice: Notice) -> None:
        self._send(self.EVERYONE, _encoder.encode([notice]))

    def publish(self, announcements: Sequence[Announcement]) -> None:
        for announcement in announcements:
            self._send(self._channel(announcement.table_id), _encoder.encode([announcement]))

    def _channel(self, table_id: str) -> str:
        return f"{self.EVERYONE}:{table_id}"

    def _send(self, channel: str, data: bytes) -> None:
        """Send soon, in one round trip with what else there is to send."""
        self._outgoing.append((channel, data))
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._outgoing:
            outgoing, self._outgoing = self._outgoing, []
            pipeline = self._redis.pipeline(transaction=False)
            for channel, data in outgoing:
                pipeline.publish(channel, data)
            try:
                async with asyncio.timeout(PING):
                    await pipeline.execute()
            except self._errors() as error:
                log.warning("%d messages were not sent: %s", len(outgoing), error)

    def _errors(self) -> tuple[type[Exception], ...]:
        from redis import RedisError

        return (OSError, TimeoutError, RedisError)

    async def _connect(self) -> None:
        self._pubsub = self._redis.pubsub()
        channels = [self._channel(table_id) for table_id in self._tables]
        await self._pubsub.subscribe(self.EVERYONE, *channels)
        awaited = {self.EVERYONE, *channels}
        while awaited:
            message = await self._pubsub.get_message(timeout=PING)
            if message is not None and message["type"] == "subscribe":
                awaited.discard(message["channel"])
            self._take(message)

    async def _stay_connected(self) -> None:
        assert self._pubsub is not None
        tested = False
        while True:
            message = await self._pubsub.get_message(timeout=PING)
            if message is None and tested:
                raise TimeoutError("Redis does not answer")
            tested = message is None
            if tested:
                await self._pubsub.ping()
            self._take(message)

    def _take(self, message: dict[str, Any] | None) -> None:
        match message:
            case {"type": "message", "data": data}:
                self.deliver(_decode(data))
            case {"type": "subscribe", "channel": channel} if channel in self._confirmed:
                self._confirmed[channel].set()

    async def _disconnect(self) -> None:
        for confirmed in self._confirmed.values():
            confirmed.clear()
        if self._pubsub is not None:
            pubsub, self._pubsub = self._pubsub, None
            with contextlib.suppress(*self._errors()):
                await pubsub.aclose()  # type: ignore[no-untyped-call]


class Notices(Refreshed):
    """Hears the notices that other programs than servers leave in the store: `veillee admin`.

    For a bus that does not read them by itself.
    """

    def __init__(self, store: Store, bus: Bus, every: float) -> None:
        super().__init__("notices", every)
        self._store = store
        self._bus = bus
        self._last = -1

    async def refresh(self) -> None:
        if self._last < 0:
            self._last = await queries.last_notice(self._store)
        for number, data in await queries.notices_after(self._store, self._last):
            self._bus.deliver(_decode(data))
            self._last = number


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
