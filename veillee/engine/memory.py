"""What is made from plain values alone need be made once."""

from __future__ import annotations

from functools import lru_cache

MOST_REMEMBERED = 8192
"""How many results of one function are kept."""
remembered = lru_cache(MOST_REMEMBERED)
