"""The games in OpenSpiel: importing this registers them.

>>> import pyspiel
>>> import veillee.adapters.open_spiel
>>> game = pyspiel.load_game("veillee_nomads(players=3)")
>>> small = pyspiel.load_game("veillee_nomads(small=True)")

Options of the games are parameters. Those that are lists or tables are JSON, percent-encoded, which
`game_name("captain", cards={"egg": 2})` does.

Chance is explicit. Where there are few enough deals, as in the small variants, one chance node has
them all with their exact odds; elsewhere a deal is one of 2^32, drawn by four nodes of 256 equal
outcomes. Chance in the course of a game is always exact.
"""

from __future__ import annotations

from veillee.adapters import NEEDED

try:
    import pyspiel  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(NEEDED) from error

from veillee.adapters.open_spiel.game import PREFIX, game_name, register
from veillee.adapters.open_spiel.policy import policy_of
from veillee.adapters.open_spiel.state import resampled

NAMES = register()

__all__ = ["NAMES", "PREFIX", "game_name", "policy_of", "resampled"]
