"""Nomads: positions and sizes in the layouts of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin

from veillee.engine.drawing.picture import SIZES, Shape


@dataclass(frozen=True)
class Layout:
    width: int
    height: int
    stacked: bool
    """Whether the cards and seats are below the ring, each seat in one line; else beside it."""

    # Around the fire.
    fire: tuple[float, float]
    ground: tuple[float, float]
    piles: tuple[float, float]
    """Half axes of the ring on which piles stand, and `piles_down` how much lower it lies."""
    piles_down: float
    stacks: tuple[float, float]
    disc: tuple[float, float, float]
    """A disc's half axes and thickness."""
    headroom: float
    """Greatest height of a pile."""
    tile: float
    edge: float
    """A tile's thickness."""
    arrow: float
    chart: tuple[float, float]

    # The table of cards and seats.
    left: float
    top: float
    name: float
    """Width of the column of names."""
    column: float
    last: float
    """Width of the column of Songs, Wilds and Moons."""
    head: float
    card: tuple[float, float]
    song: tuple[float, float]
    """Width and height of a Legend card and of a Song."""
    row: float
    """Height of a row of cards on offer."""
    seats_height: float
    most_seat: float
    face: float
    small_tile: float
    big: float
    """Sizes of text."""
    plain: float
    small: float

    @property
    def right(self) -> float:
        return self.left + self.name + self.column * 7 + self.last

    def column_left(self, legend: int) -> float:
        return self.left + self.name + self.column * legend

    @property
    def offer_top(self) -> float:
        return self.top + self.head

    @property
    def seats_top(self) -> float:
        return self.offer_top + self.row * 4 + (4 if self.stacked else 10)

    def seat_height(self, players: int) -> float:
        return min(self.most_seat, self.seats_height / players)


LAYOUTS: Mapping[Shape, Layout] = {
    "wide": Layout(
        *SIZES["wide"],
        stacked=False,
        fire=(322, 470),
        ground=(318, 418),
        piles=(264, 330),
        piles_down=26,
        stacks=(150, 196),
        disc=(38, 18, 16),
        headroom=120,
        tile=64,
        edge=2.6,
        arrow=66,
        chart=(16, 16),
        left=648,
        top=10,
        name=140,
        column=56,
        last=92,
        head=44,
        card=(44, 44),
        song=(54, 44),
        row=50,
        seats_height=626,
        most_seat=150,
        face=54,
        small_tile=30,
        big=26,
        plain=18,
        small=16,
    ),
    "square": Layout(
        *SIZES["square"],
        stacked=True,
        fire=(450, 236),
        ground=(440, 232),
        piles=(374, 168),
        piles_down=24,
        stacks=(214, 108),
        disc=(35, 15, 14),
        headroom=92,
        tile=52,
        edge=2,
        arrow=62,
        chart=(10, 386),
        left=4,
        top=474,
        name=188,
        column=84,
        last=116,
        head=34,
        card=(36, 34),
        song=(48, 34),
        row=36,
        seats_height=236,
        most_seat=70,
        face=40,
        small_tile=27,
        big=24,
        plain=18,
        small=16,
    ),
    "tall": Layout(
        *SIZES["tall"],
        stacked=True,
        fire=(195, 154),
        ground=(194, 148),
        piles=(158, 106),
        piles_down=18,
        stacks=(88, 68),
        disc=(21, 8.5, 12.8),
        headroom=70,
        tile=33,
        edge=1,
        arrow=44,
        chart=(4, 250),
        left=2,
        top=303,
        name=88.5,
        column=34.5,
        last=56,
        head=17,
        card=(17, 20),
        song=(22, 20),
        row=24,
        seats_height=139,
        most_seat=50,
        face=20,
        small_tile=14,
        big=14,
        plain=13.5,
        small=13.5,
    ),
}


@cache
def around(shape: Shape, ring: int) -> tuple[tuple[float, float, float, float], ...]:
    """Return, for each space, the foot of its pile and the middle of its stack.

    Clockwise from the upper right, on rings drawn out toward their corners.
    """
    lay = LAYOUTS[shape]
    places = []
    for space in range(ring):
        turn = (space + 0.5) * 2 * pi / ring
        out, up = _drawn_out(sin(turn), 0.6), _drawn_out(cos(turn), 0.75)
        across = _drawn_out(sin(turn), 0.75)
        places.append(
            (
                lay.fire[0] + lay.piles[0] * out,
                lay.fire[1] + lay.piles_down - lay.piles[1] * up,
                lay.fire[0] + lay.stacks[0] * across,
                lay.fire[1] - lay.stacks[1] * up,
            )
        )
    return tuple(places)


def _drawn_out(x: float, by: float) -> float:
    return float(abs(x) ** by * (1 if x > 0 else -1))
