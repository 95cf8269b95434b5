"""Lumens: search settings of the levels."""

from __future__ import annotations

EXPANDING: dict[str, float] = {"opens": 2, "exploration": 0.05, "horizon": 0}
"""Expand nodes at once and evaluate them; simulating from them gained nothing."""

LEVELS: dict[str, dict[str, float]] = {
    "wanderer": {"each": 3, "width": 10, "deepest": 1, "horizon": 0},
    "teller": EXPANDING | {"iterations": 100},
    "elder": EXPANDING | {"iterations": 800},
    "sage": EXPANDING | {"iterations": 6_400, "nodes": 200_000, "seconds": 0.8},
}
