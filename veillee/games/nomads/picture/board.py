"""Nomads: the public layer of the picture, put together from its parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import chain, repeat
from operator import add, eq
from typing import NamedTuple

from veillee.engine.drawing.picture import Shape, counted, each_has, rows
from veillee.engine.drawing.svg import Canvas, Part, Section, group, head, moves, overlay
from veillee.engine.i18n import Words
from veillee.games.nomads.core.rules import scores
from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SEATS,
    SPACES,
    TALLEST_STACK,
    Phase,
    State,
    Tile,
)
from veillee.games.nomads.picture.cards import Worth, draw_chart, draw_column, draw_shop, draw_songs
from veillee.games.nomads.picture.layout import LAYOUTS
from veillee.games.nomads.picture.piece_ids import Hand, Ids, named
from veillee.games.nomads.picture.ring import (
    back_to_front,
    draw_lys,
    draw_pile,
    draw_place,
    draw_stack,
    draw_to_place,
)
from veillee.games.nomads.picture.scene import draw_backdrop
from veillee.games.nomads.picture.seats import draw_held, draw_kept, draw_seat, draw_who


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
    """Draw the whole table; of the tiles under the tops only their number is shown."""
    if ids is None:
        ids = named(s)
    if points is None:
        points = counted(scores, s)
    canvas = Canvas() if canvas is None else canvas
    phase, players = s.phase, s.players
    setting = Setting(words.language, shape, s.ring, players, seat, s.total.tobytes(), Worth.of(s))
    heights = s.tiles.tobytes()
    tops = map(s.stack.tobytes().__getitem__, map(add, BELOW_STACKS, heights))
    spaces = list(zip(heights, tops, ids["piles"], strict=False))  # there may be fewer piles
    placing = draw_to_place(words, s, LAYOUTS[shape], ids) if phase < Phase.LYS else ""
    lit = map(eq, repeat(s.seat), range(players))
    who = zip(lit, names, s.adventurer.tobytes(), points, strict=False)
    cards = CARDS_HELD(s.legend.tobytes())
    held = zip(ids["hands"], cards, s.song.tobytes(), ids["moons"], strict=False)
    return canvas.draw(
        _sections(setting),
        [
            (names, points, ids["chart"]),
            *map(spaces.__getitem__, back_to_front(shape, s.ring)),
            (s.lys if phase > Phase.LYS else NOBODY, placing),
            (s.offer.tobytes(), s.song_offer.tobytes()),
            *chain.from_iterable(zip(who, held, strict=True)),
            (ids["moves"],),
        ],
    )


BELOW_STACKS = range(-1, SPACES * TALLEST_STACK - 1, TALLEST_STACK)
"""Where the tile under each stack would be in the field `stack`."""
CARDS_HELD = rows(SEATS, LEGENDS)


class Setting(NamedTuple):
    """What stays the same in the pictures of a game for a viewer."""

    language: str
    shape: Shape
    ring: int
    players: int
    viewer: int | None
    total: bytes
    worth: Worth


@lru_cache(256)
def _sections(it: Setting) -> list[Section]:
    """Return the sections of the board, back to front."""
    sections: list[Section] = [partial(_sky, it)]
    sections += [partial(_space, it, space) for space in back_to_front(it.shape, it.ring)]
    sections += [partial(_fire, it), partial(_offer, it)]
    for seat in range(it.players):
        sections += [partial(_player, it, seat), partial(_holdings, it, seat)]
    return [*sections, _moves]


def _sky(
    it: Setting, names: Sequence[str], points: Sequence[int], chart: tuple[str, ...]
) -> list[Part]:
    words, lay = Words(it.language), LAYOUTS[it.shape]
    told = each_has(it.language, "nomads.points", names, points)
    return [
        *head("nomads", lay.width, lay.height, words("nomads.title"), told),
        (draw_backdrop, it.language, it.shape),
        (draw_chart, it.language, it.shape, chart),
    ]


def _space(it: Setting, space: int, height: int, top: int, pile: tuple[str, ...]) -> list[Part]:
    tile = top if height else NOBODY
    return [
        (draw_place, it.shape, it.ring, space),
        (draw_stack, it.language, it.shape, it.ring, space, height, tile),
        (draw_pile, it.shape, it.ring, space, pile),
    ]


def _fire(it: Setting, lys: int, placing: str) -> list[Part]:
    return [(draw_lys, it.language, it.shape, it.ring, lys), (group, placing)]


def _offer(it: Setting, offer: bytes, songs: bytes) -> list[Part]:
    columns: list[Part] = []
    for legend in range(LEGENDS):
        row = slice(legend * CARDS, (legend + 1) * CARDS)
        offered = offer[row] if it.total[legend] else bytes(CARDS)
        worth = it.worth.legends[row]
        columns.append((draw_column, it.language, it.shape, legend, worth, offered))
    return [
        (draw_shop, it.language, it.shape),
        *columns,
        (draw_songs, it.language, it.shape, it.worth, songs),
    ]


def _player(it: Setting, seat: int, lit: bool, name: str, disc: int, points: int) -> list[Part]:
    mine = seat == it.viewer
    return [
        (draw_seat, it.shape, mine, lit, it.players, seat),
        (draw_who, it.language, it.shape, mine, it.players, seat, name, disc, points),
    ]


def _holdings(
    it: Setting, seat: int, hand: Hand, written: bytes, song: int, moons: tuple[str, ...]
) -> list[Part]:
    place = it.language, it.shape, it.players, seat
    kept = zip(repeat(draw_kept), *map(repeat, place), range(Tile.MOON), hand)
    return [*kept, (draw_held, *place, it.worth, written, song, moons)]


def _moves(moved: Sequence[str]) -> list[Part]:
    return [(moves, moved)]


def private(words: Words, s: State, seat: int, shape: Shape = "wide") -> str:
    """Return an empty layer: in Nomads no seat knows more than another."""
    lay = LAYOUTS[shape]
    return overlay("nomads", "private", lay.width, lay.height, "")
