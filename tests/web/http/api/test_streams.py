"""Streams of the API: across servers, at the end of a server, and when a token is revoked."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.guest import Guest
from tests.web.http.api.program import Program, make_token
from tests.web.loop import run
from tests.web.served import Served, sqlite_in
from veillee.client.types import AccountMessage
from veillee.engine.i18n import Words
from veillee.web.config import ServerConfig
from veillee.web.database import api_queries
from veillee.web.http.api.streams import CHECK, account_messages
from veillee.web.http.context import AppContext
from veillee.web.people import Person
from veillee.web.tables.plans import TablePlan, open_table

AWAY = 1
"""Seconds after which people without a window count as away."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server at which everybody counts as away who has no window open."""
    database = sqlite_in(tmp_path_factory.mktemp("streams"))
    with Served(database, "--no-limits", "--away", str(AWAY)) as server:
        time.sleep(AWAY + 0.5)
        yield server


def test_two_servers_tell_the_same(postgres_database: str) -> None:
    """A token, an invitation and a move made at one server are known at the other."""
    servers = [Served(postgres_database, "--no-limits") for _ in range(2)]
    with servers[0] as one, servers[1] as other:
        guest = Guest(one.address)
        here = Program(one.address, make_token(guest))
        bot = make_token(guest, "wanderer-of-worlds")
        away = Program(other.address, bot)
        table_id = here.open("lumens", "me open")["id"]
        with away.lines("/stream.ndjson") as told:
            assert next(told)["event"] == "hello"
            here.post(f"/tables/{table_id}/invite", bot="wanderer-of-worlds")
            assert next(told)["event"] == "invited"
            away.post(f"/invitations/{table_id}/accept")
            here.post(f"/tables/{table_id}/start")
            play_until_over(here, table_id)
            for message in told:
                table = message["table"]
                if message["event"] == "over":
                    break
                action = table["actions"][0]["text"]
                away.post(f"/tables/{table_id}/play", action=action, moment=table["moment"])
        assert here.get(f"/tables/{table_id}/record")
        assert away.http.post(f"/invitations/{table_id}/refuse").status_code == 404
        guest.form("/forget")
        away.get("/account", 401)


def play_until_over(program: Program, table_id: str) -> None:
    """Play in the background."""

    def play() -> None:
        with program.lines(f"/tables/{table_id}/stream.ndjson") as told:
            for message in told:
                table: Any = message["table"]
                if table["yours"]:
                    move = {"action": table["actions"][0]["text"], "moment": table["moment"]}
                    program.http.post(f"/tables/{table_id}/play", json=move)

    threading.Thread(target=play, daemon=True).start()


def test_a_server_ends_its_streams_when_it_stops(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path), "--no-limits") as server:
        program = Program.of(server.address)
        table_id = program.open("lumens", "me open")["id"]
        with (
            program.lines("/stream.ndjson") as all_tables,
            Program(server.address, program.http.headers["authorization"][7:]).lines(
                f"/tables/{table_id}/stream.ndjson"
            ) as one_table,
        ):
            next(all_tables)
            next(one_table)
            began = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - began < 4
            assert list(all_tables) == []
            assert list(one_table) == []


def revoke(guest: Guest) -> None:
    """Revoke the person's only token on the page."""
    found = re.search(r'name="id" value="([^"]+)"', guest.http.get("/programs").text)
    assert found
    guest.form("/programs/revoke", id=found[1])


def forget(guest: Guest) -> None:
    guest.form("/forget")


@pytest.mark.parametrize("end", [revoke, forget])
def test_a_revoked_token_hears_no_more(served: Served, end: Callable[[Guest], None]) -> None:
    """Its streams end at once, whatever happens at the table."""
    guest = Guest(served.address)
    token = make_token(guest)
    program, other = Program(served.address, token), Program.of(served.address)
    table_id = program.open("lumens", "me open")["id"]
    other.post(f"/tables/{table_id}/sit")
    with (
        program.lines(f"/tables/{table_id}/stream.ndjson") as one_table,
        Program(served.address, token).lines("/stream.ndjson") as all_tables,
    ):
        next(one_table)
        next(all_tables)
        end(guest)
        began = time.monotonic()
        other.post(f"/tables/{table_id}/talk", phrase="hello")
        assert list(one_table) == []
        assert list(all_tables) == []
        assert time.monotonic() - began < CHECK - 1


def test_a_token_that_another_server_revokes_hears_no_more(postgres_database: str) -> None:
    servers = [Served(postgres_database, "--no-limits") for _ in range(2)]
    with servers[0] as one, servers[1] as other:
        guest = Guest(one.address)
        program = Program(other.address, make_token(guest))
        with program.lines("/stream.ndjson") as told:
            next(told)
            revoke(guest)
            began = time.monotonic()
            assert list(told) == []
            assert time.monotonic() - began < CHECK - 1


def test_who_opens_a_stream_is_not_told_of_their_own_return(served: Served) -> None:
    """After the first message comes what happens next, also for who was away until then."""
    program = Program.of(served.address)
    table_id = program.open("lumens", "me open")["id"]
    time.sleep(AWAY + 0.5)
    with program.lines(f"/tables/{table_id}/stream.ndjson") as told:
        assert next(told)["event"] == "table"
        program.post(f"/tables/{table_id}/talk", phrase="hello")
        assert [said["phrase"] for said in next(told)["table"]["talk"]] == ["hello"]


def test_an_account_is_told_of_a_new_game_without_asking_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While nothing happens, no list is read; what begins is told at once."""

    looks = []

    async def no_invitations(*_: object) -> list[str]:
        looks.append(1)
        return []

    monkeypatch.setattr(api_queries, "invitations_of", no_invitations)

    async def story() -> None:
        context = AppContext(ServerConfig(sqlite_in(tmp_path), level="random"))
        await context.open()
        host = await context.people.save(Person("p", "Ida"))
        follower = context.feed.add(host.id, "token")
        told = account_messages(context, host, Words("en"), follower)
        assert await anext(told) == AccountMessage("hello", None)
        waiting = asyncio.ensure_future(anext(told))
        await asyncio.sleep(1.5)
        assert len(looks) == 1
        seats = TablePlan("nomads", ["", ""], {0: "", 1: "Bo"}, "00" * 16)
        await open_table(context.tables, "t", context.seeds.seed("t"), host.id, seats)
        async with asyncio.timeout(1):
            message = await waiting
        assert message is not None
        assert message.event == "turn"
        await context.close()

    run(story())


def test_who_follows_is_there(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path), "--no-limits", "--away", "1") as server:
        ada, ben = Program.of(server.address), Program.of(server.address)
        table_id = ada.open("lumens", "me open")["id"]
        ben.post(f"/tables/{table_id}/sit")
        ada.post(f"/tables/{table_id}/start")
        with ben.lines(f"/tables/{table_id}/stream.ndjson") as told:
            next(told)
            time.sleep(1.5)
            seats = ada.get(f"/tables/{table_id}")["seats"]
            assert [seat["away"] for seat in seats] == [False, False]
        time.sleep(1.5)
        seats = ada.get(f"/tables/{table_id}")["seats"]
        assert [seat["away"] for seat in seats] == [False, True]


@pytest.mark.parametrize("path", ["/stream.ndjson", "/stream"])
def test_streams_are_not_compressed(served: Served, path: str) -> None:
    """A compressed stream would be held back until there is enough of it."""
    answer = Program.of(served.address).http.get(f"{path}?most=1")
    assert "content-encoding" not in answer.headers
