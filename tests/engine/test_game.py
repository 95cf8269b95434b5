"""Games as Python objects: copied, pickled, and read without changing them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import cloudpickle
import numpy as np
import pytest

import veillee
from veillee.engine.game import Game, game_class
from veillee.engine.i18n import Words
from veillee.engine.refusal import Key, Refusal
from veillee.engine.registry import games
from veillee.engine.variant import Variant


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def cloudpickled(thing: Any) -> Any:
    """As Ray, Dask and Gymnasium's vectors send objects to other processes."""
    return pickle.loads(cloudpickle.dumps(thing))


COPIES = [copy.copy, copy.deepcopy, Game.copy, pickled, cloudpickled]


VARIANT = Variant("nomads", "One Wild", {"wilds": 1})


def played(kind: Any, decisions: int, **options: Any) -> Any:
    game = kind(3, seed=5, names=["Ada", "Bo", "Cy"], **options)
    for _ in range(decisions):
        game.play(game.legal[0])
    return game


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", games())
def test_a_copy_is_the_same_game_and_shares_nothing(
    name: str, copied: Callable[[Game], Game]
) -> None:
    game = played(game_class(games()[name]), 4)
    before = game.record(reveal=True), game.states.tobytes()
    other = copied(game)
    assert type(other) is type(game)
    assert other.record(reveal=True) == before[0]
    assert other.states.tobytes() == before[1]
    assert other.events == game.events
    other.play(other.legal[0])
    other.names[0] = "Zoe"
    other.options["more"] = 1
    assert (game.record(reveal=True), game.states.tobytes()) == before
    other.undo()
    other.undo()
    assert other.states.tobytes() == game.steps[-1].before


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_goes_on_with_the_same_chance(copied: Callable[[Game], Game]) -> None:
    game = played(veillee.captain.Game, 6, compiled=True)
    other = copied(game)
    assert other.compiled
    while not game.over:
        game.play(game.legal[-1])
        other.play(int(other.legal[-1]))
    assert other.record() == game.record()


def test_a_copy_keeps_its_variant() -> None:
    game = played(veillee.nomads.Game, 2, variant=VARIANT)
    assert pickled(game).record() == game.copy().record() == game.record()
    assert pickled(game).variant == VARIANT


def test_a_game_from_a_position_is_copied_with_its_start() -> None:
    game = veillee.nomads.Game.from_position(played(veillee.nomads.Game, 9).view(0), seed=3)
    other = pickled(game)
    assert other.record(reveal=True) == game.record(reveal=True)
    assert other.start is not None
    other.start["seats"] = []
    assert game.start is not None
    assert game.start["seats"]


class Household(veillee.nomads.Game):
    """A subclass of somebody else's."""


def test_a_subclass_stays_what_it_is() -> None:
    assert type(pickled(played(Household, 2))) is Household
    assert game_class(games()["nomads"]) is veillee.nomads.Game


def test_a_series_is_copied_as_a_whole() -> None:
    series = veillee.Marathon(players=3, seed=7)
    series.play(series.legal[0])
    for copied in (copy.copy, copy.deepcopy, pickled):
        other = copied(series)
        assert other.record(reveal=True) == series.record(reveal=True)
        other.play(other.legal[0])
        assert len(other.games[0].steps) == 2
    assert len(series.games[0].steps) == 1


def test_what_a_record_shows_is_not_the_game_itself() -> None:
    game = played(veillee.nomads.Game, 2)
    game.record()["entries"].append("sow 1 left")
    game.record()["options"]["quick"] = True
    assert len(game.entries) == 2
    assert game.options == {}


def refuse_in_a_process() -> None:
    veillee.nomads.Game(players=3, seed=7).play("sow 99 left")


def nested() -> Refusal:
    inner = Refusal("illegal", "nomads.move.pile")
    return Refusal(
        "option",
        "nomads.option",
        "veillee.record.entry",
        entry=3,
        what=Key("nomads.option.quick"),
        why=inner,
    )


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_a_refusal_is_copied_with_its_facts(copied: Callable[[Refusal], Refusal]) -> None:
    refusal = nested()
    other = copied(refusal)
    assert (other.code, other.clause, other.text) == (refusal.code, refusal.clause, refusal.text)
    for language in ("en", "fr", "es"):
        assert other.message(Words(language)) == refusal.message(Words(language))
    assert isinstance(other.facts["why"], Refusal)


def test_a_refusal_comes_back_from_another_process() -> None:
    pool = ProcessPoolExecutor(1, get_context("spawn"))
    with pool, pytest.raises(Refusal) as refused:
        pool.submit(refuse_in_a_process).result()
    assert refused.value.code in ("illegal", "unreadable")
    assert refused.value.message(Words("fr"))


def test_specs_events_actions_and_steps_can_be_pickled() -> None:
    game = played(veillee.lumens.Game, 3)
    assert pickled(game.spec) is game.spec
    assert pickled(game.events) == game.events
    assert pickled(game.steps) == game.steps
    assert [action.text for action in pickled(game.legal)] == [a.text for a in game.legal]
    assert pickled(game.score_sheet(0)) == game.score_sheet(0)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_past_state_is_redacted_and_scored_without_changing_the_game(compiled: bool) -> None:
    game = played(veillee.lumens.Game, 8, compiled=compiled)
    present = game.states.tobytes()
    past = np.frombuffer(bytearray(game.steps[3].before), game.spec.dtype)
    earlier = game.copy()
    for _ in range(5):
        earlier.undo()
    assert game.scores_of(past) == earlier.scores
    game.redact(past, 1 << 1)
    assert past.tobytes() == earlier.seen_by(1).tobytes() != earlier.states.tobytes()
    assert game.states.tobytes() == present


def test_a_validated_number_is_played_as_it_is() -> None:
    game, other = (played(veillee.nomads.Game, 2) for _ in range(2))
    text = game.legal[-1].text
    assert game.play(text) == other.play_validated(other.number(text))
    assert game.record() == other.record()


@pytest.mark.parametrize("compiled", [False, True])
def test_an_outcome_that_was_foreseen_is_the_one_that_is_played(compiled: bool) -> None:
    game, other = (played(veillee.captain.Game, 3, compiled=compiled) for _ in range(2))
    while not game.over:
        before = game.states.tobytes()
        for action in game.legal[:3]:
            after = game.seat_after(action)
            assert game.states.tobytes() == before
        assert game.play(action) == other.play(action)
        assert game.seat == after
        assert game.states.tobytes() == other.states.tobytes()


def test_an_outcome_is_forgotten_when_a_move_is_taken_back() -> None:
    game, other = (played(veillee.nomads.Game, 1) for _ in range(2))
    earlier = game.copy()
    earlier.undo()
    action = next(action for action in game.legal if action in earlier.legal)
    game.seat_after(action)
    for one in (game, other):
        one.undo()
        one.play(action)
    assert game.states.tobytes() == other.states.tobytes()
