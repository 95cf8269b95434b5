"""Observations for learning: what a seat may know, as a row of small integers.

A game declares `PLANES`, in order, and fills the row in `observe(s, seat, out)`. The row is
relative to the seat: planes "for each seat" begin with the seat itself and go on clockwise, and are
zero for empty seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Plane:
    """A named part of the row.

    With `codes`, each number is an index into them; else it is a count, a flag or part of a one-hot
    vector.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    codes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return prod(self.shape)


def length(planes: Iterable[Plane]) -> int:
    """Return the length of the row."""
    return sum(plane.size for plane in planes)


def start(planes: Sequence[Plane], name: str) -> int:
    """Return where a plane begins in the row."""
    at = 0
    for plane in planes:
        if plane.name == name:
            return at
        at += plane.size
    raise KeyError(name)


def named(planes: Iterable[Plane], rows: npt.NDArray[np.int8]) -> dict[str, npt.NDArray[np.int8]]:
    """Return the planes of a row or of an array of rows by name, as NumPy views."""
    found = {}
    at = 0
    for plane in planes:
        part = rows[..., at : at + plane.size]
        found[plane.name] = part.reshape(*rows.shape[:-1], *plane.shape)
        at += plane.size
    return found


def spread(planes: Iterable[Plane], rows: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Return rows as input of a network: codes as one-hot vectors, counts as they are."""
    parts = []
    for plane, part in zip(planes, named(planes, rows).values(), strict=True):
        flat = part.reshape(*rows.shape[:-1], plane.size)
        if plane.codes:
            ones = np.eye(len(plane.codes), dtype=np.float32)[flat]
            parts.append(ones.reshape(*rows.shape[:-1], plane.size * len(plane.codes)))
        else:
            parts.append(flat.astype(np.float32))
    return np.concatenate(parts, axis=-1)
