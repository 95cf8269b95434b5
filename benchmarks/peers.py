"""OpenSpiel's games: random rollouts inside its C++, no Python per move.

A search of one simulation evaluates its root by as many rollouts as we ask for. How many moves a
rollout takes is counted apart, over random games from the same state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Measure

GAMES = ("oware", "mancala", "hex(board_size=11)", "go(board_size=9)", "hearts")
COUNTED = 2000
"""Games played to know how long one is."""
STATES = 256


def measures() -> Iterator[Measure]:
    for name in GAMES:
        yield Measure(f"OpenSpiel {name}", rollouts(name), size=1000)
    yield Measure("OpenSpiel hearts, resample", resamples("hearts"), size=1000)


def rollouts(name: str) -> Any:
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(drawn(state, chance))
    moves = sum(_length(state.clone(), chance) for _ in range(COUNTED)) / COUNTED

    def run(size: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(size, 1)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False).mcts_search(state)
        return size * moves

    return run


def resamples(name: str) -> Any:
    """Resample what a player does not know, in states from random games."""
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)
    states = [_somewhere(game, chance) for _ in range(STATES)]
    sampler = pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)

    def run(size: int) -> float:
        for turn in range(size):
            state = states[turn % STATES]
            state.resample_from_infostate(turn % game.num_players(), sampler)
        return size

    return run


def _somewhere(game: Any, chance: random.Random) -> Any:
    """A random state of a random game in which a player is to decide."""
    while True:
        state = game.new_initial_state()
        stop = chance.randrange(game.max_game_length())
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state, chance))
                continue
            if moves == stop:
                return state
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1


def _length(state: Any, chance: random.Random) -> int:
    """The decisions of one random game; dice and deals are not counted."""
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(drawn(state, chance))
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
    return moves


def drawn(state: Any, chance: random.Random) -> int:
    """What chance does next."""
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    return int(chance.choices(actions, weights)[0])
