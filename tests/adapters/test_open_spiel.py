"""OpenSpiel's own tests and algorithms, by their own entry points."""

from __future__ import annotations

import copy
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
from tests.adapters.trees import INFORMATION_STATES, NODES
from veillee.adapters.open_spiel.position import CHANCE, TERMINAL
from veillee.bots.levels import bot
from veillee.engine.contract import Contract
from veillee.engine.library import games

TABLES = [
    pytest.param(
        f"{ours.PREFIX}{contract.name}(players={players})", id=f"{contract.name}-{players}"
    )
    for contract in games().values()
    for players in contract.seats
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
    contract: Contract = games()[name]
    playing = bot(contract, game.num_players(), "wanderer", seed=1)
    policy = ours.policy_of(game, playing.choose)
    found = exploitability.nash_conv(game, policy)
    worst = game.num_players() * (game.max_utility() - game.min_utility())
    assert 0 <= found <= worst
    if contract.actions < 100:
        table = tabular_policy_from_callable(game, policy.action_probabilities).to_dict()
        assert pyspiel.nash_conv(game, table) == pytest.approx(found, abs=1e-6)


def test_the_numbers_of_chance_and_the_end_are_open_spiels() -> None:
    assert int(pyspiel.PlayerId.CHANCE) == CHANCE
    assert int(pyspiel.PlayerId.TERMINAL) == TERMINAL
