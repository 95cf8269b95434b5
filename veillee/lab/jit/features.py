"""Read the features of many positions, compiled with a game's heuristics."""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.layout import Cells

features: Any = None
distance: Any = None
FEATURES: Any = None


def read(states: Any, counted: Cells, found: Any, far: Any) -> None:
    """Write the features of every seat in every state, and each state's distance to the end."""
    for i in range(len(states)):
        s = states[i]
        far[i] = distance(s)
        features(s, counted)
        for seat in range(s.players):
            for feature in range(FEATURES):
                found[i, seat, feature] = counted[seat * FEATURES + feature]
