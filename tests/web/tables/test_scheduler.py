"""How long bots wait before they decide, and what happens when a person's time is up."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.web.loop import run
from tests.web.served import sqlite_in
from tests.web.tables.test_registry import two_servers
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.registry import games
from veillee.web.bot_pool import Payer
from veillee.web.clock import now
from veillee.web.config import ServerConfig
from veillee.web.http.context import AppContext
from veillee.web.people import Person
from veillee.web.tables import log, registry, table
from veillee.web.tables.plans import TablePlan, open_table
from veillee.web.tables.scheduler import MOST_SHOWN, MOTION_PER_EVENT, motion
from veillee.web.tables.table import Table

MANY = 300
"""More tables than a server attends to at once."""


def test_a_bot_waits_longer_after_a_move_that_takes_longer_to_show() -> None:
    game = game_class(games()["nomads"])(2, seed=3)
    assert motion(game) == 0
    waits = set()
    while not game.over:
        events = game.play(game.legal[0])
        assert motion(game) == min(len(events), MOST_SHOWN) * MOTION_PER_EVENT
        waits.add(motion(game))
    assert len(waits) > 3


def test_time_that_is_up_pauses_a_game_against_bots(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MS_PER_DAY", 1)
    plan = TablePlan(
        "lumens", ["", "random"], {0: ""}, "00" * 16, {"first": 0}, timing="days", amount=1
    )

    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.people.save(Person("ida", "Ida"))
            begun = await open_table(one.tables, "t", one.seeds.seed("t"), "ida", plan)
            async with asyncio.timeout(10):
                while not begun.paused:
                    await asyncio.sleep(0.005)
            assert not begun.seats[0].bot
            monkeypatch.undo()
            await one.tables.change(begun, lambda _: [log.Pause(False)])
            assert begun.seats[0].left >= table.LEAST_TO_GO_ON

    run(story())


def test_a_bot_that_has_been_taken_over_does_not_wait_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pace is an hour, which passed while it waited at a server that is dead."""
    plan = TablePlan("lumens", ["", "random"], {0: ""}, "00" * 16, {"first": 1}, pace=3_600_000)
    long_ago = now() - 3 * plan.pace

    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.people.save(Person("ida", "Ida"))
            monkeypatch.setattr(registry, "now", lambda: long_ago)
            begun = await open_table(one.tables, "t", one.seeds.seed("t"), "ida", plan)
            monkeypatch.undo()
            async with asyncio.timeout(20):
                while begun.moment == 0:
                    await asyncio.sleep(0.005)

    run(story())


def test_one_client_with_hundreds_of_bot_tables_does_not_hold_up_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More tables than a server attends to at once, all with bots that play without a pause."""
    plan = TablePlan("lumens", ["", "random"], {0: ""}, "00" * 16, {"first": 1}, pace=0)
    served: list[str] = []

    async def story() -> None:
        async with AsyncExitStack() as stack:
            context = AppContext(ServerConfig(sqlite_in(tmp_path), level="random", bot_processes=1))
            await context.open()
            stack.push_async_callback(context.close)
            choose, enough = context.bots.choose, asyncio.Event()

            async def noted(spec: GameSpec, view: States, level: str, payer: Payer) -> int:
                await enough.wait()
                action = await choose(spec, view, level, payer)
                served.append(payer.address)
                return action

            monkeypatch.setattr(context.bots, "choose", noted)

            async def open_at(name: str, host: str, network: str) -> Table:
                seed = context.seeds.seed(name)
                return await open_table(context.tables, name, seed, host, plan, network)

            async def flood(number: int) -> None:
                table = await open_at(f"t{number}", f"p{number % 3}", "flooder")
                context.presence.enter(table, "watcher")
                await context.tables.change(table, lambda _: [log.Replace(0, "random", "left")])

            await asyncio.gather(*map(flood, range(MANY)))
            enough.set()
            while not served:
                await asyncio.sleep(0.005)
            victim = await open_at("victim", "ida", "home")
            before = len(served)
            async with asyncio.timeout(60):
                while victim.moment == 0:
                    await asyncio.sleep(0.002)
            waited = served[before:].index("home")
            left = [context.tables.in_memory(f"t{number}") for number in range(MANY)]
            assert any(table and table.state == "playing" for table in left)
            assert waited < 30, f"{waited} decisions of the other client came first"

    run(story())
