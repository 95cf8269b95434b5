"""Oh Captain!: what a finished game hands on to the next one of a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veillee.games.captain.core.state import State


def carry_over(s: State, places: Sequence[int]) -> Mapping[str, Any]:
    """Return the leader (the last Captain), the winners, and the last: the one of the lowest place
    who sits farthest from the Captain."""
    around = [(s.captain + step) % s.players for step in range(s.players)]
    return {
        "leader": s.captain,
        "winners": [seat for seat, place in enumerate(places) if place == 1],
        "last": [seat for seat in around if places[seat] == max(places)][-1],
    }
