"""The processes in which bots think and games are analysed, and the queue in front of them."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import secrets
import signal
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from veillee.bots.characters import RANDOM
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.processors import processors
from veillee.engine.registry import game
from veillee.engine.worker_process import end_with_parent
from veillee.web import metrics

ADVISED = 800
"""Iterations of a hint at least, also where the level that gives it has fewer."""
NICENESS = 5
"""Niceness of the bots' processes, which yield to the server."""

T = TypeVar("T")


@cache
def levels() -> tuple[str, ...]:
    """Return the names of the levels, the easiest first."""
    from veillee.bots.levels import NAMES

    return NAMES


FINE, COARSE = 100, 200
"""The differences of the strengths that are offered, over a narrow and over a wide range."""
WIDE = 800


def strengths(*specs: GameSpec) -> tuple[int, ...]:
    """Return strengths to offer for a seat at which these games are played, the weakest first."""
    from veillee.bots.levels import curve

    ranges = [curve(spec).range for spec in specs]
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)
    step = FINE if high - low < WIDE else COARSE
    return tuple(range(-(-low // step) * step, high + 1, step)) if low else ()


def check_level(level: str, *specs: GameSpec) -> None:
    """Refuse a bot that one of the games does not have; "" means a person."""
    if level and level != RANDOM:
        from veillee.bots.levels import BotName

        name = BotName.parse(level)
        for spec in specs:
            name.budget_for(spec)


def fitted_level(level: str, spec: GameSpec) -> str:
    """Return the name of a bot as it fits another game."""
    from veillee.bots.levels import fitted

    return fitted(level, spec)


def choose(spec: GameSpec, view: States, level: str, seed: int) -> int:
    """Return the action of a bot of a level, from the view of the seat to decide."""
    if level == RANDOM:
        legal = np.zeros(spec.actions, np.int16)
        count = spec.plain.legal_at([spec.twin(view)], 0, legal.data)
        return int(legal[Random(seed).randrange(count)])
    from veillee.bots.levels import bot

    return int(bot(spec, int(view[0]["players"]), level, seed).choose(view))


def load_compiled(spec: GameSpec) -> bool:
    """Load the machine code of a game's rules into this process, if it was compiled before."""
    from veillee.bots.bot import WARM_UPS
    from veillee.engine.precompile import is_compiled

    if not is_compiled(spec, WARM_UPS):
        return False
    started = game_class(spec)(min(spec.player_counts), 0, compiled=True)
    started.play(started.legal[0])
    started.resample(0)
    return len(started.scores) == len(started.places)


def usual_processes(workers: int = 1) -> int:
    """Return how many processes think for each of some workers: all but one processor is used."""
    return max(1, (processors() - 1) // workers)


class Advice(NamedTuple):
    """Return a bot's action and the reason in words; "" if there is none."""

    action: int
    why: str


class Payer(NamedTuple):
    """On whose account a bot thinks. Turns go round the addresses, and the people of each."""

    address: str = ""
    person: str = ""


NOBODY = Payer()


class FairQueue(Generic[T]):
    """A queue that is round robin over addresses and, within an address, over people."""

    def __init__(self) -> None:
        self._addresses: dict[str, dict[str, deque[T]]] = {}

    def put(self, payer: Payer, item: T) -> None:
        people = self._addresses.setdefault(payer.address, {})
        people.setdefault(payer.person, deque()).append(item)

    def get(self) -> T:
        """Remove and return the next item; its payer goes to the end."""
        address, people = next(iter(self._addresses.items()))
        person, items = next(iter(people.items()))
        item = items.popleft()
        del people[person]
        if items:
            people[person] = items
        del self._addresses[address]
        if people:
            self._addresses[address] = people
        return item

    def __len__(self) -> int:
        return sum(len(items) for people in self._addresses.values() for items in people.values())


class BotPool:
    """`await pool.choose(spec, view, level, payer)`: one bot thinks in each process.

    A process that is killed breaks the whole executor: it is replaced once, however many wait.
    """

    def __init__(self, processes: int = 0) -> None:
        self.processes = processes or usual_processes()
        self._executor = self._new_executor()
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue()
        self._free = self.processes

    @property
    def waiting(self) -> int:
        """Number of bots that wait for a process."""
        return len(self._queue)

    def _new_executor(self) -> ProcessPoolExecutor:
        # Hypercorn's workers are daemonic processes, which Python lets have no children.
        multiprocessing.current_process().daemon = False
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.processes, context, initializer=_start_worker)

    def warm_up(self, names: list[str], level: str) -> None:
        """Load games in a process, so that the first decision need not wait for it."""
        for name in names:
            self._executor.submit(_load, name, level)

    async def choose(self, spec: GameSpec, view: States, level: str, payer: Payer = NOBODY) -> int:
        """Return the action of a bot of a level that knows `view` only."""
        think = partial(
            _think, spec.name, spec.version, view.tobytes(), level, secrets.randbits(31)
        )
        with metrics.BOTS_WAITING.track_inprogress(), metrics.BOT_WAIT.time():
            await self._turn(payer)
        with metrics.BOT_THINKING.time():
            return await self._run(think)

    async def advise(
        self,
        spec: GameSpec,
        view: States,
        level: str,
        language: str,
        names: Sequence[str],
        payer: Payer = NOBODY,
    ) -> Advice:
        """Return what a bot of a level would do, and why."""
        think = partial(
            _advise, spec.name, spec.version, view.tobytes(), level, language, list(names)
        )
        return await self.run(think, payer)

    async def run(self, work: partial[T], payer: Payer) -> T:
        """Return the result of other work, for which the payer waits as bots do."""
        await self._turn(payer)
        return await self._run(work)

    async def close(self) -> None:
        """Let processes end when they have answered, and wait for it.

        A server that is itself a child process would hang if it exited while the executor is still
        telling its processes to end (`multiprocessing` ends the queue to them and then joins them).
        """
        await asyncio.to_thread(self._executor.shutdown, wait=True, cancel_futures=True)

    async def _turn(self, payer: Payer) -> None:
        """Wait until a process is free."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(payer, turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was our turn already
                self._free += 1
                self._admit()
            raise

    def _admit(self) -> None:
        """Give free processes to those who wait."""
        while self._free and len(self._queue):
            turn = self._queue.get()
            if not turn.done():
                turn.set_result(None)
                self._free -= 1

    async def _run(self, work: partial[T]) -> T:
        """Run something in a process, whose turn it is, and give the process back."""
        loop = asyncio.get_running_loop()
        executor = self._executor
        try:
            return await loop.run_in_executor(executor, work)
        except BrokenProcessPool:
            if self._executor is executor:  # nobody has replaced it yet
                self._executor = self._new_executor()
                executor.shutdown(wait=False, cancel_futures=True)
            return await loop.run_in_executor(self._executor, work)
        finally:
            self._free += 1
            self._admit()


# ------------------------------------------------------------ in the processes


def _start_worker() -> None:
    """Leave Ctrl-C to the server, give way to it, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
    end_with_parent()


def _think(name: str, version: int, view: bytes, level: str, seed: int) -> int:
    spec = game(name, version)
    return choose(spec, np.frombuffer(bytearray(view), spec.dtype), level, seed)


def _advise(
    name: str, version: int, view: bytes, level: str, language: str, names: list[str]
) -> Advice:
    spec = game(name, version)
    seen = np.frombuffer(bytearray(view), spec.dtype)
    if level == RANDOM:
        return Advice(choose(spec, seen, level, 0), "")
    from veillee.bots.bot import Bot
    from veillee.bots.levels import BotName
    from veillee.bots.reasons import explain

    budget = BotName.parse(level).budget_for(spec)
    budget = replace(budget, iterations=max(ADVISED, budget.iterations or 0))
    thought = Bot(spec, len(names), budget, secrets.randbits(31)).think(seen)
    return Advice(thought.best, explain(thought, seen, language, names))


def _load(name: str, level: str) -> None:
    spec = game(name)
    started = game_class(spec)(min(spec.player_counts), 0)
    choose(spec, started.seen_by(started.seat), level, 0)
