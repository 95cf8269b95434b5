"""Analysis: luck and decisions add up, on what each player could know."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veillee.analysis import Analysis, Decision, analyse
from veillee.analysis.analyse import FEWEST, real_decisions, tasks
from veillee.analysis.chart import percent
from veillee.analysis.decision import WHOLE, chances, judge, searcher
from veillee.analysis.report import signed
from veillee.bots.levels import bot
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, MINUS, Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.executor import workers

every_game = pytest.mark.parametrize("spec", games().values(), ids=games())


def finished(spec: GameSpec, seed: int = 3, level: str = "elder") -> Game:
    """A game in which a bot plays in seat 0, and the others at random."""
    game = game_class(spec)(3, seed, compiled=True)
    player, chance = bot(spec, 3, level), Random(seed)
    while not game.over:
        legal = game.legal_numbers()
        game.play(chance.choice(legal) if game.seat else player.choose(game.seen_by(0)))
    return game


def adds_up(found: Analysis) -> None:
    for seat in range(len(found.players)):
        sums = found.sums(seat)
        assert sums.result - sums.start == sums.own + sums.others + sums.luck


rows = st.lists(st.floats(0.001, 1), min_size=3, max_size=3).map(chances)


@given(st.lists(st.tuples(st.integers(0, 2), rows, rows), max_size=30), rows)
@settings(deadline=None)
def test_luck_and_decisions_add_up_to_the_result_whatever_the_search_finds(
    judged: list[tuple[int, Any, Any]], result: Any
) -> None:
    decisions = [
        Decision(step, seat, "a", before, after, "b", 0, [], {})
        for step, (seat, before, after) in enumerate(judged)
    ]
    adds_up(Analysis("go", 1, ["A", "B", "C"], len(judged), decisions, result, 1, 1, ""))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6).filter(lambda row: sum(row) > 0.01))
def test_chances_are_whole_and_add_up(row: list[float]) -> None:
    found = chances(row)
    assert sum(found) == WHOLE
    assert all(abs(WHOLE * part / sum(row) - n) < 1 for part, n in zip(row, found, strict=True))


@every_game
def test_a_game_of_each_kind_adds_up(spec: GameSpec) -> None:
    game = finished(spec)
    found = analyse(game, iterations=1)
    assert found.iterations == FEWEST
    adds_up(found)
    assert all(sum(row) == WHOLE for row in found.rows())
    assert len(found.rows()) == len(game.steps) + 1
    assert {seat for seat in range(3) if found.result[seat]} == set(game.winners)
    for decision in found.decisions:
        assert decision.cost >= 0
        assert (decision.best == decision.action) == (decision.cost == 0)
        assert decision.before == decision.after or set(decision.reasons) == set(LANGUAGES)
    # Random players give more away than the bot does.
    own = [found.sums(seat).own for seat in range(3)]
    assert own[0] > min(own)
    assert min(own) < 0


@every_game
def test_the_same_seed_gives_the_same_analysis_in_any_number_of_processes(spec: GameSpec) -> None:
    game = finished(spec)
    told: list[tuple[int, int]] = []
    with workers(2) as pool:
        shared = analyse(
            game, iterations=1, run=pool.map, progress=lambda n, of: told.append((n, of))
        )
    alone = analyse(game, iterations=1)
    assert msgspec.json.encode(shared) == msgspec.json.encode(alone)
    assert told[0] == (0, len(alone.decisions))
    assert told[-1] == (len(alone.decisions), len(alone.decisions))


@every_game
def test_an_analysis_can_be_stored_and_read(spec: GameSpec) -> None:
    found = analyse(finished(spec), iterations=1)
    read = msgspec.json.decode(msgspec.json.encode(found), type=Analysis)
    assert msgspec.json.encode(read) == msgspec.json.encode(found)


@every_game
def test_decisions_are_judged_by_what_the_seat_could_know(spec: GameSpec) -> None:
    """A worker gets the same bytes from a game that the seat can't tell from the true one."""
    game = finished(spec)
    for number, task in zip(real_decisions(game), tasks(game), strict=True):
        step = game.steps[number]
        moment = game.copy()
        moment.states[:] = _state(spec, step.before)
        other = moment.resample(step.seat, seed=number)
        assert task.view == other.seen_by(step.seat).tobytes()


def _state(spec: GameSpec, raw: bytes) -> Any:
    return np.frombuffer(raw, spec.dtype)


@every_game
def test_a_blunder_costs_more_than_the_best_action(spec: GameSpec) -> None:
    """Each decision is judged with the action that a long search thinks worst."""
    game = finished(spec)
    costs = []
    for task in tasks(game)[10:40:3]:
        view = _state(spec, task.view).copy()
        thought = searcher(spec, 3, 20_000, 7).think(view)
        worst = int(thought.actions[thought.results[:, thought.seat].argmin()])
        given = msgspec.structs.replace(task, iterations=8000)
        best = judge(msgspec.structs.replace(given, action=thought.best))
        poor = judge(msgspec.structs.replace(given, action=worst))
        assert best.before[thought.seat] - best.after[thought.seat] < 300
        costs.append(poor.before[thought.seat] - poor.after[thought.seat])
    assert max(costs) > 300
    assert sum(cost > 0 for cost in costs) >= len(costs) / 2


@every_game
def test_one_action_can_be_searched_alone(spec: GameSpec) -> None:
    game = finished(spec)
    task = tasks(game)[12]
    view = _state(spec, task.view).copy()
    player = searcher(spec, 3, 6000, 1)
    thought = player.think(view)
    best = int(thought.preference.argmax())
    found = player.weigh(view, int(thought.actions[best]), 6000)
    assert found.mean == pytest.approx(thought.results[best], abs=0.04)
    assert (found.error < 0.03).all()


def test_a_game_that_is_not_over_is_refused() -> None:
    spec = next(iter(games().values()))
    game = game_class(spec)(3, 1)
    with pytest.raises(Refusal, match="not over yet"):
        tasks(game)


def test_steps_without_a_choice_keep_the_chances_before_them() -> None:
    decisions = [
        Decision(1, 0, "a", (6000, 4000), (5000, 5000), "b", 0, [], {}),
        Decision(4, 1, "a", (7000, 3000), (7000, 3000), "a", 0, [], {}),
    ]
    found = Analysis("go", 1, ["A", "B"], 6, decisions, (WHOLE, 0), 1, 1, "")
    assert [row[0] for row in found.rows()] == [6000, 6000, 5000, 5000, 7000, 7000, WHOLE]
    assert [each.step for each in found.costly()] == [1]


@pytest.mark.parametrize("share", [1250, 2850, 5750, 1, 0, 10_000])
def test_chances_are_worded_as_percentages_are_everywhere(share: int) -> None:
    for words in map(Words, LANGUAGES):
        assert percent(words, share) == words.percent(share / WHOLE)
        assert signed(words, share).lstrip("+") == signed(words, -share).lstrip(MINUS)
    assert signed(Words("fr"), -5750) == "−58\N{NO-BREAK SPACE}%"
    assert signed(Words("en"), 40) == "0%"
