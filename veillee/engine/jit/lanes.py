"""Arithmetic on 16 numbers at once: vector instructions, in machine code.

Numba unrolls short loops before it looks for vectors, and so finds none in them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

LANES = 16
NAMES = ("lanes", "rows", "row", "column", "factors", "first", "n")
"""Names of the arguments below."""


def add_rows(
    lanes: Any, rows: Any, row: int, column: int, factors: Any, first: int, n: int
) -> None:
    """Add `n` rows to the lanes, each times its factor.

    The rows begin at `rows[row, column]`, the factors at `factors[first]`. Every lane is summed up
    in the order of the rows.
    """
    for i in range(n):
        for k in range(LANES):
            lanes[k] += factors[first + i] * rows[row + i, column + k]


@cache
def compiled_add_rows() -> Any:
    """Return `add_rows` as a Numba intrinsic."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    build: Any = cgutils
    arrays: Any = arrayobj
    index: Any = ir.IntType(32)
    vector: Any = ir.VectorType(ir.DoubleType(), LANES)
    lane_numbers: Any = ir.VectorType(index, LANES)
    unset = ir.Constant(vector, ir.Undefined)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = dict(zip(NAMES, signature.args, strict=True))
        given = dict(zip(NAMES, values, strict=True))

        def whole(name: str) -> Any:
            return context.cast(builder, given[name], kinds[name], types.intp)

        def address(name: str, *at: Any) -> Any:
            array = arrays.make_array(kinds[name])(context, builder, given[name])
            return build.get_item_pointer(
                context, builder, kinds[name], array, at, wraparound=False, boundscheck=False
            )

        def lanes_at(pointer: Any) -> Any:
            return builder.bitcast(pointer, vector.as_pointer())

        row, column, first, n = map(whole, ("row", "column", "first", "n"))
        lanes = lanes_at(address("lanes", context.get_constant(types.intp, 0)))
        total = build.alloca_once(builder, vector)
        builder.store(builder.load(lanes, align=8), total)
        with build.for_range(builder, n) as loop:
            factor = builder.load(address("factors", builder.add(first, loop.index)))
            factor = context.cast(builder, factor, kinds["factors"].dtype, types.float64)
            alone = builder.insert_element(unset, factor, index(0))
            spread = builder.shuffle_vector(alone, unset, ir.Constant(lane_numbers, [0] * LANES))
            line = lanes_at(address("rows", builder.add(row, loop.index), column))
            product = builder.fmul(spread, builder.load(line, align=8))
            builder.store(builder.fadd(builder.load(total), product), total)
        builder.store(builder.load(total), lanes, align=8)
        return context.get_dummy_value()

    def add_rows(
        _: Any, lanes: Any, rows: Any, row: Any, column: Any, factors: Any, first: Any, n: Any
    ) -> Any:
        return types.void(lanes, rows, row, column, factors, first, n), generate

    return intrinsic(add_rows)
