"""The bus: servers hear what others appended, and find out when they may have missed something."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from tests.web.loop import run
from tests.web.parts import Postgres, Redis
from tests.web.served import sqlite_in
from veillee.web.bus import (
    Bus,
    MemoryBus,
    Message,
    PersonChanged,
    PostgresBus,
    Reconnected,
    RedisBus,
    SqliteBus,
    bus_at,
)
from veillee.web.database import Statement, Store, queries, store_at
from veillee.web.database.store import Announcement, LogRow

NewBus = Callable[[], tuple[str, Bus]]
"""A bus of a further server, and the address of the database that it is for."""


@pytest.fixture(params=["sqlite", "postgresql", "redis"])
def new_bus(request: pytest.FixtureRequest, tmp_path: Path) -> NewBus:
    """Buses between servers: each test is carried out on every kind."""
    database, address = sqlite_in(tmp_path), ""
    if request.param == "postgresql":
        database = request.getfixturevalue("postgres_database")
    if request.param == "redis":
        address = request.getfixturevalue("redis").url
    return lambda: (database, bus_at(database, address, workers=2))


@asynccontextmanager
async def server(new_bus: NewBus) -> AsyncIterator[tuple[Store, Bus]]:
    """What a server has: a store, and a bus on which its commits are announced."""
    database, bus = new_bus()
    store = store_at(database, bus)
    await store.open()
    await bus.open()
    yield store, bus
    await bus.close()
    await store.close()


async def heard(bus: Bus, most: int) -> list[Message]:
    """Receive so many messages."""
    messages: list[Message] = []
    async with asyncio.timeout(20):
        while len(messages) < most:
            messages += await bus.receive()
    return messages


def numbers(messages: list[Message]) -> list[int]:
    """Return the numbers of all entries announced."""
    rows = [m for m in messages if isinstance(m, Announcement)]
    return [m.number + i for m in rows for i in range(len(m.rows or ()))]


def test_each_setting_has_its_bus(tmp_path: Path) -> None:
    assert isinstance(bus_at("file.sqlite"), MemoryBus)
    assert isinstance(bus_at("file.sqlite", workers=2), SqliteBus)
    assert isinstance(bus_at("postgresql://host/name"), PostgresBus)
    assert isinstance(bus_at("postgresql://host/name", "redis://host"), RedisBus)


def test_in_one_process_entries_are_announced_once_they_are_committed(tmp_path: Path) -> None:
    async def story() -> None:
        async with server(lambda: (sqlite_in(tmp_path), MemoryBus())) as (store, bus):
            await bus.subscribe("t")
            assert await store.append("t", 0, ["a", "b"], "once", 7)
            assert await store.append("elsewhere", 0, ["a"], None, 7)
            assert not await store.append("t", 1, ["late"], None, 8)
            await bus.tell(PersonChanged("ida"))
            entries = Announcement("t", 0, [LogRow("a", "once", 7), LogRow("b", None, 7)])
            assert await heard(bus, 2) == [entries, PersonChanged("ida")]

    run(story())


def test_a_server_hears_what_another_appends_to_tables_it_subscribes_to(new_bus: NewBus) -> None:
    async def story() -> None:
        async with server(new_bus) as (store, _), server(new_bus) as (_, bus):
            await bus.subscribe("t")
            await bus.subscribe("gone")
            await bus.unsubscribe("gone")
            assert await store.append("t", 0, ["a"], "once", 7)
            assert await store.append("gone", 0, ["x"], None, 7)
            assert await store.append("t", 1, ["é", "c"], None, 8)
            messages = await heard(bus, 2)
            messages += await heard(bus, 1) if numbers(messages) == [0, 1] else []
            assert numbers(messages) == [0, 1, 2]
            rows = [row for m in messages if isinstance(m, Announcement) for row in m.rows or ()]
            assert rows == await queries.entries_of(store, "t")

    run(story())


def test_a_thousand_appends_of_two_servers_are_all_heard_in_order(new_bus: NewBus) -> None:
    async def append(store: Store, table_id: str) -> None:
        for number in range(50):
            assert await store.append(table_id, number, ["x" * 300], None, 7)

    async def story() -> None:
        async with server(new_bus) as (one, first), server(new_bus) as (other, second):
            tables = [f"t{n}" for n in range(20)]
            for table_id in tables:
                await first.subscribe(table_id)
                await second.subscribe(table_id)
            stores = [one, other] * 10
            async with asyncio.TaskGroup() as group:
                for store, table_id in zip(stores, tables, strict=True):
                    group.create_task(append(store, table_id))
                hearing = [group.create_task(heard(bus, 1000)) for bus in (first, second)]
            for task in hearing:
                for table_id in tables:
                    own = [
                        m
                        for m in task.result()
                        if isinstance(m, Announcement) and m.table_id == table_id
                    ]
                    assert numbers(list(own)) == list(range(50))

    run(story())


def test_notices_reach_other_servers(new_bus: NewBus) -> None:
    async def story() -> None:
        async with server(new_bus) as (_, one), server(new_bus) as (_, other):
            await one.tell(PersonChanged("ida"))
            assert await heard(other, 1) == [PersonChanged("ida")]

    run(story())


def test_notices_that_are_told_at_the_same_time_are_all_heard(new_bus: NewBus) -> None:
    people = [PersonChanged(f"p{number}") for number in range(50)]

    async def story() -> None:
        async with server(new_bus) as (_, one), server(new_bus) as (_, other):
            await asyncio.gather(*(one.tell(person) for person in people))
            told = await heard(other, len(people))
            assert sorted(map(str, told)) == sorted(map(str, people))

    run(story())


def test_a_notice_that_this_version_does_not_know_is_survived(new_bus: NewBus) -> None:
    """A newer server tells something while this one still serves."""

    class Unheard(msgspec.Struct, frozen=True, array_like=True, tag="unheard"):
        of: str

    async def story() -> None:
        async with server(new_bus) as (_, one), server(new_bus) as (_, other):
            await one.tell(cast(Any, Unheard("of")))
            await one.tell(PersonChanged("ida"))
            assert await heard(other, 2) == [Reconnected(), PersonChanged("ida")]

    run(story())


def test_a_notice_that_cannot_be_stored_is_lost(tmp_path: Path) -> None:
    """What it tells of is committed already: the command must not fail."""

    async def story() -> None:
        bus = SqliteBus(tmp_path / "missing" / "tables.sqlite")
        await bus.tell(PersonChanged("ida"))

    run(story())


def test_entries_too_large_for_a_notification_are_announced_without_data(
    postgres_database: str,
) -> None:
    async def story() -> None:
        new_bus: NewBus = lambda: (postgres_database, PostgresBus(postgres_database))  # noqa: E731
        async with server(new_bus) as (store, _), server(new_bus) as (_, bus):
            await bus.subscribe("t")
            await store.append("t", 0, ["é" * 5000], None, 7)
            await store.append("t", 1, ["é" * 3000], None, 7)
            large, small = await heard(bus, 2)
            assert large == Announcement("t", 0, None)
            assert small == Announcement("t", 1, [LogRow("é" * 3000, None, 7)])

    run(story())


def test_a_batch_is_packed_into_few_notifications() -> None:
    bus = PostgresBus("postgresql://nowhere/nothing")
    batch = [Announcement(f"t{n}", n, [LogRow("x" * 300, None, 7)]) for n in range(100)]
    payloads = bus.payloads(batch)
    assert len(payloads) == 5
    assert max(len(payload.encode()) for payload in payloads) < 8000


async def goes_on_after(store: Store, bus: Bus, number: int) -> None:
    """Wait until the loss is reported; then what is appended must be heard again."""
    messages: list[Message] = []
    async with asyncio.timeout(30):
        while Reconnected() not in messages:
            messages += await bus.receive()
    assert await store.append("t", number, ["after"], None, 7)
    assert number in numbers(await heard(bus, 1))


def test_a_cut_connection_to_postgresql_is_reported_and_made_again(postgres_database: str) -> None:
    async def story() -> None:
        new_bus: NewBus = lambda: (postgres_database, PostgresBus(postgres_database))  # noqa: E731
        async with server(new_bus) as (store, bus):
            await bus.subscribe("t")
            cut = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            )
            assert await store.read(cut) == [(True,)]
            await goes_on_after(store, bus, 0)

    run(story())


def test_a_restart_of_postgresql_is_survived_by_store_and_bus(
    postgres: Postgres, postgres_database: str
) -> None:
    async def story() -> None:
        new_bus: NewBus = lambda: (postgres_database, PostgresBus(postgres_database))  # noqa: E731
        async with server(new_bus) as (store, bus):
            await bus.subscribe("t")
            assert await store.append("t", 0, ["before"], None, 7)
            await asyncio.to_thread(postgres.stop)
            with pytest.raises(Exception):  # noqa: B017, PT011 - of several kinds
                await store.append("t", 1, ["meanwhile"], None, 7)
            await asyncio.to_thread(postgres.start)
            await goes_on_after(store, bus, 1)

    run(story())


def test_a_restart_of_redis_is_reported_and_all_tables_are_heard_again(
    redis: Redis, tmp_path: Path
) -> None:
    async def story() -> None:
        new_bus: NewBus = lambda: (sqlite_in(tmp_path), RedisBus(redis.url))  # noqa: E731
        async with server(new_bus) as (store, bus):
            await bus.subscribe("t")
            await asyncio.to_thread(redis.stop)
            assert await store.append("t", 0, ["unheard"], None, 7)
            await asyncio.to_thread(redis.start)
            await goes_on_after(store, bus, 1)

    run(story())


def test_deleted_rows_make_the_sqlite_bus_compare_anew(tmp_path: Path) -> None:
    async def story() -> None:
        new_bus: NewBus = lambda: (sqlite_in(tmp_path), bus_at(sqlite_in(tmp_path), workers=2))  # noqa: E731
        async with server(new_bus) as (store, bus):
            await store.append("t", 0, ["a", "b"], None, 7)
            await asyncio.sleep(0.1)
            await bus.subscribe("t")
            await store.write(Statement("DELETE FROM entry"))
            await goes_on_after(store, bus, 2)

    run(story())


def test_a_receiver_that_falls_far_behind_is_told_to_compare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("veillee.web.bus.MOST_WAITING", 10)

    async def story() -> None:
        bus = MemoryBus()
        await bus.subscribe("t")
        for number in range(11):
            bus.publish([Announcement("t", number, [])])
        assert await bus.receive() == [Reconnected()]

    run(story())
