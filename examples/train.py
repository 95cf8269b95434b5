"""A small network that learns a game from nothing in a minute, with scikit-learn.

The cross-entropy method: many games are played by the network against itself, and it is fitted to
what the winners did. scikit-learn is enough for that and installs in seconds; PyTorch from PyPI
brings gigabytes for graphics cards, JAX hundreds of megabytes.

    python -m examples.train nomads policy.pickle
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neural_network import MLPClassifier

from veillee.adapters.vector import SelfPlay, Versus

Rows = npt.NDArray[np.int8]
SCALE = 1 / 4
"""Most counts are small: this brings them near 1."""


class Policy:
    """A network from an observation to odds for every action; legal ones only are drawn."""

    def __init__(self, actions: int, hidden: int = 64, seed: int = 0) -> None:
        self.actions = actions
        self.network = MLPClassifier((hidden,), learning_rate_init=2e-3, random_state=seed)
        self.fitted = False

    def odds(self, observations: Rows, masks: Rows) -> npt.NDArray[np.float32]:
        """Odds for each action; the same for all legal ones before the first fit."""
        if not self.fitted:
            return masks.astype(np.float32)
        scaled = observations.astype(np.float32) * SCALE
        found: npt.NDArray[np.float32] = self.network.predict_proba(scaled).astype(np.float32)
        return (found + 1e-6) * masks

    def choose(
        self, observations: Rows, masks: Rows, chance: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Draw an action for each row."""
        sums = np.cumsum(self.odds(observations, masks), axis=1)
        marks = chance.random(len(sums), dtype=np.float32) * sums[:, -1]
        drawn: npt.NDArray[np.int64] = (sums <= marks[:, None]).sum(axis=1)
        return np.minimum(drawn, self.actions - 1)

    def fit(self, observations: Rows, actions: npt.NDArray[Any], batch: int = 256) -> None:
        scaled = observations.astype(np.float32) * SCALE
        for at in range(0, len(actions), batch):
            part = slice(at, at + batch)
            classes = None if self.fitted else np.arange(self.actions)
            self.network.partial_fit(scaled[part], actions[part], classes=classes)
            self.fitted = True


def winners_moves(
    env: SelfPlay, policy: Policy, steps: int, chance: np.random.Generator
) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Play on; what winners saw and did in the games that ended."""
    n = env.num_envs
    seen = np.zeros((steps, n, env.observations.shape[1]), np.int8)
    did = np.zeros((steps, n), np.int64)
    seats = np.zeros((steps, n), np.int8)
    keep = np.zeros((steps, n), np.bool_)
    began = np.zeros(n, np.int64)
    games = np.arange(n)
    for at in range(steps):
        seen[at], seats[at] = env.observations, env.seats
        did[at] = policy.choose(env.observations, env.masks, chance)
        env.step(did[at], checked=False)
        for game in games[env.done]:
            own = seats[began[game] : at + 1, game]
            keep[began[game] : at + 1, game] = env.rewards[game][own] > 0
            began[game] = at + 1
    return seen[keep], did[keep]


def train(
    name: str,
    players: int | None = None,
    seconds: float = 60.0,
    tell: Callable[[str], object] = print,
    num_envs: int = 128,
    steps: int = 200,
    **options: Any,
) -> Policy:
    """Train a policy by playing against itself for so many seconds."""
    chance = np.random.default_rng(1)
    env = SelfPlay(name, players, num_envs, **options)
    policy = Policy(env.contract.actions)
    env.reset(seed=1)
    start = time.perf_counter()
    generation = 0
    while time.perf_counter() - start < seconds:
        generation += 1
        observations, actions = winners_moves(env, policy, steps, chance)
        order = chance.permutation(len(actions))
        policy.fit(observations[order], actions[order])
        tell(f"{generation}: learned from {len(actions):,} moves of winners")
    return policy


def wins(
    policy: Policy, name: str, players: int | None, opponents: str, games: int, **options: Any
) -> float:
    """The share of games that the policy wins, alone or with others."""
    chance = np.random.default_rng(2)
    env = Versus(name, players, min(games, 256), opponents, **options)
    env.reset(seed=2)
    won = ended = 0
    while ended < games:
        _, rewards, done, _, _ = env.step(policy.choose(env.observations, env.masks, chance))
        won += int((rewards[done] > 0).sum())
        ended += int(done.sum())
    return won / ended


if __name__ == "__main__":
    game = sys.argv[1] if len(sys.argv) > 1 else "nomads"
    trained = train(game)
    for rival in ("random", "greedy"):
        print(f"wins {wins(trained, game, None, rival, 1000):.0%} against {rival}")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_bytes(pickle.dumps(trained))
