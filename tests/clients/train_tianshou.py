"""Tianshou's DQN learns by self-play through PettingZoo, in one process and in several."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv, SubprocVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from veillee.adapters import pettingzoo


def environment(name: str) -> PettingZooEnv:
    return PettingZooEnv(pettingzoo.env(name, small=True))


def learner(env: PettingZooEnv) -> Any:
    shape = env.observation_space["observation"].shape
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=shape, action_shape=env.action_space.n, hidden_sizes=[64]),
        action_space=env.action_space,
        eps_training=0.2,
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)


@pytest.mark.parametrize("vector", [DummyVectorEnv, SubprocVectorEnv])
@pytest.mark.parametrize("name", ["captain", "lumens", "nomads"])
def test_dqn(name: str, vector: Any) -> None:
    env = environment(name)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner(env) for _ in env.agents], env=env)
    envs = vector([partial(environment, name) for _ in range(2)])
    collector = Collector(algorithm, envs, VectorReplayBuffer(4000, 2), exploration_noise=True)
    collector.reset()
    collector.collect(n_step=200)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=2,
            epoch_num_steps=400,
            collection_step_num_env_steps=40,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=32,
            test_in_training=False,
        )
    )
    envs.close()
    print(f"{name}: {result.train_step} steps, {result.update_step} updates")
    assert result.train_step >= 800
    assert result.update_step > 0
