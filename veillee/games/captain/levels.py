"""Oh Captain!: search settings of the levels.

The weaker levels announce, buy and accuse as the rollout policy does, more honestly than the search
would: as beginners do, and so that a newcomer can't just accuse every time.
"""

from __future__ import annotations

from typing import Any

LEVELS: dict[str, dict[str, Any]] = {
    "spark": {
        "each": 1,
        "width": 2,
        "deepest": 1,
        "horizon": 0,
        "instinct": 1.0,
        "character": {"honest": 0.8, "buying_doubt": 1.0, "accusing_doubt": 0.5},
    },
    "wanderer": {
        "iterations": 24,
        "deepest": 1,
        "horizon": 16,
        "instinct": 0.75,
        "character": {"honest": 0.7, "buying_doubt": 0.6, "accusing_doubt": 0.6},
    },
    "teller": {
        "iterations": 64,
        "horizon": 16,
        "instinct": 0.3,
        "character": {"honest": 0.5, "buying_doubt": 0.4, "accusing_doubt": 0.4},
    },
    "elder": {"iterations": 400, "horizon": 16},
}
