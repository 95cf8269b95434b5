"""The core never imports what only researchers install."""

from __future__ import annotations

import subprocess
import sys

EXTRAS = ("gymnasium", "pettingzoo", "pyspiel", "open_spiel", "sklearn", "PIL", "resvg_py")

CODE = f"""
import sys
for name in {EXTRAS!r}:
    sys.modules[name] = None
import veillee
import veillee.cli, veillee.ahead, veillee.engine.referee, veillee.bots.levels
import veillee.adapters, veillee.adapters.compiled
from veillee.engine.library import games
for contract in games().values():
    game = veillee.engine.game.game_of(contract)(min(contract.seats), 1)
    game.play(game.legal[0])
    assert contract.observation.PLANES
"""


def test_the_core_runs_where_nothing_of_it_is_installed() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True)
