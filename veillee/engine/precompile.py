"""Ahead-of-time compilation: compile games before anybody waits for them.

A *warm-up* lists calls of all compiled functions that one part of the software uses: the kernel
here, the search in `bots`, the environments in `adapters`. Each game is compiled by a
process of its own, as many side by side as there are processors. A stamp in the cache folder tells
that a game's code is complete.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import inspect
import json
import os
import pkgutil
import platform
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from veillee.engine import events
from veillee.engine.batch import Batch, playouts
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import cache, kernel, rng
from veillee.engine.jit import events as emitting
from veillee.engine.processors import processors
from veillee.engine.registry import game, games, versions
from veillee.engine.seed import Seed, fast_row

KEPT = 30 * 24 * 3600
"""Seconds for which machine code of earlier sources stays in the cache."""
SELDOM = 100_000
"""New objects after which a process that only compiles looks for garbage; memory grows by 3%."""

Calls = Iterator[tuple[str, Callable[[], Any]]]
Progress = Callable[[str, int, int], None]
"""Called with a game's tag, the functions compiled so far and the expected total."""
Timings = dict[str, float]
"""Seconds for each entry point; empty for a game that was complete."""


@dataclass(frozen=True)
class WarmUp:
    """The compiled functions of a game that one part of the software needs."""

    reference: str
    """The generator of the calls, as `module:function`, so that another process can load it and
    no module need import it."""
    modules: Callable[[GameSpec], Sequence[ModuleType]]
    """The compiled modules, whose sources decide whether a game is compiled."""


def compile_games(
    names: Sequence[str] | None,
    warm_ups: Sequence[WarmUp],
    progress: Progress | None = None,
) -> dict[str, Timings]:
    """Compile the games (all, unless named) that are not compiled yet; return how long it took.

    Older versions of their rules are compiled too: a server may have tables that play by them.
    """
    chosen = _every_version(names)
    with ThreadPoolExecutor(processors()) as pool:
        timings = pool.map(lambda spec: _compile(spec, warm_ups, progress), chosen)
        return {spec.tag: found for spec, found in zip(chosen, timings, strict=True)}


def _every_version(names: Sequence[str] | None) -> list[GameSpec]:
    newest = [game(name) for name in names or games()]
    return [game(spec.name, version) for spec in newest for version in versions(spec)]


def compile_with_bars(
    names: Sequence[str] | None, warm_ups: Sequence[WarmUp]
) -> dict[str, Timings]:
    """Compile games, with a progress bar for each on standard error."""
    chosen = _every_version(names)
    if all(is_compiled(spec, warm_ups) for spec in chosen):
        return {spec.tag: {} for spec in chosen}
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<10}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    console.print("Compiling the games, once:")
    with Progress(*columns, console=console) as bars:
        tasks = {spec.tag: bars.add_task(spec.tag, total=None) for spec in chosen}

        def progress(name: str, done: int, total: int) -> None:
            bars.update(tasks[name], completed=done, total=total)

        return compile_games(names, warm_ups, progress)


@functools.cache
def ensure_compiled(spec: GameSpec, warm_ups: tuple[WarmUp, ...]) -> None:
    """Compile what is missing of a game in this process, with a progress bar on standard error."""
    missing = [warm_up for warm_up in warm_ups if not is_compiled(spec, [warm_up])]
    if not missing or spec in _COMPILING:
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        total = expected(spec) * len(missing)
        task = bars.add_task(f"Compiling {spec.name}, once", total=total)

        def report(told: dict[str, Any]) -> None:
            if "function" in told:
                bars.advance(task)

        compile_here(spec, [warm_up.reference for warm_up in missing], report)
        bars.update(task, completed=total)
    if cache.is_writable(cache.root()):
        for warm_up in missing:
            _stamp(spec, warm_up).touch()


_COMPILING: set[GameSpec] = set()
"""Games that `compile_here` is compiling: their warm-ups use what ensures that it is compiled."""


def is_compiled(spec: GameSpec, warm_ups: Sequence[WarmUp]) -> bool:
    """Tell whether all of a game is in the cache, without loading the compiler."""
    return all(_stamp(spec, warm_up).exists() for warm_up in warm_ups)


