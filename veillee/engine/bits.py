"""Small sets as integers, a bit for each member."""

from __future__ import annotations

DE_BRUIJN = 0x03F79D71B4CB0A89
NUMBER_OF_BIT = tuple(
    next(i for i in range(64) if (DE_BRUIJN << i) >> 58 & 63 == bits) for bits in range(64)
)
"""Which bit a single bit is: times this number, its upper six bits are different for each."""


def number_of(bit: int) -> int:
    """Which of the lower 63 bits a single bit is."""
    return NUMBER_OF_BIT[bit * DE_BRUIJN >> 58 & 63]
