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


def size_of(bits: int) -> int:
    """Return how many members a set has."""
    return bits.bit_count()


@cache
def compiled_highest() -> Any:
    """Return `highest` as a Numba intrinsic: an instruction counts the zeros above the bit."""

    from llvmlite import ir

    never_zero: Any = ir.IntType(1)

    def emit(builder: Any, bits: Any) -> Any:
        zeros = builder.ctlz(builder.or_(bits, bits.type(1)), never_zero(1))
        return builder.sub(bits.type(63), zeros)

    return _counting(emit)


@cache
def compiled_size_of() -> Any:
    """Return `size_of` as a Numba intrinsic: an instruction counts the bits."""
    return _counting(lambda builder, bits: builder.ctpop(bits))


def _counting(emit: Any) -> Any:
    """Return an intrinsic that computes a number from a set."""
    from numba import types
    from numba.extending import intrinsic

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return emit(builder, context.cast(builder, values[0], signature.args[0], types.int64))

    def count(_: Any, bits: Any) -> Any:
        return types.int64(bits), generate

    return intrinsic(count)