def _compile(spec: GameSpec, warm_ups: Sequence[WarmUp], progress: Progress | None) -> Timings:
    missing = [warm_up for warm_up in warm_ups if not is_compiled(spec, [warm_up])]
    total = expected(spec) * len(missing) or 1
    timings: Timings = {}
    if missing:
        # A new interpreter, not a fork or spawn of this one: it must work from scripts that have
        # no `if __name__ == "__main__"`.
        command = [
            sys.executable,
            "-m",
            __spec__.name,
            spec.name,
            str(spec.version),
            *(each.reference for each in missing),
        ]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as worker:
            assert worker.stdout is not None
            _WORKERS.add(worker)
            if _STOPPED.is_set():
                worker.kill()
            done = 0
            for line in worker.stdout:
                told = json.loads(line)
                if "entry" in told:
                    timings[told["entry"]] = timings.get(told["entry"], 0) + told["seconds"]
                else:
                    done += 1
                if progress:
                    progress(spec.tag, min(done, total), total)
        _WORKERS.discard(worker)
        if _STOPPED.is_set():
            raise CompilationStopped
        if worker.returncode:
            raise RuntimeError(f"compiling {spec.tag} failed; its message is above")
        if cache.is_writable(cache.root()):
            for warm_up in missing:
                _stamp(spec, warm_up).touch()
            delete_old(cache.root(), spec.tag)
    if progress:
        progress(spec.tag, total, total)
    return timings


_WORKERS: set[subprocess.Popen[str]] = set()
"""The processes that compile games now."""
_STOPPED = threading.Event()


class CompilationStopped(Exception):
    """The program ends, and does not wait for compilation."""


def stop_compiling() -> None:
    """End the processes that compile games. What they have finished stays in the cache."""
    _STOPPED.set()
    for worker in list(_WORKERS):
        worker.kill()


def delete_old(root: Path, name: str) -> None:
    """Delete machine code of a game that was not used for a long time."""
    for folder in root.glob(f"{name}-*"):
        if time.time() - folder.stat().st_mtime > KEPT:
            shutil.rmtree(folder, ignore_errors=True)


def expected(spec: GameSpec) -> int:
    """Return about how many functions there are to compile: emitting ones count twice."""
    modules: list[ModuleType] = [*set(spec.compiled_modules), kernel, rng, emitting]
    functions = [
        function
        for module in modules
        for function in vars(module).values()
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
    ]
    return sum(1 + ("events" in inspect.signature(f).parameters) for f in functions)


def _stamp(spec: GameSpec, warm_up: WarmUp) -> Path:
    """Return the file that tells that these sources were compiled whole for this processor."""
    packages = frozenset({"veillee", spec.package.partition(".")[0]})
    parts = (
        cache.module_key(warm_up.modules(spec), packages),
        warm_up.reference,
        platform.python_version(),
        version("numba"),
        version("llvmlite"),
        _processor(),
    )
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return cache.root() / f"{cache.COMPLETE}-{spec.tag}-{digest}"


def _processor() -> str:
    """Return the processor model that code is compiled for."""
    named = os.environ.get("NUMBA_CPU_NAME")
    if named:
        return named
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def kernel_calls(spec: GameSpec) -> Calls:
    """Yield calls of the functions of the kernel, in the forms that Python calls them in."""
    yield from _playing(spec, None)
    yield from _playing(spec, events.new_buffer())
    players, seats = min(spec.player_counts), 1
    compiled = spec.compiled
    yield "playouts", lambda: playouts(spec, players, 1)
    yield "setup_all", lambda: Batch(spec, players, 1)
    batch = Batch(spec, players, 1)
    states, row = batch.states, fast_row(0)
    numbers = np.zeros(players, np.int16)
    yield "legal_all", batch.legal
    yield "step", lambda: batch.step(batch.legal()[0][:, 0])
    yield "results_all", lambda: batch.scores
    yield "scores_at", lambda: compiled.scores_at(states, 0, numbers)
    yield "places_at", lambda: compiled.places_at(states, 0, numbers)
    yield "resample_at", lambda: compiled.resample_at(states, 0, seats, row)
    yield "resample_all", lambda: compiled.resample_all(states, seats, row)
    yield "view_at", lambda: compiled.view_at(states, 0, seats)
    yield "view_all", lambda: compiled.view_all(states, seats)


