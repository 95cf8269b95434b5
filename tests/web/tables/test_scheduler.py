"""How long bots wait before they decide, and what happens when a person's time is up."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.loop import run
from tests.web.tables.test_registry import two_servers
from veillee.engine.game import game_class
from veillee.engine.registry import games
from veillee.web.clock import now
from veillee.web.people import Person
from veillee.web.tables import log, registry, table
from veillee.web.tables.plans import TablePlan, open_table
from veillee.web.tables.scheduler import MOST_SHOWN, MOTION_PER_EVENT, motion


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
