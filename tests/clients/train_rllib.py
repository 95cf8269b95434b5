"""RLlib's PPO with action masking learns through its PettingZoo wrapper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from veillee.adapters import pettingzoo


def environment(settings: Any) -> PettingZooEnv:
    return PettingZooEnv(
        pettingzoo.env(
            settings["name"],
            small=True,
            observation_key="observations",
            observation_dtype=np.float32,
        )
    )


@pytest.mark.parametrize("name", ["captain", "lumens", "nomads"])
def test_ppo(name: str) -> None:
    register_env("veillee", environment)
    env = environment({"name": name})
    agent = env.possible_agents[0]
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=env.observation_spaces[agent],
        action_space=env.action_spaces[agent],
        model_config={"head_fcnet_hiddens": [64]},
    )
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        config = (
            PPOConfig()
            .environment("veillee", env_config={"name": name})
            .env_runners(num_env_runners=0)
            .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
            .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
            .training(train_batch_size_per_learner=500, minibatch_size=128, num_epochs=2)
        )
        algorithm = config.build_algo()
        steps = 0
        for _ in range(3):
            result = algorithm.train()
            steps = result["num_env_steps_sampled_lifetime"]
        algorithm.stop()
    finally:
        ray.shutdown()
    print(f"{name}: {steps} steps")
    assert steps >= 1000
