"""Heuristics of a game that brings none: it is evaluated by its points as they stand.

A game's `core/heuristics.py` may define any of these names to replace the default. Instead of
`evaluate` it may define FEATURES, `features` and `distance`: see `evaluation.py`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below

scores: Any = None


class Weight(IntEnum):
    """The numbers that the heuristics are given, one row of `weights` each. This game has none.

    They are read from `weights.toml` in the game's folder (`bots.weights`), so that new ones need
    no compilation.
    """


BUFFER = 64
"""Length of the `points` and `result` buffers that `evaluate` is given, and `features` its own."""
HAS_LIKELIHOOD = False
"""Whether `likelihood` makes some deals of what is hidden more probable than others."""


def evaluate(s: Any, weights: Any, points: Cells, result: Any) -> float:
    """Write every seat's expected points into `result`; return their uncertainty (temperature).

    The record is not played on afterwards, so fields derived from others may be overwritten.
    """
    scores(s, points)
    for seat in range(s.players):
        result[seat] = points[seat]
    return 4.0


def rollout_policy(s: Any, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Return the index of the legal action to play on with in a simulation."""
    return below(rng, n)


def must_mix(s: Any) -> bool:
    """Tell whether the choice of `s.seat` must not be predictable."""
    return False


def likelihood(s: Any, weights: Any) -> float:
    """Return how likely the decisions seen so far are, if the hidden things are so."""
    return 1.0


def hides_intent(s: Any) -> bool:
    """Tell whether `s.seat` decides by private information that it must not give away.

    In the search of other seats it then follows `rollout_policy`, since a tree would let it see
    through the sampled deal.
    """
    return False
