"""Lumens: `from veillee.lumens import Game`."""

from veillee.games.lumens import SPEC, Game

__all__ = ["SPEC", "Game"]
