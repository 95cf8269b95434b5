"""Whole records copied, and whole fields of a record written into a row of bytes.

Observations are mostly such fields. Cell by cell they took a third to three quarters of the time of
a step of many games. Here they are vector instructions, in machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

from veillee.engine.jit.layout import Cells

CODE_BITS = 4
"""How many bits each code of `translate_cells` takes."""


def copy_record(to: Any, record: Any) -> None:
    """Copy all bytes of a record.

    Numba assigns records byte by byte, as some thousands of instructions to be optimised.
    """
    to.bytes[:] = record.bytes


def copy_cells(out: Cells, at: int, cells: Cells, row: int, n: int) -> None:
    """Copy a constant number of cells, from a row of the field on, to `out[at]` and further."""
    flat = memoryview(cells.tobytes()).cast("b")
    first = row * (len(flat) // len(cells))
    for i in range(n):
        out[at + i] = flat[first + i]


def rotate_cells(out: Cells, at: int, cells: Cells, add: int, turn: int, most: int, n: int) -> None:
    """Write numbers of things round a circle, 1 to `most`, as seen from `turn` steps further.

    The numbers are the first `n` cells of the field, with `add` added; 0 stays 0. Zeros follow for
    the other cells.
    """
    for i, cell in enumerate(memoryview(cells.tobytes()).cast("b")):
        number = cell + add
        turned = number - turn
        out[at + i] = (turned + most * (turned <= 0)) * (number != 0) * (i < n)


def translate_cells(out: Cells, at: int, cells: Cells, lengths: Cells, codes: int) -> None:
    """Write for each cell its code; 0 beyond the length of its row.

    The code of c is in `codes`, in the bits from `CODE_BITS * c` on; c is below 8.
    """
    flat = memoryview(cells.tobytes()).cast("b")
    width = len(flat) // len(cells)
    for i, cell in enumerate(flat):
        code = codes >> CODE_BITS * cell & (1 << CODE_BITS) - 1
        out[at + i] = code * (i % width < lengths[i // width])


@cache
def compiled_copy_record() -> Any:
    """Return `copy_record` as a Numba intrinsic; the next three likewise."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    build: Any = cgutils

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        to, record = values
        size = context.get_constant(types.intp, signature.args[0].size)
        build.raw_memcpy(builder, to, record, size, 1)
        return context.get_dummy_value()

    def copy_record(_: Any, to: Any, record: Any) -> Any:
        return (types.void(to, record), generate) if to == record else None

    return intrinsic(copy_record)


@cache
def compiled_copy_cells() -> Any:
    from numba import types
    from numba.extending import intrinsic

    def emit(tools: Any) -> None:
        size = tools.kinds["n"].literal_value
        first = tools.address("cells", tools.whole("row"))
        tools.store(tools.load(first, size))

    def copy_cells(_: Any, out: Any, at: Any, cells: Any, row: Any, n: Any) -> Any:
        known = isinstance(n, types.IntegerLiteral)
        return _typed(emit, out=out, at=at, cells=cells, row=row, n=n) if known else None

    return intrinsic(copy_cells)


@cache
def compiled_rotate_cells() -> Any:
    from numba.extending import intrinsic

    def emit(tools: Any) -> None:
        size = tools.size("cells")
        build = tools.builder
        number = build.add(tools.load(tools.address("cells"), size), tools.spread("add", size))
        turned = build.sub(number, tools.spread("turn", size))
        zero = tools.constant([0] * size)
        behind = build.icmp_signed("<=", turned, zero)
        turned = build.select(behind, build.add(turned, tools.spread("most", size)), turned)
        shown = build.and_(
            build.icmp_signed("!=", number, zero),
            build.icmp_unsigned("<", tools.constant(range(size)), tools.spread("n", size)),
        )
        tools.store(build.select(shown, turned, zero))

    def rotate_cells(
        _: Any, out: Any, at: Any, cells: Any, add: Any, turn: Any, most: Any, n: Any
    ) -> Any:
        return _typed(emit, out=out, at=at, cells=cells, add=add, turn=turn, most=most, n=n)

    return intrinsic(rotate_cells)


