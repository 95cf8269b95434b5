"""Commands and streams as bytes on a connection: in pieces, pipelined, forged, too large."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.http.test_table import awaited, friends
from tests.web.served import Served, sqlite_in
from veillee.web.http.security import HEADERS, LARGEST_BODY

Answer = tuple[int, bytes, bytes]
"""Status, head and body."""


class Line:
    """A connection, by hand."""

    def __init__(self, served: Served) -> None:
        self.port = served.port
        self.socket = socket.create_connection(("127.0.0.1", served.port), timeout=20)
        self.heard = b""

    def send(self, *pieces: bytes) -> None:
        """Send pieces that arrive one by one."""
        for number, piece in enumerate(pieces):
            time.sleep(0.05 if number else 0)
            self.socket.sendall(piece)

    def until(self, end: bytes) -> bytes:
        while end not in self.heard:
            more = self.socket.recv(65536)
            assert more, self.heard
            self.heard += more
        found, _, self.heard = self.heard.partition(end)
        return found

    def answer(self) -> Answer:
        head = self.until(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        size = int(length[1]) if length else 0
        while len(self.heard) < size:
            self.heard += self.socket.recv(65536)
        body, self.heard = self.heard[:size], self.heard[size:]
        return int(head[9:12]), head, body

    def wait_closed(self) -> None:
        """Wait until the other side ends the connection."""
        while more := self.socket.recv(65536):
            self.heard += more


@contextmanager
def line(served: Served) -> Iterator[Line]:
    made = Line(served)
    with made.socket:
        yield made


def post(guest: Guest, path: str, fields: dict[str, str], *more: str) -> bytes:
    """What the script sends."""
    body = json.dumps(fields).encode()
    head = [
        f"POST {path} HTTP/1.1",
        "host: localhost",
        f"cookie: other=1; veillee={guest.http.cookies['veillee']}",
        "content-type: application/json",
        "x-veillee: 1",
        f"content-length: {len(body)}",
        *more,
    ]
    return "\r\n".join([*head, "", ""]).encode() + body


def get(guest: Guest, path: str, *more: str) -> bytes:
    cookie = f"cookie: veillee={guest.http.cookies['veillee']}"
    return "\r\n".join([f"GET {path} HTTP/1.1", "host: localhost", cookie, *more, "", ""]).encode()


TALK = {"phrase": "nice"}


@pytest.fixture
def seated(served: Served) -> tuple[Guest, str]:
    guest = Guest(served.address)
    return guest, guest.set_table("nomads", "me screen")


def test_an_answer_has_the_same_headers_as_a_page(
    served: Served, seated: tuple[Guest, str]
) -> None:
    guest, path = seated
    with line(served) as wire:
        wire.send(post(guest, f"{path}/talk", TALK))
        status, head, body = wire.answer()
        assert status == 200
        assert json.loads(body)["ok"]
        for name, value in HEADERS:
            assert b"\r\n%b: %b" % (name, value) in head
        assert b"\r\ndate: " in head
        wire.send(get(guest, f"{path}/live"))
        head = wire.until(b"\r\n\r\n")
        for name, value in HEADERS:
            assert b"\r\n%b: %b" % (name, value) in head


def test_a_request_in_pieces_is_read_whole(served: Served, seated: tuple[Guest, str]) -> None:
    guest, path = seated
    with line(served) as wire:
        whole = post(guest, f"{path}/talk", TALK)
        wire.send(whole[:10], whole[10:200], whole[200:-8], whole[-8:-1], whole[-1:])
        assert wire.answer()[0] == 200


def test_many_requests_at_once_are_answered_in_their_order(served: Served) -> None:
    """Of both ways and of others; the first ones still wait for the disk when the next are read."""
    people, path = friends(served)
    person, _, shared, action = awaited(people, path)
    play = {"action": action, "moment": str(shared["moment"])}
    with line(served) as wire:
        wire.send(
            post(person, f"{path}/play", play | {"token": "a"})
            + post(person, f"{path}/play", play | {"token": "b"})
            + get(person, "/health")
            + post(person, f"{path}/talk", {"phrase": "nothing we say"})
            + post(person, f"{path}/talk", TALK)
            + get(person, "/nowhere")
            + post(person, f"{path}/play", play | {"token": "a"})
            + get(person, f"{path}/live")
        )
        assert [wire.answer()[0] for _ in range(7)] == [200, 409, 200, 422, 200, 404, 200]
        assert b"event-stream" in wire.until(b"\r\n\r\n")
        assert b'"moment":' in wire.until(b"\n\n\r\n")


def test_a_page_and_then_a_move_on_one_connection(
    served: Served, seated: tuple[Guest, str]
) -> None:
    guest, path = seated
    with line(served) as wire:
        for _ in range(3):
            wire.send(get(guest, "/health"))
            assert wire.answer()[0] == 200
            wire.send(post(guest, f"{path}/talk", TALK))
            assert wire.answer()[0] == 200


def test_a_request_to_change_the_protocol_does_nothing_twice(
    served: Served, seated: tuple[Guest, str]
) -> None:
    guest, path = seated
    upgrade = ["connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13"]
    with line(served) as wire:
        wire.send(post(guest, f"{path}/talk", TALK))
        number = json.loads(wire.answer()[2])["number"]
        wire.send(
            get(guest, f"{path}/live", *upgrade, "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==")
        )
        wire.until(b"HTTP/1.1 ")
    again = guest.act(path, "talk", phrase="nice").json()["number"]
    assert again == number + 1


def test_who_wants_the_connection_closed_has_it_closed(
    served: Served, seated: tuple[Guest, str]
) -> None:
    guest, path = seated
    with line(served) as wire:
        wire.send(post(guest, f"{path}/talk", TALK, "connection: close"))
        status, head, _ = wire.answer()
        assert status == 200
        assert b"connection: close" in head
        wire.wait_closed()


def test_who_hangs_up_has_moved_all_the_same(served: Served) -> None:
    people, path = friends(served)
    person, other, shared, action = awaited(people, path)
    moment = shared["moment"]
    with other.stream(path) as told, line(served) as wire:
        next(told)
        wire.send(post(person, f"{path}/play", {"action": action, "moment": str(moment)}))
        wire.socket.close()
        assert next(told)[0]["moment"] == moment + 1  # type: ignore[operator]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["origin: https://elsewlocalhost"], 403),
        (["origin: null"], 403),
        (["sec-fetch-site: cross-site"], 403),
        (["origin: https://localhost", "sec-fetch-site: same-origin"], 200),
        (["origin: http://localhost"], 200),
        (["expect: 100-continue"], 200),
    ],
)
def test_where_a_move_may_come_from(
    served: Served, seated: tuple[Guest, str], headers: list[str], status: int
) -> None:
    guest, path = seated
    with line(served) as wire:
        wire.send(post(guest, f"{path}/talk", TALK, *headers))
        found = wire.answer()
        assert (found if found[0] != 100 else wire.answer())[0] == status


def test_a_refusal_is_in_the_persons_language(served: Served, seated: tuple[Guest, str]) -> None:
    guest, path = seated
    with line(served) as wire:
        wire.send(post(guest, f"{path}/sit", {}, "accept-language: xx, es;q=0.5, fr;q=0.8"))
        in_french = json.loads(wire.answer()[2])
        wire.send(post(guest, f"{path}/sit", {}, "accept-language: en"))
        in_english = json.loads(wire.answer()[2])
        assert in_french["clause"] == in_english["clause"] == "web.act.now"
        assert in_french["refused"] != in_english["refused"]


def test_large_moves_are_not_read(served: Served, seated: tuple[Guest, str]) -> None:
    guest, path = seated
    with line(served) as wire:
        wire.send(post(guest, f"{path}/talk", TALK | {"more": "x" * LARGEST_BODY}))
        assert wire.answer()[0] == 413
    with line(served) as wire:
        whole = post(guest, f"{path}/talk", {})
        head = re.sub(rb"content-length: \d+", b"transfer-encoding: chunked", whole[:-2])
        wire.send(head + b"2\r\n{}\r\n0\r\n\r\n")
        assert wire.answer()[0] == 413


@pytest.mark.parametrize("body", [b"", b"[]", b'{"phrase": 7}', b"{", b"\xff"])
def test_what_is_no_form_is_refused(served: Served, seated: tuple[Guest, str], body: bytes) -> None:
    guest, path = seated
    with line(served) as wire:
        whole = post(guest, f"{path}/talk", {})
        wire.send(
            whole[:-2].replace(b"content-length: 2", b"content-length: %d" % len(body)) + body
        )
        assert wire.answer()[0] == 400


def test_a_stream_goes_with_its_reader(served: Served) -> None:
    """And its connection can ask for something else once the stream has ended."""
    people, path = friends(served)
    with line(served) as wire:
        wire.send(get(people[1], f"{path}/live"))
        wire.until(b"\n\n\r\n")
        people[1].form("/settings", name="Someone else")
        wire.until(b"0\r\n\r\n")
        wire.send(get(people[1], f"{path}/live"))
        assert b"Someone else" in wire.until(b"\n\n\r\n")
        people[1].form("/settings", name="Nobody")
        wire.until(b"0\r\n\r\n")
        wire.send(post(people[1], f"{path}/talk", TALK))
        assert wire.answer()[0] == 200


MANY = 300
"""More than may be asked for at once from one address, even on a slow machine."""


@pytest.mark.parametrize(
    ("trusted", "addresses", "statuses"),
    [("127.0.0.1", MANY, {404}), ("127.0.0.1", 1, {404, 429}), ("192.0.2.9", MANY, {404, 429})],
)
def test_behind_a_proxy_that_we_trust_each_address_has_its_own_limit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    trusted: str,
    addresses: int,
    statuses: set[int],
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    with Served(sqlite_in(tmp_path)) as server, line(server) as wire:
        guest = Guest(server.address)
        for number in range(MANY):
            address = f"x-forwarded-for: 198.51.100.{number % addresses % 250}, 127.0.0.1"
            wire.send(get(guest, "/t/none/live", address))
        assert {wire.answer()[0] for _ in range(MANY)} == statuses
