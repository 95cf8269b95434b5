"""Our games: whatever the library finds."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import clone
from benchmarks.measure import Measure
from veillee.engine.batch import Batch, playouts
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import States
from veillee.engine.precompile import AUDIT, ensure_compiled
from veillee.engine.seed import fast_row

Run = Callable[[int], float]

STEPPED = 1024
STATES = 256


def measures(spec: GameSpec) -> Iterator[Measure]:
    name = spec.name
    for players in spec.player_counts:
        yield Measure(f"{name}, {players} players", playing(spec, players), size=512)
    usual = usual_players(spec)
    yield Measure(f"{name}, stepped as {STEPPED} games", stepping(spec, usual))
    yield Measure(f"{name}, clone + apply", cloning(spec, usual))
    yield Measure(f"{name}, resample", resampling(spec, usual))
    yield Measure(f"{name}, uncompiled", playing(spec, usual, compiled=False), size=4)
    for threads, words in ((1, "one thread"), (2, "two threads")):
        run = playing(spec, usual, threads)
        yield Measure(f"{name}, {words}", run, cores=2, size=32_768)


def usual_players(spec: GameSpec) -> int:
    """Four, where four can play."""
    return 4 if 4 in spec.player_counts else max(spec.player_counts)


def playing(spec: GameSpec, players: int, threads: int = 1, compiled: bool = True) -> Run:
    """Random playouts with lists of all legal actions: decisions."""

    def run(size: int) -> float:
        return playouts(spec, players, size, seed=1, threads=threads, compiled=compiled).decisions

    return run


def stepping(spec: GameSpec, players: int) -> Run:
    """An array of games stepped from Python, each action checked: decisions."""
    choose = np.random.default_rng(1)

    def run(size: int) -> float:
        decisions = 0
        for seed in range(size):
            batch = Batch(spec, players, STEPPED, seed)
            while not batch.over.all():
                actions, counts = batch.legal()
                at = choose.integers(np.maximum(counts, 1))
                batch.step(actions[np.arange(STEPPED), at])
                decisions += int(np.count_nonzero(counts))
        return decisions

    return run


def cloning(spec: GameSpec, players: int) -> Run:
    """Copies on which one action is taken, in states from random games."""
    build = Build(spec.name, spec.package, compiled=True)
    take = build.module(clone, spec.compiled_modules).clone_and_apply
    states = some_states(spec, players)
    actions = np.zeros(spec.actions, np.int16)
    copies = states[:1].copy()

    def run(size: int) -> float:
        return float(take(states, copies, fast_row(1), actions, size))

    return run


def resampling(spec: GameSpec, players: int) -> Run:
    """Resample what a seat does not know, in states from random games, for each seat in turn."""
    states = some_states(spec, players)
    rng = fast_row(1)

    def run(size: int) -> float:
        for turn in range(size):
            spec.compiled.resample_all(states.copy(), 1 << turn % players, rng)
        return size * len(states)

    return run


def some_states(spec: GameSpec, players: int) -> States:
    """One state of each of some random games, from set-up to the end."""
    states = np.zeros(STATES, spec.dtype)
    actions = np.zeros(spec.actions, np.int16)
    template = spec.template(players)
    ensure_compiled(spec, (AUDIT,))
    spec.compiled.audit(template, states.copy(), 1, 0, fast_row(1), actions, states)
    return states


def seconds_to_import(rounds: int) -> dict[str, float]:
    """Medians in fresh processes, the interpreter's own start left out."""
    return {
        "import veillee": _inside("import veillee", rounds),
        "import veillee, and a game": _inside("import veillee; veillee.nomads.Game", rounds),
    }


def _inside(code: str, rounds: int) -> float:
    timed = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    return statistics.median(float(_python("-c", timed)) for _ in range(rounds))


def seconds_to_compile(spec: GameSpec, rounds: int) -> dict[str, float]:
    """From an empty cache, and from a full one: all entry points, in a fresh process."""
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            environment = os.environ | {"VEILLEE_CACHE": cache}
            for name in ("cold compile", "from cache"):
                start, busy = time.perf_counter(), _children()
                _python("-m", "veillee.engine.precompile", spec.name, environment=environment)
                times.setdefault(name, []).append(time.perf_counter() - start)
                times.setdefault(f"{name}, processor time", []).append(_children() - busy)
    return {f"{spec.name}, {name}": statistics.median(found) for name, found in times.items()}


def _children() -> float:
    """Processor time of the processes that we started and that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def _python(*arguments: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout
