"""sb3-contrib's MaskablePPO learns Lumens through Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from sb3_contrib import MaskablePPO

import veillee.adapters.gymnasium

GAMES = 100


def mean_reward(model: Any, env: gymnasium.Env[Any, Any]) -> float:
    total = 0.0
    for seed in range(GAMES):
        observed, _ = env.reset(seed=seed)
        ended = False
        while not ended:
            action, _ = model.predict(observed, action_masks=observed["action_mask"])
            observed, reward, ended, _, _ = env.step(action)
        total += float(reward)
    return total / GAMES


@pytest.mark.parametrize("name", ["veillee/lumens-v2", "veillee/captain-v2"])
def test_maskable_ppo(name: str) -> None:
    assert veillee.adapters.gymnasium
    env = gymnasium.make(name, small=True)
    model = MaskablePPO(
        "MultiInputPolicy", env, n_steps=512, seed=1, policy_kwargs={"net_arch": [32]}
    )
    before = mean_reward(model, env)
    model.learn(4096)
    after = mean_reward(model, env)
    print(f"{name}: mean reward {before:.3f} untrained, {after:.3f} trained")
    assert after > before
