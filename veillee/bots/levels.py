"""The five levels. Weaker ones consider fewer actions and look less far ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veillee.bots.bot import Bot, Budget
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal

LONGEST = 0.8
"""Time limit of the strongest level in seconds, for slow machines. Elsewhere it stops earlier, at
the number of iterations beyond which no gain was measured."""


@dataclass(frozen=True)
class Level:
    """A level of play. `bots.level.<name>` is its name in words, `.help` says how it plays."""

    name: str
    settings: Mapping[str, Any]
    """The search settings of games whose spec has none for this level."""

    def budget_for(self, spec: GameSpec) -> Budget:
        """Return how much the level thinks in a game."""
        settings: Mapping[str, Any] = spec.levels.get(self.name, self.settings)
        return Budget(**settings)


LEVELS = (
    Level("spark", {"each": 1, "width": 3, "deepest": 1, "horizon": 0}),
    Level("wanderer", {"each": 12, "deepest": 1, "horizon": 0}),
    Level("teller", {"iterations": 32, "deepest": 1, "horizon": 16}),
    Level("elder", {"iterations": 300, "horizon": 16}),
    Level("sage", {"iterations": 4_000, "horizon": 16, "seconds": LONGEST}),
)
VERSION = 1
"""Raised when a level plays differently: results against bots are comparable within a version."""
NAMES = tuple(level.name for level in LEVELS)


def level_named(name: str) -> Level:
    """Return a level by name, or refuse it."""
    for found in LEVELS:
        if found.name == name:
            return found
    raise Refusal("unknown", "bots.level", name=name[:40], levels=", ".join(NAMES))


def bot(spec: GameSpec, players: int, name: str, seed: int = 0, threads: int = 1) -> Bot:
    """Return a bot of a level."""
    return Bot(spec, players, level_named(name).budget_for(spec), seed, threads)
