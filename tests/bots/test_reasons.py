"""Reasons: what makes an action better, in one or two sentences, in three languages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.games.captain.scene import play, scene
from veillee.bots.bot import Bot, Budget
from veillee.bots.levels import level_named
from veillee.bots.reasons import explain
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games

NAMES = ["Ada", "Bo", "Cleo"]
COMPARED = {
    words.language: (
        words("bots.reason.alike", action="|").split("|")[0],
        words("bots.reason.better", mine="|", other="", action="").split("|")[0],
    )
    for words in map(Words, LANGUAGES)
}
"""How the sentence begins that compares with the next best, which alone is no reason."""
QUICK = Budget(iterations=200, opens=2, horizon=0)


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_every_decision_of_a_game_can_be_explained_in_every_language(spec: GameSpec) -> None:
    game = game_class(spec)(3, 5, compiled=True)
    elder = Bot(spec, 3, level_named("teller").budget_for(spec))
    told = set()
    while not game.over:
        view = game.seen_by(game.seat)
        thought = elder.think(view)
        for language in LANGUAGES:
            said = explain(thought, view, language, NAMES)
            assert said.endswith((".", "!”", "!\u00a0»"))
            assert "{" not in said
            assert not said.startswith(COMPARED[language])
            told.add(said)
        game.play(thought.best)
    assert len(told) > 30


def test_a_lead_that_a_reason_promises_is_there_after_the_move() -> None:
    spec = games()["lumens"]
    game = game_class(spec)(3, 3, compiled=True)
    quick = Bot(spec, 3, QUICK)
    promised = 0
    while not game.over:
        seat, view = game.seat, game.seen_by(game.seat)
        thought = quick.think(view)
        said = explain(thought, view, "en", NAMES)
        game.play(thought.best)
        lead = re.search(r"(?:take|extend) \w+ lead in room (\w), (\d+) to (\d+)", said)
        if lead:
            totals = [game.state.pips[each, ord(lead[1]) - ord("A")] for each in range(3)]
            assert totals.pop(seat) == int(lead[2])
            assert max(totals) == int(lead[3])
            promised += 1
    assert promised


def test_a_captain_is_told_how_likely_an_announcement_is_true() -> None:
    game = scene(
        card="hook",
        cave="egg lizard lantern2 hook pistol arrival",
        options={"bottom": 29, "laid": 0},
    )
    play(game, "announce hook")
    view = game.seen_by(game.seat)
    said = explain(Bot(game.spec, 3, Budget(iterations=50)).think(view), view, "en", NAMES)
    assert "announced a Hook" in said
    assert re.search(r"the chance that it is true is \d+%\.", said)


def test_the_next_best_action_is_named_without_its_explanation() -> None:
    game = game_class(games()["nomads"])(3, 1, compiled=True)
    view = game.seen_by(game.seat)
    assert game.phase == "adventurer"
    for language in ("en", "fr", "es"):
        thought = Bot(game.spec, 3, Budget(iterations=200)).think(view)
        assert " – " not in explain(thought, view, language, NAMES)


def test_who_has_no_choice_is_told_so() -> None:
    spec = games()["nomads"]
    game = game_class(spec)(3, 1, compiled=True)
    view = game.seen_by(game.seat)
    thought = Bot(spec, 3, QUICK).think(view)
    alone = replace(
        thought,
        actions=thought.actions[:1],
        visits=thought.visits[:1],
        results=thought.results[:1],
    )
    assert explain(alone, view, "en") == "There is nothing else you can do."
