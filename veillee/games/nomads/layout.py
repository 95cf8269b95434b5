"""Nomads: where everything lies in the two layouts of its picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin

from veillee.engine.picture import TALL, WIDE


@dataclass(frozen=True)
class Layout:
    width: int
    height: int

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
    """How high a pile may be drawn."""
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
    def tall(self) -> bool:
        return self.width < self.height

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
        return self.offer_top + self.row * 4 + (4 if self.tall else 10)

    def seat_height(self, players: int) -> float:
        return min(self.most_seat, self.seats_height / players)


LAYOUTS = (
    Layout(
        width=WIDE[0],
        height=WIDE[1],
        fire=(342, 372),
        ground=(338, 330),
        piles=(282, 262),
        piles_down=24,
        stacks=(158, 150),
        disc=(37, 17, 15),
        headroom=106,
        tile=58,
        edge=2.4,
        arrow=62,
        chart=(18, 18),
        left=694,
        top=10,
        name=142,
        column=50,
        last=86,
        head=38,
        card=(38, 38),
        song=(49, 38),
        row=44,
        seats_height=466,
        most_seat=112,
        face=46,
        small_tile=24,
        big=22,
        plain=15,
        small=13,
    ),
    Layout(
        width=TALL[0],
        height=TALL[1],
        fire=(195, 160),
        ground=(194, 152),
        piles=(158, 112),
        piles_down=18,
        stacks=(88, 70),
        disc=(21, 8.5, 11.5),
        headroom=70,
        tile=33,
        edge=1,
        arrow=44,
        chart=(4, 4),
        left=2,
        top=311,
        name=78,
        column=36,
        last=57,
        head=17,
        card=(16.5, 19),
        song=(21, 19),
        row=22,
        seats_height=139,
        most_seat=50,
        face=24,
        small_tile=15,
        big=14,
        plain=11.5,
        small=11,
    ),
)


@cache
def around(tall: bool, ring: int) -> tuple[tuple[float, float, float, float], ...]:
    """For each space: the foot of its pile and the middle of its stack.

    Clockwise from the upper right, on rings drawn out toward their corners.
    """
    lay = LAYOUTS[tall]
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
