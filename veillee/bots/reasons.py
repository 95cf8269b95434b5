"""Why an action: one or two sentences from a search's values, the features and the belief.

The first sentence says what speaks for the preferred action: what the game itself has to say
(`GameSpec.reason`), such as how likely an announcement is to be true; or the feature of the
evaluation that differs most from the next best action, for the seat itself or for another, with its
weight. The last one compares it with the next best. All of it follows from the view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from veillee.bots.jit.heuristics import BUFFER
from veillee.bots.thought import Thought
from veillee.bots.weights import has_features, weight_names, weights_for
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import OVER, States
from veillee.engine.seed import fast_row

DEALS = 8
"""Number of samples of the hidden information with which two actions are compared."""
QUOTED = ("”.", "\u00a0».")
"""After these quotes, English and French set no full stop; Spanish does after its own."""
COLON = re.compile(r"^([^:“«(]+?)\s?: (.+)$")
"""A colon in an action, which is quoted after another colon."""
ALIKE = 0.01
"""Results closer than this are called alike."""


def explain(
    thought: Thought, view: States, language: str, names: Sequence[str] | None = None
) -> str:
    """Say why the preferred action of a thought is better than the next best.

    Args:
        thought: What `Bot.think` returned for this view.
        view: The view of the seat that decides.
        language: One of `engine.i18n.LANGUAGES`.
        names: The names of the seats.
    """
    words = Words(language)
    players = int(view[0]["players"])
    names = names or [words("veillee.seat", n=seat + 1) for seat in range(players)]
    order = np.argsort(-thought.preference, kind="stable")
    tried = [int(i) for i in order if thought.visits[i]]
    if len(thought.actions) == 1:
        return words("bots.reason.only")
    compared = [_compared(thought, tried, view, words, names)] if len(tried) > 1 else []
    why = because(thought, view, words, names)
    return " ".join([why or words("bots.reason.search", n=thought.iterations), *compared])


def because(thought: Thought, view: States, words: Words, names: Sequence[str]) -> str | None:
    """Say what makes the preferred action better than the next best; None if nothing stands out."""
    said = _said_by_game(thought, view, words, names)
    order = np.argsort(-thought.preference, kind="stable")
    tried = [int(i) for i in order if thought.visits[i]]
    if said is None and len(tried) > 1:
        said = _difference(thought, tried, view, words, names)
    return said


def _compared(
    thought: Thought, tried: Sequence[int], view: States, words: Words, names: Sequence[str]
) -> str:
    """Compare the results of the two best actions for the seat that decides."""
    best, second = tried[:2]
    mine, other = (float(thought.results[i, thought.seat]) for i in (best, second))
    text, number = thought.spec.text, int(thought.actions[second])
    said = text.say(words, thought.spec.twin(view), number, names).rstrip(".")
    # What follows a dash explains the action; in the middle of a sentence it would be too long.
    action = COLON.sub(r"\1 (\2)", said[:1].lower() + said[1:].partition(" – ")[0])
    if mine - other < ALIKE:
        compared = words("bots.reason.alike", action=action)
    else:
        compared = words(
            "bots.reason.better", mine=round(100 * mine), other=round(100 * other), action=action
        )
    return compared.removesuffix(".") if compared.endswith(QUOTED) else compared


def _said_by_game(thought: Thought, view: States, words: Words, names: Sequence[str]) -> str | None:
    spec = thought.spec
    if spec.reason is None:
        return None
    weights = weights_for(spec, len(names))
    return spec.reason(words, spec.twin(view), thought.best, names, weights)


def _difference(
    thought: Thought, tried: Sequence[int], view: States, words: Words, names: Sequence[str]
) -> str | None:
    """Name the feature that speaks most for the best action and against the next best."""
    spec, seat = thought.spec, thought.seat
    if not has_features(spec):
        return None
    found = [_features(thought, int(thought.actions[i]), view, len(names)) for i in tried[:2]]
    if found[0] is None or found[1] is None:
        return None
    # Positive where the seat itself gains, or another loses.
    gain = found[0] - found[1]
    gain[np.arange(len(gain)) != seat] *= -1
    for feature, whose in _arguments(gain, _weights_at(thought, view), seat):
        n = round(float(gain[whose, feature]))
        side = "" if whose == seat else "theirs."
        key = f"{spec.name}.reason.{side}{weight_names(spec)[feature]}"
        if n > 0 and key in words:
            return words(key, n=n, name=names[whose])
    return None


def _weights_at(thought: Thought, view: States) -> Any:
    """Return the weight of every feature at this distance from the end of the game."""
    spec = thought.spec
    assert spec.heuristics is not None
    weights = weights_for(spec, int(view[0]["players"]))[: len(weight_names(spec))]
    return weights[:, 0] + weights[:, 1] * spec.heuristics.distance(spec.twin(view))


def _arguments(gain: Any, weights: Any, seat: int) -> Iterator[tuple[int, int]]:
    """Yield (feature, seat) of all that speaks for the action, what is worth most first."""
    worth = gain * weights
    worth[np.arange(len(worth)) != seat] /= max(1, len(worth) - 1)
    for at in np.argsort(-worth, axis=None):
        whose, feature = np.unravel_index(at, worth.shape)
        if worth[whose, feature] <= 0:
            return
        yield int(feature), int(whose)


def _features(thought: Thought, action: int, view: States, players: int) -> Any:
    """Return the mean features of every seat after an action; None if it may end the game."""
    spec = thought.spec
    assert spec.heuristics is not None
    total = np.zeros((players, len(weight_names(spec))))
    for deal in range(DEALS):
        states, rng = view.copy(), fast_row(deal)
        spec.compiled.resample_at(states, 0, 1 << thought.seat, rng)
        spec.compiled.apply_at(states, 0, action, rng, None)
        if states[0]["seat"] == OVER:
            return None
        out = [0] * BUFFER
        spec.heuristics.features(spec.twin(states), out)
        total += np.reshape(out[: total.size], total.shape)
    return total / DEALS
