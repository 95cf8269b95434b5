"""A game's state, declared once: one flat record of small signed integers.

A game writes a class with annotated fields::

    class State(StateRecord):
        turn: I1
        pile: Annotated[Cells, "i1", 8, 19]

and gets from it the NumPy dtype (`dtype_of`), which compiled rules read as a Numba record, and a
plain Python object over the same bytes (`twin_class`), which the uncompiled rules read. A twin
raises on overflow and on a wrong index where machine code would not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Protocol, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

States = npt.NDArray[np.void]


class Cells(Protocol):
    """Integers with one or more indices. Index fully: `s.pile[space, height]`.

    Compiled code uses only the first three methods.
    """

    def __getitem__(self, at: int | tuple[int, ...], /) -> int: ...
    def __setitem__(self, at: int | tuple[int, ...], value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def tobytes(self) -> bytes: ...
    def tolist(self) -> list[Any]: ...


I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]


class StateRecord:
    """The fields of every state. Games add their own."""

    players: I1
    seat: I1
    """The seat whose decision it is; -1 when the game is over."""
    phase: I1


OVER = -1


_layouts: dict[type[StateRecord], np.dtype[np.void]] = {}
_twins: dict[type[StateRecord], type[Any]] = {}


def dtype_of(declaration: type[StateRecord]) -> np.dtype[np.void]:
    """Return the NumPy dtype of a declaration."""
    if declaration not in _layouts:
        _layouts[declaration] = _make_dtype(declaration)
    return _layouts[declaration]


def twin_class(declaration: type[StateRecord]) -> type[Any]:
    """Return the class of objects that read and write the bytes of a record as Python integers."""
    if declaration not in _twins:
        _twins[declaration] = _make_twin(declaration)
    return _twins[declaration]


def _make_dtype(declaration: type[StateRecord]) -> np.dtype[np.void]:
    fields = []
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        _, code, *shape = get_args(hint)
        if code not in ("i1", "i2"):
            raise TypeError(f"{declaration.__name__}.{name}: only i1 and i2 fields, not {code!r}")
        fields.append((name, code, tuple(shape)))
    return np.dtype(fields, align=True)


def _make_twin(declaration: type[StateRecord]) -> type[Any]:
    dtype = dtype_of(declaration)
    fields = dtype.fields
    assert fields is not None
    arrays: list[tuple[str, int, int, str, tuple[int, ...]]] = []
    members: dict[str, Any] = {"__slots__": ["_i1", "_i2", "bytes"]}
    for name, (kind, offset, *_) in fields.items():
        code = "b" if kind.base.itemsize == 1 else "h"
        if kind.shape:
            arrays.append((name, offset, kind.itemsize, code, kind.shape))
            members["__slots__"].append(name)
        else:
            members[name] = _scalar(offset, kind.base.itemsize)

    def begin(self: Any, buffer: memoryview) -> None:
        self.bytes = buffer
        self._i1 = buffer.cast("b")
        self._i2 = buffer[: len(buffer) // 2 * 2].cast("h")
        for name, offset, size, code, shape in arrays:
            setattr(self, name, buffer[offset : offset + size].cast(code, shape))  # type: ignore[call-overload]

    members["__init__"] = begin
    return type(f"{declaration.__name__}Twin", (declaration,), members)


def _scalar(offset: int, size: int) -> property:
    if size == 1:

        def get(self: Any) -> int:
            return self._i1[offset]  # type: ignore[no-any-return]

        def put(self: Any, value: int) -> None:
            self._i1[offset] = value
    else:
        place = offset // 2

        def get(self: Any) -> int:
            return self._i2[place]  # type: ignore[no-any-return]

        def put(self: Any, value: int) -> None:
            self._i2[place] = value

    return property(get, put)


class Twins:
    """An array of records as twins, which the uncompiled rules take in place of the array."""

    def __init__(self, declaration: type[StateRecord], states: States) -> None:
        raw = states.view(np.uint8).reshape(-1).data
        size = states.dtype.itemsize
        kind = twin_class(declaration)
        self._all = [kind(raw[i * size : (i + 1) * size]) for i in range(len(states))]

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, i: int) -> Any:
        return self._all[i]

    def __setitem__(self, i: int, other: Any) -> None:
        self._all[i].bytes[:] = other.bytes


def copied(states: States) -> States:
    """Return a copy of records. (`ndarray.copy` is slower: it copies field by field.)"""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def copies_of(state: States, n: int) -> States:
    """Return an array of `n` copies of a one-record array."""
    return np.repeat(state[:1], n)
