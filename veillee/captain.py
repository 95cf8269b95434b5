"""Oh Captain!: `from veillee.captain import Game`."""

from veillee.games.captain import SPEC, Game

__all__ = ["SPEC", "Game"]
