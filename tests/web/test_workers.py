"""Several workers of one host on one SQLite file, under uvicorn's supervisor."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.processes import children_of, is_running
from tests.web.served import Served, sqlite_in

WORKERS = 2


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Served]:
    with Served(sqlite_in(tmp_path), "--no-limits", "--workers", str(WORKERS)) as served:
        yield served


def workers(served: Served) -> list[int]:
    """The processes that serve: the supervisor's children, without Python's resource tracker."""
    assert served.process is not None
    started = children_of(served.process.pid)
    return [pid for pid, command in started.items() if "resource_tracker" not in command]


def test_games_are_played_whichever_worker_answers(several: Served) -> None:
    for _ in range(3):
        guest = Guest(several.address)
        path = guest.set_table("nomads", "me bot:random")
        assert guest.play_on(path) > 10
        assert "podium" in guest.http.get(path).text


def test_they_stop_together_although_streams_are_open(several: Served) -> None:
    pids = workers(several)
    assert len(pids) == WORKERS
    guests = [Guest(several.address) for _ in range(6)]
    path = guests[0].set_table("nomads", "me bot:random")
    streams = [guest.stream(path) for guest in guests]
    messages = [stream.__enter__() for stream in streams]
    for each in messages:
        next(each)
    assert several.stop() == 0
    for each in messages:
        list(each)
    assert not any(map(is_running, pids))


def test_a_worker_that_dies_is_replaced_and_play_goes_on(several: Served) -> None:
    guest = Guest(several.address)
    path = guest.set_table("nomads", "me bot:random")
    guest.play_on(path, 3)
    before = workers(several)
    os.kill(before[0], signal.SIGKILL)
    deadline = time.monotonic() + 30
    taken = 0
    while taken < 3 or before[0] in workers(several) or len(workers(several)) < WORKERS:
        assert time.monotonic() < deadline
        try:
            taken += guest.play_on(path, 1)
        except (httpx.HTTPError, StopIteration):
            time.sleep(0.1)
