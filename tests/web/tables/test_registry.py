"""Two servers with one table: each sees what the other did, and nothing is done twice."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.loop import run
from tests.web.parts import Redis
from tests.web.served import sqlite_in
from veillee.engine.refusal import Refusal
from veillee.web.bus import Reconnected
from veillee.web.config import ServerConfig
from veillee.web.database import queries, store_at
from veillee.web.http.context import AppContext
from veillee.web.jobs import TABLE
from veillee.web.people import Person
from veillee.web.retention import close_table
from veillee.web.tables import log, registry
from veillee.web.tables.commands import Command, back, leave, pause
from veillee.web.tables.messages import Message, Messages, Renamed
from veillee.web.tables.plans import TablePlan, open_table
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import MOST_EXTRA, REPLAY_CHUNK
from veillee.web.tables.table import Table

TWO_ON_A_SCREEN = TablePlan("nomads", ["", ""], {0: "", 1: "Bo"}, "00" * 16)


@asynccontextmanager
async def two_servers(
    database: str, **settings: Any
) -> AsyncIterator[tuple[AppContext, AppContext]]:
    config = ServerConfig(database, level="random", workers=2, **settings)
    one, other = AppContext(config), AppContext(config)
    await one.open()
    await other.open()
    yield one, other
    await other.close()
    await one.close()


async def begun(server: AppContext, table_id: str = "t") -> Table:
    host = await server.people.save(Person("p", "Ida"))
    seed = server.seeds.seed(table_id)
    return await open_table(server.tables, table_id, seed, host.id, TWO_ON_A_SCREEN)


def play(table: Table) -> list[log.Entry]:
    assert table.game is not None
    return [log.Play(table.deciding, table.game.legal[0].text)]


async def until_number(table: Table, number: int) -> None:
    async with asyncio.timeout(10):
        while table.number < number:
            await asyncio.sleep(0.005)


def test_a_request_that_reaches_both_servers_is_carried_out_once(database: str) -> None:
    """The second server is behind, learns what there is, and knows the token."""

    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            assert await one.tables.change(here, play, "once")
            assert not await other.tables.change(there, play, "once")
            assert there.number == here.number

    run(story())


def test_a_server_that_is_behind_catches_up_and_tries_again(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            assert await one.tables.change(here, play)
            assert await other.tables.change(there, play)
            assert there.moment == 2
            assert (await one.tables.current("t")).moment == 2

    run(story())


def test_what_a_stale_table_refuses_is_asked_again(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            await one.tables.change(here, lambda _: [log.Pause(True)])

            def go_on(table: Table) -> list[log.Entry]:
                if not table.paused:
                    raise Refusal("illegal", "web.act.now")
                return [log.Pause(False)]

            assert await other.tables.change(there, go_on)
            with pytest.raises(Refusal):
                await other.tables.change(there, go_on)

    run(story())


def test_a_watched_table_hears_of_the_other_servers_entries(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            await other.tables.watch(there)
            for _ in range(5):
                await one.tables.change(here, play)
            await until_number(there, here.number)
            assert there.game is not None
            assert here.game is not None
            assert there.game.state.bytes == here.game.state.bytes

    run(story())


def test_a_lost_last_announcement_is_found_in_the_log(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is fine, and nothing comes after what was lost."""
    monkeypatch.setattr(registry, "COMPARE", 0.1)

    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            await other.tables.watch(there)
            monkeypatch.setattr(other.bus, "deliver", lambda _: None)
            await one.tables.change(here, play)
            await until_number(there, here.number)

    run(story())


def test_a_server_that_is_killed_before_it_publishes_is_not_missed(
    redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "COMPARE", 0.1)

    async def story() -> None:
        async with two_servers(sqlite_in(tmp_path), bus=redis.url) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            await other.tables.watch(there)
            monkeypatch.setattr(one.bus, "publish", lambda _: None)
            await one.tables.change(here, play)
            await until_number(there, here.number)

    run(story())


