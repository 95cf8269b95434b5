"""Lumens: the view of a seat, and sampling of what it does not know."""

from __future__ import annotations

from veillee.engine.jit.layout import Cells
from veillee.games.lumens.core.rules import any_token
from veillee.games.lumens.core.state import (
    NO_TOKEN,
    UNKNOWN,
    State,
)


def view(s: State, seats: int) -> None:
    """Redact the tokens in other hands. lumens.know"""
    for seat in range(s.players):
        if s.hand[seat] != NO_TOKEN and not seats >> seat & 1:
            s.hand[seat] = UNKNOWN


def resample(s: State, seats: int, rng: Cells) -> None:
    """Draw the hidden hands again. Reads nothing that `view` redacts."""
    for seat in range(s.players):
        if s.hand[seat] != NO_TOKEN and not seats >> seat & 1:
            s.hand[seat] = any_token(s, seat, rng)
