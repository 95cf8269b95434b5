"""The puzzles that ship with the games: each has one clear answer, which is still the best."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from veillee.analysis.decision import WHOLE
from veillee.analysis.puzzles import MARGIN, Puzzle, confirm, puzzles, seat_names
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games

every_game = pytest.mark.parametrize("spec", games().values(), ids=games())
CHECKED = int(os.environ.get("VEILLEE_PUZZLES", "2"))
"""How many puzzles of each game are searched again."""


def test_there_are_enough() -> None:
    shipped = [puzzles(spec) for spec in games().values()]
    assert all(len(found) >= 20 for found in shipped)
    assert len({puzzle.id + puzzle.game for found in shipped for puzzle in found}) >= 60


@every_game
def test_a_puzzle_is_a_view_with_one_clear_answer(spec: GameSpec) -> None:
    for puzzle in puzzles(spec):
        game = puzzle.position()
        assert game.seat == puzzle.seat
        assert game.view(puzzle.seat) == puzzle.view, "more than the seat could know"
        legal = {action.text for action in game.legal}
        assert set(puzzle.choices) <= legal
        assert len(puzzle.choices) == len(set(puzzle.choices)) > 1
        best = puzzle.chances[puzzle.answer]
        rivals = [puzzle.chances[each] for each in puzzle.choices if each != puzzle.answer]
        assert 0 < max(rivals) <= best - MARGIN < WHOLE
        assert puzzle.difficulty in (1, 2, 3)


@every_game
def test_an_answer_can_not_be_guessed_from_the_kind(spec: GameSpec) -> None:
    kinds = Counter(puzzle.kind for puzzle in puzzles(spec))
    sides = Counter(puzzle.side() for puzzle in puzzles(spec))
    for (kind, side), number in sides.items():
        if kinds[kind] > 3:
            assert number <= 0.65 * kinds[kind], (kind, side)


@every_game
def test_questions_and_reasons_are_in_every_language(spec: GameSpec) -> None:
    assert spec.puzzles is not None
    kinds = set()
    for puzzle in puzzles(spec):
        game = puzzle.position()
        s = spec.twin(game.seen_by(puzzle.seat))
        numbers = [spec.notation.parse(choice) for choice in puzzle.choices]
        assert spec.puzzles.kind(s, numbers, spec.notation.parse(puzzle.answer)) == puzzle.kind
        kinds.add(puzzle.kind)
        for language in LANGUAGES:
            names = seat_names(game.players)[language]
            asked = spec.puzzles.question(Words(language), s, puzzle.kind, names)
            assert asked.endswith("?")
            assert "{" not in asked + puzzle.reasons[language]
            assert puzzle.reasons[language].endswith(".")
    assert len(kinds) > 1


def sample(spec: GameSpec) -> list[Puzzle]:
    shipped = list(puzzles(spec))
    return Random(1).sample(shipped, min(CHECKED, len(shipped)))


@pytest.mark.parametrize(
    "puzzle",
    [puzzle for spec in games().values() for puzzle in sample(spec)],
    ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}",
)
def test_the_answer_is_still_the_best(puzzle: Puzzle) -> None:
    game = puzzle.position()
    view = game.seen_by(puzzle.seat)
    found = confirm(game.spec, view, puzzle.iterations, (99,), seat_names(game.players))
    assert found is not None, "no choice is clearly the best any more"
    assert game.spec.notation.text(found.answer) == puzzle.answer
