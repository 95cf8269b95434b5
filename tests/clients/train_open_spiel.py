"""OpenSpiel's own deep agents learn the small variants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy, tabular_policy_from_callable
from open_spiel.python.pytorch import deep_cfr, dqn, nfsp, policy_gradient

from veillee.adapters.open_spiel import PREFIX

EPISODES = 300
Make = Callable[[int, int, int], Any]


def make_dqn(player: int, size: int, actions: int) -> Any:
    return dqn.DQN(
        player,
        state_representation_size=size,
        num_actions=actions,
        hidden_layers_sizes=[32],
        replay_buffer_capacity=1000,
        min_buffer_size_to_learn=50,
        learn_every=10,
        batch_size=32,
    )


def make_nfsp(player: int, size: int, actions: int) -> Any:
    return nfsp.NFSP(
        player,
        state_representation_size=size,
        num_actions=actions,
        hidden_layers_sizes=[32],
        reservoir_buffer_capacity=1000,
        anticipatory_param=0.1,
        batch_size=16,
        min_buffer_size_to_learn=16,
        learn_every=8,
    )


def make_policy_gradient(player: int, size: int, actions: int) -> Any:
    return policy_gradient.PolicyGradient(
        player_id=player,
        info_state_size=size,
        num_actions=actions,
        loss_str="a2c",
        hidden_layers_sizes=[32],
        batch_size=16,
    )


@pytest.mark.parametrize("make", [make_dqn, make_nfsp, make_policy_gradient])
@pytest.mark.parametrize("name", ["captain", "lumens", "nomads"])
def test_agent(name: str, make: Make) -> None:
    env = rl_environment.Environment(f"{PREFIX}{name}(small=True)")
    env.seed(1)
    size = env.observation_spec()["info_state"][0]
    agents = [make(n, size, env.action_spec()["num_actions"]) for n in range(env.num_players)]
    for _ in range(EPISODES):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    loss = agents[0].loss
    losses = [float(each) for each in (loss if isinstance(loss, tuple) else (loss,))]
    print(f"{name}, {make.__name__}: losses {losses}")
    assert np.isfinite(losses).all()


def test_deep_cfr() -> None:
    game = pyspiel.load_game(f"{PREFIX}lumens(small=True)")
    solver = deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=(32,),
        advantage_network_layers=(32,),
        num_iterations=3,
        num_traversals=20,
        learning_rate=1e-3,
        batch_size_advantage=64,
        batch_size_strategy=64,
        memory_capacity=100_000,
        seed=1,
    )
    solver.solve()
    policy = tabular_policy_from_callable(game, solver.action_probabilities)
    learnt = exploitability.nash_conv(game, policy)
    uniform = exploitability.nash_conv(game, UniformRandomPolicy(game))
    print(f"NashConv {uniform:.3f} uniform, {learnt:.3f} learnt")
    assert np.isfinite(learnt)
