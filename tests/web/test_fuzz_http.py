"""A short run of the fuzzer; `python -m tests.web.fuzz_http` is the long one."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx

from tests.web.cluster.servers import Server
from tests.web.fuzz_http import fuzz
from tests.web.loop import run

REQUESTS = 1500


def test_mutated_requests_break_nothing(tmp_path: Path) -> None:
    with Server(str(tmp_path / "fuzz.sqlite")) as server:
        found = run(fuzz(server, REQUESTS))
    assert not found.problems
    assert found.sent >= REQUESTS
    assert {200, 400} <= found.statuses.keys()


def test_malformed_bytes_behind_a_request_leave_no_traceback(tmp_path: Path) -> None:
    """The connection is closed at once, while the first request is still being answered."""
    with Server(str(tmp_path / "fuzz.sqlite")) as server:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
                head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
                connection.sendall(head.encode() + b"\0\0\0 nonsense\r\n\r\n")
                connection.recv(100)
        assert "Traceback" not in server.log
        assert "ERROR" not in server.log


def test_a_form_that_is_not_utf_8_is_a_bad_request(tmp_path: Path) -> None:
    headers = {"content-type": "application/json"}
    with Server(str(tmp_path / "fuzz.sqlite")) as server:
        for script in ({}, {"x-veillee": "1"}):
            answer = httpx.post(
                f"{server.address}/t/x/play", content=b'{"a":"\xf5"}', headers=headers | script
            )
            assert answer.status_code == 400
        assert "Traceback" not in server.log
