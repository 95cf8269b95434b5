"""Small sets as integers, a bit for each member."""

from __future__ import annotations

from functools import cache
from typing import Any

DE_BRUIJN = 0x03F79D71B4CB0A89
NUMBER_OF_BIT = tuple(
    next(i for i in range(64) if (DE_BRUIJN << i) >> 58 & 63 == bits) for bits in range(64)
)
"""The index of a bit, by the upper six bits of its product with DE_BRUIJN."""


def number_of(bit: int) -> int:
    """Return the index of a single bit, one of the lower 63."""
    return NUMBER_OF_BIT[bit * DE_BRUIJN >> 58 & 63]


def highest(bits: int) -> int:
    """Return the index of the highest bit of a set of non-negative numbers; 0 if it is empty."""
    return max(bits.bit_length() - 1, 0)


@cache
def compiled_highest() -> Any:
    """Return `highest` as a Numba intrinsic: an instruction counts the zeros above the bit."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind: Any = ir.IntType(64)
        bits = context.cast(builder, values[0], signature.args[0], types.int64)
        zeros = builder.ctlz(builder.or_(bits, kind(1)), ir.IntType(1)(1))
        return builder.sub(kind(63), zeros)

    def highest(_: Any, bits: Any) -> Any:
        return types.int64(bits), generate

    return intrinsic(highest)
