"""Keys that servers share: presence and counters, which end by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.web.loop import run
from tests.web.served import sqlite_in
from veillee.web.database import store_at
from veillee.web.shared_keys import MemoryKeys, RedisKeys, SharedKeys, SqlKeys, shared_keys_at


@pytest.fixture(params=["memory", "sqlite", "postgresql", "redis"])
def setting(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str, int]:
    """A database, the address of a bus, and a number of workers."""
    match request.param:
        case "postgresql":
            return request.getfixturevalue("postgres_database"), "", 1
        case "redis":
            return sqlite_in(tmp_path), request.getfixturevalue("redis").url, 1
    return sqlite_in(tmp_path), "", 2 if request.param == "sqlite" else 1


@asynccontextmanager
async def servers(setting: tuple[str, str, int]) -> AsyncIterator[tuple[SharedKeys, SharedKeys]]:
    """Two servers; in memory, there can be only one."""
    store = store_at(setting[0])
    await store.open()
    one, other = (shared_keys_at(store, *setting) for _ in range(2))
    yield one, one if isinstance(one, MemoryKeys) else other
    for keys in (one, other):
        await keys.close()
    await store.close()


def test_each_setting_has_its_keys(tmp_path: Path) -> None:
    store = store_at(sqlite_in(tmp_path))
    assert isinstance(shared_keys_at(store, "file.sqlite"), MemoryKeys)
    assert isinstance(shared_keys_at(store, "file.sqlite", workers=2), SqlKeys)
    assert isinstance(shared_keys_at(store, "postgresql://host/name"), SqlKeys)
    assert isinstance(shared_keys_at(store, "file.sqlite", "redis://host"), RedisKeys)


def test_who_is_at_a_table_is_known_to_all_servers(setting: tuple[str, str, int]) -> None:
    async def story() -> None:
        async with servers(setting) as (one, other):
            await one.arrive([("t", "ida"), ("t", "bo"), ("u", "ida"), ("t", "ida")], 60)
            await other.arrive([("t", "cy")], 60)
            people = await other.present(["t", "u", "empty"])
            assert people == {"t": {"ida", "bo", "cy"}, "u": {"ida"}, "empty": set()}

    run(story())


def test_presence_ends_unless_it_is_said_again(setting: tuple[str, str, int]) -> None:
    async def story() -> None:
        async with servers(setting) as (one, _):
            await one.arrive([("t", "ida"), ("t", "bo")], 0.2)
            await one.arrive([("t", "bo")], 60)
            await asyncio.sleep(0.4)
            assert await one.present(["t"]) == {"t": {"bo"}}

    run(story())


def test_many_people_at_many_tables(setting: tuple[str, str, int]) -> None:
    async def story() -> None:
        async with servers(setting) as (one, other):
            tables = [f"t{n}" for n in range(250)]
            await one.arrive([(table_id, "ida") for table_id in tables], 60)
            assert await other.present(tables) == {table_id: {"ida"} for table_id in tables}

    run(story())


def test_counters_add_up_over_servers_and_begin_anew_after_a_rest(
    setting: tuple[str, str, int],
) -> None:
    async def story() -> None:
        async with servers(setting) as (one, other):
            assert await one.add({"192.0.2.1": 3, "192.0.2.2": 1}, 0.3) == {
                "192.0.2.1": 3,
                "192.0.2.2": 1,
            }
            assert await other.add({"192.0.2.1": 4}, 0.3) == {"192.0.2.1": 7}
            await asyncio.sleep(0.6)
            assert await one.add({"192.0.2.1": 1}, 0.3) == {"192.0.2.1": 1}

    run(story())


def test_what_has_ended_is_deleted(database: str) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        keys = SqlKeys(store)
        await keys.arrive([("t", "ida")], 60)
        await keys.add({"192.0.2.1": 1}, -1)
        await keys.sweep()
        assert await store.read("SELECT space, key FROM shared_key") == [("presence:t", "ida")]
        await store.close()

    run(story())


def test_two_servers_count_at_once_without_losing_any(database: str) -> None:
    async def story() -> None:
        stores = [store_at(database) for _ in range(2)]
        for store in stores:
            await store.open()
        keys = [SqlKeys(store) for store in stores]
        amounts = {f"192.0.2.{n}": 1 for n in range(150)}
        backwards = dict(reversed(amounts.items()))
        await asyncio.gather(*(k.add(a, 60) for k in keys for a in [amounts, backwards] * 5))
        assert set((await keys[0].add(amounts, 60)).values()) == {21}
        for store in stores:
            await store.close()

    run(story())
