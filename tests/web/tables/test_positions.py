"""Tables that begin at a position: what is handed on, undo, records, and older logs."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from veillee.engine.game import Game, game_class
from veillee.engine.registry import games
from veillee.engine.seed import Seed
from veillee.web.tables import log
from veillee.web.tables.plans import TablePlan, position_at
from veillee.web.tables.table import Table

ALL = sorted(games())
HIDDEN = [name for name in ALL if games()[name].hidden]


def played(name: str, decisions: int, seed: int = 3) -> Game:
    spec = games()[name]
    game, chance = game_class(spec)(min(spec.player_counts), seed), Random(seed)
    while len(game.steps) < decisions:
        game.play(int(chance.choice(game.legal)))
    return game


def table_from(game: Game, moment: int, seat: int, seed: int = 0) -> Table:
    """A table of one person in every seat at which a game goes on."""
    position = position_at(game, moment, seat)
    plan = TablePlan(
        game.spec.name, [""] * game.players, dict.fromkeys(range(game.players), ""), "00" * 16,
        position=position,
    )  # fmt: skip
    plan.check()
    table = Table("t", Seed.of(seed))
    for entry in plan.opening("host")[0]:
        table.apply(log.decode(log.encode(entry)), 0)
    assert table.state == "playing"
    return table


@pytest.mark.parametrize("name", ALL)
def test_a_table_begins_as_the_seat_knew_it(name: str) -> None:
    game = played(name, 20)
    for moment in (0, 7, 20):
        then = game.copy()
        while len(then.steps) > moment:
            then.undo()
        for seat in range(game.players):
            begun = table_from(game, moment, seat).game
            assert begun is not None
            assert begun.seen_by(seat).tobytes() == then.seen_by(seat).tobytes()
            assert begun.legal == then.legal or begun.seat != seat


@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_seat_could_not_know_is_not_handed_on(name: str) -> None:
    """In a world that the seat cannot tell apart the stored entry is the same to the byte."""
    game = played(name, 20)
    for seat in range(game.players):
        entry = position_at(game, 20, seat)
        for world in range(5):
            assert position_at(game.resample(seat, seed=world), 20, seat) == entry


@pytest.mark.parametrize("name", HIDDEN)
def test_it_is_dealt_anew(name: str) -> None:
    game = played(name, 20)
    worlds = {table_from(game, 20, 0, seed).game.states.tobytes() for seed in range(12)}  # type: ignore[union-attr]
    assert len(worlds) > 1


@pytest.mark.parametrize("name", ALL)
def test_undo_and_records_work_from_there(name: str) -> None:
    table = table_from(played(name, 20), 12, 0)
    begun = table.game
    assert begun is not None
    before = begun.states.tobytes()
    table.apply(log.Play(begun.seat, begun.legal[0].text), 0)
    table.apply(log.Undo(1, redeal=False), 0)
    assert begun.states.tobytes() == before
    chance = Random(1)
    while not begun.over:
        table.apply(log.Play(begun.seat, chance.choice(begun.legal).text), 0)
    record = table.record([f"P{seat}" for seat in range(begun.players)])
    again = game_class(begun.spec).replay(record)
    assert np.array_equal(again.states, begun.states)


def test_logs_without_a_position_are_read_as_before() -> None:
    """An entry that was written before there were positions."""
    entry = log.decode('{"is":"open","game":"lumens","rules":1,"host":"h","bots":["",""]}')
    assert isinstance(entry, log.Open)
    assert entry.position is None
    assert log.encode(entry) == '{"is":"open","game":"lumens","rules":1,"host":"h","bots":["",""]}'
