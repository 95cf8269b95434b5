"""Random games, three ways: one at a time as PettingZoo, as OpenSpiel, and many at once.

python -m examples.rollout captain
"""

from __future__ import annotations

import random
import sys
import time

import pyspiel

import veillee.adapters.open_spiel
from veillee.adapters import pettingzoo
from veillee.adapters.vector import SelfPlay


def one_game(name: str, seed: int = 1) -> dict[str, float]:
    """A random game through PettingZoo; everybody's reward."""
    env = pettingzoo.env(name)
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, ended, cut, _ = env.last()
        rewards[agent] += reward
        if ended or cut:
            action = None
        else:
            action = int(env.action_space(agent).sample(observed["action_mask"]))
        env.step(action)
    return rewards


def one_line(name: str, seed: int = 1) -> list[str]:
    """A random game through OpenSpiel, as its actions."""
    chance = random.Random(seed)
    state = pyspiel.load_game(veillee.adapters.open_spiel.PREFIX + name).new_initial_state()
    told = []
    while not state.is_terminal():
        player, action = state.current_player(), chance.choice(state.legal_actions())
        if player >= 0:
            told.append(f"{player}: {state.action_to_string(player, action)}")
        state.apply_action(action)
    return told


def many_games(name: str, seconds: float = 2.0, num_envs: int = 1024) -> tuple[int, float]:
    """Random games side by side; how many ended, and steps per second."""
    env = SelfPlay(name, num_envs=num_envs, copy=False)
    env.reset(seed=1)
    ended = steps = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.step(env.random_actions())
        steps += num_envs
        ended += int(env.done.sum())
    return ended, steps / (time.perf_counter() - start)


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "nomads"
    print(one_game(name))
    print(*one_line(name)[:10], "…", sep="\n")
    ended, rate = many_games(name)
    print(f"{ended:,} games, {rate:,.0f} steps/s")
