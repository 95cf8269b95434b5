"""The games in OpenSpiel: importing this registers them.

>>> import pyspiel
>>> import veillee.adapters.open_spiel
>>> game = pyspiel.load_game("veillee_nomads(players=3)")
>>> small = pyspiel.load_game("veillee_nomads(small=True)")

Chance is explicit. Where there are few enough ways to deal, as in the small variants, one chance
node has them all with their exact odds; else a deal is one of 2^32, drawn by four nodes of 256
equal outcomes. Chance in the course of a game is always exact.
"""

from __future__ import annotations

from veillee.adapters.open_spiel.game import PREFIX, register
from veillee.adapters.open_spiel.policy import policy_of
from veillee.adapters.open_spiel.state import resampled

NAMES = register()

__all__ = ["NAMES", "PREFIX", "policy_of", "resampled"]
