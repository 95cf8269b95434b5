"""Policies that learn by playing themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from veillee.bots.weights import weights_for
from veillee.engine.game import game_class
from veillee.engine.jit.layout import States
from veillee.engine.registry import games
from veillee.lab.appraisal import appraised_loss, fit_numbers
from veillee.lab.executor import workers
from veillee.lab.players import player
from veillee.lab.policy import Lessons, learn, learnt, share
from veillee.lab.results import read
from veillee.lab.scale import Scale

CAPTAIN = games()["captain"]
START = weights_for(CAPTAIN, 3)
QUICK = Lessons("captain", 3, 3, 1500, seed=4)


def test_an_interrupted_lesson_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    with workers(1) as pool:
        whole, curve = learn(QUICK, START, file=file, pool=pool)
        lines = file.read_text().splitlines(keepends=True)
        assert len(lines) == len(read(file)) == QUICK.steps
        file.write_text(lines[0] + lines[1][:40])
        again, same = learn(QUICK, START, file=file, pool=pool)
    assert whole.tolist() == again.tolist()
    assert curve == same
    assert file.read_text() == "".join(lines)


def test_a_best_reply_to_a_policy_wins_more_than_its_share() -> None:
    """On deals it did not learn from; with the field's own weights it wins its share."""
    lessons = Lessons("captain", 3, 4, 20_000, seed=2, field_stays=True)
    field = weights_for(CAPTAIN, 3)
    with workers(1) as pool:
        reply, _ = learn(lessons, field, pool=pool)
    assert abs(share(lessons, field, field, 2**30, 12_000) - 1 / 3) < 0.02
    assert share(lessons, reply, field, 2**30, 12_000) > 1 / 3


def test_only_what_is_learnt_changes_and_stays_within_its_limits() -> None:
    scale = Scale(START, learnt(CAPTAIN))
    numbers = scale.numbers(START)
    assert scale.weights(numbers).tolist() == START.tolist()
    changed = scale.weights(scale.limited(numbers - 1000))
    assert (changed != START).sum() == len(numbers)
    honest = CAPTAIN.heuristics.Weight.HONEST  # type: ignore[union-attr]
    assert changed[honest, 0] == 0.1


def test_fitted_numbers_of_an_evaluation_tell_winners_better() -> None:
    """From weights that think nothing of anything; on the positions they are fitted to."""
    states: list[States] = []
    won: list[list[float]] = []
    for seed in range(12):
        game = game_class(CAPTAIN)(3, seed, compiled=True)
        choose = player(CAPTAIN, 3, "random", seed)
        first = len(states)
        while not game.over:
            states.append(game.states.copy())
            game.play(choose(game.seen_by(game.seat)))
        share_of = [(seat in game.winners) / len(game.winners) for seat in range(3)]
        won += [share_of] * (len(states) - first)
    at, shares = np.concatenate(states), np.array(won)
    flat = START.copy()
    flat[CAPTAIN.heuristics.Weight.COOL] = 5  # type: ignore[union-attr]
    found = fit_numbers(CAPTAIN, flat, at, shares)
    before, after = (appraised_loss(CAPTAIN, each, at, shares).mean() for each in (flat, found))
    assert after < before - 0.01
