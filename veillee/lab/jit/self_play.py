"""Games that bots of several generations play among themselves, to learn from; compiled whole.

The names set to None below stand for functions of the game and of `bot_games`.
"""

from __future__ import annotations

from typing import Any

from veillee.bots.jit.search import ROOT, VALUES, VISITS, Parameters
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below, seed_fast
from veillee.lab.jit.bot_games import Level

setup: Any = None
legal: Any = None
apply: Any = None
view: Any = None
forget: Any = None
choose: Any = None

ASTRAY = 10
"""In games that go astray, one of how many decisions is left to chance."""
NOT_SEARCHED = -1.0


def play_game(
    game: Any,
    seed: int,
    number: int,
    rng: Cells,
    chance: Cells,
    actions: Cells,
    level: Any,
    weights: Any,
    own_weights: Any,
    generation: Cells,
    astray: bool,
    minds: Any,
    taken: Cells,
    values: Any,
) -> int:
    """Play the game of a number; return how many decisions it had.

    Args:
        game: The record to play on, as it is before the set-up.
        weights: The weights of each generation.
        own_weights: The same for the policy of the bots themselves.
        generation: The generation that plays for each seat.
        astray: Whether some decisions are left to chance.
        taken: Receives the actions.
        values: Receives what the search expected for every seat, or NOT_SEARCHED.
    """
    s = game[0]
    seed_fast(rng, seed, number)
    seed_fast(chance, seed + 1, number)
    setup(s, rng, actions, None)
    forget(s.players, minds)
    decisions = 0
    while s.seat != OVER and decisions < len(taken):
        seat = s.seat
        n = legal(s, actions)
        action = actions[below(chance, n)]
        values[decisions, 0] = NOT_SEARCHED
        if n > 1 and not (astray and below(chance, ASTRAY) == 0):
            minds.seen[0] = s
            view(minds.seen[0], 1 << seat)
            plays = with_weights(level, weights[generation[seat]], own_weights[generation[seat]])
            action = choose(seat, number * s.players + seat, plays, minds)
            visits = minds.nodes[seat, ROOT, VISITS]
            for other in range(s.players if visits else 0):
                total = minds.values[seat, ROOT, VALUES + other]
                values[decisions, other] = total / visits
        taken[decisions] = action
        apply(s, action, rng, None)
        decisions += 1
    return decisions


def with_weights(level: Any, weights: Any, own_weights: Any) -> Any:
    """Return a level that plays with other weights."""
    p = level.parameters
    parameters = Parameters(p.exploration, p.width, p.deepest, p.opens, p.horizon, weights)
    return Level(
        level.iterations, level.each, level.mixing, level.instinct, parameters, own_weights
    )


def replay_game(
    game: Any, seed: int, number: int, rng: Cells, actions: Cells, taken: Cells, states: Any
) -> None:
    """Play a game again; write the state before each decision, and behind them the last one."""
    seed_fast(rng, seed, number)
    setup(game[0], rng, actions, None)
    for i in range(len(taken)):
        states[i] = game[0]
        apply(game[0], taken[i], rng, None)
    states[len(taken)] = game[0]
