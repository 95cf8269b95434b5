"""Guided first games: the proposed moves lead to the end, and all that is to be said is said."""

from __future__ import annotations

import pytest

from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games
from veillee.engine.seed import Seed
from veillee.web.tables.lessons import NONCE

TAUGHT = [spec for spec in games().values() if spec.lesson]


def begin(spec: GameSpec) -> Game:
    assert spec.lesson
    seed = Seed.of(spec.lesson.seed).mixed([bytes.fromhex(NONCE)])
    return game_class(spec)(spec.lesson.players, seed, **spec.lesson.options)


@pytest.mark.parametrize("spec", TAUGHT, ids=lambda spec: spec.name)
def test_a_lesson_as_proposed_says_everything_once_and_is_won(spec: GameSpec) -> None:
    lesson = spec.lesson
    assert lesson
    game, said = begin(spec), []
    while (number := lesson.next_move(game)) is not None:
        if game.seat == 0:
            remarks = lesson.remarks(game)
            assert remarks or game.steps, "nothing is said at the first decision"
            said += [remark.key for remark in remarks]
        game.play(number)
    assert game.over
    assert game.winners == [0]
    said += [remark.key for remark in lesson.remarks(game)]
    assert sorted(said) == sorted(remark.key for remark in lesson.remark)
    assert sum(step.seat == 0 for step in game.steps) < 15  # 20 seconds each are five minutes


@pytest.mark.parametrize("spec", TAUGHT, ids=lambda spec: spec.name)
def test_a_lesson_goes_on_when_the_learner_plays_otherwise(spec: GameSpec) -> None:
    lesson = spec.lesson
    assert lesson
    game, said = begin(spec), []
    proposed = lesson.next_move(game)
    while not game.over:
        if game.seat == 0:
            said += [remark.key for remark in lesson.remarks(game)]
        game.play(next(n for n in game.legal_numbers() if n != proposed or len(game.legal) == 1))
        assert lesson.next_move(game) is None
    assert len(said) == len(set(said))
    assert len(said) > 3
    assert lesson.remarks(game)


@pytest.mark.parametrize("spec", TAUGHT, ids=lambda spec: spec.name)
def test_an_undo_brings_the_proposal_back(spec: GameSpec) -> None:
    lesson = spec.lesson
    assert lesson
    game = begin(spec)
    first = lesson.remarks(game)
    other = next(n for n in game.legal_numbers() if n != lesson.next_move(game))
    game.play(other)
    game.undo()
    assert lesson.next_move(game) is not None
    assert lesson.remarks(game) == first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", TAUGHT, ids=lambda spec: spec.name)
def test_a_lesson_has_its_words(spec: GameSpec, language: str) -> None:
    words = Words(language)
    assert spec.lesson
    for remark in spec.lesson.remark:
        text = words(f"{spec.name}.lesson.{remark.key}", other="Ada")
        assert 30 < len(text) < 290, "a remark must fit beside the board of a phone"
