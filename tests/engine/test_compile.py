"""Nobody waits in a game: what play calls is compiled before, and loaded only when needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from veillee.bots.bot import WARM_UPS
from veillee.engine import discovery
from veillee.engine.batch import Batch, playouts
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import bitcode, cache, kernel
from veillee.engine.jit.compile import Build
from veillee.engine.precompile import (
    AUDIT,
    KEPT,
    KERNEL,
    compile_games,
    compile_here,
    compile_with_bars,
    delete_old,
    is_compiled,
)
from veillee.engine.registry import games
from veillee.engine.seed import fast_row

every_game = pytest.mark.parametrize("spec", games().values(), ids=games().keys())
REFERENCES = [warm_up.reference for warm_up in (*WARM_UPS, AUDIT)]
EXAMPLES = Path(__file__).parents[2] / "examples"


def loaded_after(code: str) -> list[str]:
    """Which modules a fresh process has after running some code."""
    code += "; import sys; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().split()


def test_importing_loads_neither_the_games_nor_the_compiler() -> None:
    loaded = loaded_after("import veillee")
    assert "numba" not in loaded
    assert "veillee.games.nomads" not in loaded


def test_a_game_is_played_without_the_compiler() -> None:
    play = "import veillee; g = veillee.nomads.Game(2, 1); g.play(g.legal[0]); str(g)"
    assert "numba" not in loaded_after(play)


@every_game
def test_all_that_python_calls_is_compiled_before(spec: GameSpec) -> None:
    told: list[str] = []
    compile_here(spec, REFERENCES, lambda what: told.append(what.get("entry", "")))
    functions = vars(spec.compiled)
    before = {name: list(function.signatures) for name, function in functions.items()}
    assert all(before.values())

    players = max(spec.player_counts)
    game = game_class(spec)(players, 3, compiled=True)
    while not game.over:
        game.play(game.legal[len(game.steps) % len(game.legal)])
        game.view(0)
    game.undo(redeal=True)
    game.resample(0)
    assert game.scores
    assert game.places
    playouts(spec, players, 2)
    batch = Batch(spec, players, 2)
    batch.step(batch.legal()[0][:, 0])
    after = {name: list(function.signatures) for name, function in functions.items()}
    assert after == before


@every_game
def test_each_function_is_compiled_once_or_with_and_without_listener(spec: GameSpec) -> None:
    compile_here(spec, REFERENCES, lambda what: None)
    everything = spec.compiled.apply_at.py_func.__globals__  # type: ignore[attr-defined]
    rules = [
        value
        for value in everything.values()
        if hasattr(value, "signatures") and value.py_func.__module__.startswith("veillee")
    ]
    assert len(rules) > len(vars(spec.compiled))
    for function in rules:
        listens = "events" in function.py_func.__code__.co_varnames
        assert len(function.signatures) <= 1 + listens, function


@pytest.mark.parametrize("long", [0, 10**9], ids=["all-long", "all-short"])
def test_what_is_inlined_changes_no_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, long: int
) -> None:
    monkeypatch.setattr(bitcode, "LONG", long)
    monkeypatch.setattr(cache, "root", lambda: tmp_path)
    spec = games()["lumens"]
    build = Build(f"lumens{long}", spec.package, compiled=True)
    players, n = 2, 20
    score, place = np.zeros((2, n, players), np.int16)
    build.module(kernel, spec.compiled_modules).playouts(
        spec.template(players),
        np.zeros(1, spec.dtype),
        7,
        0,
        fast_row(0),
        np.zeros(spec.actions, np.int16),
        score,
        place,
    )
    usual = playouts(spec, players, n, seed=7)
    assert score.tolist() == usual.scores.tolist()
    assert place.tolist() == usual.places.tolist()


def test_builds_share_what_they_compile_alike() -> None:
    spec = games()["lumens"]
    found = [
        Build(spec.tag, spec.package, compiled=True).module(kernel, spec.compiled_modules)
        for _ in range(2)
    ]
    assert found[0].step is found[1].step


@every_game
def test_python_gets_no_function_that_has_no_machine_code(spec: GameSpec) -> None:
    """Calling one would crash the process."""
    assert callable(spec.compiled.apply_at)
    for name in ("apply", "legal", "playout", "below"):
        assert not hasattr(spec.compiled, name)
        assert hasattr(spec.plain, name)


@every_game
def test_what_is_complete_is_not_compiled_again(spec: GameSpec) -> None:
    told: list[tuple[str, int, int]] = []
    compile_games([spec.name], WARM_UPS)
    assert is_compiled(spec, WARM_UPS)
    again = compile_games([spec.name], WARM_UPS, lambda *what: told.append(what))
    assert again == {spec.name: {}}
    assert told == [(spec.name, 1, 1)]


def test_compiling_all_games_shows_a_bar_for_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("veillee.engine.precompile.is_compiled", lambda *_: False)
    monkeypatch.setattr("veillee.engine.precompile._compile", lambda *_: {})
    compile_with_bars(None, WARM_UPS)
    shown = capsys.readouterr()
    assert shown.err.startswith("Compiling the games, once:")
    assert all(name in shown.err for name in games())
    assert shown.out == ""


def test_two_processes_that_compile_into_one_cache_wait_for_each_other(tmp_path: Path) -> None:
    """The second one finds everything that the first one compiled."""
    places = {discovery.FOLDERS: str(EXAMPLES), "VEILLEE_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "veillee.engine.precompile", "fireflies", "1"]
    workers = [
        subprocess.Popen(
            [*command, KERNEL.reference],
            env=os.environ | places,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    told = []
    for worker in workers:
        assert worker.stdout is not None
        told.append([json.loads(line) for line in worker.stdout])  # its input stays open
        with worker:
            pass
    assert [worker.returncode for worker in workers] == [0, 0]
    assert sorted(any("function" in each for each in lines) for lines in told) == [False, True]


def test_machine_code_of_old_sources_goes_and_that_of_other_games_stays(tmp_path: Path) -> None:
    long_ago = time.time() - KEPT - 60
    for name in ("one-old", "one-young", "two-old"):
        (tmp_path / name).mkdir()
        if not name.endswith("young"):
            os.utime(tmp_path / name, (long_ago, long_ago))
    delete_old(tmp_path, "one")
    assert {folder.name for folder in tmp_path.iterdir()} == {"one-young", "two-old"}
