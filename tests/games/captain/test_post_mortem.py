"""The bluff post-mortem: what listeners should have believed, held against exact enumeration."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.games.captain.scene import play, scene
from tests.games.captain.worlds import TANGLED, is_set_up, played, read_as
from veillee.bots.weights import weights_for
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.seed import fast_row
from veillee.games.captain import SPEC, Game, post_mortem
from veillee.games.captain.core.heuristics import likelihood
from veillee.games.captain.core.rules import tool_of
from veillee.games.captain.core.state import How

pytestmark = pytest.mark.skipif("MUTANT_UNDER_TEST" in os.environ, reason="mutants run as Python")

SAMPLES = 20_000
NAMES = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Flo"]


def announced(players: int, seeds: range) -> Iterator[tuple[Game, list[Any], int]]:
    """Positions after an announcement, with events and a listener."""
    for seed in seeds:
        chance = Random(seed)
        for game, events in played(players, seed, **TANGLED):
            s = game.state
            if is_set_up(game) and s.told[s.row] and chance.random() < 0.3:
                listeners = [seat for seat in range(players) if seat != s.finder[s.row]]
                yield game, events, chance.choice(listeners)


def exactly(game: Game, events: list[Any], seat: int, weights: Any) -> float | None:
    """The chance that the announcement is true: every world, weighed; None if there are many."""
    worlds = read_as(game, events, 1 << seat).tables
    if len(worlds) > 1500:
        return None
    states = game.states.copy()
    s = SPEC.twin(states)
    total = true = 0.0
    for world, weight in worlds.items():
        place = s.laid
        for row in range(s.row + 1):
            place += s.took[row] > 0
            s.cave[s.laid + row] = world.told[place]
            place += 1 + (s.how[row] & 3 >= How.FACE_DOWN)
        part = float(weight) * likelihood(s, weights)
        total += part
        true += part * (tool_of(s.cave[s.laid + s.row]) == s.told[s.row] - 1)
    return true / total


@pytest.mark.parametrize("players", [3, 4])
def test_the_percentages_equal_exact_enumeration(players: int) -> None:
    weights = weights_for(SPEC, players)
    checked, off = 0, []
    for game, events, seat in announced(players, range(6)):
        expected = exactly(game, events, seat, weights)
        if expected is not None:
            found = post_mortem.belief(SPEC, game.states, seat, weights, checked, SAMPLES)
            # Four standard errors of a sample whose weights differ by a factor of a few.
            assert found == pytest.approx(expected, abs=0.02)
            off.append(found - expected)
            checked += 1
    assert checked > 15
    assert abs(np.mean(off)) < 0.004


def test_deals_are_weighed_by_the_likelihood_that_the_bots_use() -> None:
    weights = weights_for(SPEC, 4)
    for game, _, seat in announced(4, range(2)):
        deals = np.repeat(game.states, 20)
        SPEC.compiled.resample_all(deals, 1 << seat, fast_row(3))
        found = post_mortem.likelihoods(game.state, deals, weights)
        expected = [likelihood(SPEC.twin(deals, i), weights) for i in range(len(deals))]
        assert found == pytest.approx(expected)


def test_what_a_listener_should_have_believed_depends_on_what_they_knew_only() -> None:
    weights = weights_for(SPEC, 4)
    for game, _, seat in announced(4, range(2)):
        other = game.resample(seat, seed=5)
        beliefs = {
            post_mortem.belief(SPEC, each.states, seat, weights, 1, 200) for each in (game, other)
        }
        assert len(beliefs) == 1


def found_in(game: Game) -> list[dict[str, Any]]:
    states = np.concatenate(
        [*(np.frombuffer(step.before, SPEC.dtype) for step in game.steps), game.states]
    )
    return post_mortem.find(SPEC, states, weights_for(SPEC, game.players), 1)


def test_a_lie_that_is_accepted_has_fooled_the_target() -> None:
    game = scene(card="egg")
    play(game, "announce pistol", "leave", "accept")
    announcement = found_in(game)[0]
    assert announcement["finder"] == 1
    assert not announcement["true"]
    assert set(announcement["belief"]) == {"0", "2"}
    assert [key for _, key in post_mortem.outcomes(announcement)][-1].startswith(
        "captain.post_mortem.accepted.lie"
    )
    fooled = post_mortem.tendencies([announcement], 2)[4]
    assert fooled == (1, 1)
    uncaught = post_mortem.tendencies([announcement], 1)[1]
    assert uncaught == (1, 1)


@pytest.mark.parametrize(
    ("percent", "accused", "true", "verdict"),
    [
        (30, False, False, "accepted.lie.trusting"),
        (70, False, False, "accepted.lie"),
        (70, True, True, "accused.true.suspicious"),
        (30, True, True, "accused.true"),
        (30, True, False, "accused.lie"),
    ],
)
def test_who_could_have_known_is_told_from_who_had_bad_luck(
    percent: int, accused: bool, true: bool, verdict: str
) -> None:
    announcement = {
        "step": 0,
        "finder": 1,
        "captain": 0,
        "told": 1,
        "card": 3 if true else 2,
        "true": true,
        "bought": False,
        "target": 2,
        "accused": accused,
        "belief": {"0": 50, "2": percent},
    }
    assert post_mortem.outcomes(announcement)[-1] == (2, f"captain.post_mortem.{verdict}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_every_language(language: str) -> None:
    game = Game(5, seed=2, compiled=True)
    chance = Random(1)
    while not game.over:
        game.play(chance.choice(game.legal))
    found = found_in(game)
    announcements, tendencies = post_mortem.tell(Words(language), found, NAMES[:5])
    assert [row.step for row in announcements.rows] == [
        number for number, entry in enumerate(game.entries) if entry.startswith("announce")
    ]
    assert [row.cells[0] for row in tendencies.rows] == NAMES[:5]
    for table in (announcements, tendencies):
        assert all(len(row.cells) == len(table.heads) for row in table.rows)
