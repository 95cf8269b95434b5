"""Small sets as integers, a bit for each member."""

from __future__ import annotations

DE_BRUIJN = 0x03F79D71B4CB0A89
NUMBER_OF_BIT = tuple(
    next(i for i in range(64) if (DE_BRUIJN << i) >> 58 & 63 == bits) for bits in range(64)
)
"""The index of a bit, by the upper six bits of its product with DE_BRUIJN."""


def number_of(bit: int) -> int:
    """Return the index of a single bit, one of the lower 63."""
    return NUMBER_OF_BIT[bit * DE_BRUIJN >> 58 & 63]
