"""Two servers on one PostgreSQL: people of one table on both, and servers that die."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.servers import NOTED, Server, decisions
from tests.web.loop import run
from tests.web.parts import Postgres


@pytest.fixture(params=["notify", "redis"])
def servers(request: pytest.FixtureRequest, postgres_database: str) -> Iterator[list[Server]]:
    """Two servers on one database, with PostgreSQL or Redis as the bus."""
    redis = request.getfixturevalue("redis").url if request.param == "redis" else ""
    options = ("--bus", redis) if redis else ()
    with ExitStack() as stack:
        both = [Server(postgres_database, *options) for _ in range(2)]
        for server in both:
            stack.callback(server.close)
            server.launch()
        for server in both:
            server.wait()
        yield both


@pytest.fixture
def pair(postgres_database: str) -> Iterator[list[Server]]:
    """Two servers on one database."""
    with Server(postgres_database) as one, Server(postgres_database) as other:
        yield [one, other]


async def two_people(servers: Sequence[Server], *bots: str) -> list[Player]:
    """Two people at one table, each at a server of their own, and bots; the game has begun."""
    addresses = [server.address for server in servers]
    host, friend = Player(addresses, 0), Player(addresses, 1)
    host.path = friend.path = await host.open_table("me", "friend", *bots)
    await friend.http.get(f"{friend.address}/")
    assert (await friend.act(host.path, "sit", seat=1, nonce="00" * 16)).status_code == 200
    assert (await host.act(host.path, "start")).status_code == 200
    return [host, friend]


async def same_as_the_log(
    database: str, players: Sequence[Any], watchers: Sequence[Watcher]
) -> None:
    """All see what is in the log, and each acknowledged decision is there."""
    path = players[0].path
    fresh = Watcher(players[0].addresses, 0, path)
    task = asyncio.create_task(fresh.watch())
    stored = await decisions(database, path)
    async with asyncio.timeout(30):
        while any(w.screen.moment < len(stored) for w in [fresh, *watchers]):
            await asyncio.sleep(0.05)
    await end([task])
    for player in players:
        for moment, action in player.acknowledged:
            assert stored[moment] == action
    for watcher in watchers:
        assert watcher.screen.number == fresh.screen.number
        assert watcher.screen.picture == fresh.screen.picture
        assert watcher.screen.lines == fresh.screen.lines
        assert watcher.screen.disorder == 0


def test_people_of_one_table_on_both_servers_see_every_move_in_order_once(
    servers: list[Server],
) -> None:
    async def story() -> None:
        players = await two_people(servers)
        addresses = [server.address for server in servers]
        watchers = [Watcher([addresses[n % 2]], 0, players[0].path) for n in range(4)]
        tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
        async with asyncio.timeout(120):
            await asyncio.gather(*(player.play() for player in players))
        assert all(player.acknowledged for player in players)
        await same_as_the_log(servers[0].database, players, watchers)
        await end(tasks)
        for server in servers:
            assert not any(word in server.log for word in NOTED), server.log

    run(story())


def test_simultaneous_moves_at_two_servers_one_wins_and_the_other_is_told(
    pair: list[Server],
) -> None:
    """One person with two windows, at different servers, clicks in both at once."""

    async def story() -> None:
        one = Player([pair[0].address])
        one.path = await one.open_table("me", "screen")
        other = Player([pair[1].address])
        other.http.cookies = one.http.cookies
        other.path = one.path
        wins = 0
        for round_ in range(20):
            shared, own = await anext(one.messages(one.path))
            action = own["choices"]["all"][0]["action"]
            moment = shared["moment"]
            answers = await asyncio.gather(
                one.act(one.path, "play", action=action, moment=moment, token=f"a{round_}"),
                other.act(one.path, "play", action=action, moment=moment, token=f"b{round_}"),
            )
            statuses = sorted(answer.status_code for answer in answers)
            assert statuses[0] == 200
            assert statuses[1] in (409, 422)
            wins += 1
        assert len(await decisions(pair[0].database, one.path)) == wins

    run(story())


async def play_while(servers: Sequence[Server], disturb: Callable[[], None]) -> None:
    """Two people and a bot play a game, watched at both servers, while something happens."""
    players = await two_people(servers, "bot:random")
    addresses = [server.address for server in servers]
    watchers = [Watcher(addresses, n, players[0].path) for n in range(2)]
    tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    playing = [asyncio.create_task(player.play()) for player in players]
    await asyncio.sleep(1)
    await asyncio.to_thread(disturb)
    async with asyncio.timeout(120):
        await asyncio.gather(*playing)
    await same_as_the_log(servers[0].database, players, watchers)
    await end(tasks)


def test_bots_and_people_go_on_at_the_other_server_when_one_is_killed(pair: list[Server]) -> None:
    run(play_while(pair, pair[0].kill))


def test_both_servers_are_killed_one_after_the_other(pair: list[Server]) -> None:
    def kill_in_turn() -> None:
        for server in pair:
            server.kill()
            time.sleep(1)
            server.start()

    run(play_while(pair, kill_in_turn))


def test_play_goes_on_after_a_restart_of_postgresql(postgres: Postgres, pair: list[Server]) -> None:
    run(play_while(pair, postgres.restart))
