"""Lumens: the positions of everything in the layouts of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from veillee.engine.drawing.picture import SIZES, Shape
from veillee.games.lumens.core.state import SEATS, SIDE, State

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True)
class Layout:
    shape: Shape
    width: int
    height: int
    grid: tuple[float, float, float]
    """Left and top of the board, and its side."""
    seats: Box
    across: int
    """Most seats in a row."""
    hand: Box
    plain: float
    small: float

    @property
    def tall(self) -> bool:
        return self.shape == "tall"


LAYOUTS: Mapping[Shape, Layout] = {
    "wide": Layout(
        "wide",
        *SIZES["wide"],
        grid=(34, 30, 860),
        seats=(908, 12, 362, 740),
        across=1,
        hand=(908, 764, 362, 126),
        plain=18,
        small=16,
    ),
    "square": Layout(
        "square",
        *SIZES["square"],
        grid=(92, 98, 720),
        seats=(4, 4, 892, 70),
        across=4,
        hand=(4, 824, 892, 72),
        plain=17,
        small=15.5,
    ),
    "tall": Layout(
        "tall",
        *SIZES["tall"],
        grid=(17, 14, 372),
        seats=(2, 391, 386, 100),
        across=2,
        hand=(2, 493, 386, 65),
        plain=14,
        small=13.5,
    ),
}


@cache
def colours_of(colours: int) -> tuple[int, ...]:
    """Return the colour of each seat, from the field of the state that holds them all."""
    return tuple(colours >> 2 * seat & 3 for seat in range(SEATS))


LARGEST_SQUARE = 124


def square_size(s: State, lay: Layout) -> float:
    parts = 10 if lay.tall else 1  # on phones a tenth of a pixel counts
    return min(lay.grid[2] * parts // s.side / parts, LARGEST_SQUARE)


def middle_of_square(s: State, lay: Layout, square: int) -> tuple[float, float]:
    return middle_of(lay, square_size(s, lay), square)


def middle_of(lay: Layout, cell: float, square: int) -> tuple[float, float]:
    x, y, _ = lay.grid
    return x + (square % SIDE + 0.5) * cell, y + (square // SIDE + 0.5) * cell