def audit_calls(spec: GameSpec) -> Calls:
    """Yield calls of what checks the invariants of states."""
    template = spec.template(min(spec.player_counts))
    states, kept = template.copy(), template.copy()
    row, actions = fast_row(0), np.zeros(spec.actions, np.int16)
    yield "audit", lambda: spec.compiled.audit(template, states, 0, 0, row, actions, kept)
    yield "broken_at", lambda: spec.compiled.broken_at(kept, 0)


def _playing(spec: GameSpec, listener: events.Buffer | None) -> Calls:
    compiled = spec.compiled
    states = spec.template(min(spec.player_counts))
    actions = np.zeros(spec.actions, np.int16)
    row = Seed.of(0).row(0)
    yield "setup_at", lambda: compiled.setup_at(states, 0, row, actions, listener)
    yield "legal_at", lambda: compiled.legal_at(states, 0, actions)
    yield "apply_at", lambda: compiled.apply_at(states, 0, int(actions[0]), row, listener)


KERNEL = WarmUp(
    "veillee.engine.precompile:kernel_calls",
    lambda spec: (kernel, *spec.compiled_modules),
)
"""What play needs of the kernel."""
AUDIT = WarmUp("veillee.engine.precompile:audit_calls", KERNEL.modules)
"""The rest of it, for tests and benchmarks. It took a tenth of the time of `veillee compile`."""


def compile_here(
    spec: GameSpec, references: Sequence[str], report: Callable[[dict[str, Any]], None]
) -> None:
    """Compile one game in this process, reporting every function and entry point that is done.

    Args:
        spec: The game.
        references: The warm-ups' generators of calls, as `module:function`.
        report: Called with each function and entry point.
    """
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            report({"function": event.data["dispatcher"].py_func.__qualname__})

    _COMPILING.add(spec)
    try:
        with _alone(spec), event.install_listener("numba:compile", Listener()):
            for reference in references:
                calls: Callable[[GameSpec], Calls] = pkgutil.resolve_name(reference)
                for name, call in calls(spec):
                    start = time.perf_counter()
                    call()
                    report({"entry": name, "seconds": time.perf_counter() - start})
    finally:
        _COMPILING.discard(spec)


@contextmanager
def _alone(spec: GameSpec) -> Iterator[None]:
    """Wait until no other process compiles a game into the same cache.

    Numba's index of a function names its files by their number: two processes that add to it at
    once would give two of them the same name. The lock of a killed process is free again.
    """
    if not cache.is_writable(cache.root()):
        yield
        return
    with (cache.root() / f"{spec.tag}.lock").open("a") as lock:
        _wait_for(lock.fileno())
        yield


if sys.platform == "win32":
    import msvcrt

    def _wait_for(lock: int) -> None:
        """Lock an open file until it is closed."""
        while True:
            try:
                msvcrt.locking(lock, msvcrt.LK_LOCK, 1)
            except OSError:  # it tries for ten seconds only
                continue
            return
else:
    import fcntl

    def _wait_for(lock: int) -> None:
        """Lock an open file until it is closed."""
        fcntl.flock(lock, fcntl.LOCK_EX)


def main() -> None:
    """Compile the game and the warm-ups named on the command line, reporting as lines of JSON."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Looking for garbage among Numba's many objects took 5% of the time.
    gc.freeze()
    gc.set_threshold(SELDOM)
    compile_here(
        game(sys.argv[1], int(sys.argv[2])),
        sys.argv[3:],
        lambda told: print(json.dumps(told), flush=True),
    )


def _end_with_parent() -> None:
    """Exit when the process that started this one is gone: then standard input ends."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    # The module as the warm-ups import it, not this second copy of it.
    from veillee.engine import precompile  # noqa: PLW0406

    precompile.main()
