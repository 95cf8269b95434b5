"""Bots: they play well enough to tell, repeat themselves, and can't see what they may not know."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from veillee.bots.bot import Bot, Budget
from veillee.bots.levels import LEVELS, NAMES, bot, level_named
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.players import player

GAMES = pytest.mark.parametrize("spec", games().values(), ids=games())
QUICK = Budget(iterations=60, horizon=8)


def some_way_into(spec: GameSpec, decisions: int, seed: int = 6) -> Game:
    game = game_class(spec)(3, seed, compiled=True)
    choose = player(spec, 3, "random", seed)
    for _ in range(decisions):
        game.play(choose(game.seen_by(game.seat)))
    return game


@GAMES
def test_every_level_answers_with_a_legal_action(spec: GameSpec) -> None:
    game = some_way_into(spec, 15)
    for level in LEVELS:
        action = bot(spec, 3, level.name).choose(game.seen_by(game.seat))
        assert action in game.legal


@GAMES
def test_with_iterations_and_a_seed_a_bot_repeats_itself(spec: GameSpec) -> None:
    game = some_way_into(spec, 12)
    view = game.seen_by(game.seat)
    choices = [Bot(spec, 3, QUICK, seed=4).choose(view) for _ in range(3)]
    assert len(set(choices)) == 1
    together = [Bot(spec, 3, QUICK, seed=4, threads=2).choose(view) for _ in range(3)]
    assert len(set(together)) == 1


@GAMES
def test_a_choice_does_not_depend_on_what_the_seat_cannot_know(spec: GameSpec) -> None:
    """A bot is handed a view. The same choice comes of every world with that view, and even of a
    bot that is handed the true state: the search resamples what the seat does not know."""
    for decisions, budget in product((5, 14, 23), (QUICK, replace(QUICK, instinct=1.0))):
        game = some_way_into(spec, decisions)
        seat = game.seat
        chosen = Bot(spec, 3, budget, seed=1).choose(game.seen_by(seat))
        for seed in range(4):
            other = game.resample(seat, seed=seed)
            assert Bot(spec, 3, budget, seed=1).choose(other.seen_by(seat)) == chosen
            assert Bot(spec, 3, budget, seed=1).choose(other.states) == chosen


@GAMES
def test_a_search_leaves_the_view_as_it_was_and_keeps_to_its_memory(spec: GameSpec) -> None:
    game = some_way_into(spec, 10)
    view = game.seen_by(game.seat)
    before = view.tobytes()
    thinker = Bot(spec, 3, Budget(iterations=500, horizon=4, nodes=40))
    thinker.choose(view)
    assert view.tobytes() == before
    assert thinker._trees[0].arrays.nodes[0, 2] <= 40


@GAMES
def test_a_search_thinks_of_no_more_actions_than_its_width(spec: GameSpec) -> None:
    game = some_way_into(spec, 10)
    legal = len(game.legal)
    thinker = Bot(spec, 3, Budget(iterations=200, width=2, deepest=1, horizon=0))
    thought = thinker.think(game.seen_by(game.seat))
    assert (thought.visits > 0).sum() == min(2, legal)


@GAMES
def test_opening_a_node_judges_each_of_its_actions(spec: GameSpec) -> None:
    game = some_way_into(spec, 10)
    thinker = Bot(spec, 3, Budget(iterations=1, opens=1))
    thought = thinker.think(game.seen_by(game.seat))
    assert thought.actions.tolist() == list(game.legal)
    assert (thought.visits > 0).all()


@GAMES
def test_a_thought_tells_what_every_action_is_worth_to_every_seat(spec: GameSpec) -> None:
    game = some_way_into(spec, 10)
    thought = Bot(spec, 3, Budget(iterations=300, horizon=4)).think(game.seen_by(game.seat))
    assert thought.seat == game.seat
    assert thought.iterations == thought.visits.sum() == 300
    assert thought.results.shape == (len(game.legal), 3)
    weighted = thought.visits @ thought.results / thought.visits.sum()
    assert weighted == pytest.approx(thought.expected, abs=1e-4)
    assert ((thought.expected > 0) & (thought.expected < 1)).all()
    assert thought.best in game.legal


@GAMES
def test_of_an_action_never_tried_a_thought_tells_nothing(spec: GameSpec) -> None:
    game = some_way_into(spec, 10)
    thought = Bot(spec, 3, Budget(iterations=50, width=1)).think(game.seen_by(game.seat))
    untried = thought.visits == 0
    assert untried.sum() == len(game.legal) - 1
    assert np.isnan(thought.results[untried]).all()
    assert thought.visits[thought.actions.tolist().index(thought.best)] == 50


def test_a_tree_goes_on_where_a_turn_has_several_parts() -> None:
    """In Nomads a pile that ends at Lys moves her too: the same seat decides again at once."""
    spec = games()["nomads"]
    budget = Budget(iterations=400, opens=2, horizon=0)
    for seed in range(40):
        game = game_class(spec)(3, seed, compiled=True, quick=True)
        thinker, other = Bot(spec, 3, budget), Bot(spec, 3, budget)
        seat = game.seat
        game.play(thinker.choose(game.seen_by(seat)))
        if game.seat != seat:
            continue
        view = game.seen_by(seat)
        went_on, anew = thinker.think(view), other.think(view)
        assert went_on.visits.sum() > anew.visits.sum()
        assert went_on.actions.tolist() == list(game.legal)
        return
    raise AssertionError("no turn of several parts was found")


@GAMES
def test_search_beats_random_players(spec: GameSpec) -> None:
    """Far from a measure of strength: see docs/bots.md for those."""
    won = 0.0
    for number in range(12):
        game = game_class(spec)(3, number, compiled=True)
        me = number % 3
        thinker = Bot(spec, 3, Budget(iterations=300, horizon=16), seed=number)
        others = player(spec, 3, "random", number)
        while not game.over:
            view = game.seen_by(game.seat)
            game.play(thinker.choose(view) if game.seat == me else others(view))
        won += (me in game.winners) / len(game.winners)
    assert won > 6


def test_a_time_budget_is_kept() -> None:
    """Not a timing test: it must end, and soon enough that nobody would call it hung."""
    spec = games()["nomads"]
    game = some_way_into(spec, 15)
    thinker = Bot(spec, 3, Budget(seconds=0.05))
    thinker.choose(game.seen_by(game.seat))
    start = time.monotonic()
    thought = thinker.think(game.seen_by(game.seat))
    assert thought.iterations > 1
    assert time.monotonic() - start < 10


def test_levels_have_names_in_three_languages() -> None:
    for language in LANGUAGES:
        words = Words(language)
        assert len({words(f"bots.level.{name}") for name in NAMES}) == 5
        assert all(words(f"bots.level.{name}.help") for name in NAMES)
    with pytest.raises(Refusal, match="sage"):
        level_named("nobody")
