"""Oh Captain!: positions and sizes in the layouts of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from veillee.engine.drawing.picture import SIZES, Shape

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True)
class Layout:
    shape: Shape
    width: int
    height: int
    scene: Box
    """The cave by the sea, and the announcement before it."""
    cave: tuple[float, float]
    discard: tuple[float, float]
    reserve: tuple[float, float]
    """The middles of the Cave's deck, of the discard and of the reserve."""
    card: float
    """The width of a card in the scene."""
    saying: Box
    tools: Box
    answers: Box
    columns: tuple[tuple[float, float], ...]
    """Left and width of the columns of seats."""
    seats: tuple[float, float, float]
    """Top and height of the seats, and the greatest height of one."""
    loot: tuple[tuple[float, int], tuple[float, int]]
    """Width of a card in a loot and number of heaps in a row: for few seats, for many."""
    face: float
    hand: Box
    held: float
    """The width of a card in hand."""
    box: Box
    """Box of the numbers of cards of each kind."""
    plain: float
    small: float

    def heaps(self, players: int) -> tuple[float, int]:
        return self.loot[players > 4]

    @property
    def tall(self) -> bool:
        return self.shape == "tall"

    @property
    def gap(self) -> int:
        """Between two seats."""
        return {"wide": 8, "square": 5, "tall": 3}[self.shape]


LAYOUTS: Mapping[Shape, Layout] = {
    "wide": Layout(
        "wide",
        *SIZES["wide"],
        scene=(424, 10, 432, 722),
        cave=(640, 186),
        discard=(500, 268),
        reserve=(782, 268),
        card=60,
        saying=(432, 344, 416, 238),
        tools=(436, 584, 408, 70),
        answers=(436, 656, 408, 70),
        columns=((10, 404), (866, 404)),
        seats=(10, 722, 300),
        loot=((72, 4), (52, 4)),
        face=58,
        hand=(10, 740, 600, 152),
        held=80,
        box=(618, 740, 652, 152),
        plain=18,
        small=15.5,
    ),
    "square": Layout(
        "square",
        *SIZES["square"],
        scene=(0, 0, 900, 344),
        cave=(150, 78),
        discard=(70, 226),
        reserve=(232, 226),
        card=54,
        saying=(312, 8, 580, 196),
        tools=(312, 208, 580, 62),
        answers=(312, 274, 580, 62),
        columns=((4, 294), (303, 294), (602, 294)),
        seats=(350, 352, 176),
        loot=((40, 4), (40, 4)),
        face=46,
        hand=(4, 704, 892, 106),
        held=64,
        box=(4, 814, 892, 82),
        plain=17,
        small=15.5,
    ),
    "tall": Layout(
        "tall",
        *SIZES["tall"],
        scene=(0, 0, 390, 190),
        cave=(196, 50),
        discard=(64, 48),
        reserve=(326, 48),
        card=28,
        saying=(4, 92, 382, 46),
        tools=(4, 141, 190, 46),
        answers=(198, 141, 188, 46),
        columns=((2, 192), (196, 192)),
        seats=(193, 250, 125),
        loot=((33, 4), (21.5, 8)),
        face=26,
        hand=(2, 446, 386, 74),
        held=34,
        box=(2, 522, 386, 36),
        plain=14,
        small=13.5,
    ),
}


@cache
def seat_box(shape: Shape, players: int, seat: int) -> Box:
    """Return the box of a seat.

    Clockwise in the wide layout, up the left column and down the right one; line by line in the
    others, which leaves each the most room.
    """
    lay = LAYOUTS[shape]
    top, height, most = lay.seats
    left, right = lay.columns[0][0], sum(lay.columns[-1])
    if shape == "wide":
        few = players // 2
        column = 0 if seat < few else 1
        rows = few if column == 0 else players - few
        row = few - 1 - seat if column == 0 else seat - few
        h = min(height / (players - few), most)
        top += (height - h * rows) / 2
        x, w = lay.columns[column]
    else:
        across = 3 if players > 4 and len(lay.columns) > 2 else 2
        rows = -(-players // across)
        row, column = divmod(seat, across)
        h = min(height / rows, most)
        step = (right - left + lay.gap) / across
        x, w = left + step * column, step - lay.gap
    return x, top + h * row, w, h - lay.gap


CARD_SHAPE = 62 / 46
"""Aspect ratio of a card, height by width."""


@cache
def heap_place(shape: Shape, players: int, seat: int, i: int) -> tuple[float, float]:
    """Return the upper left corner of a seat's i-th heap; the eighth is face down."""
    lay = LAYOUTS[shape]
    x, y, w, h = seat_box(shape, players, seat)
    wide, across = lay.heaps(players)
    rows = 8 // across
    gap = 4 if lay.tall else 9
    step = (w - 2 * gap) / across
    row, column = divmod(i, across)
    high = wide * CARD_SHAPE
    left = x + gap + column * step
    if i == 7:
        left = x + w - gap - wide - 4
    return left, y + h - gap - high - (rows - 1 - row) * (high + (2 if lay.tall else 5))
