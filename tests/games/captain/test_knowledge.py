"""What the bots know of Oh Captain!: sane values, choices that can't be read, players of habit."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.games.captain.scene import play, scene
from veillee.bots.bot import Bot, Budget
from veillee.bots.weights import weights_for
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row
from veillee.games.captain import SPEC, Game
from veillee.games.captain.baselines import habit, sensible
from veillee.games.captain.core import heuristics as known
from veillee.games.captain.core.state import Card, Phase
from veillee.lab.match import Terms, check_terms
from veillee.lab.players import player

CAVE = "egg lizard lantern2 hook pistol arrival"
OPEN = {"bottom": 29, "laid": 0}
"""The Nomads may arrive at any time."""
QUICK = Budget(iterations=600, horizon=2)
WEIGHTS = weights_for(SPEC, 3)
pytestmark = pytest.mark.skipif("MUTANT_UNDER_TEST" in os.environ, reason="mutants run as Python")


def guessed(game: Game) -> list[float]:
    result = [0.0] * game.players
    assert known.evaluate(game.state, WEIGHTS, [0] * 64, result) > 0  # type: ignore[arg-type]
    return result


def test_a_guess_counts_coins_and_cards() -> None:
    plain = guessed(scene(options=OPEN, cave=CAVE))
    rich = guessed(scene(options=OPEN, cave=CAVE, coins={2: 5}))
    assert rich[2] - plain[2] == pytest.approx(2)
    assert rich[:2] == pytest.approx(plain[:2])
    lit = guessed(scene(options=OPEN, cave=CAVE, up={2: "lantern3"}))
    assert lit[2] - plain[2] == pytest.approx(3)
    rotten = guessed(scene(options=OPEN, cave=CAVE, up={2: "egg"}))
    assert rotten[2] - plain[2] == pytest.approx(-1)


def test_a_token_is_shared_by_chance_and_certain_in_the_end() -> None:
    wins = {}
    for cave in (CAVE, "egg arrival"):
        before = guessed(scene(options=OPEN, cave=cave, card="egg"))
        after = guessed(scene(options=OPEN, cave=cave, card="egg", up={2: "lizard lizard"}))
        wins[cave] = after[2] - before[2]
    assert 0.5 < wins[CAVE] < 4
    assert wins["egg arrival"] == 4


def test_what_was_announced_is_believed_a_little() -> None:
    beliefs = {}
    for card in ("pistol", "egg", "hook"):
        game = scene(card=card, cave=CAVE, options=OPEN)
        play(game, "announce pistol")
        beliefs[card] = known.likelihood(game.state, WEIGHTS)
    assert beliefs["pistol"] > beliefs["egg"] > beliefs["hook"] > 0


def test_who_has_seen_every_pistol_believes_none() -> None:
    game = scene(card="egg", up={0: "pistol pistol pistol pistol pistol"})
    play(game, "announce pistol")
    assert known.truth(game.state, 0, 3, 0.5) == 0
    assert known.truth(game.state, 0, 2, 0.5) > 0


def test_a_lie_that_all_can_see_is_accused() -> None:
    pistols = "pistol pistol pistol pistol pistol"
    game = scene(card="egg", up={0: pistols})
    play(game, "announce pistol", "leave")
    assert game.phase == "answer"
    for seed in range(5):
        action = Bot(SPEC, 3, QUICK, seed=seed).choose(game.seen_by(game.seat))
        assert SPEC.notation.text(action) == "accuse"


def test_an_announcement_is_not_always_the_same_but_by_seed() -> None:
    game = Game(3, 0, compiled=True)
    while game.phase != "announce":
        game.play(game.legal[0])
    view = game.seen_by(game.seat)
    chosen = [Bot(SPEC, 3, QUICK, seed=seed).choose(view) for seed in range(12)]
    assert len(set(chosen)) > 1
    assert chosen == [Bot(SPEC, 3, QUICK, seed=seed).choose(view) for seed in range(12)]


@pytest.mark.parametrize(("card", "sign"), [("pistol", 1), ("hook", -1), ("egg", 0)])
def test_who_was_caught_is_believed_less(card: str, sign: int) -> None:
    """An Egg can't be told, so it says nothing of its finder."""
    game = scene(card=card, cave=CAVE, options=OPEN)
    before = known.honesty(game.state, 1, 0.5)
    play(game, "announce pistol", "leave", "accuse")
    assert np.sign(known.honesty(game.state, 1, 0.5) - before) == sign


def test_what_nobody_saw_teaches_nothing() -> None:
    game = scene(card="hook", cave=CAVE, options=OPEN)
    before = known.honesty(game.state, 1, 0.5)
    play(game, "announce lizard", "leave", "accept")
    assert known.honesty(game.state, 1, 0.5) == before


def test_habits_are_learnt() -> None:
    game = scene(card="pistol", cave=CAVE, options=OPEN)
    play(game, "announce lizard", "leave", "accuse")
    assert known.buying(game.state, 0, 0.5) < 0.5
    assert known.accusing(game.state, 2, 0.5) > 0.5
    assert known.accusing(game.state, 1, 0.5) == 0.5


def test_a_playout_leans_to_legal_actions_only() -> None:
    out = np.zeros(SPEC.actions, np.int16)
    rng: Any = [int(word) for word in fast_row(3)]
    for players in (3, 6):
        game = Game(players, 2)
        while not game.over:
            n = int(SPEC.compiled.legal_at(game.states, 0, out))
            view = SPEC.twin(game.seen_by(game.seat))
            assert 0 <= sensible(view, out, n, rng) < n
            chosen = known.rollout_policy(view, WEIGHTS, out, n, rng)
            assert 0 <= chosen < n
            game.play(int(out[chosen]))


def test_habits_do_what_they_say() -> None:
    seen: dict[str, Counter[str]] = {}
    for name in ("true", "lie", "accuse", "accept", "buy", "leave"):
        seen[name] = Counter()
        chosen = player(SPEC, 3, f"habit:{name}", 1)
        for seed in range(4):
            game = Game(3, seed, compiled=True)
            while not game.over:
                s, phase = game.state, game.phase
                action = SPEC.notation.text(chosen(game.seen_by(game.seat)))
                if phase == "announce" and s.cave[s.drawn - 1] != Card.EGG:
                    seen[name]["true" if _true(s, action) else "lie"] += 1
                elif s.phase in (Phase.CHOICE, Phase.ANSWER):
                    seen[name][action] += 1
                game.play(action)
    for one, other in (("true", "lie"), ("accuse", "accept"), ("buy", "leave")):
        assert seen[one][one]
        assert not seen[one][other]
        assert seen[other][other]
        assert not seen[other][one]


def _true(s: Any, action: str) -> bool:
    cards = ("lantern", "lantern", "egg", "hook", "lizard", "pistol")
    return cards[s.cave[s.drawn - 1]] == action.removeprefix("announce ")


def test_a_habit_that_there_is_not_is_refused() -> None:
    with pytest.raises(Refusal):
        habit("sing")
    with pytest.raises(Refusal):
        check_terms(Terms("captain", 3, "habit:lie,sing", "greedy"))
    check_terms(Terms("captain", 3, "habit:lie,accuse", "greedy"))
