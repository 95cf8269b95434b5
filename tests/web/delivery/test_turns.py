"""Whose turn an event belongs to: the log, the replay and the API say the same."""

from __future__ import annotations

from itertools import groupby

import pytest

from tests.web.delivery.scene import GAMES, set_up
from tests.web.delivery.test_replay import WIDE, play
from veillee.engine.i18n import Words
from veillee.web.delivery.rendering import log_of
from veillee.web.delivery.replay import WATCHING, Perspective, Replay
from veillee.web.delivery.table_data import step_data
from veillee.web.delivery.turns import NO_TURN, turn_at

EN = Words("en")


def test_a_card_is_drawn_in_the_turn_that_it_begins() -> None:
    _, table = set_up("captain", 0)
    game = play(table, 10_000)
    names = [f"Person {seat}" for seat in range(game.players)]
    told = log_of(table, EN, names, 0, range(len(game.steps) + 1), ())
    turns = [
        (turn, [line for one in group for line in one.lines])
        for turn, group in groupby(told, lambda one: one.turn)
    ]
    drawn = 0
    for turn, lines in turns:
        for place, line in enumerate(lines):
            if "draws a card" in line:
                drawn += 1
                assert line.startswith(f"Person {turn} ")
                assert not any(" announces" in before for before in lines[:place])
    assert drawn > 8
    last, lines = turns[-1]
    assert last == NO_TURN
    assert any("reveals" in line for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_log_replay_and_api_agree(game: str) -> None:
    _, table = set_up(game, 1)
    played = play(table, 10_000, 1)
    names = [f"Person {seat}" for seat in range(played.players)]
    replay = Replay(played, names, WIDE, Perspective(WATCHING))
    marks, lines = replay.marks(), []
    starts = (*played.spec.turn_starts, *played.spec.final_events)
    for step in range(len(played.steps) + 1):
        told = log_of(table, EN, names, 0, [step], ())
        data = step_data(table, "watcher", step)
        assert len(data.turns) == len(data.events)
        logged = [one.turn for one in told]
        told_by_api = [turn for turn, _ in groupby(data.turns)]
        assert logged == [turn for turn in told_by_api if turn in logged]
        lines += [(step, line) for one in told for line in one.lines]
        turn = turn_at(played, step)
        if data.events and data.events[0]["event"] not in starts:
            assert data.turns[0] == turn
        if step:
            assert marks[step - 1].turn == (turn != turn_at(played, step - 1))
    assert lines == replay.lines()
