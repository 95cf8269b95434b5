"""Nomads: the Legend and Song cards on offer, and the Moon chart."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple, Self

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import (
    esc,
    fit,
    given,
    group,
    halo,
    num,
    panel,
    part,
    piece,
    spot,
    text,
    use,
)
from veillee.engine.i18n import Words
from veillee.games.nomads.core.names import TILES
from veillee.games.nomads.core.state import CARDS, LEGENDS, SONGS, State
from veillee.games.nomads.picture.layout import LAYOUTS, Layout
from veillee.games.nomads.picture.symbols import NOTE, SMALL_CARD


class Worth(NamedTuple):
    """Prices and points of the cards of a game, as bytes."""

    legends: bytes
    song_costs: bytes
    song_points: bytes

    @classmethod
    def of(cls, s: State) -> Self:
        return cls(s.value.tobytes(), s.song_cost.tobytes(), s.song_points.tobytes())

    def card(self, legend: int, card: int) -> int:
        return self.legends[legend * CARDS + card]


def draw_chart(language: str, shape: Shape, moons: tuple[str, ...]) -> str:
    """Draw the Moon chart with four places; further Moons lie beside them."""
    lay = LAYOUTS[shape]
    x, y = lay.chart
    size = lay.tile * 0.72
    shown = use("nomads-t-moon", -size * 0.46, -size * 0.46, size * 0.92)
    drawn = [_empty_chart(language, shape)]
    for i, name in enumerate(moons):
        over = i // 4 * 6
        column, row = i % 2, i % 4 // 2
        place = x + size * (column + 0.5) + over, y + size * (row + 0.5) + over
        drawn.append(piece(name, *place, shown))
    return part("chart", "".join(drawn))


@cache
def _empty_chart(language: str, shape: Shape) -> str:
    lay = LAYOUTS[shape]
    x, y = lay.chart
    size = lay.tile * 0.72
    places = "".join(
        f'<circle class="slot edged" cx="{num(x + size * (i % 2 + 0.5))}" '
        f'cy="{num(y + size * (i // 2 + 0.5))}" r="{num(size * 0.45)}"/>'
        for i in range(4)
    )
    return (
        f"<title>{esc(Words(language)('nomads.about.chart'))}</title>{places}"
        f'<path class="f-line" opacity=".9" transform="translate({num(x + size - 5)} '
        f'{num(y + size - 5)}) scale(.42)" d="M16.6 4.8a9.6 9.6 0 1 0 6 12.8 7.8 7.8 0 0 '
        '1-6-12.8z"/>'
    )


def card_place(lay: Layout, legend: int, card: int) -> tuple[float, float]:
    """Return the middle of the place of a card on offer; column 7 is that of the Songs."""
    width = lay.column if legend < LEGENDS else lay.last
    return lay.column_left(legend) + width / 2, lay.offer_top + lay.row * (card + 0.5)


def draw_card(lay: Layout, legend: int, value: int) -> str:
    width, _ = lay.card
    x, size = (width * 0.25, width * 0.5) if width >= SMALL_CARD else (0, lay.plain + 0.5)
    shown = text(x, size * 0.37, value, "pic-dark", size, "m")
    return f'<use href="#nomads-c-{TILES[legend]}"/>{shown}'


def draw_song_card(lay: Layout, cost: int, points: int) -> str:
    width, height = lay.song
    shown = str(points) if cost == points else f"{cost}›{points}"
    size = max(min(height * 0.58, 19), lay.small)
    said = text(width * 0.24, size * 0.37, shown, "pic-dark", size, "m")
    return f'<use href="#nomads-c-song"/>{said}'


@cache
def draw_shop(language: str, shape: Shape) -> str:
    """Draw the panel of the cards on offer."""
    words, lay = Words(language), LAYOUTS[shape]
    x, y = lay.left, lay.top
    title = fit(words("nomads.picture.offer"), lay.name - 8, lay.small)
    return group(
        panel(x, y, lay.right - x, lay.head + lay.row * CARDS)
        + text(x + 8, y + lay.head + lay.row * 0.6, title, "t-soft t-b", lay.small)
        + _slots(shape)
    )


@lru_cache(8192)
def draw_column(language: str, shape: Shape, legend: int, values: bytes, offered: bytes) -> str:
    lay = LAYOUTS[shape]
    left, head = lay.column_left(legend), min(lay.head - 4, 30)
    tile = TILES[legend]
    name = Words(language)(f"nomads.tile.{tile}")
    emblem = use(f"nomads-t-{tile}", left + (lay.column - head) / 2, lay.top + 3, head)
    drawn = [f"<g><title>{esc(name)}</title>{emblem}</g>"]
    for card, value in enumerate(values):
        if offered[card]:
            cx, cy = card_place(lay, legend, card)
            touched = halo(left + 1, cy - lay.row / 2, lay.column - 2, lay.row, 6)
            shown = piece(f"card-{tile}-{card + 1}", cx, cy, draw_card(lay, legend, value), "card")
            drawn.append(spot("card", card + 1, f"{name} {value}", touched + shown))
    return given("legend", tile, "".join(drawn))


@lru_cache(8192)
def draw_songs(language: str, shape: Shape, worth: Worth, offered: bytes) -> str:
    lay = LAYOUTS[shape]
    left, head = lay.column_left(LEGENDS), min(lay.head - 4, 30)
    song = Words(language)("nomads.picture.song")
    note = (
        f"<g><title>{esc(song)}</title>"
        f'<g transform="translate({num(left + lay.last / 2)} {num(lay.top + 3 + head / 2)}) '
        f'scale({num(head / 26)})"><circle r="12" fill="#fdf4e0"/>{NOTE}</g></g>'
    )
    drawn = [note]
    for card in range(SONGS):
        if offered[card]:
            cx, cy = card_place(lay, LEGENDS, card)
            cost, points = worth.song_costs[card], worth.song_points[card]
            touched = halo(left + 1, cy - lay.row / 2, lay.last - 2, lay.row, 6)
            shown = piece(f"song-{card + 1}", cx, cy, draw_song_card(lay, cost, points), "card")
            drawn.append(spot("song", card + 1, f"{song} {points}", touched + shown))
    return group("".join(drawn))


@cache
def _slots(shape: Shape) -> str:
    """Draw the places of all cards, which show where one was taken."""
    lay = LAYOUTS[shape]
    path = ""
    for legend in range(LEGENDS + 1):
        width, height = lay.card if legend < LEGENDS else lay.song
        for card in range(CARDS):
            x, y = card_place(lay, legend, card)
            across = num(width)
            path += f"M{num(x - width / 2)} {num(y - height / 2)}h{across}v{num(height)}h-{across}z"
    return f'<path class="slot" d="{path}"/>'
