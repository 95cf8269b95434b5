"""A trained policy against our bots.

python -m examples.against_bots nomads policy.pickle
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

from examples.train import Policy
from veillee.adapters.gymnasium import AgainstBots
from veillee.adapters.lookahead import LookAhead


def play(
    policy: Policy, name: str, opponents: str, games: int, show: bool = False, **settings: Any
) -> float:
    """The policy's mean reward: 1 for winning alone, 0 for the average of equals."""
    mode = "ansi" if show else None
    env = AgainstBots(name, opponents=opponents, render_mode=mode, **settings)
    look = LookAhead(env.table.spec, seed=3)
    total = 0.0
    for game in range(games):
        _, info = env.reset(seed=game)
        ended = False
        while not ended:
            if show:
                print(env.render())
            actions, _ = policy.choose(look, env.table.seen_by(info["seat"]))
            _, reward, ended, _, info = env.step(int(actions[0]))
            total += float(reward)
    return total / games


if __name__ == "__main__":
    title, file = sys.argv[1:3]
    trained: Policy = pickle.loads(Path(file).read_bytes())
    for level in ("random", "greedy", "spark", "wanderer"):
        print(f"{level:>10} {play(trained, title, level, 50):+.2f}")
