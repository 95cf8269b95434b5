"""Lumens: the rooms in the colour of who leads in them, with their letters and pips."""

from __future__ import annotations

from functools import lru_cache

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import group, num, text, titled
from veillee.engine.i18n import Words
from veillee.games.lumens.core.names import room_letter
from veillee.games.lumens.core.state import PASSAGE, ROOMS, SIDE
from veillee.games.lumens.picture.layout import LAYOUTS, Layout
from veillee.games.lumens.picture.symbols import LIGHTS, emblem

Standing = tuple[tuple[int, int], ...]
"""(pips, seat) of each seat with pips in a room, most first."""


@lru_cache(64)
def _squares_of(squares: bytes) -> dict[int, list[int]]:
    """Return the squares of each room, in reading order."""
    found: dict[int, list[int]] = {}
    for square, room in enumerate(squares):
        if room != PASSAGE:
            found.setdefault(room, []).append(square)
    return dict(sorted(found.items()))


Standings = tuple[tuple[int, Standing], ...]
"""The rooms, each with its standing."""


@lru_cache(256)
def standings(squares: bytes, players: int, pips: bytes) -> Standings:
    """Return who has how many pips in each room."""
    last = players * ROOMS
    return tuple((room, _standing(pips[room - 1 : last : ROOMS])) for room in _squares_of(squares))


@lru_cache(4096)
def _standing(pips: bytes) -> Standing:
    """Return who has how many of the pips in a room, given by seat."""
    each = [(-n, seat) for seat, n in enumerate(pips) if n]
    return tuple((-n, seat) for n, seat in sorted(each))


def only_leaders(shown: Standings) -> Standings:
    """Leave out who has fewer pips in a room than another."""
    return tuple([(room, _leading(standing)) for room, standing in shown])


@lru_cache(4096)
def _leading(standing: Standing) -> Standing:
    """Return those who have the most pips."""
    return tuple(each for each in standing if each[0] == standing[0][0])


Tints = tuple[tuple[int, int], ...]
"""The rooms that one seat leads in, each with its colour."""


def tints(shown: Standings, colours: tuple[int, ...]) -> Tints:
    """Return the colours of the rooms."""
    led = only_leaders(shown)
    return tuple([(room, colours[first[0][1]]) for room, first in led if len(first) == 1])


def draw_tints(shape: Shape, cell: float, squares: bytes, led: Tints) -> str:
    """Colour each room that one seat leads in."""
    return group("".join([_tint(shape, cell, squares, room, colour) for room, colour in led]))


@lru_cache(1024)
def _tint(shape: Shape, cell: float, squares: bytes, room: int, colour: int) -> str:
    x, y, _ = LAYOUTS[shape].grid
    path = "".join(
        f"M{num(x + square % SIDE * cell)} {num(y + square // SIDE * cell)}h{num(cell)}"
        f"v{num(cell)}h-{num(cell)}z"
        for square in _squares_of(squares)[room]
    )
    return f'<path fill="{LIGHTS[colour][0]}" fill-opacity=".3" d="{path}"/>'


def draw_plates(language: str, shape: Shape, cell: float, squares: bytes, shown: Standings) -> str:
    """Draw the letter of each room with the pips in it, over the tokens."""
    drawn = [
        _titled_plate(language, shape, cell, squares, room, standing) for room, standing in shown
    ]
    return f'<g data-part="rooms" pointer-events="none">{"".join(drawn)}</g>'


@lru_cache(4096)
def _titled_plate(
    language: str, shape: Shape, cell: float, squares: bytes, room: int, standing: Standing
) -> str:
    title = Words(language)("lumens.room", room=room_letter(room))
    return titled(title, draw_plate(shape, cell, squares, room, standing))


def draw_plate(
    shape: Shape, cell: float, squares: bytes, room: int, standing: Standing, kind: str = "panel"
) -> str:
    """Draw a room's letter and pips on the wall above it; on phones only those of its leader."""
    lay = LAYOUTS[shape]
    x, y, middle = _plate_place(lay, cell, squares, room)
    small = lay.tall
    size = lay.small
    high, light = (14.0, 10.5) if small else (size + 5, size * 0.95)
    leaders = [seat for _, seat in _leading(standing)]
    shown = _leading(standing) if small else standing
    parts = [(seat, str(n)) for n, seat in shown]
    if small and len(parts) > 1:
        parts = [(seat, "") for seat, _ in parts]
    letter_wide = size * 0.8
    widths = [light + 2 + len(said) * size * 0.62 + (1 if small else 4) for _, said in parts]
    width = letter_wide + sum(widths) + 5
    left = max(middle - width / 2, x + 1)
    drawn = (
        f'<rect class="{kind}" x="{num(left)}" y="{num(y - high / 2)}" width="{num(width)}" '
        f'height="{num(high)}" rx="{num(high / 2.6)}"/>'
        + text(
            left + 2 + letter_wide / 2, y + size * 0.36, room_letter(room), "t-soft t-b", size, "m"
        )
    )
    at = left + letter_wide + 4
    for (seat, said), wide in zip(parts, widths, strict=True):
        drawn += emblem(seat, at + light / 2, y, light)
        if said:
            kind_of_text = "t-b" if seat in leaders else "t-soft"
            drawn += text(at + light + 2, y + size * 0.36, said, kind_of_text, size)
        at += wide
    return drawn


def _plate_place(lay: Layout, cell: float, squares: bytes, room: int) -> tuple[float, float, float]:
    """Return the left edge of the board, the top of a room, and the middle of its first row."""
    x, y, _ = lay.grid
    there = _squares_of(squares)[room]
    row = there[0] // SIDE
    columns = [square % SIDE for square in there if square // SIDE == row]
    middle = (min(columns) + max(columns) + 1) / 2
    if row == 0 and len(columns) > 1:
        middle = int(middle)  # between two squares: inside the room it would hide a token's number
    return x, max(y + row * cell, y + (4 if lay.tall else 8)), x + middle * cell
