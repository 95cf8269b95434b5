"""Attacks on a running server, each of which once did harm."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from litestar.exceptions import HTTPException

from tests.web.guest import Guest
from tests.web.http.api.program import Program, make_token
from tests.web.http.test_table import friends
from tests.web.loop import run
from tests.web.served import Served, sqlite_in
from veillee.web.http.dependencies import Caller
from veillee.web.http.security import HEADERS
from veillee.web.http.site import static, static_files
from veillee.web.tables import log


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(sqlite_in(tmp_path_factory.mktemp("limited"))) as server:
        yield server


def rows(served: Served, sql: str) -> int:
    with sqlite3.connect(served.database) as store:
        return int(store.execute(sql).fetchone()[0])


def raw(served: Served, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as line:
        line.sendall(request)
        answer = b""
        while more := line.recv(65536):
            answer += more
        return answer


def test_names_of_static_files_that_do_not_exist_are_not_kept() -> None:
    async def story() -> None:
        asked = Caller({"type": "http", "headers": []})
        assert (await static.fn(asked, "1", "table.js")).content
        before = len(static_files())
        for number in range(20):
            with pytest.raises(HTTPException):
                await static.fn(asked, "1", f"{number}.js")
        assert len(static_files()) == before
        assert static_files.cache_info().currsize == 1

    run(story())


@pytest.mark.parametrize(
    "host", [b"x:y", b"localhost:99999", b"a b", b"", b"localhost:1:2", b"evil.example"]
)
def test_a_bad_host_is_refused_with_a_sentence_and_headers(served: Served, host: bytes) -> None:
    answer = raw(served, b"GET / HTTP/1.1\r\nhost: %b\r\nconnection: close\r\n\r\n" % host)
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 421"))
    assert b"\r\n%b: %b" % HEADERS[0] in answer
    assert answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    "query", ["look=%C2%B2", "look=" + "9" * 4000, "look=-1", "shape=%00", "pick.%00=%ff"]
)
def test_odd_addresses_are_no_errors(served: Served, query: str) -> None:
    guest = Guest(served.address)
    path = guest.set_table("lumens", "me screen")
    assert guest.http.get(f"{path}?{query}").status_code == 200
    with guest.http.stream("GET", f"{path}/live?{query}") as answer:
        assert answer.status_code == 200


def test_long_addresses_are_refused(served: Served) -> None:
    assert httpx.get(f"{served.address}/?{'x' * 5000}").status_code == 414


@pytest.mark.parametrize("seat", ["9" * 5000, "²", "-1", "7", ""])
def test_odd_seats_are_refused(served: Served, seat: str) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me friend")
    assert guest.act(path, "remove", seat=seat).json()["clause"] == "web.act.seat"


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("multipart/form-data; boundary=b", b'form-data; name="token"; charset=klingon'),
        ("multipart/form-data; boundary=b; charset=klingon", b'form-data; name="token"'),
        ("multipart/form-data; boundary=b; charset=utf-7", b'form-data; name="token"'),
        ("application/x-www-form-urlencoded; charset=klingon", b""),
    ],
)
def test_odd_forms_are_no_errors(served: Served, kind: str, part: bytes) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me screen")
    body = b"--b\r\ncontent-disposition: %b\r\n\r\n\xed\xa0\x80\r\n--b--\r\n" % part
    answer = guest.http.post(f"{path}/talk", content=body, headers={"content-type": kind})
    assert answer.status_code in (400, 422)


def test_probes_may_ask_for_the_head_alone(served: Served) -> None:
    for path in ("/", "/rules/nomads", "/static/1/table.js"):
        answer = httpx.head(served.address + path)
        assert answer.status_code == 200
        assert not answer.content


def test_the_shuffle_page_says_who_could_still_choose_the_seed(served: Served) -> None:
    """Whoever reads the store and sits down last; alone at a table that is nobody."""
    people, path = friends(served)
    alone = people[0].set_table("nomads", "me bot:random")
    limit = "runs this server and was also the last to sit down"
    assert limit in people[1].http.get(f"{path}/verify").text
    assert limit not in people[0].http.get(f"{alone}/verify").text


def test_the_host_can_replace_only_who_is_away(served: Served) -> None:
    people, path = friends(served)
    with people[1].stream(path) as told:
        next(told)
        refused = people[0].act(path, "remove", seat=1)
        assert refused.json()["clause"] == "web.act.there"


def test_a_private_table_is_hidden_from_open_streams_when_it_starts(served: Served) -> None:
    host, friend, stranger = (Guest(served.address) for _ in range(3))
    path = host.set_table("nomads", "me friend", watching="")
    friend.form(f"{path}/sit")
    with stranger.stream(path) as told, friend.stream(path) as friends_view:
        gathering, _ = next(told)
        next(friends_view)
        host.form(f"{path}/start")
        # The stream ends. Before, it may tell that the host came back, but of no later entry.
        assert {shared["number"] for shared, _ in told} <= {gathering["number"]}
        assert "playing" in (shared["state"] for shared, _ in friends_view)


def test_talk_does_not_fill_the_log(served: Served) -> None:
    people, path = friends(served)
    answers = [people[0].act(path, "talk", phrase="nice") for _ in range(12)]
    assert {answer.status_code for answer in answers} == {200, 422}
    assert answers[-1].json()["clause"] == "web.act.talk"
    assert people[1].act(path, "talk", phrase="nice").status_code == 200


def test_who_was_removed_can_not_sit_down_again(served: Served) -> None:
    host, friend = Guest(served.address), Guest(served.address)
    path = host.set_table("nomads", "me friend")
    friend.form(f"{path}/sit")
    assert host.act(path, "remove", seat=1).status_code == 200
    assert friend.act(path, "sit").json()["clause"] == "web.act.removed"
    assert Guest(served.address).act(path, "sit").status_code == 200


def test_who_was_voted_out_for_being_away_takes_the_seat_back_and_keeps_it(tmp_path: Path) -> None:
    """A bot plays until they return; nobody votes against who is there."""
    with Served(sqlite_in(tmp_path), "--no-limits", "--away", "1") as server:
        people, path = friends(server)
        with people[0].stream(path) as told:
            next(told)
            while people[0].act(path, "vote", seat=1).status_code != 200:
                time.sleep(0.1)
            assert people[1].act(path, "back").status_code == 200
            assert people[0].act(path, "vote", seat=1).json()["clause"] == "web.act.there"


def test_nobody_is_stored_whose_command_is_refused(served: Served) -> None:
    host = Guest(served.address)
    path = host.set_table("nomads", "me screen")
    before = rows(served, "SELECT count(*) FROM person")
    assert Guest(served.address).act(path, "sit").status_code == 422
    assert rows(served, "SELECT count(*) FROM person") == before


def test_a_table_of_bots_alone_is_refused(served: Served) -> None:
    answer = Guest(served.address).form(
        "/new", game="nomads", seat0="bot:random", seat1="bot:random"
    )
    assert answer.status_code == 422


def test_bots_rest_at_a_table_that_all_people_have_left(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me bot:random bot:random")
    guest.play_on(path, 1)
    assert guest.act(path, "leave").status_code == 200
    due = f"SELECT count(*) FROM owed WHERE subject = '{path.rpartition('/')[2]}' AND due > 0"
    while rows(served, due):
        time.sleep(0.05)
    shared, _ = guest.look(path)
    assert shared["state"] == "playing"
    with Guest(served.address).stream(path) as told:
        assert "over" in (shared["state"] for shared, _ in told)


def test_people_from_one_address_are_stored_at_a_limited_rate(limited: Served) -> None:
    statuses = set()
    for _ in range(60):
        answer = httpx.post(f"{limited.address}/settings", data={"name": "x"})
        statuses.add(answer.status_code)
    assert statuses == {303, 429}


def test_data_are_deleted_at_a_limited_rate(tmp_path: Path) -> None:
    """It takes ten transactions and a notice to all servers."""
    with Served(sqlite_in(tmp_path)) as server:
        statuses = {httpx.post(f"{server.address}/forget").status_code for _ in range(60)}
    assert statuses == {303, 429}


def test_programs_open_tables_at_the_rate_of_their_address(tmp_path: Path) -> None:
    """A new cookie with a new token is no new allowance."""
    with Served(sqlite_in(tmp_path)) as server:
        programs = [Program(server.address, make_token(Guest(server.address))) for _ in range(3)]
        table = {"game": "lumens", "seats": ["me", "random"]}
        statuses = [
            program.http.post("/tables", json=table).status_code
            for program in programs
            for _ in range(20)
        ]
        assert set(statuses) == {201, 429}
        assert statuses.count(201) < 40


def test_bots_take_turns_by_the_network_from_which_their_table_was_opened(served: Served) -> None:
    """The table's log tells it to every server, as a digest."""
    paths = [Guest(served.address).set_table("lumens", "me bot:random") for _ in range(2)]
    program = Program(served.address, make_token(Guest(served.address)))
    opened = program.open("lumens")
    ids = [*(path.rpartition("/")[2] for path in paths), opened["id"]]
    with sqlite3.connect(served.database) as store:
        logs = [
            store.execute("SELECT data FROM entry WHERE table_id = ? AND number = 0", (id_,))
            for id_ in ids
        ]
        entries = [log.decode(data) for rows in logs for (data,) in rows]
        owed = store.execute("SELECT DISTINCT payer FROM owed WHERE subject IN (?, ?, ?)", ids)
        (payer,) = {entry.network for entry in entries if isinstance(entry, log.Open)}
        assert owed.fetchall() == [(payer,)]
    assert len(payer) == 16
    assert "127.0.0.1" not in payer


