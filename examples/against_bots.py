"""A trained policy against our bots, and a game shown move by move.

python -m examples.against_bots nomads policy.pickle
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import veillee.adapters.gymnasium
from examples.train import Policy

assert veillee.adapters.gymnasium  # importing it makes the games known to Gymnasium


def play(
    policy: Policy, name: str, opponents: str, games: int, show: bool = False, **settings: Any
) -> float:
    """The policy's mean reward: 1 for winning alone, 0 for the average of equals."""
    env = gymnasium.make(
        f"veillee/{name}-v1", opponents=opponents, render_mode="ansi" if show else None, **settings
    )
    chance = np.random.default_rng(3)
    total = 0.0
    for game in range(games):
        observed, _ = env.reset(seed=game)
        ended = False
        while not ended:
            if show:
                print(env.render())
            rows = observed["observation"][None], observed["action_mask"][None]
            observed, reward, ended, _, _ = env.step(int(policy.choose(*rows, chance)[0]))
            total += float(reward)
    return total / games


if __name__ == "__main__":
    game, file = sys.argv[1:3]
    trained: Policy = pickle.loads(Path(file).read_bytes())
    for level in ("random", "greedy", "spark", "wanderer"):
        print(f"{level:>10} {play(trained, game, level, 50):+.2f}")
