"""A typed program that uses the package passes mypy --strict."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import veillee
from veillee import Refusal
from veillee.adapters.pettingzoo import env, nomads_v1
from veillee.captain import Game as Captain
from veillee.engine.batch import Result
from veillee.lumens import Game as Lumens
from veillee.nomads import Game


def first_actions() -> list[int]:
    game = Game(players=3, seed=7, quick=True)
    return [int(action) for action in game.legal]


def scores() -> list[int]:
    game = veillee.nomads.Game(players=2, seed=7)
    try:
        game.play("sow 6 left")
    except Refusal as refusal:
        print(refusal.clause)
    return game.scores


def many() -> Result:
    return Captain.playouts(10, players=3)


reveal_type(Game(2).copy())
reveal_type(Lumens(2).picture())
reveal_type(veillee.nomads.Game(2).legal[0].text)
reveal_type(env("nomads").possible_agents)
reveal_type(nomads_v1.env(players=3))
wrong: str = Game(players=2).scores
"""


@pytest.mark.packaging
def test_front_door_is_typed(tmp_path: Path) -> None:
    check_types(tmp_path, MYPYPATH=str(ROOT))


def check_types(folder: Path, *options: str, **variables: str) -> None:
    """Check the types of the program in a folder of its own."""
    (folder / "program.py").write_text(PROGRAM, "utf-8")
    checked = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file",
            os.devnull,
            *options,
            "program.py",
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | variables,
    )
    revealed = [line.partition("note: ")[2] for line in checked.stdout.splitlines()]
    assert 'Revealed type is "veillee.games.nomads.Game"' in revealed
    environment = "veillee.adapters.pettingzoo.environment.Environment"
    assert f'Revealed type is "{environment}"' in revealed
    assert (
        revealed.count('Revealed type is "str"') + revealed.count('Revealed type is "builtins.str"')
        == 2
    )
    ours = [line for line in checked.stdout.splitlines() if line.startswith("program.py")]
    errors = [line for line in ours if ": error:" in line]
    assert len(errors) == 1, checked.stdout
    assert '"list[int]", variable has type "str"' in errors[0]
