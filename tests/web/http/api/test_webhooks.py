"""Webhooks: signed calls to a real receiver, tried again, made once, and never to private hosts."""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.web.http.api.program import Program
from tests.web.served import Served, sqlite_in
from veillee.client.webhooks import verify
from veillee.web import outbound, webhooks


class Received(NamedTuple):
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """A server that is called; `refuse` is how many calls it answers with 500 first."""

    def __init__(self) -> None:
        self.calls: queue.Queue[Received] = queue.Queue()
        self.refuse = 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.calls.put(Received(headers, body))
                refused, receiver.refuse = receiver.refuse > 0, receiver.refuse - 1
                self.send_response(500 if refused else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/hook?x=1"

    def next(self, seconds: float = 20) -> Received:
        return self.calls.get(timeout=seconds)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture(scope="module")
def allowing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that may call private addresses."""
    server = Served(sqlite_in(tmp_path_factory.mktemp("hooks")), "--no-limits")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VEILLEE_PRIVATE_ENDPOINTS", "true")
        server.start()
    yield server
    server.kill()


def test_turns_and_the_end_are_told_and_signed(allowing: Served, receiver: Receiver) -> None:
    """A whole game is played by webhooks alone."""
    ada = Program.of(allowing.address)
    hook = ada.post("/webhooks", 201, url=receiver.url)
    table = ada.open("lumens", "me random")
    told = set()
    while True:
        call = receiver.next()
        assert verify(hook["secret"], call.headers, call.body)
        assert not verify(hook["secret"], call.headers, call.body + b" ")
        assert call.headers["webhook-id"] not in told
        told.add(call.headers["webhook-id"])
        message = call.message
        assert message["table"]["id"] == table["id"]
        if message["event"] == "over":
            break
        assert message["event"] == "turn"
        now = message["table"]
        action = now["actions"][0]["text"]
        ada.post(f"/tables/{table['id']}/play", action=action, moment=now["moment"])
    assert message["table"]["result"]["places"]
    assert len(told) > 2
    assert "secret" not in ada.get("/webhooks")[0]


def test_a_failed_call_is_made_again(
    allowing: Served, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = Program.of(allowing.address)
    ada.post("/webhooks", 201, url=receiver.url, events=["turn"])
    receiver.refuse = 1
    ada.open("lumens", "me open random")
    table = ada.open("lumens", "me random")
    first = receiver.next()
    again = receiver.next(webhooks.PAUSES[0] + 15)
    assert first.body == again.body
    assert first.headers["webhook-id"] == again.headers["webhook-id"]
    assert first.message["table"]["id"] == table["id"]


def test_a_call_is_taken_over_when_the_server_dies(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VEILLEE_PRIVATE_ENDPOINTS", "true")
    with Served(sqlite_in(tmp_path), "--no-limits") as server:
        ada = Program.of(server.address)
        ada.post("/webhooks", 201, url=receiver.url)
        receiver.refuse = 1
        ada.open("lumens", "me random")
        first = receiver.next()
        time.sleep(0.3)
        server.kill()
        server.start()
        assert receiver.next(webhooks.PAUSES[0] + 15).body == first.body
        with sqlite3.connect(server.database) as store:
            time.sleep(0.5)
            bodies = [row[0] for row in store.execute("SELECT body FROM webhook_call")]
        assert bodies == [""]


def test_a_deleted_webhook_is_not_called(allowing: Served, receiver: Receiver) -> None:
    ada = Program.of(allowing.address)
    hook = ada.post("/webhooks", 201, url=receiver.url)
    assert ada.http.delete(f"/webhooks/{hook['id']}").status_code == 204
    assert ada.http.delete(f"/webhooks/{hook['id']}").status_code == 404
    assert ada.get("/webhooks") == []
    ada.open("lumens", "me random")
    with pytest.raises(queue.Empty):
        receiver.next(1)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/hook",
        "https://127.0.0.1/hook",
        "https://10.1.2.3/hook",
        "https://[::1]/hook",
        "https://[::ffff:127.0.0.1]/hook",
        "https://[fd00::1]/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/hook",
        "https://user:word@example.org/hook",
        "ftp://example.org/hook",
        "file:///etc/passwd",
        "https://",
        "nonsense",
    ],
)
def test_what_must_not_be_called_is_refused(served: Served, url: str) -> None:
    refused = Program.of(served.address).http.post("/webhooks", json={"url": url})
    assert refused.status_code in (400, 422)


def test_a_name_is_resolved_when_the_call_is_made(receiver: Receiver) -> None:
    """What it stood for before does not count."""
    port = receiver.server.server_port
    assert outbound.post(f"http://localhost:{port}/", b"", {}, private=True) == 204
    assert receiver.next().body == b""
    with pytest.raises(outbound.Forbidden):
        outbound.post(f"https://localhost:{port}/", b"", {})


def test_a_private_address_is_not_called(served: Served, receiver: Receiver) -> None:
    ada = Program.of(served.address)
    hook = ada.post("/webhooks", 201, url=f"https://localhost:{receiver.server.server_port}/hook")
    ada.open("lumens", "me random")
    with pytest.raises(queue.Empty):
        receiver.next(2)
    with sqlite3.connect(served.database) as store:
        attempts = store.execute(
            "SELECT attempts FROM webhook_call WHERE webhook = ?", (hook["id"],)
        ).fetchall()
    assert attempts == [(1,)]


def test_a_secret_chosen_by_the_standard_signs_as_it_says() -> None:
    """The example of https://github.com/standard-webhooks/standard-webhooks."""
    body = b'{"test": 2432232314}'
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": f"v1,nothing {signature}",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    assert verify(secret, headers, body, now=1614265330)
