"""Nomads: search settings of the levels."""

from __future__ import annotations

EXPANDING: dict[str, float] = {"opens": 2, "exploration": 0.2, "horizon": 8}
"""Expand nodes at once and simulate from them: gains with many iterations."""

LEVELS: dict[str, dict[str, float]] = {
    "wanderer": {"each": 3, "width": 10, "deepest": 1, "horizon": 0},
    "teller": {"iterations": 100, "opens": 2, "exploration": 0.05, "horizon": 0},
    "elder": EXPANDING | {"iterations": 800},
    "sage": EXPANDING | {"iterations": 25_600, "nodes": 600_000, "seconds": 0.8},
}