@cache
def compiled_translate_cells() -> Any:
    from numba.extending import intrinsic

    def emit(tools: Any) -> None:
        rows, width = tools.kinds["cells"].shape
        size = rows * width
        build = tools.builder
        cells = tools.load(tools.address("cells"), size)
        codes = tools.whole("codes")
        found = zero = tools.constant([0] * size)
        for cell in range(8):
            code = build.lshr(codes, codes.type(CODE_BITS * cell))
            code = build.and_(code, codes.type((1 << CODE_BITS) - 1))
            same = build.icmp_signed("==", cells, tools.constant([cell] * size))
            found = build.select(same, tools.spread_value(code, size), found)
        lengths = tools.load(tools.address("lengths"), rows)
        lengths = tools.picked(lengths, [i // width for i in range(size)])
        places = tools.constant([i % width for i in range(size)])
        inside = build.icmp_signed("<", places, lengths)
        tools.store(build.select(inside, found, zero))

    def translate_cells(_: Any, out: Any, at: Any, cells: Any, lengths: Any, codes: Any) -> Any:
        return _typed(emit, out=out, at=at, cells=cells, lengths=lengths, codes=codes)

    return intrinsic(translate_cells)


def _typed(emit: Callable[[Any], None], **kinds: Any) -> Any:
    """Return the signature of an intrinsic, and the function that writes its instructions."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        emit(_Tools(context, builder, tuple(kinds), signature.args, values))
        return context.get_dummy_value()

    return types.void(*kinds.values()), generate


class _Tools:
    """What an intrinsic of bytes is written with."""

    def __init__(
        self, context: Any, builder: Any, names: tuple[str, ...], kinds: Any, values: Any
    ) -> None:
        from llvmlite import ir

        self._ir: Any = ir
        self._byte: Any = ir.IntType(8)
        self._context = context
        self.builder = builder
        self.kinds = dict(zip(names, kinds, strict=True))
        self._values = dict(zip(names, values, strict=True))

    def size(self, name: str) -> int:
        return prod(self.kinds[name].shape)

    def whole(self, name: str) -> Any:
        from numba import types

        return self._context.cast(self.builder, self._values[name], self.kinds[name], types.int64)

    def address(self, name: str, row: Any = None) -> Any:
        from numba.np import arrayobj

        arrays: Any = arrayobj
        array = arrays.make_array(self.kinds[name])(self._context, self.builder, self._values[name])
        data = self.builder.bitcast(array.data, self._byte.as_pointer())
        if row is None:
            return data
        stride = self.builder.extract_value(array.strides, 0)
        return self.builder.gep(data, [self.builder.mul(row, stride)])

    def load(self, address: Any, size: int) -> Any:
        kind = self._ir.VectorType(self._byte, size)
        return self.builder.load(self.builder.bitcast(address, kind.as_pointer()), align=1)

    def store(self, vector: Any) -> None:
        to = self.builder.gep(self.address("out"), [self.whole("at")])
        self.builder.store(vector, self.builder.bitcast(to, vector.type.as_pointer()), align=1)

    def constant(self, numbers: Any) -> Any:
        listed = list(numbers)
        return self._ir.Constant(self._ir.VectorType(self._byte, len(listed)), listed)

    def spread(self, name: str, size: int) -> Any:
        return self.spread_value(self.whole(name), size)

    def spread_value(self, value: Any, size: int) -> Any:
        kind = self._ir.VectorType(self._byte, size)
        unset = self._ir.Constant(kind, self._ir.Undefined)
        index: Any = self._ir.IntType(32)
        byte = self.builder.trunc(value, self._byte)
        return self.picked(self.builder.insert_element(unset, byte, index(0)), [0] * size)

    def picked(self, vector: Any, lanes: list[int]) -> Any:
        """The lanes of a vector in another order, given as constants."""
        index: Any = self._ir.IntType(32)
        order = self._ir.Constant(self._ir.VectorType(index, len(lanes)), lanes)
        unset = self._ir.Constant(vector.type, self._ir.Undefined)
        return self.builder.shuffle_vector(vector, unset, order)
