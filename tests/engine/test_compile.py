"""Nobody waits in a game: what play calls is compiled before, and loaded only when needed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import FunctionType

import pytest

from veillee.ahead import KEPT, compile_games, compile_here, expected, forget_old, is_compiled
from veillee.engine import kernel
from veillee.engine.batch import Batch, playouts
from veillee.engine.contract import Contract
from veillee.engine.game import game_of
from veillee.engine.library import games

every_game = pytest.mark.parametrize("contract", games().values(), ids=games().keys())
NEVER_FROM_PYTHON = {"playout"}


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
def test_all_that_python_calls_is_compiled_before(contract: Contract) -> None:
    told: list[str] = []
    compile_here(contract, lambda what: told.append(what.get("entry", "")))
    functions = {
        name: getattr(contract.compiled, name)
        for name, function in vars(kernel).items()
        if isinstance(function, FunctionType) and function.__module__ == kernel.__name__
    }
    before = {name: list(function.signatures) for name, function in functions.items()}
    assert {name for name, found in before.items() if not found} <= NEVER_FROM_PYTHON

    players = max(contract.seats)
    game = game_of(contract)(players, 3, compiled=True)
    while not game.over:
        game.play(game.legal[len(game.steps) % len(game.legal)])
        game.view(0)
    game.undo(redeal=True)
    game.resample(0)
    assert game.scores
    assert game.places
    playouts(contract, players, 2)
    batch = Batch(contract, players, 2)
    batch.step(batch.legal()[0][:, 0])
    after = {name: list(function.signatures) for name, function in functions.items()}
    assert after == before


@every_game
def test_each_function_is_compiled_once_or_with_and_without_listener(contract: Contract) -> None:
    compile_here(contract, lambda what: None)
    rules = [
        value
        for value in vars(contract.compiled).values()
        if hasattr(value, "signatures") and value.py_func.__module__.startswith("veillee")
    ]
    assert rules
    for function in rules:
        listens = "events" in function.py_func.__code__.co_varnames
        assert len(function.signatures) <= 1 + listens, function


@every_game
def test_what_is_complete_is_not_compiled_again(contract: Contract) -> None:
    told: list[tuple[str, int, int]] = []
    compile_games([contract.name])
    assert is_compiled(contract)
    again = compile_games([contract.name], lambda *what: told.append(what))
    total = expected(contract)
    assert again == {contract.name: {}}
    assert told == [(contract.name, total, total)]


def test_machine_code_of_old_sources_goes_and_that_of_other_games_stays(tmp_path: Path) -> None:
    long_ago = time.time() - KEPT - 60
    for name in ("one-new", "one-old", "one-young", "two-old"):
        (tmp_path / name).mkdir()
        if not name.endswith("young"):
            os.utime(tmp_path / name, (long_ago, long_ago))
    forget_old(tmp_path / "one-new")
    assert {folder.name for folder in tmp_path.iterdir()} == {"one-new", "one-young", "two-old"}
