"""How large the small variants are: counted once, held ever after."""

from __future__ import annotations

NODES = {
    "captain": (571, 2103, 2501),
    "lumens": (737, 2788, 14052),
    "nomads": (1, 4194, 5548),
}
"""Chance nodes, decisions, ends."""
INFORMATION_STATES = {
    "captain": 1764,
    "lumens": 2774,
    "nomads": 4140,
}
"""By strings, which have perfect recall."""
INFORMATION_STATE_TENSORS = {
    "captain": 1764,
    "lumens": 2502,
    "nomads": 1970,
}
"""By tensors, which are the observation."""
