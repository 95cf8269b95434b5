"""Lumens: the public layer of the picture, put together from its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from itertools import repeat
from operator import eq
from typing import NamedTuple

from veillee.engine.drawing.picture import Shape, counted, each_has, rows
from veillee.engine.drawing.svg import Canvas, Part, Section, head, moves
from veillee.engine.i18n import Words
from veillee.games.lumens.core.rules import scores
from veillee.games.lumens.core.state import KINDS, NO_TOKEN, SEATS, SIDE, Phase, State
from veillee.games.lumens.picture.layout import LAYOUTS, colours_of, square_size
from veillee.games.lumens.picture.lights import draw_ground, draw_last, draw_row, draw_spots
from veillee.games.lumens.picture.piece_ids import Ids
from veillee.games.lumens.picture.rooms import draw_plates, draw_tints, standings, tints
from veillee.games.lumens.picture.seats import draw_awaited, draw_seat, draw_tokens, draw_who


def board(
    words: Words,
    s: State,
    names: Sequence[str],
    shape: Shape = "wide",
    seat: int | None = None,
    ids: Ids | None = None,
    canvas: Canvas | None = None,
    points: Sequence[int] | None = None,
) -> Canvas:
    """Draw everything public: all but the tokens in hand."""
    if points is None:
        points = counted(scores, s)
    canvas = Canvas() if canvas is None else canvas
    side, players, awaited = s.side, s.players, s.seat
    starts, colours = s.start.tobytes()[:players], colours_of(s.colours)
    cell, rooms = square_size(s, LAYOUTS[shape]), s.room.tobytes()
    setting = Setting(words.language, shape, cell, side, rooms, players, seat, starts, colours)
    squares, pips, placed = _rows_of(side), (s.pips.tobytes(),), tuple(ids or ())
    return canvas.draw(
        _sections(setting),
        [
            (names, points),
            pips,
            *zip(squares(s.top.tobytes()), squares(s.covered.tobytes()), strict=True),
            (placed,),
            pips,
            *zip(
                map(eq, repeat(awaited), range(players)),
                names,
                points,
                repeat(s.out),
                s.hand.tolist(),
                TOKENS_LEFT(s.left.tobytes()),
                strict=False,
            ),
            (awaited, names[awaited] if s.phase != Phase.OVER else "", placed),
        ],
    )


TOKENS_LEFT = rows(SEATS, KINDS)


@cache
def _rows_of(side: int) -> Callable[[bytes], tuple[bytes, ...]]:
    return rows(side, SIDE, side)


class Setting(NamedTuple):
    """What stays the same in the pictures of a game for a viewer."""

    language: str
    shape: Shape
    cell: float
    side: int
    rooms: bytes
    players: int
    viewer: int | None
    starts: bytes
    colours: tuple[int, ...]


@lru_cache(256)
def _sections(it: Setting) -> list[Section]:
    """Return the sections of the board, back to front."""
    sections: list[Section] = [partial(_head, it), partial(_ground, it)]
    sections += [partial(_row, it, row * SIDE) for row in range(it.side)]
    sections += [partial(_last, it), partial(_plates, it)]
    sections += [partial(_player, it, seat) for seat in range(it.players)]
    return [*sections, partial(_awaited, it)]


def _head(it: Setting, names: Sequence[str], points: Sequence[int]) -> list[Part]:
    lay = LAYOUTS[it.shape]
    told = each_has(it.language, "lumens.points", names, points)
    return head("lumens", lay.width, lay.height, Words(it.language)("lumens.title"), told)


def _ground(it: Setting, pips: bytes) -> list[Part]:
    led = tints(it.rooms, it.players, pips, it.colours)
    return [
        (draw_ground, it.shape, it.cell, it.side, it.rooms, it.starts, it.colours),
        (draw_tints, it.shape, it.cell, it.rooms, led),
    ]


def _row(it: Setting, first: int, tops: bytes, covered: bytes) -> list[Part]:
    return [(draw_row, it.shape, it.cell, first, tops, covered)]


def _last(it: Setting, placed: tuple[str, ...]) -> list[Part]:
    spots = (draw_spots, it.shape, it.cell, it.side, it.rooms)
    return [(draw_last, it.shape, it.cell, placed), spots]


def _plates(it: Setting, pips: bytes) -> list[Part]:
    shown = standings(it.rooms, it.players, pips, leaders_only=LAYOUTS[it.shape].tall)
    return [(draw_plates, it.language, it.shape, it.cell, it.rooms, shown)]


def _player(
    it: Setting, seat: int, lit: bool, name: str, points: int, out: int, token: int, left: bytes
) -> list[Part]:
    mine, gone, place = seat == it.viewer, out >> seat & 1, (it.players, seat)
    alone = LAYOUTS[it.shape].across == 1
    held = token if alone else max(token, NO_TOKEN)
    who = (name, it.colours[seat], points, gone, held)
    tokens = b"" if gone and not alone else left  # there the seat says that it is out
    return [
        (draw_seat, it.shape, mine, lit, *place),
        (draw_who, it.language, it.shape, mine, *place, *who),
        (draw_tokens, it.shape, *place, tokens),
    ]


def _awaited(it: Setting, seat: int, name: str, placed: tuple[str, ...]) -> list[Part]:
    return [(draw_awaited, it.shape, seat, name), (moves, placed)]