@pytest.mark.parametrize("page", ["", "/verify", "/since", "/invite"])
def test_pages_that_take_long_are_limited_by_address(tmp_path: Path, page: str) -> None:
    """A new cookie is no new allowance."""
    with Served(sqlite_in(tmp_path)) as server:
        path = Guest(server.address).set_table("nomads", "me screen")
        statuses = set()
        with httpx.Client(base_url=server.address) as http:
            for _ in range(60):
                http.cookies.clear()
                statuses.add(http.get(f"{path}{page}").status_code)
        assert statuses == {200, 429}


def test_open_tables_without_a_host_are_not_listed(tmp_path: Path) -> None:
    """Nobody can push the tables of others off the list by opening many and going away."""
    with Served(sqlite_in(tmp_path), "--no-limits", "--away", "1") as server:
        spammer, host, visitor = (Guest(server.address) for _ in range(3))
        path = host.set_table("nomads", "me friend", listed="1")
        for _ in range(15):
            spammer.set_table("nomads", "me friend", listed="1")
        with host.stream(path) as told:
            next(told)
            for _ in range(100):
                page = visitor.http.get("/").text
                if page.count('href="/t/') == 1:
                    break
                time.sleep(0.1)
            assert page.count('href="/t/') == 1
            assert path in page


def test_a_nul_character_is_no_error_on_postgresql(postgres_database: str) -> None:
    """PostgreSQL can't store it, nor compare with it."""
    with Served(postgres_database, "--no-limits") as server:
        guest = Guest(server.address)
        path = guest.set_table("nomads", "me friend")
        program = Program(server.address, make_token(guest))
        table = path.rpartition("/")[2]
        answers = [
            *(
                guest.http.get(f"/{page}")
                for page in ("t/%00", "t/%00/live", "g/%00", "g/%00/review/%00", "variants/%00")
            ),
            guest.form("/programs/revoke", id="\0"),
            guest.form(f"{path}/guest", bot="\0"),
            guest.form("/programs", label="\0", bot="\0", read="1"),
            guest.form("/settings", name="a\0b", language="\0"),
            guest.act(path, "talk", phrase="\0", token="\0"),
            guest.act(path, "sit", name="\0", nonce="\0", guest="\0"),
            program.http.get("/tables/%00"),
            program.http.delete("/webhooks/%00"),
            program.http.post(f"/tables/{table}/invite", json={"bot": "\0"}),
            program.http.post("/webhooks", json={"url": "https://a.example/\0"}),
            program.http.post("/invitations/%00/accept", json={}),
            program.http.post("/tables", json={"game": "\0", "seats": ["me", "\0"]}),
        ]
        assert [str(a.request.url) for a in answers if a.status_code >= 500] == []
