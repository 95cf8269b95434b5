"""Lumens: the ids of all its rules, and which of them are rulings of ours."""

from __future__ import annotations

CLAUSES = (
    "lumens.material.board",
    "lumens.material.tokens",
    "lumens.setup.start",
    "lumens.setup.first",
    "lumens.setup.token",
    "lumens.setup.hand",
    "lumens.turn.order",
    "lumens.place.origin",
    "lumens.place.line",
    "lumens.place.blocked",
    "lumens.place.cover",
    "lumens.place.two",
    "lumens.place.marker",
    "lumens.place.home",
    "lumens.place.face",
    "lumens.place.forced",
    "lumens.place.out",
    "lumens.turn.draw",
    "lumens.know",
    "lumens.end.when",
    "lumens.end.room",
    "lumens.end.points",
    "lumens.end.tie",
    "lumens.end.win",
)

RULINGS = (
    "lumens.material.board",
    "lumens.setup.start",
    "lumens.setup.first",
    "lumens.setup.token",
    "lumens.place.home",
    "lumens.place.out",
    "lumens.turn.draw",
    "lumens.end.when",
    "lumens.end.tie",
    "lumens.end.win",
)
"""Clauses that say more than the printed rules: our decisions, marked as such in their texts."""
