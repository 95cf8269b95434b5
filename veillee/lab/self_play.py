"""Games of bots of several generations, from which the next one learns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.bots import bot
from veillee.bots.bot import Budget
from veillee.bots.weights import Weights, weights_for, with_character, with_network
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import rng
from veillee.engine.jit.layout import States, copies_of
from veillee.engine.precompile import Calls, WarmUp
from veillee.lab.gather import bound_to_bots, table_of_bots
from veillee.lab.jit import bot_games, study
from veillee.lab.jit import self_play as kernel
from veillee.lab.study import dealt

LONGEST = 4096
"""Decisions after which a game is broken off."""
SCRATCH = 64


@cache
def compiled(spec: GameSpec) -> SimpleNamespace:
    """Return `jit/self_play.py` bound to a game's rules, the search and the games of bots."""
    return bound_to_bots(spec, kernel)


class SelfPlay:
    """Plays games of one number of players; roles are dealt, so that all of them are seen."""

    def __init__(
        self, spec: GameSpec, players: int, budget: Budget, generations: Sequence[Weights]
    ) -> None:
        self._spec = spec
        self._template = spec.template(players, dealt(spec, {}))
        self._level, self._minds = table_of_bots(spec, players, budget)
        self._weights = np.stack(alike(generations))
        own = [with_character(spec, weights, budget.character) for weights in self._weights]
        self._own_weights = np.stack(own)
        self._rng, self._chance = np.zeros((2, rng.SIZE), np.int64)
        self._actions = np.zeros(spec.actions, np.int16)
        self._taken = np.zeros(LONGEST, np.int64)
        self._values = np.zeros((LONGEST, players))

    def play(
        self, seed: int, number: int, generation: Sequence[int], astray: bool
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Play a game; return its actions, and the results that each search expected.

        Args:
            generation: Which generation plays for each seat.
            astray: Whether some decisions are left to chance.
        """
        decisions = compiled(self._spec).play_game(
            self._template.copy(),
            seed,
            number,
            self._rng,
            self._chance,
            self._actions,
            self._level,
            self._weights,
            self._own_weights,
            np.array(generation, np.int64),
            astray,
            self._minds,
            self._taken,
            self._values,
        )
        return self._taken[:decisions].copy(), self._values[:decisions].copy()


def alike(generations: Sequence[Weights]) -> list[Weights]:
    """Give weights without a network one that has no effect, if others have one."""
    most = max(len(weights) for weights in generations)
    return [
        weights if len(weights) == most else with_network(weights, [[0.0]] * most)
        for weights in generations
    ]


def replay(
    spec: GameSpec, players: int, seed: int, number: int, actions: Sequence[int]
) -> tuple[States, list[float]]:
    """Play a game again; return the state before each decision, and who won how much."""
    template = spec.template(players, dealt(spec, {}))
    states = copies_of(template, len(actions) + 1)
    scratch = np.zeros(max(spec.actions, SCRATCH), np.int16)
    compiled(spec).replay_game(
        template,
        seed,
        number,
        np.zeros(rng.SIZE, np.int64),
        scratch,
        np.array(actions, np.int64),
        states,
    )
    spec.compiled.places_at(states, len(actions), scratch)
    won = scratch[:players] == 1
    return states[:-1], (won / won.sum()).tolist()


def self_play_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before bots learn from their games."""
    players = max(spec.player_counts)

    def call() -> Any:
        games = SelfPlay(spec, players, Budget(iterations=1), [weights_for(spec, players)])
        actions, _ = games.play(1, 0, [0] * players, astray=False)
        return replay(spec, players, 1, 0, actions.tolist())

    yield "games to learn from", call


SELF_PLAY = WarmUp(
    "veillee.lab.self_play:self_play_calls",
    lambda spec: (kernel, bot_games, study, *bot.SEARCH.modules(spec)),
)
"""Everything to compile of a game for training."""
