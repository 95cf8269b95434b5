"""Evaluate many positions, compiled with a game's search."""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.cells import copy_record
from veillee.engine.jit.layout import Cells

value: Any = None


def appraise(states: Any, trial: Any, weights: Any, points: Cells, result: Any, found: Any) -> None:
    """Write every seat's expected share of the win in each state."""
    for i in range(len(states)):
        copy_record(trial[0], states[i])
        value(trial[0], weights, points, result)
        for seat in range(found.shape[1]):
            found[i, seat] = result[seat]
