"""Bots at the table: they think in processes of their own, never where the pages are served.

A bot is a function `choose(contract, states, seat, level, seed) -> action`: it gets the game as its
seat may know it, as an array of one state, and answers with a legal action. `veillee.bots` brings
the levels; where it is not there, one level takes any legal action.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import multiprocessing
import os
import secrets
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from random import Random

import numpy as np

from veillee.engine.contract import Contract
from veillee.engine.library import game
from veillee.engine.record import States

Chooser = Callable[[Contract, States, int, str, int], int]


def random_choice(contract: Contract, states: States, _seat: int, _level: str, seed: int) -> int:
    """Any legal action."""
    out = np.zeros(contract.actions, np.int16)
    n = contract.plain.legal_at([contract.twin(states)], 0, out.data)
    return int(out[Random(seed).randrange(n)])


@cache
def brought() -> tuple[tuple[str, ...], Chooser]:
    """The levels that there are, the easiest first, and who plays them."""
    if importlib.util.find_spec("veillee.bots") is not None:
        bots = importlib.import_module("veillee.bots")
        if hasattr(bots, "choose") and hasattr(bots, "LEVELS"):
            return tuple(bots.LEVELS), bots.choose
    return ("random",), random_choice


def levels() -> tuple[str, ...]:
    return brought()[0]


def usual_level() -> str:
    """The level that "Play now" puts at the table: the middle one."""
    return levels()[len(levels()) // 2]


def _think(name: str, state: bytes, seat: int, level: str, seed: int) -> int:
    contract = game(name)
    states = np.frombuffer(bytearray(state), contract.dtype)
    return int(brought()[1](contract, states, seat, level, seed))


def _begin() -> None:
    """In a new worker: leave Ctrl-C to the server, and give way to it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)


class Thinkers:
    """The processes in which bots think."""

    def __init__(self, workers: int | None = None) -> None:
        self._pool = ProcessPoolExecutor(
            workers or max(1, (os.cpu_count() or 2) - 1),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
        )

    def warm_up(self) -> None:
        """Start a worker now, so that the first decision need not wait for it."""
        self._pool.submit(levels)

    async def choose(self, contract: Contract, states: States, seat: int, level: str) -> int:
        """What a bot of a level does, knowing `states` only."""
        return await asyncio.get_running_loop().run_in_executor(
            self._pool,
            _think,
            contract.name,
            states.tobytes(),
            seat,
            level,
            secrets.randbits(62),
        )

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
