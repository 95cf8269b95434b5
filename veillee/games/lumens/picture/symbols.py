"""Lumens: lights of four shapes, start markers and rooms as SVG."""

from __future__ import annotations

from functools import cache, lru_cache
from string import ascii_lowercase, ascii_uppercase

from veillee.engine.drawing.svg import num
from veillee.games.lumens.core.names import SQUARES
from veillee.games.lumens.core.state import FACES, PASSAGE, SIDE

LIGHTS = (
    ("#ffd84d", "#8a6400"),
    ("#35c878", "#0b5a30"),
    ("#ff6a5c", "#8a160c"),
    ("#b48cff", "#4a1f9c"),
)
"""For each colour, that of its lights and that of their edges."""

SHAPES = (
    '<circle r="10.4"/>',
    '<rect x="-9.6" y="-9.6" width="19.2" height="19.2" rx="3"/>',
    '<path d="M0-11.6 12 9.4H-12z" stroke-linejoin="round"/>',
    '<path d="M0-12 12 0 0 12-12 0z" stroke-linejoin="round"/>',
)
"""A circle, a square, a triangle and a diamond, around the origin."""

DIGIT_DOWN = (5.4, 5.4, 6.8, 5.4)


@cache
def defs(cell: float, colours: tuple[int, ...]) -> str:
    """Define every token as it can lie, on squares of this size.

    Symbols go by seat: which colour and shape a seat has is said here only.
    """
    sky = (
        '<radialGradient id="lumens-sky" cx=".3" cy=".4" r=".9"><stop class="s-sky" offset="0"/>'
        '<stop class="s-sky-far" offset="1"/></radialGradient>'
    )
    drawn = [sky]
    scale = num(cell / 29)
    for seat, colour in enumerate(colours):
        light, edge = LIGHTS[colour]
        drawn.append(
            f'<radialGradient id="lumens-glow-{seat}"><stop offset=".3" stop-color="{light}" '
            f'stop-opacity=".75"/><stop offset="1" stop-color="{light}" stop-opacity="0"/>'
            f'</radialGradient><g id="lumens-s-{seat}" fill="{light}" stroke="{edge}" '
            f'stroke-width="1.6">{SHAPES[colour]}</g>'
        )
        drawn.extend(
            f'<g id="lumens-t-{seat}-{face}" transform="scale({scale})">'
            f'<circle r="21" fill="url(#lumens-glow-{seat})"/><use href="#lumens-s-{seat}"/>'
            f'<text class="pic-dark" y="{DIGIT_DOWN[colour]}" font-size="15" text-anchor="middle">'
            f"{face}</text></g>"
            for face in range(1, FACES + 1)
        )
    return f"<defs>{''.join(drawn)}</defs>"


@lru_cache(64)
def floor(
    rooms: bytes, side: int, central: int, x: float, y: float, cell: float, size: float
) -> str:
    """Draw passages and rooms, the central one with a thick wall, and the coordinates."""
    span = num(side * cell)
    lines = "".join(
        f"M{num(x + i * cell)} {num(y)}v{span}M{num(x)} {num(y + i * cell)}h{span}"
        for i in range(1, side)
    )
    squares, walls, wall_of_central = "", "", ""
    for row in range(side):
        for column in range(side):
            room = rooms[row * SIDE + column]
            if room == PASSAGE:
                continue
            left, top = num(x + column * cell), num(y + row * cell)
            squares += f"M{left} {top}h{num(cell)}v{num(cell)}h-{num(cell)}z"
            wall = _walls(rooms, side, row, column, x, y, cell)
            if room == central:
                wall_of_central += wall
            else:
                walls += wall
    edge = "".join(
        f'<text class="t-soft" x="{num(x + (i + 0.5) * cell)}" y="{num(y - 3)}" '
        f'font-size="{size}" text-anchor="middle">{ascii_lowercase[i]}</text>'
        f'<text class="t-soft" x="{num(x - 1)}" y="{num(y + (i + 0.5) * cell + size * 0.36)}" '
        f'font-size="{size}" text-anchor="end">{i + 1}</text>'
        for i in range(side)
    )
    return (
        f'<rect class="f-hall" x="{num(x)}" y="{num(y)}" width="{span}" height="{span}" rx="6"/>'
        f'<path class="f-room" d="{squares}"/><path class="rule" opacity=".45" d="{lines}"/>'
        f'<path class="l-star" stroke-width="2" stroke-linecap="round" d="{walls}"/>'
        f'<path class="l-fire" stroke-width="4" stroke-linecap="round" d="{wall_of_central}"/>'
        f'<rect class="rule" x="{num(x)}" y="{num(y)}" width="{span}" height="{span}" rx="6" '
        f'stroke-width="1.5"/>{edge}'
    )


def _walls(rooms: bytes, side: int, row: int, column: int, x: float, y: float, cell: float) -> str:
    """Return the path of the sides of a square where its room ends."""
    here = rooms[row * SIDE + column]
    left, top = x + column * cell, y + row * cell

    def other(r: int, c: int) -> bool:
        return not (0 <= r < side and 0 <= c < side) or rooms[r * SIDE + c] != here

    path = ""
    if other(row - 1, column):
        path += f"M{num(left)} {num(top)}h{num(cell)}"
    if other(row + 1, column):
        path += f"M{num(left)} {num(top + cell)}h{num(cell)}"
    if other(row, column - 1):
        path += f"M{num(left)} {num(top)}v{num(cell)}"
    if other(row, column + 1):
        path += f"M{num(left + cell)} {num(top)}v{num(cell)}"
    return path


@lru_cache(64)
def spots(rooms: bytes, side: int, x: float, y: float, cell: float) -> str:
    """Draw every square as a spot, titled with its name and its room."""
    drawn = []
    for row in range(side):
        for column in range(side):
            square = row * SIDE + column
            name = SQUARES[square]
            room = rooms[square]
            title = f"{name} {ascii_uppercase[room - 1]}" if room else name
            inside = num(cell)
            drawn.append(
                f'<path class="spot halo" data-field="square" data-value="{name}" '
                f'd="M{num(x + column * cell)} {num(y + row * cell)}h{inside}v{inside}'
                f'h-{inside}z"><title>{title}</title></path>'
            )
    return "".join(drawn)


def emblem(seat: int, x: float, y: float, size: float) -> str:
    """Draw a seat's shape around a point."""
    return (
        f'<use href="#lumens-s-{seat}" '
        f'transform="translate({num(x)} {num(y)}) scale({size / 24:.2f})"/>'
    )
