"""PettingZoo's own suites, by their own entry points."""

from __future__ import annotations

import copy
import importlib
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from veillee.adapters import pettingzoo
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games

TABLES = [
    pytest.param(spec.name, players, id=f"{spec.name}-{players}")
    for spec in games().values()
    for players in spec.player_counts
]
NAMES = list(games())


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_api(name: str, players: int) -> None:
    api_test(pettingzoo.env(name, players), num_cycles=200)
    api_test(pettingzoo.raw_env(name, players), num_cycles=200)
    api_test(pettingzoo.env(name, players, small=True), num_cycles=50)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_seed(name: str, players: int) -> None:
    seed_test(partial(pettingzoo.env, name, players), num_cycles=100)


@pytest.mark.parametrize("name", NAMES)
def test_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(pettingzoo.env, name), {"ansi": lambda text: len(text) > 20})
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_parallel(name: str) -> None:
    parallel_api_test(turn_based_aec_to_parallel(pettingzoo.env(name)), num_cycles=200)


@pytest.mark.parametrize("name", NAMES)
def test_picture_is_an_image_with_something_on_it(name: str) -> None:
    env = pettingzoo.env(name, render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert isinstance(image, np.ndarray)
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    assert len(np.unique(image)) > 10


@pytest.mark.parametrize("spec", games().values(), ids=NAMES)
def test_modules_have_a_version(spec: GameSpec) -> None:
    title = f"{spec.name}_v{spec.version}"
    module = importlib.import_module(f"veillee.adapters.pettingzoo.{title}")
    assert str(module.env()) == title
    assert module.raw_env().metadata["name"] == title


@pytest.mark.parametrize("name", NAMES)
def test_max_cycles_cuts_a_game_short(name: str) -> None:
    env = pettingzoo.env(name, max_cycles=4)
    env.reset(seed=3)
    decisions = 0
    for agent in env.agent_iter():
        observed, reward, ended, cut, _ = env.last()
        assert not ended
        if cut:
            assert reward == 0
            env.step(None)
        else:
            decisions += 1
            env.step(env.action_space(agent).sample(observed["action_mask"]))
    assert decisions == 4


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_rewards_come_at_the_end_and_sum_to_nought(name: str, players: int) -> None:
    env = pettingzoo.env(name, players)
    for seed in range(3):
        env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observed, reward, ended, _, _ = env.last()
            assert ended or reward == 0
            total[agent] += reward
            env.step(None if ended else env.action_space(agent).sample(observed["action_mask"]))
        assert max(total.values()) <= 1
        assert min(total.values()) == pytest.approx(-1 / (players - 1)) or not any(total.values())
        assert sum(total.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
def test_copy_in_play_goes_on_alike(name: str, make: Any, duplicate: Any) -> None:
    env = make(name)
    duplicate(env).reset(seed=1)
    env.reset(seed=1)
    play_first_actions(env, 4)
    before = env.state().tobytes()
    other = duplicate(env)
    path = play_first_actions(other, 4)
    assert env.state().tobytes() == before
    assert play_first_actions(env, 4) == path


def play_first_actions(env: Any, decisions: int) -> list[bytes]:
    found = []
    for _ in range(decisions):
        observed = env.observe(env.agent_selection)
        env.step(int(np.flatnonzero(observed["action_mask"])[0]))
        found.append(env.state().tobytes())
    return found


def test_key_and_type_of_observations_can_be_chosen() -> None:
    """RLlib's action masking looks for `observations` and converts no numbers."""
    env = pettingzoo.env("lumens", observation_key="observations", observation_dtype=np.float32)
    env.reset(seed=1)
    observed = env.observe("player_0")
    assert set(observed) == {"observations", "action_mask"}
    assert observed["observations"].dtype == np.float32
    assert env.observation_space("player_0").contains(observed)


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_loses_the_game_or_is_refused(name: str) -> None:
    env = pettingzoo.env(name)
    env.reset(seed=1)
    agent = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0])
    env.step(illegal)
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1
    raw = pettingzoo.raw_env(name)
    raw.reset(seed=1)
    before = raw.state().tobytes()
    with pytest.raises(Refusal):
        raw.step(illegal)
    assert raw.state().tobytes() == before


def test_nothing_is_there_before_reset() -> None:
    env = pettingzoo.env("nomads")
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agents
    with pytest.raises(AssertionError, match="reset"):
        env.observe("player_0")
