"""Compiling games before anybody waits for them: every function that play or search may call.

Each game is compiled by a process of its own, two side by side. What is made lies in the cache
folder (see `build.cache_folder`); a stamp beside it tells that it is complete.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from veillee.engine import chance, events, kernel
from veillee.engine.batch import Batch, playouts
from veillee.engine.build import cache_folder, sources
from veillee.engine.contract import Contract
from veillee.engine.library import game, games
from veillee.engine.seed import Seed, fast_row

SIDE_BY_SIDE = 2
KEPT = 30 * 24 * 3600
"""Seconds for which machine code of earlier sources stays in the cache."""

Progress = Callable[[str, int, int], None]
"""Told (game, functions compiled, of how many)."""
Timings = dict[str, float]
"""Seconds for each entry point; nothing for a game that was complete."""


def compile_games(
    names: Sequence[str] | None = None, progress: Progress | None = None
) -> dict[str, Timings]:
    """Compile games (all, unless named) that are not yet, and tell how long it took."""
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        chosen = [game(name) for name in names or games()]
        timings = pool.map(lambda contract: _compile(contract, progress), chosen)
        return {contract.name: found for contract, found in zip(chosen, timings, strict=True)}


def is_compiled(contract: Contract) -> bool:
    """Whether all is in the cache, told without loading the compiler."""
    return _stamp(contract).exists()


def show(names: Sequence[str] | None = None) -> dict[str, Timings]:
    """Compile games, with a bar for each in the terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    if all(is_compiled(game(name)) for name in names or games()):
        return {name: {} for name in names or games()}
    columns = (TextColumn("{task.description:<10}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns) as bars:
        tasks = {name: bars.add_task(name, total=None) for name in names or games()}

        def progress(name: str, done: int, total: int) -> None:
            bars.update(tasks[name], completed=done, total=total)

        return compile_games(names, progress)


def _compile(contract: Contract, progress: Progress | None) -> Timings:
    total = expected(contract)
    timings: Timings = {}
    if not is_compiled(contract):
        command = [sys.executable, "-m", __name__, contract.name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout is not None
            done = 0
            for line in worker.stdout:
                told = json.loads(line)
                if "entry" in told:
                    timings[told["entry"]] = timings.get(told["entry"], 0) + told["seconds"]
                else:
                    done += 1
                if progress:
                    progress(contract.name, min(done, total), total)
        if worker.returncode:
            raise RuntimeError(f"compiling {contract.name} failed; its message is above")
        stamp = _stamp(contract)
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
        forget_old(stamp.parent)
    if progress:
        progress(contract.name, total, total)
    return timings


def forget_old(folder: Path) -> None:
    """Delete what was compiled from other sources of the same game long ago."""
    game_name = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{game_name}-*"):
        if other != folder and time.time() - other.stat().st_mtime > KEPT:
            shutil.rmtree(other, ignore_errors=True)


def expected(contract: Contract) -> int:
    """How many functions there are to compile: those that may tell events, with and without."""
    modules = (contract.rules, contract.invariants, kernel, chance, events)
    functions = [
        function
        for module in modules
        for function in vars(module).values()
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
    ]
    return sum(1 + ("events" in inspect.signature(f).parameters) for f in functions)


def _stamp(contract: Contract) -> Path:
    """The file that tells that these very sources were compiled whole, on this machine.

    Numba compiles anew when a source's time changed, so that counts as well.
    """
    parts = [platform.python_version(), platform.node(), version("numba"), version("llvmlite")]
    for source in sources(contract.package):
        status = source.stat()
        parts.append(f"{source} {status.st_mtime_ns} {status.st_size}")
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return cache_folder(contract.package) / f"complete-{name}"


def entries(contract: Contract) -> Iterator[tuple[str, Callable[[], Any]]]:
    """A call of every function of the kernel, in the forms that Python calls it in."""
    yield from _playing(contract, None)
    yield from _playing(contract, events.new_buffer())
    players, seats = min(contract.seats), 1
    kernel = contract.compiled
    yield "playouts", lambda: playouts(contract, players, 1)
    yield "setup_all", lambda: Batch(contract, players, 1)
    batch = Batch(contract, players, 1)
    states, row = batch.states, fast_row(0)
    actions = np.zeros(contract.actions, np.int16)
    numbers = np.zeros(players, np.int16)
    yield "legal_all", batch.legal
    yield "step", lambda: batch.step(batch.legal()[0][:, 0])
    yield "results_all", lambda: batch.scores
    yield "scores_at", lambda: kernel.scores_at(states, 0, numbers)
    yield "places_at", lambda: kernel.places_at(states, 0, numbers)
    yield "broken", lambda: kernel.broken(states[0])
    template, kept = contract.template(players), states.copy()
    yield "audit", lambda: kernel.audit(template, kept.copy(), 0, 0, row, actions, kept)
    yield "resample_at", lambda: kernel.resample_at(states, 0, seats, row)
    yield "resample_all", lambda: kernel.resample_all(states, seats, row)
    yield "view_at", lambda: kernel.view_at(states, 0, seats)
    yield "view_all", lambda: kernel.view_all(states, seats)


def _playing(
    contract: Contract, listener: events.Buffer | None
) -> Iterator[tuple[str, Callable[[], Any]]]:
    kernel = contract.compiled
    states = contract.template(min(contract.seats))
    actions = np.zeros(contract.actions, np.int16)
    row = Seed.of(0).row(0)
    yield "setup_at", lambda: kernel.setup_at(states, 0, row, actions, listener)
    yield "legal_at", lambda: kernel.legal_at(states, 0, actions)
    yield "apply_at", lambda: kernel.apply_at(states, 0, int(actions[0]), row, listener)


def compile_here(contract: Contract, tell: Callable[[dict[str, Any]], None]) -> None:
    """Compile one game in this process; tell of every function and entry point that is done."""
    from numba.core import event

    from veillee.bots import bot

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            tell({"function": event.data["dispatcher"].py_func.__qualname__})

    with event.install_listener("numba:compile", Listener()):
        for name, call in (*entries(contract), *bot.entries(contract)):
            start = time.perf_counter()
            call()
            tell({"entry": name, "seconds": time.perf_counter() - start})


if __name__ == "__main__":
    compile_here(game(sys.argv[1]), lambda told: print(json.dumps(told), flush=True))
