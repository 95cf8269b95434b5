"""Health, metrics and logs of a running server."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from pathlib import Path

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.loop import run
from tests.web.parts import free_port
from tests.web.served import Served, sqlite_in
from tests.web.test_workers import workers
from veillee.web.database import Store, queries, store_at
from veillee.web.readiness import Readiness


def test_a_server_is_ready_only_while_its_store_can_be_written_to(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path)) as served:
        assert httpx.get(f"{served.address}/health/ready").status_code == 200
        locking = sqlite3.connect(served.database, isolation_level=None)
        locking.execute("BEGIN IMMEDIATE")
        time.sleep(Readiness.KEPT)
        locked = httpx.get(f"{served.address}/health/ready", timeout=20)
        assert (locked.status_code, locked.json()) == (503, {"ok": False})
        assert httpx.get(f"{served.address}/health/live").status_code == 200
        locking.execute("ROLLBACK")
        locking.close()
        deadline = time.monotonic() + 30
        while httpx.get(f"{served.address}/health/ready", timeout=20).status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_many_probes_write_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask, and a write is a commit."""
    monkeypatch.setattr(Readiness, "KEPT", 3600.0)
    written = []
    write = queries.check_writable

    async def counted(store: Store, at: int) -> None:
        written.append(at)
        await write(store, at)

    monkeypatch.setattr(queries, "check_writable", counted)

    async def story() -> None:
        store = store_at(sqlite_in(tmp_path))
        await store.open()
        readiness = Readiness(store)
        assert all(await asyncio.gather(*(readiness.check() for _ in range(20))))
        assert len(written) == 1
        await store.close()

    run(story())


def metric(text: str, name: str) -> float:
    """The value of a metric, or the sum over its labels."""
    lines = [line for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{"))]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


def test_metrics_are_served_on_a_port_of_their_own(tmp_path: Path) -> None:
    port = free_port()
    options = ("--no-limits", "--metrics", f"127.0.0.1:{port}")
    with Served(sqlite_in(tmp_path), *options) as served:
        guest = Guest(served.address)
        path = guest.set_table("nomads", "me bot:random")
        played = guest.play_on(path, 3)
        text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert metric(text, "veillee_commands_total") == played
        assert metric(text, "veillee_acknowledged_seconds_count") == played
        assert metric(text, "veillee_shown_seconds_count") > 0
        assert metric(text, "veillee_drawing_seconds_count") > 0
        assert metric(text, "veillee_commit_writes_count") > played
        assert metric(text, "veillee_bot_thinking_seconds_count") > 0
        assert metric(text, "veillee_tables") == 1
        assert httpx.get(f"{served.address}/metrics").status_code == 404


def test_metrics_of_several_workers_are_added_up(tmp_path: Path) -> None:
    port = free_port()
    options = ("--no-limits", "--workers", "2", "--metrics", f"127.0.0.1:{port}")
    with Served(sqlite_in(tmp_path), *options) as served:
        played = 0
        for _ in range(4):
            guest = Guest(served.address)
            played += guest.play_on(guest.set_table("nomads", "me screen"), 3)
        text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert metric(text, "veillee_commands_total") == played


def test_a_killed_worker_counts_no_more_streams(tmp_path: Path) -> None:
    port = free_port()
    options = ("--no-limits", "--workers", "2", "--metrics", f"127.0.0.1:{port}")
    with Served(sqlite_in(tmp_path), *options) as served:
        guest = Guest(served.address)
        path = guest.set_table("nomads", "me screen")

        def streams() -> float:
            return metric(httpx.get(f"http://127.0.0.1:{port}/metrics").text, "veillee_streams")

        with guest.stream(path) as messages:
            next(messages)
            assert streams() == 1
            before = workers(served)
            for pid in before:
                os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + 30
            while set(before) & set(workers(served)) or streams() > 0:
                assert time.monotonic() < deadline
                time.sleep(0.05)


def test_answers_carry_the_id_that_is_in_the_log(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path)) as served:
        answer = httpx.get(served.address, headers={"x-request-id": "proxy-0123"})
        assert answer.headers["x-request-id"] == "proxy-0123"
