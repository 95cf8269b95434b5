"""Gymnasium's own checks, and the vector environments held to single games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

import veillee.adapters.gymnasium as single
from veillee.adapters.table import Table
from veillee.adapters.vector import SelfPlay, Versus
from veillee.engine.contract import Contract
from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row

CONTRACTS = [pytest.param(contract, id=contract.name) for contract in games().values()]
NAMES = list(games())

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("contract", CONTRACTS)
def test_check_env(contract: Contract) -> None:
    env = gymnasium.make(f"veillee/{contract.name}-v{contract.version}", render_mode="rgb_array")
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", NAMES)
def test_two_of_the_same_seed_match(name: str) -> None:
    one, other = single.AgainstBots(name), single.AgainstBots(name)
    check_environments_match(one, other, num_steps=100, skip_rew=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("opponents", ["random", "greedy", "spark"])
def test_games_against_bots_end(name: str, opponents: str) -> None:
    env = single.AgainstBots(name, opponents=opponents, small=True)
    env.action_space.seed(1)
    for seed in range(3):
        observed, info = env.reset(seed=seed)
        ended, reward = False, 0.0
        while not ended:
            assert observed["action_mask"].any()
            action = env.action_space.sample(observed["action_mask"])
            observed, reward, ended, cut, info = env.step(action)
            assert not cut
        assert -1 <= reward <= 1
        assert 0 <= info["seat"] < env.table.players


def test_opponents_may_be_functions_and_see_only_their_view() -> None:
    seen = []

    def choose(view: Any) -> int:
        seen.append(view)
        return int(legal(view)[0])

    def legal(view: Any) -> Any:
        contract = games()["nomads"]
        out = np.zeros(contract.actions, np.int16)
        return out[: contract.compiled.legal_at(view, 0, out)]

    env = single.AgainstBots("nomads", players=3, opponents=[choose, "random"])
    observed, _ = env.reset(seed=5)
    ended = False
    while not ended:
        action = env.action_space.sample(observed["action_mask"])
        observed, _, ended, _, _ = env.step(action)
    assert seen
    for view in seen:
        again = view.copy()
        games()["nomads"].compiled.view_at(again, 0, 1 << int(view["seat"][0]))
        assert again.tobytes() == view.tobytes()


def test_an_illegal_action_loses_or_raises() -> None:
    env = single.AgainstBots("nomads")
    observed, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observed["action_mask"] == 0)[0])
    _, reward, ended, _, info = env.step(illegal)
    assert (reward, ended, info["illegal"]) == (-1.0, True, illegal)
    strict = single.AgainstBots("nomads", strict=True)
    strict.reset(seed=1)
    with pytest.raises(Refusal):
        strict.step(illegal)


def test_unknown_opponents_are_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match="spark"):
        single.AgainstBots("nomads", opponents="nobody").reset(seed=1)
    with pytest.raises(ValueError, match="greedy"):
        Versus("nomads", opponents="nobody")


# ---------------------------------------------------------------- many at once


@pytest.mark.parametrize("contract", CONTRACTS)
def test_self_play_is_many_single_games(contract: Contract) -> None:
    """The same chance and the same actions, game by game: equal in every array at every step."""
    players = max(contract.seats)
    env = SelfPlay(contract.name, players, num_envs=6)
    observed, infos = env.reset(seed=11)
    tables = [Table(contract, players, {}) for _ in range(6)]
    for i, table in enumerate(tables):
        table.deal(fast_row(11, i))
    ended = 0
    for _ in range(250):
        for i, table in enumerate(tables):
            assert infos["seat"][i] == table.seat
            assert (observed["observation"][i] == table.observe(table.seat)).all()
            assert (observed["action_mask"][i] == table.mask(table.seat)).all()
            assert (infos["legal"][i, : infos["count"][i]] == table.legal).all()
        actions = env.random_actions().copy()
        observed, rewards, done, cut, infos = env.step(actions)
        assert not cut.any()
        for i, table in enumerate(tables):
            seat = table.seat
            table.play(int(actions[i]))
            assert done[i] == table.over
            if table.over:
                ended += 1
                assert infos["rewards"][i] == pytest.approx(table.rewards())
                assert rewards[i] == pytest.approx(table.rewards()[seat])
                assert (infos["final_obs"][i] == table.observe(seat)).all()
                table.play(-1)
            else:
                assert rewards[i] == 0
                assert not infos["rewards"][i].any()
    assert ended


@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_written_in_place(name: str) -> None:
    env = SelfPlay(name, num_envs=32)
    observed, infos = env.reset(seed=1)
    again, _, _, _, infos_again = env.step(env.random_actions())
    assert again["observation"] is observed["observation"]
    assert again["action_mask"] is observed["action_mask"]
    assert infos_again["rewards"] is infos["rewards"]
    assert env.observation_space.contains(observed)
    assert env.action_space.contains(env.random_actions())


@pytest.mark.parametrize("name", NAMES)
def test_masks_are_the_lists(name: str) -> None:
    env = SelfPlay(name, num_envs=64)
    env.reset(seed=2)
    for _ in range(150):
        env.step(env.random_actions())
        assert (env.masks.sum(axis=1) == env.counts).all()
        for i in range(0, 64, 9):
            assert env.masks[i, env.legal[i, : env.counts[i]]].all()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_games(name: str) -> None:
    rows = []
    for _ in range(2):
        env = Versus(name, num_envs=16, opponents="greedy")
        env.reset(seed=4)
        for _ in range(40):
            env.step(env.random_actions())
        rows.append((env.observations.tobytes(), env.states.tobytes()))
    assert rows[0] == rows[1]
    env.reset(seed=5)
    assert env.observations.tobytes() != rows[0][0]


@pytest.mark.parametrize("name", NAMES)
def test_the_agent_alone_decides_and_greedy_beats_random(name: str) -> None:
    env = Versus(name, num_envs=128)
    env.reset(seed=6)
    rewards: list[float] = []
    while len(rewards) < 600:
        assert (env.states["seat"] == env.seats).all()
        _, gained, done, _, _ = env.step(env.greedy_actions())
        rewards += gained[done].tolist()
    assert np.mean(rewards) > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_is_refused_and_nothing_changes(name: str) -> None:
    env = SelfPlay(name, num_envs=8)
    env.reset(seed=1)
    before = env.states.tobytes()
    actions = env.random_actions().copy()
    actions[5] = np.flatnonzero(env.masks[5] == 0)[0]
    with pytest.raises(Refusal) as refused:
        env.step(actions)
    assert refused.value.clause in env.contract.clauses
    actions[5] = env.contract.actions
    with pytest.raises(Refusal):
        env.step(actions)
    assert env.states.tobytes() == before
    with pytest.raises(ValueError, match="8 games take 8 actions"):
        env.step(actions[:3])
