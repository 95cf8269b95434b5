"""A small network that learns a game from nothing in a minute, with scikit-learn.

As TD-Gammon did: the network tells how good a position is, plays against itself by looking one
action ahead, and is fitted to how its games ended. scikit-learn is enough for that and installs in
seconds; PyTorch from PyPI brings gigabytes for graphics cards, JAX hundreds of megabytes.

    python -m examples.train nomads policy.pickle
"""

from __future__ import annotations

import itertools
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neural_network import MLPRegressor

from veillee.adapters.lookahead import LookAhead
from veillee.adapters.vector import SelfPlay, Versus
from veillee.engine.jit.layout import States
from veillee.engine.registry import game

Rows = npt.NDArray[np.int8]
SCALE = 1 / 8
"""Most counts are small: this brings them below 1."""


class Policy:
    """A network from an observation to the reward to expect, and the choice that follows."""

    def __init__(self, name: str, hidden: int = 32, seed: int = 0) -> None:
        self.name = name
        self.network = MLPRegressor(
            hidden_layer_sizes=(hidden,), learning_rate_init=2e-3, random_state=seed
        )
        self.fitted = False
        self.chance = np.random.default_rng(seed)

    def values(self, rows: Rows) -> npt.NDArray[np.float64]:
        """What to expect; all the same before the first fit."""
        if not self.fitted:
            return np.zeros(len(rows))
        found: npt.NDArray[np.float64] = self.network.predict(rows.astype(np.float32) * SCALE)
        return found

    def choose(
        self, look: LookAhead, states: States, daring: float = 0.0
    ) -> tuple[npt.NDArray[np.int64], Rows]:
        """For each game the best action, with some noise if daring; and what is seen after it."""
        rows, actions, first = look(states)
        noise = self.chance.gumbel(size=len(rows)) * max(daring, 1e-6)
        values = self.values(rows) + noise
        best = np.array([a + int(np.argmax(values[a:b])) for a, b in itertools.pairwise(first)])
        return actions[best].astype(np.int64), rows[best]

    def fit(self, rows: Rows, rewards: npt.NDArray[np.float32], batch: int = 256) -> None:
        order = self.chance.permutation(len(rows))
        for at in range(0, len(order), batch):
            part = order[at : at + batch]
            self.network.partial_fit(rows[part].astype(np.float32) * SCALE, rewards[part])
            self.fitted = True


def experience(
    env: SelfPlay, policy: Policy, look: LookAhead, steps: int
) -> tuple[Rows, npt.NDArray[np.float32]]:
    """Play on; what each seat saw after its decisions, and how that game ended for it."""
    n = env.num_envs
    seen = np.zeros((steps, n, env.observations.shape[1]), np.int8)
    seats = np.zeros((steps, n), np.int8)
    rewards = np.zeros((steps, n), np.float32)
    ended = np.zeros((steps, n), np.bool_)
    began = np.zeros(n, np.int64)
    for at in range(steps):
        seats[at] = env.seats
        actions, seen[at] = policy.choose(look, env.states, daring=0.1)
        env.step(actions)
        for i in np.flatnonzero(env.done):
            game = slice(began[i], at + 1)
            rewards[game, i] = env.rewards[i][seats[game, i]]
            ended[game, i] = True
            began[i] = at + 1
    return seen[ended], rewards[ended]


def train(
    name: str,
    players: int | None = None,
    seconds: float = 60.0,
    tell: Callable[[str], object] = print,
    num_envs: int = 64,
    steps: int = 150,
    **options: Any,
) -> Policy:
    """Train a policy by playing against itself for so many seconds."""
    env = SelfPlay(name, players, num_envs, **options)
    policy, look = Policy(name), LookAhead(env.game_spec)
    env.reset(seed=1)
    start = time.perf_counter()
    generation = 0
    while time.perf_counter() - start < seconds:
        generation += 1
        rows, rewards = experience(env, policy, look, steps)
        policy.fit(rows, rewards)
        tell(f"{generation}: learned from {len(rows):,} decisions")
    return policy


def wins(
    policy: Policy, name: str, players: int | None, opponents: str, games: int, **options: Any
) -> float:
    """The share of games that the policy wins, alone or with others."""
    env = Versus(name, players, min(games, 100), opponents, **options)
    look = LookAhead(game(name), seed=9)
    env.reset(seed=2)
    won = ended = 0
    while ended < games:
        _, rewards, done, _, _ = env.step(policy.choose(look, env.states)[0])
        won += int((rewards[done] > 0).sum())
        ended += int(done.sum())
    return won / ended


if __name__ == "__main__":
    title = sys.argv[1] if len(sys.argv) > 1 else "nomads"
    trained = train(title)
    for rival in ("random", "greedy"):
        print(f"wins {wins(trained, title, None, rival, 400):.0%} against {rival}")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_bytes(pickle.dumps(trained))
