"""Lumens: the board with its start markers, and the tokens on it."""

from __future__ import annotations

from functools import cache, lru_cache

from veillee.art.sky import stars
from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import GAP, group, num, piece
from veillee.games.lumens.core.names import SQUARES
from veillee.games.lumens.core.state import FACES, NO_TOKEN, SEATS, SIDE
from veillee.games.lumens.picture.layout import LAYOUTS, Layout, middle_of
from veillee.games.lumens.picture.symbols import defs, emblem, floor, spots


def _name_of(square: int) -> str:
    return SQUARES[square]


@lru_cache(64)
def draw_ground(
    shape: Shape,
    cell: float,
    side: int,
    rooms: bytes,
    starts: bytes,
    colours: tuple[int, ...],
) -> str:
    """Draw what never changes in a game: the board and the start markers."""
    lay = LAYOUTS[shape]
    x, y, _ = lay.grid
    central = rooms[side // 2 * (SIDE + 1)]
    return group(
        defs(cell, colours)
        + f'<rect width="{lay.width}" height="{lay.height}" fill="url(#lumens-sky)"/>'
        + stars(lay.width, lay.height, 30 if lay.tall else 60)
        + floor(rooms, side, central, x, y, cell, lay.small)
        + "".join(_marker(lay, cell, seat, start) for seat, start in enumerate(starts))
    )


def draw_row(shape: Shape, cell: float, first: int, tops: bytes, covered: bytes) -> str:
    """Draw the tokens in a row of squares."""
    begun = _tokens_begun(shape, cell)
    drawn = [
        f"{begun[square]}{_TOKENS[top]}"
        if under == NO_TOKEN
        else _two_tokens(shape, cell, square, top, under)
        for square, (top, under) in enumerate(zip(tops, covered, strict=True), first)
        if top != NO_TOKEN
    ]
    return group("".join(drawn))


def draw_last(shape: Shape, cell: float, moves: tuple[str, ...]) -> str:
    """Mark the tokens placed last."""
    return group("".join([_mark(shape, cell, move.split("-")[1]) for move in moves]))


@lru_cache(1024)
def _mark(shape: Shape, cell: float, square: str) -> str:
    """Mark a square."""
    x, y = middle_of(LAYOUTS[shape], cell, SQUARES.index(square))
    half = cell / 2 - 1
    return (
        f'<rect class="l-fire" stroke-width="{num(max(cell * 0.06, 2))}" x="{num(x - half)}" '
        f'y="{num(y - half)}" width="{num(half * 2)}" height="{num(half * 2)}" rx="5"/>'
    )


@lru_cache(64)
def draw_spots(shape: Shape, cell: float, side: int, rooms: bytes) -> str:
    x, y, _ = LAYOUTS[shape].grid
    return group(spots(rooms, side, x, y, cell))


def token_id(square: int, above: bool) -> str:
    """Return the id of the lower or the upper token on a square."""
    return f"light-{_name_of(square)}-{int(above)}"


def _marker(lay: Layout, cell: float, seat: int, start: int) -> str:
    """Draw a seat's start marker."""
    x, y = middle_of(lay, cell, start)
    half = cell / 2 - 2
    return (
        f'<rect class="panel" x="{num(x - half)}" y="{num(y - half)}" width="{num(half * 2)}" '
        f'height="{num(half * 2)}" rx="5" stroke-dasharray="3 2"/>'
        f'<g opacity=".55">{emblem(seat, x, y, cell * 0.84)}</g>'
    )


@cache
def _tokens_begun(shape: Shape, cell: float) -> list[str]:
    """Return, for each square, the beginning of the only token on it."""
    lay = LAYOUTS[shape]
    begun = []
    for square in range(len(SQUARES)):
        token = piece(token_id(square, False), *middle_of(lay, cell, square), GAP, "token")
        begun.append(token.partition(GAP)[0])
    return begun


def _token(token: int) -> str:
    seat, face = divmod(token - 1, FACES)
    return f'<use href="#lumens-t-{seat}-{face + 1}"/>'


_TOKENS = [f"{_token(token)}</g>" for token in range(SEATS * FACES + 1)]
"""The end of the only token on a square."""


@lru_cache(4096)
def _two_tokens(shape: Shape, cell: float, square: int, token: int, covered: int) -> str:
    """Draw the top token of a square, and the edge of the one that it covers."""
    x, y = middle_of(LAYOUTS[shape], cell, square)
    shift = cell * 0.07
    under = emblem((covered - 1) // FACES, 0, 0, cell * 0.8)
    return piece(token_id(square, False), x + shift * 1.3, y + shift * 1.5, under, "token") + piece(
        token_id(square, True), x - shift, y - shift, _token(token), "token"
    )