def test_what_an_administrator_appends_is_seen_by_a_server_that_is_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "COMPARE", 0.1)

    async def story() -> None:
        server = AppContext(ServerConfig(sqlite_in(tmp_path), level="random"))
        await server.open()
        table = await begun(server)
        await server.tables.watch(table)
        admin = store_at(sqlite_in(tmp_path))
        await admin.open()
        await close_table(admin, "t")
        async with asyncio.timeout(10):
            while not table.closed:
                await asyncio.sleep(0.005)
        await admin.close()
        await server.close()

    run(story())


def test_all_tables_catch_up_although_the_store_is_away_at_first(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when PostgreSQL restarts, and the bus is back before it."""
    monkeypatch.setattr(registry, "COMPARE", 3600)

    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = [await begun(one, name) for name in ("t", "u")]
            there = [await other.tables.get(table.id) for table in here]
            for table in there:
                await other.tables.watch(table)
            read, failures = other.store.read, iter(range(3))

            async def fail_at_first(*values: Any) -> Any:
                if next(failures, None) is not None:
                    raise OSError("the store is away")
                return await read(*values)

            with monkeypatch.context() as deaf:
                deaf.setattr(other.bus, "deliver", lambda _: None)
                for table in here:
                    await one.tables.change(table, play)
                await asyncio.sleep(0.2)
            monkeypatch.setattr(other.store, "read", fail_at_first)
            other.bus.deliver([Reconnected()])
            for ours, theirs in zip(here, there, strict=True):
                await until_number(theirs, ours.number)

    run(story())


def test_who_comes_while_the_last_one_leaves_hears_what_happens(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "COMPARE", 3600)

    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            await other.tables.watch(there)
            await other.tables.watch(there)
            await other.tables.unwatch(there)
            await one.tables.change(here, play)
            await until_number(there, here.number)

    run(story())


def test_of_many_at_once_each_number_is_won_once(database: str) -> None:
    """Both servers append as fast as they can; the log has all that they were told it has."""

    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            talk = [log.Talk(0, "nice")]
            outcomes = await asyncio.gather(
                *(one.tables.change(here, lambda _: talk) for _ in range(20)),
                *(other.tables.change(there, lambda _: talk) for _ in range(20)),
                return_exceptions=True,
            )
            done = sum(outcome is True for outcome in outcomes)
            late = [each for each in outcomes if isinstance(each, Refusal)]
            assert done + len(late) == 40
            assert {refusal.code for refusal in late} <= {"late"}
            table = await one.tables.current("t")
            assert len(table.talk) == done > 0

    run(story())


def test_a_new_name_reaches_the_other_server(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            await begun(one)
            table = await other.tables.get("t")
            assert other.tables.names_at(table, "") == ["Ida", "Bo"]
            await one.people.save(Person("p", "Zoë"))
            async with asyncio.timeout(10):
                while other.tables.names_at(table, "") != ["Zoë", "Bo"]:
                    await asyncio.sleep(0.005)

    run(story())


def test_who_came_long_ago_has_a_name_when_they_sit_down(database: str) -> None:
    """Names of people who are at no table are forgotten after some seconds."""
    plan = TablePlan("nomads", ["", ""], {0: ""}, "00" * 16)

    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.people.save(Person("p", "Ida"))
            await one.people.save(Person("q", "Bo"))
            table = await open_table(one.tables, "t", one.seeds.seed("t"), "p", plan)
            one.people.keep_names(table.name_keys())
            await one.tables.change(table, lambda _: [log.Sit(1, "q", "00" * 16)])
            assert one.tables.names_at(table, "") == ["Ida", "Bo"]

    run(story())


def test_each_server_hears_once_of_a_new_name(database: str) -> None:
    """The notices of a SQLite file are in the store, where `veillee admin` leaves its own."""

    async def story() -> None:
        async with two_servers(database, ban_refresh=0.02) as (one, other):
            await begun(one)
            await other.tables.get("t")
            await asyncio.sleep(0.3)  # until the first name was heard
            heard: list[Message] = []
            for server in (one, other):
                server.messages.subscribe(heard.append)
            await one.people.save(Person("p", "Zoë"))
            await asyncio.sleep(0.5)
            assert [type(message) for message in heard] == [Renamed, Renamed]

    run(story())


def test_an_unknown_table_leaves_nothing_in_memory(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, _):
            for table_id in ("nowhere", "with\0nul", "x" * 70, "é"):
                with pytest.raises(Refusal):
                    await one.tables.get(table_id)
            assert not one.tables._loading
            assert not one.tables._used

    run(story())


def test_entries_that_are_announced_while_the_log_is_read_are_applied_once(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            there = await other.tables.get("t")
            await other.tables.watch(there)

            async def keep_reading() -> None:
                while there.number < 40:
                    await other.tables.catch_up(there)

            reading = asyncio.create_task(keep_reading())
            while here.number < 40:
                await one.tables.change(here, play)
            async with asyncio.timeout(10):
                await reading
            assert there.game is not None
            assert here.game is not None
            assert there.game.entries == here.game.entries[: len(there.game.entries)]

    run(story())


def test_a_long_log_does_not_hold_up_others(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            here = await begun(one)
            talk = [log.encode(log.Talk(0, "nice"))] * 2000
            assert await one.store.append("t", here.number, talk, None, 0)
            loading = asyncio.create_task(other.tables.get("t"))
            turns = 0
            while not loading.done():
                await asyncio.sleep(0)
                turns += 1
            assert turns > 2000 / REPLAY_CHUNK

    run(story())


def test_a_log_keeps_room_for_decisions(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, _):
            table = await begun(one)
            table.number = MOST_EXTRA  # as if so much had been said
            with pytest.raises(Refusal) as refused:
                await one.tables.change(table, lambda _: [log.Talk(0, "nice")])
            assert refused.value.clause == "web.table.full"
            assert await one.tables.change(table, play)

    run(story())


def test_toggling_leaves_room_for_decisions(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever leaves and comes back, or pauses, again and again does not end the game for all."""
    monkeypatch.setattr(registry, "MOST_EXTRA", 40)
    monkeypatch.setattr(registry, "MOST_ENTRIES", 240)
    plan = TablePlan("lumens", ["", ""], {0: "", 1: ""}, "00" * 16, {"first": 0})

    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.people.save(Person("p", "Ida"))
            table = await open_table(one.tables, "t", one.seeds.seed("t"), "p", plan)
            presence = Presence(Messages(), 60)

            async def act(command: Callable[[Command], Sequence[log.Entry]]) -> bool:
                def make(table: Table) -> Sequence[log.Entry]:
                    return command(Command(table, "p", {}, "random", presence))

                with contextlib.suppress(Refusal):
                    return await one.tables.change(table, make)
                return False

            for toggle in ((pause,), (leave, back)):
                for _ in range(60):
                    for command in toggle:
                        await act(command)
            assert table.number < 60
            assert not table.paused
            while table.state == "playing":
                await one.tables.change(table, play)
            assert table.state == "over"

    run(story())


def test_a_server_loads_no_table_when_it_starts(database: str) -> None:
    """Neither those that wait for a person, nor those whose people have all left."""
    with_bot = TablePlan("lumens", ["", "random"], {0: ""}, "00" * 16, {"first": 0})

    async def story() -> None:
        config = ServerConfig(database, level="random", workers=2)
        one = AppContext(config)
        await one.open()
        for number in range(60):
            plan = with_bot if number % 2 else TWO_ON_A_SCREEN
            seed = one.seeds.seed(f"t{number}")
            await open_table(one.tables, f"t{number}", seed, "p", plan)
        async with asyncio.timeout(20):
            while await queries.next_due(one.store, TABLE) is not None:
                await asyncio.sleep(0.02)
        await one.close()
        other = AppContext(config)
        loaded: list[str] = []
        load = other.tables.get

        async def noted(table_id: str) -> Table:
            loaded.append(table_id)
            return await load(table_id)

        other.tables.get = noted  # type: ignore[method-assign]
        await other.open()
        await asyncio.sleep(1.5)  # it looks for jobs every second
        assert loaded == []
        assert len(other.tables) == 0
        await load("t1")
        assert len(other.tables) == 1
        await other.close()

    run(story())
