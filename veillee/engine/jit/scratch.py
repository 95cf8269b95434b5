"""Scratch memory that lives as long as a call: on the stack, in machine code."""

from __future__ import annotations

from functools import cache
from typing import Any


def stack_array(n: int) -> Any:
    """Return an uninitialised float64 array of constant length `n`.

    It is valid until the caller returns.
    """
    return [0.0] * n


def stack_integers(n: int) -> Any:
    """Return an uninitialised int64 array of constant length `n`, as above."""
    return [0] * n


@cache
def compiled_stack_array() -> Any:
    """Return `stack_array` as a Numba intrinsic, which allocates on the stack."""
    from numba import types

    return _on_stack(types.float64)


@cache
def compiled_stack_integers() -> Any:
    """Return `stack_integers` as a Numba intrinsic."""
    from numba import types

    return _on_stack(types.int64)


def _on_stack(kind: Any) -> Any:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    build: Any = cgutils
    arrays: Any = arrayobj

    def stack_array(_: Any, n: Any) -> Any:
        array = types.Array(kind, 1, "C")

        def generate(context: Any, builder: Any, *_: Any) -> Any:
            size = n.literal_value
            data = build.alloca_once(builder, context.get_value_type(kind), size)
            made = arrays.make_array(array)(context, builder)
            stride = context.get_constant(types.intp, 8)
            arrays.populate_array(
                made,
                data=data,
                shape=[context.get_constant(types.intp, size)],
                strides=[stride],
                itemsize=stride,
                meminfo=None,
            )
            return made._getvalue()

        return (array(n), generate) if isinstance(n, types.IntegerLiteral) else None

    return intrinsic(stack_array)
