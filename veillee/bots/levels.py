"""The five levels. The weaker ones see less: fewer of their choices, and not so far ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from veillee.bots.bot import Bot, Budget
from veillee.engine.contract import Contract
from veillee.engine.refusal import Refusal


@dataclass(frozen=True)
class Level:
    """A level's name has words: `bots.level.<name>`, and `.help` for how it plays."""

    name: str
    budget: Budget
    games: Mapping[str, Budget] = field(default_factory=dict)
    """Where a game needs another."""

    def budget_for(self, contract: Contract) -> Budget:
        return self.games.get(contract.name, self.budget)


LOOK = Budget(each=3, width=10, deepest=1, horizon=0)
JUDGE = Budget(opens=2, horizon=0, exploration=0.05)
"""Opens nodes and judges them at once."""
PLAY_ON = Budget(opens=2, horizon=8, exploration=0.2)
"""Plays on from them first: with many iterations Nomads gains by it, and Lumens does not."""

LONGEST = 0.8
"""Seconds in which the strongest answers on a slow machine too. Elsewhere it is done sooner, since
it thinks only as far as thinking was seen to pay."""

LEVELS = (
    Level("spark", Budget(each=1, width=3, deepest=1, horizon=0)),
    Level(
        "wanderer",
        Budget(each=12, deepest=1, horizon=0),
        {"nomads": LOOK, "lumens": LOOK},
    ),
    Level(
        "teller",
        Budget(iterations=32, deepest=1, horizon=16),
        {"nomads": replace(JUDGE, iterations=100), "lumens": replace(JUDGE, iterations=100)},
    ),
    Level(
        "elder",
        Budget(iterations=300, horizon=16),
        {"nomads": replace(PLAY_ON, iterations=800), "lumens": replace(JUDGE, iterations=800)},
    ),
    Level(
        "sage",
        Budget(iterations=4_000, horizon=16, seconds=LONGEST),
        {
            "nomads": replace(PLAY_ON, iterations=25_600, nodes=600_000, seconds=LONGEST),
            "lumens": replace(JUDGE, iterations=6_400, nodes=200_000, seconds=LONGEST),
        },
    ),
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
    return Bot(contract, players, level_named(name).budget_for(contract), seed, threads)
