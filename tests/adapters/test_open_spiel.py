"""OpenSpiel's own tests and algorithms, by their own entry points."""

from __future__ import annotations

import copy
import json
import pickle
import unittest
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    generate_playthrough,
    ismcts,
    mcts,
)
from open_spiel.python.policy import UniformRandomPolicy, tabular_policy_from_callable
from open_spiel.python.tests import games_sim_test

import veillee.adapters.open_spiel as ours
from tests.adapters.trees import INFORMATION_STATE_TENSORS, INFORMATION_STATES, NODES
from veillee.adapters.open_spiel.position import CHANCE, TERMINAL
from veillee.adapters.vector import SelfPlay
from veillee.bots.levels import bot
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games

TABLES = [
    pytest.param(f"{ours.PREFIX}{spec.name}(players={players})", id=f"{spec.name}-{players}")
    for spec in games().values()
    for players in spec.player_counts
]
NAMES = list(games())
SMALL = [pytest.param(f"{ours.PREFIX}{name}(small=True)", id=name) for name in NAMES]

if not flags.FLAGS.is_parsed():
    flags.FLAGS(["tests"])


def small(name: str) -> Any:
    return pyspiel.load_game(f"{ours.PREFIX}{name}(small=True)")


@pytest.mark.parametrize("title", TABLES)
def test_random_simulations(title: str) -> None:
    game = pyspiel.load_game(title)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    games_sim_test.GamesSimTest("sim_game").sim_game(game)


@pytest.mark.parametrize("title", SMALL)
def test_random_simulations_of_the_small_variant(title: str) -> None:
    game = pyspiel.load_game(title)
    pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)
    games_sim_test.GamesSimTest("sim_game").sim_game(game)


@pytest.mark.parametrize("title", TABLES)
def test_api_on_a_part_of_the_tree(title: str) -> None:
    run_suite(api_test.EnforceAPIOnPartialTreeBase, title, title)


