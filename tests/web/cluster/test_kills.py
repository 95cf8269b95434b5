"""The short version of `python -m tests.web.kills`."""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path

import pytest

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.replayed import assert_shows_the_log
from tests.web.cluster.servers import Server
from tests.web.kills import SET_UPS, kill_under_load, set_ups
from tests.web.loop import run


@pytest.mark.parametrize("name", SET_UPS)
def test_nothing_acknowledged_is_lost_when_servers_are_killed(name: str) -> None:
    async def story() -> None:
        result = await kill_under_load(set_up, kills=3, tables=4, seed=1)
        assert not result.problems
        assert result.acknowledged > 20

    with set_ups([name]) as (set_up,):
        run(story())


def test_a_stale_picture_is_found(tmp_path: Path) -> None:
    """What the kills look for would be seen."""

    async def story(server: Server) -> None:
        player = Player([server.address])
        player.path = await player.open_table("me", "screen")
        player.most = 3
        watcher = Watcher([server.address], 0, player.path)
        watching = asyncio.create_task(watcher.watch())
        async with asyncio.timeout(20):
            while watcher.screen.moment < 0:
                await asyncio.sleep(0.05)
            first = list(watcher.screen.picture)
            await player.play()
            while watcher.screen.moment < 3:
                await asyncio.sleep(0.05)
        await end([watching])
        await assert_shows_the_log(watcher.screen, server.database, player.path)
        stale = copy.copy(watcher.screen)
        stale.picture = first
        with pytest.raises(AssertionError, match="another picture"):
            await assert_shows_the_log(stale, server.database, player.path)

    with Server(str(tmp_path / "tables.sqlite")) as server:
        run(story(server))
