"""Bots at the table: they think in processes of their own, never where the pages are served."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from random import Random
from typing import Any

import numpy as np

from veillee.engine.contract import Contract
from veillee.engine.library import game
from veillee.engine.record import States

RANDOM = "random"
"""A level that takes any legal action: needs no machine code, so it is there at once."""


@cache
def levels() -> tuple[str, ...]:
    """The levels there are, the easiest first."""
    from veillee.bots.levels import NAMES

    return NAMES


def choose(contract: Contract, view: States, level: str, seed: int) -> int:
    """What a bot of a level does, given the game as the seat to decide may know it."""
    if level == RANDOM:
        out = np.zeros(contract.actions, np.int16)
        n = contract.plain.legal_at([contract.twin(view)], 0, out.data)
        return int(out[Random(seed).randrange(n)])
    bot = _bot(contract, int(view[0]["players"]), level)
    bot.seed = seed
    return int(bot.choose(view))


@cache
def _bot(contract: Contract, players: int, level: str) -> Any:
    from veillee.bots.levels import bot

    return bot(contract, players, level)


def _think(name: str, view: bytes, level: str, seed: int) -> int:
    contract = game(name)
    return choose(contract, np.frombuffer(bytearray(view), contract.dtype), level, seed)


def _begin() -> None:
    """In a new worker: leave Ctrl-C to the server, and give way to it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)


def _fetch_machine_code(name: str, level: str) -> None:
    """Have a game's search in memory before somebody waits for it."""
    contract = game(name)
    template = contract.template(min(contract.seats))
    if level != RANDOM:
        from veillee.engine.game import game_of

        started = game_of(contract)(int(template[0]["players"]), 0)
        choose(contract, started.seen_by(started.seat), level, 0)


def has_machine_code(contract: Contract) -> bool:
    """Have the machine code of a game's rules in this process, if it was compiled before."""
    from veillee.ahead import is_compiled
    from veillee.engine.game import game_of

    if not is_compiled(contract):
        return False
    started = game_of(contract)(min(contract.seats), 0, compiled=True)
    started.play(started.legal[0])
    started.resample(0)
    return len(started.scores) == len(started.places)


class Thinkers:
    """The processes in which bots think."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
        )

    def warm_up(self, names: list[str], level: str) -> None:
        """Start a worker now, so that the first decision need not wait for it."""
        for name in names:
            self._pool.submit(_fetch_machine_code, name, level)

    async def choose(self, contract: Contract, view: States, level: str) -> int:
        """What a bot of a level does, knowing `view` only."""
        job = partial(_think, contract.name, view.tobytes(), level, secrets.randbits(31))
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, job)
        except BrokenProcessPool:  # a worker was killed: begin again with new ones
            self._pool = self._new_pool()
            return await loop.run_in_executor(self._pool, job)

    def close(self) -> None:
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        self._pool.shutdown(wait=False, cancel_futures=True)
