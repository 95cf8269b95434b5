"""Fitting what a game's bots know: how much each sign of a position tells about who will win.

Players meet, one decision in ten is left to chance so that all kinds of positions are seen, and the
weights are those under which the winners were the likeliest: a seat's odds are the exponential of
its weighted signs, and a weight goes from one value at the end to another at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.bots.knowledge import ROOM
from veillee.engine.build import Build
from veillee.engine.contract import Contract
from veillee.engine.game import game_of
from veillee.engine.record import States
from veillee.engine.refusal import Refusal
from veillee.lab import signs
from veillee.lab.players import player

Table = npt.NDArray[np.float64]

ASTRAY = 0.1
"""How many decisions are left to chance."""
RIDGE = 1e-3
"""Keeps the weights of signs that hardly differ from growing."""
STEPS = 12


def fit(
    contract: Contract,
    players: int,
    games: int,
    spec: str,
    seed: int = 1,
    progress: Callable[[], object] = lambda: None,
) -> dict[str, tuple[float, float]]:
    """The weight of each sign at the end, and how much more at the beginning."""
    known = contract.knowledge
    if known is None or not hasattr(known, "signs"):
        raise Refusal("unknown", "bots.signs", game=contract.name)
    states, shares = [], []
    for number in range(games):
        seen, share = positions(contract, players, spec, f"{seed}:{number}")
        states.append(seen)
        shares += [share] * len(seen)
        progress()
    features = read(contract, np.concatenate(states), players)
    weights = likeliest(features, np.array(shares))
    half = len(weights) // 2
    names = [sign.name.lower() for sign in known.Sign]
    pairs = zip(weights[:half].tolist(), weights[half:].tolist(), strict=True)
    return dict(zip(names, pairs, strict=True))


def positions(contract: Contract, players: int, spec: str, seed: str) -> tuple[States, list[float]]:
    """All positions of one game, and each seat's share of the win."""
    game = game_of(contract)(players, seed, compiled=True)
    chance = Random(seed)
    choose = [player(contract, players, spec, chance.getrandbits(30)) for _ in range(players)]
    found = []
    while not game.over:
        found.append(game.states.copy())
        astray = chance.random() < ASTRAY
        action = chance.choice(game.legal) if astray else choose[game.seat](game.seen_by(game.seat))
        game.play(action)
    won = game.winners
    return np.concatenate(found), [(seat in won) / len(won) for seat in range(players)]


def read(contract: Contract, states: States, players: int) -> Table:
    """Positions x seats x signs: as they are, and once more by how far it is to the end."""
    build = Build(contract.name, contract.package, compiled=True)
    rules = build.module(contract.rules)
    known: Any = build.module(contract.knowledge, rules)  # type: ignore[arg-type]
    reading = build.module(signs, SimpleNamespace(**(vars(rules) | vars(known))))
    found = np.zeros((len(states), players, known.SIGNS))
    far = np.zeros(len(states))
    reading.read(states, np.zeros(ROOM, np.int16), found, far)
    return np.concatenate([found, found * far[:, None, None]], 2)


def likeliest(features: Table, shares: Table) -> Table:
    """The weights under which those who won were the likeliest to: Newton's method."""
    size = features.reshape(-1, features.shape[2]).std(0)
    size[size == 0] = 1
    x = features / size
    weights = np.zeros(x.shape[2])
    for _ in range(STEPS):
        odds = x @ weights
        odds = np.exp(odds - odds.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        mean = np.einsum("ns,nsd->nd", odds, x)
        slope = np.einsum("ns,nsd->d", odds - shares, x) / len(x) + 2 * RIDGE * weights
        bend = np.einsum("ns,nsd,nse->de", odds, x, x, optimize=True) - mean.T @ mean
        bend = bend / len(x) + 2 * RIDGE * np.eye(len(weights))
        weights = weights - np.linalg.solve(bend, slope)
    return np.asarray(weights / size)
