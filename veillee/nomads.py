"""Nomads: `from veillee.nomads import Game`."""

from veillee.games.nomads import SPEC, Game

__all__ = ["SPEC", "Game"]
