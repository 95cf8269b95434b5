"""Many games at once are the same games as one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from veillee.engine.batch import CHUNK, Batch, playouts
from veillee.engine.contract import Contract
from veillee.engine.library import games
from veillee.engine.refusal import Refusal

every_game = pytest.mark.parametrize("contract", games().values(), ids=games().keys())


@every_game
def test_threads_change_nothing(contract: Contract) -> None:
    players, n = max(contract.seats), 2 * CHUNK + 1
    one = playouts(contract, players, n, seed=5)
    two = playouts(contract, players, n, seed=5, threads=2)
    assert one.decisions == two.decisions
    assert np.array_equal(one.scores, two.scores)
    assert np.array_equal(one.places, two.places)


@every_game
def test_uncompiled_playouts_are_the_same(contract: Contract) -> None:
    players = min(contract.seats)
    compiled = playouts(contract, players, 5, seed=5)
    plain = playouts(contract, players, 5, seed=5, compiled=False)
    assert compiled.decisions == plain.decisions
    assert np.array_equal(compiled.scores, plain.scores)
    assert np.array_equal(compiled.places, plain.places)


@every_game
def test_every_game_has_a_winner(contract: Contract) -> None:
    result = playouts(contract, min(contract.seats), 100, seed=5)
    assert (result.places.min(axis=1) == 1).all()


@every_game
def test_an_array_of_games_is_stepped_to_the_end(contract: Contract) -> None:
    batch = Batch(contract, min(contract.seats), 50, seed=5)
    choose = np.random.default_rng(5)
    while not batch.over.all():
        actions, counts = batch.legal()
        assert (batch.over == (counts == 0)).all()
        batch.step(actions[np.arange(50), choose.integers(np.maximum(counts, 1))])
    assert (batch.seat == -1).all()
    assert batch.scores.shape == batch.places.shape == (50, min(contract.seats))


@every_game
def test_a_batch_starts_as_its_playouts_do(contract: Contract) -> None:
    """The chance of game i is the same in a batch and in playouts."""
    one = Batch(contract, min(contract.seats), 3, seed=5)
    more = Batch(contract, min(contract.seats), 9, seed=5)
    assert one.states.tobytes() == more.states[:3].tobytes()


@every_game
def test_an_illegal_action_is_refused_and_no_game_changes(contract: Contract) -> None:
    batch = Batch(contract, min(contract.seats), 3, seed=5)
    actions, counts = batch.legal()
    chosen = actions[:, 0].copy()
    legal = set(actions[2, : counts[2]].tolist())
    chosen[2] = next(a for a in range(contract.actions) if a not in legal)
    before = batch.states.tobytes()
    with pytest.raises(Refusal):
        batch.step(chosen)
    chosen[2] = -1
    with pytest.raises(Refusal):
        batch.step(chosen)
    assert batch.states.tobytes() == before


def test_a_batch_wants_an_action_for_each_game() -> None:
    batch = Batch(games()["nomads"], 2, 3)
    with pytest.raises(ValueError, match="3 games take 3 actions"):
        batch.step([1, 2])
