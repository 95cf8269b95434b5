"""Heuristics agree with the rules they shorten."""

from __future__ import annotations

from typing import Any

import pytest

from veillee.engine.game import game_class
from veillee.engine.registry import games
from veillee.games.lumens.core.heuristics import FEATURES, Feature, features
from veillee.lab.players import player


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_points_that_lumens_evaluates_are_the_points_it_scores(players: int) -> None:
    spec = games()["lumens"]
    game = game_class(spec)(players, 3, compiled=True)
    choose = player(spec, players, "random", 3)
    while not game.over:
        game.play(choose(game.seen_by(game.seat)))
        out: Any = [0] * (players * FEATURES)
        features(spec.twin(game.states.copy()), out)
        assert out[Feature.POINTS :: FEATURES] == game.scores
