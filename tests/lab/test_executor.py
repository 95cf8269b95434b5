"""Work is done in order, wherever it runs, and again when a worker dies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from veillee.engine.refusal import Refusal
from veillee.lab.executor import workers


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


def test_workers_are_needed() -> None:
    with pytest.raises(Refusal, match="1 or more"), workers(0):
        pass
