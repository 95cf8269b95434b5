"""Nomads: the names of its things, as notation, positions and events write them."""

from __future__ import annotations

from veillee.games.nomads.core.state import Disc, Phase, Tile

TILES = tuple(tile.name.lower() for tile in Tile)
DISCS = tuple(disc.name.lower() for disc in Disc)
ADVENTURERS = DISCS[Disc.ULRICH : Disc.FROG]
PHASES = tuple(phase.name.lower() for phase in Phase)
DIRECTIONS = ("left", "right")
NUMERALS = ("I", "II", "III", "IV")
