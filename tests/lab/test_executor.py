"""Work is done in order, wherever it runs, and again when a worker dies."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import psutil
import pytest

from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal
from veillee.lab.executor import InlineExecutor, Workers, checked, workers
from veillee.lab.versions import installed


def square(n: int) -> int:
    return n * n


def die_once(mark: Path, n: int) -> int:
    """Kill the process the first time that 3 is asked for."""
    if n == 3 and not mark.exists():
        mark.touch()
        os._exit(1)
    return n * n


def die() -> None:
    os._exit(1)


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order(processes: int) -> None:
    with workers(processes) as pool:
        assert list(pool.map(square, ((n,) for n in range(20)))) == [n * n for n in range(20)]


def test_a_task_is_run_again_when_its_worker_dies(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    with workers(2) as pool:
        found = list(pool.map(die_once, ((mark, n) for n in range(8))))
    assert mark.exists()
    assert found == [n * n for n in range(8)]


def test_a_task_that_always_kills_its_worker_ends_the_run() -> None:
    with workers(2) as pool, pytest.raises(Refusal, match="3 times"):
        list(pool.map(die, [()]))


def test_a_task_that_a_cluster_gave_up_is_refused() -> None:
    class Cluster(InlineExecutor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            given_up: Future[Any] = Future()
            given_up.set_exception(TimeoutError())
            return given_up

    with pytest.raises(Refusal, match="4 times"):
        list(Workers(Cluster, lambda: 1, lost=(TimeoutError,)).map(square, [(1,)]))


def test_the_window_grows_with_the_cluster() -> None:
    size, started = 1, 0

    def tasks() -> Iterator[tuple[int]]:
        nonlocal started
        for n in range(40):
            started += 1
            yield (n,)

    found = Workers(InlineExecutor, lambda: size).map(square, tasks())
    assert next(found) == 0
    assert started == 2
    size = 5
    assert next(found) == 1
    assert started == 11


def test_nodes_work_for_their_own_version_only() -> None:
    assert checked(installed(), square, 3) == 9
    other = installed() | {"captain": installed()["captain"] | {"code": "another"}}
    with pytest.raises(Refusal, match="another version than this machine of: captain") as refused:
        checked(other, square, 3)
    told = {language: refused.value.why(Words(language)) for language in LANGUAGES}
    assert len(set(told.values())) == len(LANGUAGES)
    assert all(socket.gethostname() in each for each in told.values())
    with pytest.raises(Refusal, match="of: mine"):
        checked(installed() | {"mine": {}}, square, 3)


def test_workers_end_when_their_command_is_killed() -> None:
    """Nobody tells them, and they would wait for tasks for ever."""
    command = [sys.executable, "-c", "from tests.lab.test_executor import work; work()"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        pids = [int(pid) for pid in run.stdout.readline().split()]
        assert len(set(pids)) == 2
        assert all(psutil.pid_exists(pid) for pid in pids)
        run.send_signal(signal.SIGKILL)
    until = time.monotonic() + 20
    while any(psutil.pid_exists(pid) for pid in pids):
        assert time.monotonic() < until, "workers are left"
        time.sleep(0.05)


def work() -> None:
    """Print the ids of two workers, and wait."""
    with workers(2) as pool:
        print(*pool.map(process_id, [(0.5,)] * 2), flush=True)
        time.sleep(60)


def process_id(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def test_workers_are_needed() -> None:
    with pytest.raises(Refusal, match="At least one worker process"), workers(0):
        pass
