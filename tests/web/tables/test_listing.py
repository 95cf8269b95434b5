"""What lists show of a table is stored with each entry, so that no table need be loaded for it."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.web.loop import run
from tests.web.tables.test_registry import play, two_servers
from veillee.web.database import Statement, queries
from veillee.web.http.context import AppContext
from veillee.web.people import Person
from veillee.web.tables import log
from veillee.web.tables.plans import TablePlan, open_table
from veillee.web.tables.table import Table

FRIENDS = TablePlan("lumens", ["", ""], {0: ""}, "00" * 16)


async def two_friends(server: AppContext) -> Table:
    """Ida and Bo, who sits at a screen of his own."""
    for person, name in (("ida", "Ida"), ("bo", "Bo")):
        await server.people.save(Person(person, name))
    table = await open_table(server.tables, "t", server.seeds.seed("t"), "ida", FRIENDS)
    sits = [queries.insert_sitting("bo", "t")]
    await server.tables.change(table, lambda _: [log.Sit(1, "bo", "11" * 16)], extra=sits)
    await server.tables.change(table, lambda _: [log.Start()])
    return table


async def awaited(server: AppContext, person: str) -> list[str | None]:
    return [own.awaited for own in await queries.tables_of(server.store, person, "playing", 9)]


def test_the_person_whose_turn_it_is_stands_beside_the_log(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            table = await two_friends(one)
            people = set()
            for _ in range(8):
                people.add(table.awaited)
                assert await awaited(other, "ida") == [table.awaited]
                await one.tables.change(table, play)
            assert people == {"ida", "bo"}
            assert not len(other.tables)

    run(story())


def test_a_bot_in_the_place_of_a_person_and_an_undo_change_whose_turn_it_is(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            table = await two_friends(one)
            first = table.awaited
            await one.tables.change(table, play)
            assert await awaited(other, first) == [table.awaited]
            await one.tables.change(table, lambda _: [log.Undo(1, redeal=False)])
            assert await awaited(other, first) == [first]
            seat = table.deciding
            await one.tables.change(table, lambda _: [log.Pause(True)])
            await one.tables.change(table, lambda _: [log.Replace(seat, "random", "left")])
            assert await awaited(other, first) == [table.seats[1 - seat].person]
            await one.tables.change(table, lambda _: [log.Return(seat)])
            assert await awaited(other, first) == [first]

    run(story())


def test_the_last_move_ends_the_table_in_lists_although_the_server_dies_then(
    database: str,
) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            table = await two_friends(one)

            async def dies(*_: Statement) -> bool:
                raise ConnectionError

            one.store.write = dies  # type: ignore[method-assign]
            while table.state != "over":
                await one.tables.change(table, play)
            del one.store.write
            assert await queries.tables_of(other.store, "ida", "playing", 9) == []
            (over,) = await queries.tables_of(other.store, "bo", "over", 9)
            assert over[:2] == ("t", "")

    run(story())


def test_how_a_game_ended_is_stored_with_its_last_move(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            table = await two_friends(one)
            while table.state != "over":
                await one.tables.change(table, play)
            assert table.game is not None
            rows = await other.store.read(
                "SELECT person, own, place, points FROM result ORDER BY seat"
            )
            people = [seat.person for seat in table.seats]
            assert rows == [
                (person, 1, place, points)
                for person, place, points in zip(
                    people, table.game.places, table.game.scores, strict=True
                )
            ]

    run(story())


def test_with_bots_it_is_always_the_persons_turn(database: str) -> None:
    plan = TablePlan("lumens", ["", "random"], {0: ""}, "00" * 16, pace=0)

    async def story() -> None:
        async with two_servers(database) as (one, other):
            await one.people.save(Person("ida", "Ida"))
            table = await open_table(one.tables, "t", one.seeds.seed("t"), "ida", plan)
            written: list[Any] = []
            append = one.store.append

            async def noted(*values: Any) -> bool:
                written.extend(values[5:])
                return await append(*values)

            one.store.append = noted  # type: ignore[method-assign, assignment]
            for _ in range(4):
                assert await awaited(other, "ida") == ["ida"]
                while table.seats[table.deciding].bot:
                    await asyncio.sleep(0.01)
                await one.tables.change(table, play)
            assert not [s for s in written if "game_table" in s.sql]
            del one.store.append

    run(story())
