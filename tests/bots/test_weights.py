"""Weights of the heuristics: data that the bots read, so that new ones compile nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from veillee.bots.bot import Bot, Budget, compiled
from veillee.bots.jit.evaluation import COLUMNS, NETWORK_ROWS
from veillee.bots.weights import put, weight_names, weights_for
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import games

GAMES = pytest.mark.parametrize("spec", games().values(), ids=games())


@GAMES
def test_every_number_of_players_has_weights(spec: GameSpec) -> None:
    for players in spec.player_counts:
        weights = weights_for(spec, players)
        network = NETWORK_ROWS if weights.shape[1] == COLUMNS else 0
        assert len(weights) == len(weight_names(spec)) + network > network
        assert np.isfinite(weights).all()


def test_weights_are_written_beside_those_of_other_tables(tmp_path: Path) -> None:
    spec = games()["lumens"]
    file = tmp_path / "weights.toml"
    flat = {name: [0.0, 0.0] for name in weight_names(spec)}
    put(file, 3, flat, "by hand")
    put(file, 2, flat | {"points": [1.5, -0.25]}, 'veillee lab fit "lumens"')
    assert weights_for(spec, 2, file)[0].tolist() == [1.5, -0.25]
    assert not weights_for(spec, 3, file).any()


def test_a_file_that_lacks_a_weight_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    put(file, 2, {"points": [1.0, 0.0]}, "by hand")
    with pytest.raises(ValueError, match="central"):
        weights_for(games()["lumens"], 2, file)


def test_other_weights_lead_to_other_choices_and_compile_nothing(tmp_path: Path) -> None:
    """Who is told that reach is bad places elsewhere than who is told that it is good."""
    spec = games()["lumens"]
    game = game_class(spec)(2, 5, compiled=True)
    for _ in range(6):
        game.play(game.legal[0])
    view = game.seen_by(game.seat)
    chosen, variants = set(), set()
    for reach in (5.0, -5.0):
        file = tmp_path / f"{reach}.toml"
        put(file, 2, {n: [reach * (n == "reach"), 0.0] for n in weight_names(spec)}, "by hand")
        budget = Budget(iterations=20, opens=1, horizon=0, weights=file)
        chosen.add(Bot(spec, 2, budget).choose(view))
        variants.add(len(compiled(spec).search.signatures))
    assert len(chosen) == 2
    assert len(variants) == 1
