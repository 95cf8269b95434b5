"""Replays: what is drawn, and that nobody learns from one what they may not know."""

from __future__ import annotations

import zlib
from random import Random

import msgspec
import numpy as np
import pytest

from tests.web.delivery.scene import GAMES, set_up
from veillee.engine.drawing.picture import SIZES
from veillee.engine.game import Game
from veillee.engine.i18n import LANGUAGES
from veillee.engine.registry import games
from veillee.web.delivery.rendering import Layout
from veillee.web.delivery.replay import OPEN, WATCHING, Perspective, Replay, perspectives
from veillee.web.tables import log
from veillee.web.tables.table import Table

HIDDEN = [name for name in GAMES if games()[name].hidden]
WIDE = Layout("en", "wide")


def play(table: Table, decisions: int, seed: int = 0) -> Game:
    """Take so many decisions at random, or all until the end."""
    game, chance = table.game, Random(seed)
    assert game is not None
    while not game.over and len(game.steps) < decisions:
        table.apply(log.Play(game.seat, chance.choice(game.legal).text), 0)
    return game


def sent(game: Game, layout: Layout, perspective: Perspective) -> bytes:
    """All that goes over the wire to somebody who goes through a whole game."""
    names = [f"Person {seat}" for seat in range(game.players)]
    replay = Replay(game, names, layout, perspective)
    body = replay.moments(0, replay.last), replay.lines(), replay.marks()
    return msgspec.json.encode(body)


@pytest.mark.parametrize("game", HIDDEN)
def test_resampled_worlds_look_the_same_in_a_replay(game: str) -> None:
    """Resample, at every moment, what a viewer did not know then: they get the very same bytes."""
    for seed in range(3):
        _, table = set_up(game, seed)
        played = play(table, 30 + 7 * seed, seed)
        layout = Layout(LANGUAGES[seed], list(SIZES)[seed % 3])
        for person in ("watcher", "p0", "p1"):
            for perspective in perspectives(table, person):
                other = played.copy()
                seats = [s for s in range(played.players) if perspective.seats >> s & 1]
                other.steps = [
                    msgspec.structs.replace(
                        step, compressed=zlib.compress(_dealt_anew(played, n, seats, seed))
                    )
                    for n, step in enumerate(played.steps)
                ]
                other.states[:] = played.resample(*seats, seed=seed + 9).states
                assert sent(other, layout, perspective) == sent(played, layout, perspective)


def _dealt_anew(game: Game, step: int, seats: list[int], seed: int) -> bytes:
    """The state before a step, with what those seats did not know resampled."""
    then = game.copy()
    then.states[:] = np.frombuffer(game.steps[step].before, game.spec.dtype)
    return then.resample(*seats, seed=seed + step).states.tobytes()


@pytest.mark.parametrize("game", HIDDEN)
def test_perspectives_show_different_things(game: str) -> None:
    """The test above would pass if nobody were shown anything: see that somebody is."""
    _, table = set_up(game, 1)
    play(table, 10_000)
    allowed = perspectives(table, "nobody")
    assert table.game is not None
    assert {each.name for each in allowed} >= {OPEN, WATCHING, "0", "1"}
    seen = {sent(table.game, WIDE, each) for each in allowed}
    assert len(seen) == len(allowed)


@pytest.mark.parametrize("game", GAMES)
def test_a_running_game_shows_nobody_more_than_they_know(game: str) -> None:
    _, table = set_up(game, 1)
    play(table, 12)
    hidden = games()[game].hidden
    assert [each.name for each in perspectives(table, "watcher")] == [WATCHING]
    assert [each.name for each in perspectives(table, "p1")] == (["1"] if hidden else []) + [
        WATCHING
    ]


def test_players_who_share_a_screen_go_back_as_spectators() -> None:
    _, table = set_up(HIDDEN[0], 1)
    play(table, 5)
    table.apply(log.Transfer(1, "p0"), 0)
    assert [each.name for each in perspectives(table, "p0")] == [WATCHING]


@pytest.mark.parametrize("game", GAMES)
def test_chunks_agree_with_single_moments(game: str) -> None:
    """A picture that is put together from what changed is the one drawn for the moment."""
    _, table = set_up(game, 0)
    played = play(table, 25)
    replay = Replay(
        played, ["A", "B", "C", "D", "E", "F"][: played.players], WIDE, Perspective("0", 1, 0)
    )
    parts: list[str] = []
    for moment in replay.moments(3, 20):
        parts = moment.picture or parts
        for place, part in moment.changes or []:
            parts[place] = part
        [alone] = replay.moments(moment.number, moment.number)
        assert alone.picture == parts
        assert alone.overlay == moment.overlay
        assert alone.status == moment.status


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_has_a_mark(game: str) -> None:
    _, table = set_up(game, 0)
    played = play(table, 10_000)
    marks = Replay(played, ["A"] * played.players, WIDE, Perspective(WATCHING)).marks()
    assert [mark.seat for mark in marks] == [step.seat for step in played.steps]
    assert any(mark.scoring for mark in marks)
    assert not all(mark.scoring for mark in marks)
    assert marks[0].turn
