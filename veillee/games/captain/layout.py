"""Oh Captain!: where everything lies in the two layouts of its picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from veillee.engine.picture import TALL, WIDE

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True)
class Layout:
    width: int
    height: int
    scene: Box
    """The cave by the sea, and what is being said before it."""
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
    """Top and height of the seats, and the most that one takes."""
    loot: tuple[tuple[float, int], tuple[float, int]]
    """The width of a card in a loot and how many heaps stand in a row: for few seats, for many."""
    face: float
    hand: Box
    held: float
    """The width of a card in hand."""
    box: Box
    """Where the number of cards of each kind is shown."""
    plain: float
    small: float

    def heaps(self, players: int) -> tuple[float, int]:
        return self.loot[players > 4]

    @property
    def tall(self) -> bool:
        return self.width < self.height


LAYOUTS = (
    Layout(
        width=WIDE[0],
        height=WIDE[1],
        scene=(424, 10, 432, 564),
        cave=(640, 190),
        discard=(500, 272),
        reserve=(782, 272),
        card=58,
        saying=(436, 346, 408, 94),
        tools=(436, 448, 408, 64),
        answers=(436, 516, 408, 54),
        columns=((10, 404), (866, 404)),
        seats=(10, 564, 282),
        loot=((64, 4), (46, 8)),
        face=58,
        hand=(10, 584, 760, 128),
        held=76,
        box=(780, 584, 490, 128),
        plain=16,
        small=13,
    ),
    Layout(
        width=TALL[0],
        height=TALL[1],
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
        plain=12,
        small=11,
    ),
)


@cache
def seat_box(tall: bool, players: int, seat: int) -> Box:
    """A seat's place: clockwise, up the left column and down the right one.

    On a phone the seats are read like lines, which leaves each as much room as there is.
    """
    lay = LAYOUTS[tall]
    top, height, most = lay.seats
    if tall:
        rows = -(-players // 2)
        column, row = seat % 2, seat // 2
        h = min(height / rows, most)
    else:
        left = players // 2
        column = 0 if seat < left else 1
        rows = left if column == 0 else players - left
        row = left - 1 - seat if column == 0 else seat - left
        h = min(height / (players - left), most)
        top += (height - h * rows) / 2
    x, w = lay.columns[column]
    return x, top + h * row, w, h - (3 if tall else 8)


CARD_SHAPE = 62 / 46
"""A card's height for its width."""


@cache
def heap_place(tall: bool, players: int, seat: int, i: int) -> tuple[float, float]:
    """The upper left corner of a seat's i-th heap of cards; the eighth is face down."""
    lay = LAYOUTS[tall]
    x, y, w, h = seat_box(tall, players, seat)
    wide, across = lay.heaps(players)
    rows = 8 // across
    gap = 4 if tall else 9
    step = (w - 2 * gap) / across
    row, column = divmod(i, across)
    high = wide * CARD_SHAPE
    left = x + gap + column * step
    if i == 7:
        left = x + w - gap - wide - 4
    return left, y + h - gap - high - (rows - 1 - row) * (high + (2 if tall else 7))
