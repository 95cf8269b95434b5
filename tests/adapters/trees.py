"""How large the small variants are: counted once, held ever after."""

from __future__ import annotations

NODES: dict[str, tuple[int, int, int]] = {}
"""Chance nodes, decisions, ends."""
INFORMATION_STATES: dict[str, int] = {}
