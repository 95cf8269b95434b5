"""Many games at once are the same games as one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from veillee.engine.batch import CHUNK, Batch, playouts
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games

every_game = pytest.mark.parametrize("spec", games().values(), ids=games().keys())


@every_game
def test_threads_change_nothing(spec: GameSpec) -> None:
    players, n = max(spec.player_counts), 2 * CHUNK + 1
    one = playouts(spec, players, n, seed=5)
    two = playouts(spec, players, n, seed=5, threads=2)
    assert one.decisions == two.decisions
    assert np.array_equal(one.scores, two.scores)
    assert np.array_equal(one.places, two.places)


@every_game
def test_uncompiled_playouts_are_the_same(spec: GameSpec) -> None:
    players = min(spec.player_counts)
    compiled = playouts(spec, players, 5, seed=5)
    plain = playouts(spec, players, 5, seed=5, compiled=False)
    assert compiled.decisions == plain.decisions
    assert np.array_equal(compiled.scores, plain.scores)
    assert np.array_equal(compiled.places, plain.places)


@every_game
def test_every_game_has_a_winner(spec: GameSpec) -> None:
    result = playouts(spec, min(spec.player_counts), 100, seed=5)
    assert (result.places.min(axis=1) == 1).all()


@every_game
def test_an_array_of_games_is_stepped_to_the_end(spec: GameSpec) -> None:
    batch = Batch(spec, min(spec.player_counts), 50, seed=5)
    choose = np.random.default_rng(5)
    while not batch.over.all():
        actions, counts = batch.legal()
        assert (batch.over == (counts == 0)).all()
        batch.step(actions[np.arange(50), choose.integers(np.maximum(counts, 1))])
    assert (batch.seat == -1).all()
    assert batch.scores.shape == batch.places.shape == (50, min(spec.player_counts))


@every_game
def test_a_batch_starts_as_its_playouts_do(spec: GameSpec) -> None:
    """The chance of game i is the same in a batch and in playouts."""
    one = Batch(spec, min(spec.player_counts), 3, seed=5)
    more = Batch(spec, min(spec.player_counts), 9, seed=5)
    assert one.states.tobytes() == more.states[:3].tobytes()


@every_game
def test_an_illegal_action_is_refused_and_no_game_changes(spec: GameSpec) -> None:
    batch = Batch(spec, min(spec.player_counts), 3, seed=5)
    actions, counts = batch.legal()
    chosen = actions[:, 0].copy()
    legal = set(actions[2, : counts[2]].tolist())
    chosen[2] = next(a for a in range(spec.actions) if a not in legal)
    before = batch.states.tobytes()
    with pytest.raises(Refusal):
        batch.step(chosen)
    chosen[2] = -1
    with pytest.raises(Refusal):
        batch.step(chosen)
    assert batch.states.tobytes() == before


def test_a_batch_wants_an_action_for_each_game() -> None:
    batch = Batch(games()["nomads"], 2, 3)
    with pytest.raises(ValueError, match="expected 3 actions"):
        batch.step([1, 2])
