"""Gymnasium's own checks, and the vector environments held to single games."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import FlattenObservation

import veillee.adapters.gymnasium as single
from veillee.adapters.single import Table
from veillee.adapters.vector import SelfPlay, Versus
from veillee.bots import levels
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.seed import fast_row

CONTRACTS = [pytest.param(spec, id=spec.name) for spec in games().values()]
NAMES = list(games())


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("spec", CONTRACTS)
def test_check_env(spec: GameSpec) -> None:
    env = gymnasium.make(f"veillee/{spec.name}-v{single.version(spec)}", render_mode="rgb_array")
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
        spec = games()["nomads"]
        out = np.zeros(spec.actions, np.int16)
        return out[: spec.compiled.legal_at(view, 0, out)]

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
        single.AgainstBots("nomads", opponents="nobody")
    with pytest.raises(ValueError, match="greedy"):
        Versus("nomads", opponents="nobody")


def first_legal(view: Any) -> int:
    spec = games()["nomads"]
    out = np.zeros(spec.actions, np.int16)
    spec.compiled.legal_at(view, 0, out)
    return int(out[0])


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
@pytest.mark.parametrize("opponents", ["random", "greedy", first_legal])
def test_copy_in_play_goes_on_alike(duplicate: Any, opponents: Any) -> None:
    env = single.AgainstBots("nomads", 3, opponents=opponents)
    observed, _ = env.reset(seed=3)
    env.step(int(np.flatnonzero(observed["action_mask"])[0]))
    before = env.table.states.tobytes()
    other = duplicate(env)
    path = play_first_actions(other, 5)
    assert env.table.states.tobytes() == before
    assert play_first_actions(env, 5) == path


def test_copy_against_bots_that_search() -> None:
    env = single.AgainstBots("lumens", opponents="spark")
    env.reset(seed=3)
    other = pickled(env)
    assert play_first_actions(other, 3)


def play_first_actions(env: single.AgainstBots, decisions: int) -> list[bytes]:
    found = []
    for _ in range(decisions):
        observed, *_ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        found.append(observed["observation"].tobytes())
    return found


def test_action_masks_are_found_by_sb3_contrib() -> None:
    """It asks for `action_masks` through all wrappers."""
    env = gymnasium.make("veillee/lumens-v2")
    observed, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert (masks == observed["action_mask"]).all()


def test_key_and_type_of_observations_can_be_chosen() -> None:
    env = single.AgainstBots("lumens", observation_key="observations", observation_dtype=np.float32)
    observed, _ = env.reset(seed=1)
    assert set(observed) == {"observations", "action_mask"}
    assert observed["observations"].dtype == np.float32
    assert env.observation_space.contains(observed)


@pytest.mark.parametrize("spec", CONTRACTS)
def test_version_rises_with_rules_and_bots(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    now = single.version(spec)
    assert f"veillee/{spec.name}-v{now}" in gymnasium.registry
    assert single.version(dataclasses.replace(spec, version=spec.version + 1)) == now + 1
    monkeypatch.setattr(single, "BOTS_VERSION", levels.VERSION + 1)
    assert single.version(spec) == now + 1


# ---------------------------------------------------------------- many at once


@pytest.mark.parametrize("spec", CONTRACTS)
def test_make_vec_makes_the_compiled_environment(spec: GameSpec) -> None:
    name = f"veillee/{spec.name}-v{single.version(spec)}"
    for mode in (None, "vector_entry_point"):
        env = gymnasium.make_vec(name, num_envs=8, vectorization_mode=mode, opponents="greedy")
        assert isinstance(env.unwrapped, Versus)
        env.reset(seed=1)
        env.step(env.unwrapped.random_actions())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
def test_copied_vector_goes_on_alike(name: str, duplicate: Any) -> None:
    env = Versus(name, num_envs=8, opponents="greedy")
    env.reset(seed=1)
    for _ in range(5):
        env.step(env.random_actions())
    other = duplicate(env)
    for _ in range(5):
        one, two = env.step(env.random_actions()), other.step(other.random_actions())
        assert (one[0]["observation"] == two[0]["observation"]).all()
        assert (one[4]["legal"] == two[4]["legal"]).all()
    assert env.states.tobytes() == other.states.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_give_equal_games(name: str) -> None:
    env = SelfPlay(name, num_envs=4)
    observed, _ = env.reset(seed=[7, 8, 7, None])
    rows = [row.tobytes() for row in observed["observation"]]
    states = [state.tobytes() for state in env.states]
    assert states[0] == states[2] != states[1]
    again, _ = env.reset(seed=[8, 7, 1, 2])
    assert [row.tobytes() for row in again["observation"]][:2] == [rows[1], rows[0]]
    with pytest.raises(ValueError, match="4 games take 4 seeds"):
        env.reset(seed=[1])


@pytest.mark.parametrize("name", NAMES)
def test_games_may_be_dealt_again_in_the_next_step(name: str) -> None:
    same = SelfPlay(name, num_envs=16, small=True)
    later = SelfPlay(name, num_envs=16, small=True, autoreset_mode="NextStep")
    one, _ = same.reset(seed=5)
    two, _ = later.reset(seed=5)
    assert (one["observation"] == two["observation"]).all()
    ended = np.zeros(16, bool)
    checked = 0
    while not checked:
        actions = same.legal[:, 0].astype(np.int64)
        one, _, done, _, infos = same.step(actions)
        two, rewards, over, _, _ = later.step(actions)
        assert (over == done).all()
        for i in np.flatnonzero(done):
            assert (two["observation"][i] == infos["final_obs"][i]).all()
            checked += 1
        ended = done
    assert two["action_mask"].any(axis=1).all()
    illegal = np.full(16, -1)
    illegal[~ended] = later.legal[~ended, 0]
    dealt, rewards, over, _, _ = later.step(illegal)
    assert not over[ended].any()
    assert not rewards[ended].any()
    assert (dealt["observation"][ended] != two["observation"][ended]).any()


def test_wrappers_that_expect_the_next_step() -> None:
    env = FlattenObservation(Versus("lumens", num_envs=8, autoreset_mode=AutoresetMode.NEXT_STEP))
    observed, _ = env.reset(seed=1)
    assert observed.shape == (8, 597 + 1350)
    with pytest.raises(ValueError, match="same step or in the next"):
        Versus("lumens", autoreset_mode=AutoresetMode.DISABLED)


@pytest.mark.parametrize("spec", CONTRACTS)
def test_self_play_is_many_single_games(spec: GameSpec) -> None:
    """The same chance and the same actions, game by game: equal in every array at every step."""
    players = max(spec.player_counts)
    env = SelfPlay(spec.name, players, num_envs=6)
    observed, infos = env.reset(seed=11)
    tables = [Table(spec, players, {}) for _ in range(6)]
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
def test_each_step_returns_new_arrays(name: str) -> None:
    env = SelfPlay(name, num_envs=32)
    observed, infos = env.reset(seed=1)
    before = observed["observation"].copy(), infos["legal"].copy()
    later, rewards, done, cut, infos_later = env.step(env.random_actions())
    assert (observed["observation"] == before[0]).all()
    assert (infos["legal"] == before[1]).all()
    kept = [*later.values(), rewards, done, cut, *infos_later.values()]
    again = env.step(env.random_actions())
    arrays = [*again[0].values(), *again[1:4], *again[4].values()]
    assert not any(one is other for one in kept for other in arrays)


@pytest.mark.parametrize("name", NAMES)
def test_without_copy_arrays_are_overwritten(name: str) -> None:
    env = SelfPlay(name, num_envs=32, copy=False)
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
    assert refused.value.clause in env.game_spec.clauses
    actions[5] = env.game_spec.actions
    with pytest.raises(Refusal):
        env.step(actions)
    assert env.states.tobytes() == before
    with pytest.raises(ValueError, match="8 games take 8 actions"):
        env.step(actions[:3])
