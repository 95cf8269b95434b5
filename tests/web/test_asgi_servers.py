"""The application under different ASGI servers: nothing in it depends on one of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.parts import free_port
from tests.web.served import sqlite_in

APP = "veillee.web.app:create_app"
SERVERS = {
    "uvicorn": ["-m", "uvicorn", "--factory", "--log-level", "warning", "--port"],
    "granian": ["-m", "granian", "--interface", "asgi", "--factory", "--no-log", "--port"],
}


@contextmanager
def running(server: str, folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The application under a server of that name, as its own documentation says."""
    port = free_port()
    settings = {"VEILLEE_DATABASE": sqlite_in(folder), "VEILLEE_LEVEL": "random"}
    process = subprocess.Popen(
        [sys.executable, *SERVERS[server], str(port), APP],
        env=os.environ | settings | {"VEILLEE_PACE": "0", "VEILLEE_LIMITS": "false"},
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(400):
            try:
                if httpx.get(f"{address}/health", timeout=5).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.05)
        yield address, process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.parametrize("server", SERVERS)
def test_a_game_is_played(server: str, tmp_path: Path) -> None:
    with running(server, tmp_path) as (address, _):
        guest = Guest(address)
        path = guest.set_table("lumens", "me bot:random")
        assert guest.play_on(path) > 3
        assert "podium" in guest.http.get(path).text
        foreign = {"sec-fetch-site": "cross-site", "x-veillee": "1"}
        assert guest.http.post(f"{path}/talk", json={}, headers=foreign).status_code == 403
        assert guest.http.head("/").status_code == 200


@pytest.mark.parametrize("server", SERVERS)
def test_it_stops_although_streams_are_open(server: str, tmp_path: Path) -> None:
    """The application ends its streams at the signal; each comes to a proper end."""
    with running(server, tmp_path) as (address, process), ExitStack() as stack:
        guest = Guest(address)
        path = guest.set_table("nomads", "me bot:random")
        streams = []
        for _ in range(20):
            streams.append(stack.enter_context(Guest(address).stream(path)))
            next(streams[-1])
        process.send_signal(signal.SIGTERM)
        process.wait(90)
        for messages in streams:
            list(messages)  # fails if the response was cut off
