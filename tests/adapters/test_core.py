"""The core never imports what only researchers install."""

from __future__ import annotations

import subprocess
import sys

import pytest

EXTRAS = ("gymnasium", "pettingzoo", "pyspiel", "open_spiel", "sklearn", "PIL", "resvg_py")

CODE = f"""
import sys
for name in {EXTRAS!r}:
    sys.modules[name] = None
import veillee
import veillee.cli.main, veillee.engine.precompile, veillee.engine.referee, veillee.bots.levels
import veillee.adapters, veillee.adapters.build
from veillee.engine.registry import games
for spec in games().values():
    game = veillee.engine.game.game_class(spec)(min(spec.player_counts), 1)
    game.play(game.legal[0])
    assert spec.observation.PLANES
"""


@pytest.mark.parametrize("name", ["gymnasium", "vector", "pettingzoo", "open_spiel"])
def test_missing_libraries_are_named_with_their_extra(name: str) -> None:
    code = f"import sys; sys.modules |= dict.fromkeys({EXTRAS!r})\nimport veillee.adapters.{name}"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].endswith("pip install 'veillee[rl]'")


def test_the_core_runs_where_nothing_of_it_is_installed() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True)
