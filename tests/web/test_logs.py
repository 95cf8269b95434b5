"""Logs: a line for each event, with request and table, without passwords or floods."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.loop import run
from veillee.web import logs

log = logging.getLogger("veillee.test")


Lines = Callable[[], str]


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Lines]:
    """What was logged; the configuration is restored afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield lambda: capsys.readouterr().err
    root.handlers[:] = handlers
    root.setLevel(level)


def fail(message: str) -> None:
    try:
        raise ValueError("inside")
    except ValueError:
        log.exception("%s", message)


def test_json_lines_carry_request_and_table(lines: Lines) -> None:
    logs.configure(as_json=True)
    logs.REQUEST.set("abc")
    logs.TABLE.set("t1")
    fail("it broke")
    line = json.loads(lines())
    assert line["message"] == "it broke"
    assert (line["level"], line["logger"]) == ("error", "veillee.test")
    assert (line["request"], line["table"]) == ("abc", "t1")
    assert "ValueError: inside" in line["traceback"]


def test_passwords_in_addresses_are_masked(lines: Lines) -> None:
    logs.configure()
    log.warning("cannot reach %s", "postgresql://ida:hunter2@host/name")
    assert "cannot reach postgresql://ida:***@host/name" in lines()


def test_a_repeated_traceback_is_counted_instead_of_logged(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs.configure()
    for _ in range(500):
        fail("again")
    assert lines().count("Traceback") == 1
    monkeypatch.setattr("veillee.web.logs.QUIET", 0.0)
    fail("again")
    assert "(and 499 times before)" in lines()


async def answer(scope: dict[str, Any], headers: list[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """The headers of an answer to a request, and what is logged meanwhile."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        log.warning("inside")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    request = {"type": "http", "method": "GET", "headers": headers, "client": ("192.0.2.1", 1)}
    await logs.RequestLog(app)(request | scope, receive, send)
    return dict(sent[0]["headers"])


def test_each_request_has_an_id_and_a_line(lines: Lines) -> None:
    async def story() -> None:
        logs.configure(as_json=True, requests=True)
        own = await answer({"path": "/t/t1/play"}, [])
        kept = await answer({"path": "/"}, [(b"x-request-id", b"from-the-proxy")])
        forged = await answer({"path": "/"}, [(b"x-request-id", b"a b\r\nc: d")])
        inside, request, *_ = map(json.loads, lines().splitlines())
        assert inside["table"] == request["table"] == "t1"
        assert inside["request"] == request["request"] == own[b"x-request-id"].decode()
        assert (request["method"], request["path"], request["status"]) == ("GET", "/t/t1/play", 200)
        assert request["client"] == "192.0.2.1"
        assert kept[b"x-request-id"] == b"from-the-proxy"
        assert forged[b"x-request-id"] != b"a b\r\nc: d"

    run(story())