@pytest.mark.parametrize("name", NAMES)
def test_api_on_the_whole_tree_of_the_small_variant(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how many nodes there are, of chance, decisions and ends, and how many information
    states."""
    title = f"{ours.PREFIX}{name}(small=True)"
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, title, NODES[name])
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, title, INFORMATION_STATES[name])
    run_suite(api_test.EnforceAPIOnFullTreeBase, title, title)


def run_suite(base: type[unittest.TestCase], name: str, title: str) -> None:
    case = type("Suite", (base,), {"game": pyspiel.load_game(title), "game_name": name})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun
    assert not result.errors, result.errors[0][1]
    assert not result.failures, result.failures[0][1]


@pytest.mark.parametrize("title", SMALL)
def test_a_playthrough_can_be_replayed(title: str) -> None:
    text = generate_playthrough.playthrough(title, action_sequence=None, seed=1)
    path = [int(n) for n in find(text, "History() = [").split(",")]
    again = generate_playthrough.playthrough(title, action_sequence=path, seed=1)
    assert text.count("\n") > 50
    assert sorted(set(again.splitlines())) == sorted(set(text.splitlines()))


def find(text: str, mark: str) -> str:
    """What the last line with this mark has after it."""
    return text.rpartition(mark)[2].partition("]")[0]


# ---------------------------------------------------------------- states


@pytest.mark.parametrize("title", TABLES)
def test_clones_and_pickles_go_their_own_way(title: str) -> None:
    state = walked(pyspiel.load_game(title), 12)
    clone, deep = state.clone(), copy.deepcopy(state)
    again = pickle.loads(pickle.dumps(state))
    before = str(state)
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == str(deep) == str(again) == before
    assert str(clone) != before


def walked(game: Any, decisions: int, seed: int = 3) -> Any:
    """A state in which somebody decides, after at least so many random decisions."""
    chance = np.random.default_rng(seed)
    state = game.new_initial_state()
    while decisions or state.is_chance_node():
        decisions -= decisions > 0 and not state.is_chance_node()
        state.apply_action(int(chance.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("title", TABLES)
def test_a_resampled_state_looks_the_same_to_the_player(title: str) -> None:
    chance = np.random.default_rng(1)
    for decisions in (0, 5, 15):
        state = walked(pyspiel.load_game(title), decisions)
        player = state.current_player()
        other = state.resample_from_infostate(player, chance.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        other.apply_action(other.legal_actions()[0])


CARDS = {"egg": 2, "hook": 2, "lantern 3": 3}


@pytest.mark.parametrize(
    "title",
    [
        ours.game_name("captain", players=4, cards=CARDS, laid=1, bottom=0, captain=2),
        ours.game_name("captain", 3, adventurers=["lys", "nostromo", "red"], six=False),
        ours.game_name("captain", adventurers="deal", small=False),
        ours.game_name("nomads", songs={"cost": [1, 2, 3, 4], "points": [9, 9, 9, 9]}),
        ours.game_name("lumens", tokens=[1, 2, 3], first=1),
    ],
)
def test_options_may_be_lists_and_tables(title: str) -> None:
    game = pyspiel.load_game(title)
    state = walked(game, 3)
    assert pyspiel.load_game(str(game)).rules is game.rules
    again, copied = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(game, state)
    )
    assert again.rules is game.rules
    assert str(copied) == str(state)
    assert pickle.loads(pickle.dumps(game)).rules is game.rules


def test_table_given_as_json_is_the_table() -> None:
    game = pyspiel.load_game("veillee_captain", {"cards": json.dumps(CARDS), "laid": 1})
    assert game.rules is pyspiel.load_game(ours.game_name("captain", cards=CARDS, laid=1)).rules
    with pytest.raises(Refusal, match="cards"):
        pyspiel.load_game(ours.game_name("captain", cards={"crown": 1}))


@pytest.mark.parametrize("name", NAMES)
def test_longest_path_of_the_small_variant_is_within_the_bound(name: str) -> None:
    game = small(name)
    found = longest(game.new_initial_state())
    assert found <= game.max_game_length()
    assert name == "nomads" or game.max_game_length() <= 10 * found


def longest(state: Any) -> int:
    """The most decisions on any path from a state."""
    if state.is_terminal():
        return 0
    here = not state.is_chance_node()
    return here + max(longest(state.child(action)) for action in state.legal_actions())


@pytest.mark.parametrize("spec", games().values(), ids=NAMES)
def test_random_games_are_within_the_bound(spec: GameSpec) -> None:
    for players in spec.player_counts:
        env = SelfPlay(spec.name, players, num_envs=64, copy=False)
        bound = spec.longest(spec.twin(spec.template(players)))
        env.reset(seed=1)
        lengths, ended = np.zeros(64, int), 0
        while ended < 64:
            _, _, done, _, _ = env.step(env.random_actions())
            lengths += 1
            assert (lengths <= bound).all()
            ended += int(done.sum())
            lengths[done] = 0


@pytest.mark.parametrize("name", NAMES)
def test_tensors_tell_fewer_states_apart_than_strings(name: str) -> None:
    """The tensor is the observation, not the history: as docs/research.md says."""
    strings, tensors = set(), set()
    waiting = [small(name).new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            player = state.current_player()
            strings.add(state.information_state_string(player))
            tensors.add(tuple(state.information_state_tensor(player)))
        waiting += [state.child(action) for action in state.legal_actions()]
    assert len(strings) == INFORMATION_STATES[name]
    assert len(tensors) == INFORMATION_STATE_TENSORS[name]


@pytest.mark.parametrize("name", NAMES)
def test_chance_has_exact_odds(name: str) -> None:
    root = small(name).new_initial_state()
    odds = [p for _, p in root.chance_outcomes()]
    assert sum(odds) == pytest.approx(1)
    assert len(odds) > 1


# ---------------------------------------------------------------- algorithms


@pytest.mark.parametrize("name", NAMES)
def test_mcts(name: str) -> None:
    """OpenSpiel's search in C++ and in Python (its C++ `step` can't be called on Python games)."""
    game = pyspiel.load_game(ours.PREFIX + name)
    state = walked(game, 6)
    inside = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 7), 1.4, 20, 100, False, 7, False
    )
    root = inside.mcts_search(state)
    assert root.explore_count == 20
    chance = np.random.RandomState(1)
    outside = mcts.MCTSBot(
        game, 1.4, 10, mcts.RandomRolloutEvaluator(1, chance), random_state=chance
    )
    assert outside.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_ismcts(name: str) -> None:
    game = pyspiel.load_game(ours.PREFIX + name)
    chance = np.random.RandomState(1)
    searching = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, chance),
        uct_c=2.0,
        max_simulations=20,
        random_state=chance,
    )
    searching.set_resampler(ours.resampled)
    state = walked(game, 6)
    assert searching.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_cfr_makes_a_policy_less_exploitable(name: str) -> None:
    game = small(name)
    solver = cfr.CFRSolver(game)
    before = exploitability.nash_conv(game, UniformRandomPolicy(game))
    for _ in range(2):
        solver.evaluate_and_update_policy()
    after = exploitability.nash_conv(game, solver.average_policy())
    assert 0 <= after < before


@pytest.mark.parametrize("name", NAMES)
def test_sampling_cfr_runs(name: str) -> None:
    solver = external_sampling_mccfr.ExternalSamplingSolver(small(name))
    solver.iteration()
    assert solver.average_policy()


@pytest.mark.parametrize("name", NAMES)
def test_how_exploitable_a_bot_is(name: str) -> None:
    """OpenSpiel tells it of any bot, in Python and (tried where actions are few) in C++ alike."""
    game = small(name)
    spec: GameSpec = games()[name]
    playing = bot(spec, game.num_players(), "wanderer", seed=1)
    policy = ours.policy_of(game, playing.choose)
    found = exploitability.nash_conv(game, policy)
    worst = game.num_players() * (game.max_utility() - game.min_utility())
    assert 0 <= found <= worst
    if spec.actions < 100:
        table = tabular_policy_from_callable(game, policy.action_probabilities).to_dict()
        assert pyspiel.nash_conv(game, table) == pytest.approx(found, abs=1e-6)


def test_the_numbers_of_chance_and_the_end_are_open_spiels() -> None:
    assert int(pyspiel.PlayerId.CHANCE) == CHANCE
    assert int(pyspiel.PlayerId.TERMINAL) == TERMINAL
