"""The bots' processes: a fair queue, one replacement when they die, and none left behind."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.web.loop import run
from tests.web.processes import is_running
from veillee.bots.characters import RANDOM
from veillee.engine.game import game_class
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game
from veillee.web.bot_pool import (
    BotPool,
    FairQueue,
    Payer,
    _start_worker,
    check_level,
    choose,
)

SPEC = game("nomads")
GAME = game_class(SPEC)(2, 0)
VIEW = GAME.seen_by(GAME.seat)


def children() -> set[int]:
    """The processes of this one, without those that have ended."""
    return {child.pid for child in multiprocessing.active_children() if child.pid is not None}


def test_a_bot_chooses_a_legal_action_and_the_seed_decides_which() -> None:
    legal = {int(action) for action in GAME.legal}
    chosen = [choose(SPEC, VIEW, RANDOM, seed) for seed in range(40)]
    assert set(chosen) <= legal
    assert len(set(chosen)) > 1
    assert chosen == [choose(SPEC, VIEW, RANDOM, seed) for seed in range(40)]


def start_without_nice() -> None:
    """Start a worker as on Windows, which has no `os.nice`."""
    del os.nice
    _start_worker()
    os._exit(7)


def test_bots_think_on_systems_without_nice() -> None:
    worker = multiprocessing.get_context("spawn").Process(target=start_without_nice)
    worker.start()
    worker.join(60)
    assert worker.exitcode == 7


def test_an_unknown_level_is_refused() -> None:
    check_level("")
    check_level(RANDOM)
    check_level("sage")
    with pytest.raises(Refusal):
        check_level("grandmaster")


def think_once() -> None:
    async def story() -> None:
        pool = BotPool(1)
        await pool.choose(SPEC, VIEW, RANDOM)
        await pool.close()

    run(story())


def test_bots_think_in_a_daemonic_process() -> None:
    """Hypercorn's workers are daemonic, and Python lets such processes have no children."""
    worker = multiprocessing.get_context("spawn").Process(target=think_once, daemon=True)
    worker.start()
    worker.join(60)
    assert worker.exitcode == 0


def test_turns_go_round_addresses_and_the_people_of_each() -> None:
    """Somebody with many tables, even under many names, does not hold up the others."""
    queue: FairQueue[str] = FairQueue()
    for number in range(3):
        queue.put(Payer("flooder", "x"), f"x{number}")
        queue.put(Payer("flooder", "y"), f"y{number}")
    queue.put(Payer("home", "ida"), "ida")
    assert len(queue) == 7
    assert [queue.get() for _ in range(7)] == ["x0", "ida", "y0", "x1", "y1", "x2", "y2"]
    assert len(queue) == 0


def test_everybody_who_waits_gets_a_turn() -> None:
    async def story() -> None:
        pool = BotPool(1)
        chosen = await asyncio.gather(
            *(pool.choose(SPEC, VIEW, RANDOM, Payer(str(n % 3))) for n in range(12))
        )
        assert len(chosen) == 12
        assert pool.waiting == 0
        await pool.close()

    run(story())


def test_those_who_give_up_waiting_leave_their_turn_to_others() -> None:
    async def story() -> None:
        pool = BotPool(1)
        waiting = [asyncio.create_task(pool.choose(SPEC, VIEW, RANDOM)) for _ in range(8)]
        await asyncio.sleep(0)
        for task in waiting[:-1]:
            task.cancel()
        assert await waiting[-1] in {int(action) for action in GAME.legal}
        assert await pool.choose(SPEC, VIEW, RANDOM) is not None
        await pool.close()

    run(story())


def test_a_killed_process_is_replaced_once_however_many_wait() -> None:
    async def story() -> None:
        before = children()
        pool = BotPool(2)
        await asyncio.gather(*(pool.choose(SPEC, VIEW, RANDOM) for _ in range(4)))
        for pid in children() - before:
            os.kill(pid, signal.SIGKILL)
        chosen = await asyncio.gather(
            *(pool.choose(SPEC, VIEW, RANDOM, Payer(str(n))) for n in range(30))
        )
        assert len(chosen) == 30
        assert len(children() - before) <= 2
        await pool.close()

    run(story())


def test_a_process_that_is_killed_while_tables_wait_is_replaced_once() -> None:
    async def story() -> None:
        before = children()
        pool = BotPool(2)
        await asyncio.gather(*(pool.run(partial(time.sleep, 0.2), Payer()) for _ in range(2)))
        workers = children() - before
        assert len(workers) == 2
        waiting = [
            asyncio.create_task(pool.run(partial(time.sleep, 0.2), Payer(str(n))))
            for n in range(12)
        ]
        await asyncio.sleep(0.1)
        assert pool.waiting == 10
        os.kill(min(workers), signal.SIGKILL)
        most = 0
        while not all(task.done() for task in waiting):
            most = max(most, len(children() - before - workers))
            await asyncio.sleep(0.01)
        await asyncio.gather(*waiting)
        assert most == 2
        await pool.close()

    run(story())


SERVER = """
import asyncio, multiprocessing, time
from tests.web.test_bot_pool import RANDOM, SPEC, VIEW, BotPool

async def serve():
    pool = BotPool(2)
    await asyncio.gather(*(pool.choose(SPEC, VIEW, RANDOM) for _ in range(8)))
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    asyncio.run(serve())
"""


def test_a_killed_server_leaves_no_process_behind(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    server = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert server.stdout is not None
    workers = [int(pid) for pid in server.stdout.readline().split()]
    assert workers
    assert all(map(is_running, workers))
    server.kill()
    server.wait()
    for _ in range(400):
        if not any(map(is_running, workers)):
            return
        time.sleep(0.05)
    raise AssertionError("the bots' processes are still running")
