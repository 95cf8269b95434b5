"""How the levels play: who meets them for the first time must not learn the wrong lesson."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.habits import counted
from tests.games.captain.scene import scene
from veillee.bots.bot import Bot, Budget
from veillee.bots.thought import Thought

OPTIONS = {"bottom": 29, "laid": 0}


@pytest.mark.parametrize("level", ["spark", "wanderer", "teller"])
def test_announcements_of_weak_captains_are_worth_hearing(level: str) -> None:
    """At Oh Captain! they are true often enough that accusing every time does not pay."""
    count = counted(level, players=3, games=8, seed=1)
    true = count["true", True] / (count["true", True] + count["true", False])
    assert 0.25 < true < 0.75


@pytest.mark.parametrize("level", ["spark", "wanderer"])
def test_weak_captains_neither_always_accuse_nor_always_buy(level: str) -> None:
    count = counted(level, players=3, games=16, seed=1)
    for decision in ("accuses the true", "accuses the false", "buys"):
        times = count[decision, True] + count[decision, False]
        assert times > 10
        assert 0 < count[decision, True] < 0.95 * times


def test_an_honest_character_tells_the_truth_and_another_does_not() -> None:
    game = scene(card="hook", cave="egg lizard lantern2 hook pistol arrival", options=OPTIONS)
    told = {}
    for honest in (0.0, 1.0):
        budget = Budget(iterations=1, instinct=1.0, character={"honest": honest})
        bots = [Bot(game.spec, 3, budget, seed=seed) for seed in range(12)]
        told[honest] = {bot.choose(game.seen_by(game.seat)) for bot in bots}
    assert len(told[1.0]) == 1
    assert not told[0.0] & told[1.0]


def test_a_bluff_is_drawn_from_what_the_search_visited() -> None:
    """Actions visited equally often are mixed; one visited twice as often is taken."""
    game = scene(card="hook", cave="egg lizard lantern2 hook pistol arrival", options=OPTIONS)
    drawn = {}
    for name, most in (("alike", 100), ("clear", 200)):
        thought = Thought(
            spec=game.spec,
            seat=game.seat,
            actions=np.array(game.legal_numbers(), np.int16),
            visits=np.array([100, 100, 100, most]),
            results=np.full((4, 3), 0.3),
            expected=np.full(3, 0.3),
            iterations=300 + most,
        )
        bots = (Bot(game.spec, 3, Budget(iterations=1), seed=seed) for seed in range(200))
        chosen = [game.legal_numbers().index(bot.draw_mixed(thought)) for bot in bots]
        drawn[name] = np.bincount(chosen, minlength=4) / 200
    assert drawn["alike"].min() > 0.1
    assert drawn["clear"][3] > 0.9
