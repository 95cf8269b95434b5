"""Room to think in for as long as a call lasts: in machine code, a place on the stack."""

from __future__ import annotations

from functools import cache
from typing import Any


def room(n: int) -> Any:
    """So many numbers with a point, of which nothing is known. `n` is a constant."""
    return [0.0] * n


@cache
def machine_room() -> Any:
    """`room` in machine code, where nothing else allocates."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    build: Any = cgutils
    arrays: Any = arrayobj

    def room(_: Any, n: Any) -> Any:
        array = types.Array(types.float64, 1, "C")

        def lay_out(context: Any, builder: Any, *_: Any) -> Any:
            size = n.literal_value
            place = build.alloca_once(builder, context.get_value_type(types.float64), size)
            made = arrays.make_array(array)(context, builder)
            step = context.get_constant(types.intp, 8)
            arrays.populate_array(
                made,
                data=place,
                shape=[context.get_constant(types.intp, size)],
                strides=[step],
                itemsize=step,
                meminfo=None,
            )
            return made._getvalue()

        return (array(n), lay_out) if isinstance(n, types.IntegerLiteral) else None

    return intrinsic(room)
