"""Reading the signs of many positions, compiled with a game's knowledge."""

from __future__ import annotations

from typing import Any

from veillee.engine.record import Cells

signs: Any = None
distance: Any = None


def read(states: Any, counted: Cells, found: Any, far: Any) -> None:
    """The signs of every seat in every state, and how far it is to the end."""
    for i in range(len(states)):
        s = states[i]
        far[i] = distance(s)
        for seat in range(s.players):
            signs(s, seat, counted)
            for sign in range(found.shape[2]):
                found[i, seat, sign] = counted[sign]
