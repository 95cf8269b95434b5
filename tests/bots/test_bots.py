"""Bots: they play well enough to tell, repeat themselves, and can't see what they may not know."""

from __future__ import annotations

import io
import json
import sys
import time

import pytest

from veillee.bots.bot import Bot, Budget
from veillee.bots.levels import LEVELS, NAMES, bot, level_named
from veillee.bots.program import Program, Sitter, serve
from veillee.engine.contract import Contract
from veillee.engine.game import Game, game_of
from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.engine.words import LANGUAGES, Words
from veillee.lab.players import player

GAMES = pytest.mark.parametrize("contract", games().values(), ids=games())
QUICK = Budget(iterations=60, horizon=8)


def some_way_into(contract: Contract, decisions: int, seed: int = 6) -> Game:
    game = game_of(contract)(3, seed, compiled=True)
    choose = player(contract, 3, "random", seed)
    for _ in range(decisions):
        game.play(choose(game.seen_by(game.seat)))
    return game


@GAMES
def test_every_level_answers_with_a_legal_action(contract: Contract) -> None:
    game = some_way_into(contract, 15)
    for level in LEVELS:
        action = bot(contract, 3, level.name).choose(game.seen_by(game.seat))
        assert action in game.legal


@GAMES
def test_with_iterations_and_a_seed_a_bot_repeats_itself(contract: Contract) -> None:
    game = some_way_into(contract, 12)
    view = game.seen_by(game.seat)
    choices = [Bot(contract, 3, QUICK, seed=4).choose(view) for _ in range(3)]
    assert len(set(choices)) == 1
    together = [Bot(contract, 3, QUICK, seed=4, threads=2).choose(view) for _ in range(3)]
    assert len(set(together)) == 1


@GAMES
def test_a_choice_does_not_depend_on_what_the_seat_cannot_know(contract: Contract) -> None:
    """A bot is handed a view. The same choice comes of every world with that view, and even of a
    bot that is handed the true state: the search deals anew whatever the seat does not know."""
    for decisions in (5, 14, 23):
        game = some_way_into(contract, decisions)
        seat = game.seat
        chosen = Bot(contract, 3, QUICK, seed=1).choose(game.seen_by(seat))
        for seed in range(4):
            other = game.resample(seat, seed=seed)
            assert Bot(contract, 3, QUICK, seed=1).choose(other.seen_by(seat)) == chosen
            assert Bot(contract, 3, QUICK, seed=1).choose(other.states) == chosen


@GAMES
def test_a_search_leaves_the_view_as_it_was_and_keeps_to_its_memory(contract: Contract) -> None:
    game = some_way_into(contract, 10)
    view = game.seen_by(game.seat)
    before = view.tobytes()
    thinker = Bot(contract, 3, Budget(iterations=500, horizon=4, nodes=40))
    thinker.choose(view)
    assert view.tobytes() == before
    assert thinker._trees[0].nodes[0, 2] <= 40


@GAMES
def test_a_search_thinks_of_no_more_actions_than_its_width(contract: Contract) -> None:
    game = some_way_into(contract, 10)
    legal = len(game.legal)
    thinker = Bot(contract, 3, Budget(iterations=200, width=2, deepest=1, horizon=0))
    visits = thinker.think(game.seen_by(game.seat), game.seat, legal)
    assert (visits > 0).sum() == min(2, legal)


@GAMES
def test_opening_a_node_judges_each_of_its_actions(contract: Contract) -> None:
    game = some_way_into(contract, 10)
    thinker = Bot(contract, 3, Budget(iterations=1, opens=1))
    visits = thinker.think(game.seen_by(game.seat), game.seat, len(game.legal))
    assert (visits > 0).sum() == len(game.legal)


def test_a_tree_goes_on_where_a_turn_has_several_parts() -> None:
    """In Nomads a pile that ends at Lys moves her too: the same seat decides again at once."""
    contract = games()["nomads"]
    budget = Budget(iterations=400, opens=2, horizon=0)
    for seed in range(40):
        game = game_of(contract)(3, seed, compiled=True, quick=True)
        thinker, other = Bot(contract, 3, budget), Bot(contract, 3, budget)
        seat = game.seat
        game.play(thinker.choose(game.seen_by(seat)))
        if game.seat != seat:
            continue
        view = game.seen_by(seat)
        went_on = thinker.think(view, seat, len(game.legal))
        anew = other.think(view, seat, len(game.legal))
        assert went_on.sum() > anew.sum()
        assert set(went_on.nonzero()[0]) <= set(game.legal)
        return
    raise AssertionError("no turn of several parts was found")


@GAMES
def test_search_beats_random_players(contract: Contract) -> None:
    """Far from a measure of strength: see docs/bots.md for those."""
    won = 0.0
    for number in range(12):
        game = game_of(contract)(3, number, compiled=True)
        me = number % 3
        thinker = Bot(contract, 3, Budget(iterations=300, horizon=16), seed=number)
        others = player(contract, 3, "random", number)
        while not game.over:
            view = game.seen_by(game.seat)
            game.play(thinker.choose(view) if game.seat == me else others(view))
        won += (me in game.winners) / len(game.winners)
    assert won > 6


def test_a_time_budget_is_kept() -> None:
    """Not a timing test: it must end, and soon enough that nobody would call it hung."""
    contract = games()["nomads"]
    game = some_way_into(contract, 15)
    thinker = Bot(contract, 3, Budget(seconds=0.05))
    thinker.choose(game.seen_by(game.seat))
    start = time.monotonic()
    thinker.choose(game.seen_by(game.seat))
    assert thinker.iterations > 1
    assert time.monotonic() - start < 10


def test_levels_have_names_in_three_languages() -> None:
    for language in LANGUAGES:
        words = Words(language)
        assert len({words(f"bots.level.{name}") for name in NAMES}) == 5
        assert all(words(f"bots.level.{name}.help") for name in NAMES)
    with pytest.raises(Refusal, match="sage"):
        level_named("nobody")


def test_a_bot_is_a_program_that_anyone_can_seat() -> None:
    contract = games()["nomads"]
    game = some_way_into(contract, 12)
    program = Program(contract, f"{sys.executable} -m veillee bot --level spark --language en")
    assert program.choose(game.seen_by(game.seat)) in game.legal
    program.close()


def test_a_program_that_answers_nonsense_is_refused() -> None:
    contract = games()["nomads"]
    game = some_way_into(contract, 12)
    program = Program(contract, "cat")
    with pytest.raises(Refusal):
        program.choose(game.seen_by(game.seat))
    program.close()


def test_our_program_refuses_nonsense_and_goes_on() -> None:
    sitter = Sitter("spark")
    for line in ("", "{", "[]", '{"do": "fly"}', '{"do": "choose", "view": {"game": "chess"}}'):
        assert json.loads(sitter.answer(line))["ok"] is False
    source = io.BytesIO(b'noise\n{"do": "sit", "game": "nomads", "players": 3, "seat": 0}\n')
    sink = io.BytesIO()
    serve(source, sink, "spark", 0, "en")
    assert [json.loads(line)["ok"] for line in sink.getvalue().splitlines()] == [False, True]
