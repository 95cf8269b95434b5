"""The five levels. The weaker ones see less: fewer tries, and not so far ahead."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.bots.bot import Bot, Budget
from veillee.engine.contract import Contract
from veillee.engine.refusal import Refusal


@dataclass(frozen=True)
class Level:
    """A level's name has words: `bots.level.<name>`, and `.help` for how it plays."""

    name: str
    budget: Budget


LEVELS = (
    Level("spark", Budget(each=1, deepest=1, horizon=0)),
    Level("wanderer", Budget(each=6, deepest=2, horizon=3)),
    Level("teller", Budget(iterations=600, horizon=12)),
    Level("elder", Budget(iterations=4_000, horizon=24)),
    Level("sage", Budget(seconds=0.8, horizon=24, nodes=400_000)),
)
NAMES = tuple(level.name for level in LEVELS)


def level_named(name: str) -> Level:
    """A level by name."""
    for found in LEVELS:
        if found.name == name:
            return found
    raise Refusal("unknown", "bots.level", name=name[:40], levels=", ".join(NAMES))


def bot(contract: Contract, players: int, name: str, seed: int = 0, threads: int = 1) -> Bot:
    """A bot of a level."""
    return Bot(contract, players, level_named(name).budget, seed, threads)
