"""Retention: old tables and people without tables are deleted, if that is wanted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.web.loop import run
from veillee.web.database import Store, queries, store_at
from veillee.web.jobs import Handler, Jobs
from veillee.web.retention import DAY, RETENTION, Ages, Retention

NOW = int(time.time() * 1000)


@asynccontextmanager
async def store_with_tables(database: str) -> AsyncIterator[Store]:
    """A store with tables in each state, ten days old or new, and people at them."""
    store = store_at(database)
    await store.open()
    for age, at in (("old", NOW - 10 * DAY), ("new", NOW)):
        for state in ("over", "gathering", "playing"):
            table_id = f"{age} {state}"
            await store.write(queries.insert_table(table_id, "00", state, True, at))
            await store.append(table_id, 0, ["{}"], None, at)
            await store.write(queries.upsert_person(f"{age} at {state}", "Ida", "{}", at))
            await store.write(queries.insert_sitting(f"{age} at {state}", table_id))
        await store.write(queries.upsert_person(f"{age} visitor", "Bo", "{}", at))
        await store.write(queries.insert_guest(f"{age} guest", f"{age} visitor", "Cy", at))
    await store.write(queries.insert_table("long", "00", "playing", False, NOW - 10 * DAY))
    await store.append("long", 0, ["{}"], None, NOW)  # it began long ago, and is played on
    yield store
    await store.close()


async def tables(store: Store) -> set[str]:
    return set(await queries.all_tables(store))


async def people(store: Store) -> set[str]:
    return {str(row[0]) for row in await store.read("SELECT id FROM person")}


async def delete_old(store: Store, ages: Ages) -> int:
    return await Retention(store, Jobs(store, {}), ages).delete_old()


def test_by_default_nothing_is_deleted(database: str) -> None:
    async def story() -> None:
        async with store_with_tables(database) as store:
            assert await delete_old(store, Ages()) == 0
            assert len(await tables(store)) == 7
            assert len(await people(store)) == 10

    run(story())


def test_each_kind_has_its_own_age(database: str) -> None:
    async def story() -> None:
        async with store_with_tables(database) as store:
            before = await tables(store)
            assert await delete_old(store, Ages(finished=7)) == 1
            assert before - await tables(store) == {"old over"}
            assert await delete_old(store, Ages(abandoned=30)) == 0
            assert await delete_old(store, Ages(abandoned=7)) == 2
            assert before - await tables(store) == {"old over", "old gathering", "old playing"}
            assert await queries.seed_of(store, "old playing") is None

    run(story())


def test_people_go_when_they_have_no_table_and_their_guests_with_them(database: str) -> None:
    async def story() -> None:
        async with store_with_tables(database) as store:
            before = await people(store)
            await delete_old(store, Ages(people=7))
            assert before - await people(store) == {"old visitor", "old guest"}
            await delete_old(store, Ages(finished=7, people=7))
            assert "old at over" not in await people(store)
            assert "old at playing" in await people(store)

    run(story())


def test_what_is_left_of_a_deleted_table_goes_a_day_later(database: str) -> None:
    async def story() -> None:
        async with store_with_tables(database) as store:
            await delete_old(store, Ages(finished=7))
            assert await queries.length_of(store, "old over") == 1
            for statement in queries.delete_emptied(NOW + DAY):
                await store.write(statement)
            assert await queries.length_of(store, "old over") == 0
            assert await queries.length_of(store, "new over") == 1

    run(story())


def test_it_is_a_job_that_schedules_itself(database: str) -> None:
    async def story() -> None:
        async with store_with_tables(database) as store:
            handlers: dict[str, Handler] = {}
            jobs = Jobs(store, handlers)
            retention = Retention(store, jobs, Ages(finished=7))
            handlers[RETENTION] = retention.run
            await retention.open()
            await jobs.open()
            async with asyncio.timeout(20):
                while "old over" in await tables(store):
                    await asyncio.sleep(0.05)
                while (await queries.next_due(store, RETENTION) or 0) < NOW + 3_000_000:
                    await asyncio.sleep(0.05)
            await jobs.close()
            await Retention(store, jobs, Ages()).open()
            assert await queries.next_due(store, RETENTION) is None

    run(story())
