"""The decisive moments of a game agree with its scores."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from veillee.engine.game import Game, game_class
from veillee.engine.registry import games
from veillee.web.delivery.highlights import LEAST_GAIN, highlights


def finished(name: str, seed: int) -> Game:
    spec = games()[name]
    game, chance = game_class(spec)(spec.usual_players, seed), Random(seed)
    while not game.over:
        game.play(int(chance.choice(game.legal)))
    return game


def scores_after(game: Game, step: int) -> list[int]:
    if step == len(game.steps):
        return game.scores
    return game.scores_of(np.frombuffer(bytearray(game.steps[step].before), game.spec.dtype))


@pytest.mark.parametrize("name", sorted(games()))
def test_moments_are_true(name: str) -> None:
    told = 0
    for seed in range(4):
        game = finished(name, seed)
        found = highlights(game, 0)
        assert [one.step for one in found] == sorted({one.step for one in found})
        for one in found:
            before, after = scores_after(game, one.step - 1), scores_after(game, one.step)
            if one.kind == "gain":
                assert after[one.seat] - before[one.seat] == one.points >= LEAST_GAIN
            else:
                assert game.winners == [one.seat]
                assert before[one.seat] < max(before)
                for step in range(one.step, len(game.steps) + 1):
                    assert scores_after(game, step)[one.seat] == max(scores_after(game, step))
            told += 1
    assert told > 4


def test_a_game_without_a_decision_has_no_moments() -> None:
    name = min(games())
    spec = games()[name]
    assert highlights(game_class(spec)(spec.usual_players, 1)) == []
