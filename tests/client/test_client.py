"""The client library, synchronous and asynchronous, at a real server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.http.api.program import bot_name, make_token
from tests.web.served import Served, sqlite_in
from veillee.client import ApiError, AsyncClient, Client
from veillee.client.types import Action, Table, TableMessage
from veillee.engine.registry import games


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(sqlite_in(tmp_path_factory.mktemp("client")), "--no-limits")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VEILLEE_ANALYSIS_ITERATIONS", "1")
        server.start()
    yield server
    server.kill()


def client_of(server: Served) -> Client:
    """The client of somebody new."""
    return Client(server.address, make_token(Guest(server.address)))


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    with client_of(served) as client:
        yield client


def first(table: Table) -> Action:
    return table.actions[0]


def test_looking_around(client: Client) -> None:
    assert {game.game for game in client.games()} == set(games())
    assert client.account().kind == "person"
    table = client.open("lumens", ["me", "open"], listed=True)
    assert table.id in {each.id for each in client.open_tables()}
    assert [each.id for each in client.tables("gathering")] == [table.id]


def test_a_game_by_hand(client: Client) -> None:
    table = client.open("lumens", ["me", "random"], pace="none")
    messages = client.watch(table)
    told: list[TableMessage] = []
    for message in messages:
        told.append(message)
        if message.table.yours:
            client.play(message.table, first(message.table))
    assert told[-1].table.state == "over"
    assert client.record(table)["game"] == "lumens"
    assert client.step(table, 1).step == 1
    with pytest.raises(ApiError) as none:
        client.analysis(table)
    assert none.value.status == 404
    client.analyse(table)
    while (progress := client.analysis(table)).analysis is None:
        time.sleep(0.2)
    assert progress.analysis["game"] == "lumens"


def test_a_refusal_is_an_exception_with_its_clause(client: Client) -> None:
    table = client.open("lumens", ["me", "open"])
    with pytest.raises(ApiError) as refused:
        client.talk(table, "something rude")  # type: ignore[arg-type]
    assert refused.value.status == 400
    with pytest.raises(ApiError) as refused:
        client.sit(table)
    assert refused.value.clause == "web.act.sitting"
    with pytest.raises(ApiError, match="token"):
        Client(str(client._http.base_url), "veillee_nothing").account()


def test_several_games_at_once(served: Served) -> None:
    async def story() -> int:
        chosen = 0

        async def choose(table: Table) -> Action:
            nonlocal chosen
            chosen += 1
            await asyncio.sleep(0)
            return first(table)

        async with AsyncClient(served.address, make_token(Guest(served.address))) as client:
            for _ in range(3):
                await client.open("lumens", ["me", "random"], pace="none")
            await client.play_all(choose, games=3)
            assert len(await client.tables("over")) == 3
        return chosen

    assert asyncio.run(story()) > 3


def test_a_refused_invitation_is_logged(
    served: Served, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    name = bot_name("late")
    with Client(served.address, make_token(Guest(served.address), name)) as bot:
        table = client.open("lumens", ["open", "random"])
        client.invite(table, name)
        client.sit(table)
        bot.open("lumens", ["me", "random"], pace="none")
        bot.play_all(first, games=1)
    assert [
        record.getMessage().startswith(f"table {table.id}: web.")
        for record in caplog.records
        if record.name == "veillee.client"
    ] == [True]


def test_a_stream_goes_on_when_the_server_comes_back(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path), "--no-limits") as server, client_of(server) as client:
        table = client.open("lumens", ["me", "random"], pace="none")
        decisions = 0
        for message in client.watch(table):
            if message.table.yours:
                decisions += 1
                if decisions == 3:
                    server.kill()
                    server.start()
                client.play(message.table, first(message.table))
        assert message.table.state == "over"


def test_limits_are_waited_for(tmp_path: Path) -> None:
    """More requests than are allowed at once are all answered."""
    with Served(sqlite_in(tmp_path)) as server, client_of(server) as client:
        assert {client.account().kind for _ in range(200)} == {"person"}
