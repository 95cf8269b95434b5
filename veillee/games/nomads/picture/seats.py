"""Nomads: the seats, with tiles, cards and Moons."""

from __future__ import annotations

from functools import cache, lru_cache

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import (
    GAP,
    at,
    belongs,
    esc,
    fit,
    group,
    halo,
    num,
    of,
    own_mark,
    panel,
    panel_of,
    piece,
    player_name,
    spot,
    text,
    titled,
    use,
)
from veillee.engine.i18n import Words
from veillee.engine.score_sheet import signed
from veillee.games.nomads.core.names import DISCS, TILES
from veillee.games.nomads.core.state import LEGENDS
from veillee.games.nomads.picture.cards import Worth, draw_card, draw_song_card
from veillee.games.nomads.picture.layout import LAYOUTS, Layout


def seat_top(lay: Layout, players: int, seat: int) -> tuple[float, float]:
    height = lay.seat_height(players)
    return lay.seats_top + height * seat, height - (2 if lay.stacked else 5)


def held_card_place(lay: Layout, players: int, seat: int, legend: int) -> tuple[float, float]:
    top, height = seat_top(lay, players, seat)
    if lay.stacked:
        shift = lay.column - lay.card[0] / 2 - 1.5
        if legend == LEGENDS:
            shift = lay.song[0] / 2 + lay.small_tile + 3
        return lay.column_left(legend) + shift, top + height / 2
    width = lay.column if legend < LEGENDS else lay.last
    return lay.column_left(legend) + width / 2, top + height - lay.card[1] / 2 - 5


@cache
def draw_seat(shape: Shape, mine: bool, awaited: bool, players: int, seat: int) -> str:
    """Draw the panel of a seat, lit if its decision is awaited."""
    lay = LAYOUTS[shape]
    top, height = seat_top(lay, players, seat)
    x = lay.left
    mark = own_mark(x, top, height, mine)
    return panel_of(seat, x, top, panel(x, top, lay.right - x, height, awaited) + mark)


def draw_who(
    language: str,
    shape: Shape,
    mine: bool,
    players: int,
    seat: int,
    name: str,
    disc: int,
    points: int,
) -> str:
    """Draw the name of a seat and its points."""
    before, between, after = _who(language, shape, mine, players, seat, name, disc)
    told, below, drawn = _points(language, shape, players, seat, bool(disc), points)
    return f"{before}{told}{between}{below}{after}{drawn}</g>"


@lru_cache(4096)
def _who(
    language: str, shape: Shape, mine: bool, players: int, seat: int, name: str, disc: int
) -> tuple[str, str, str]:
    """Draw a name, and the face of the Adventurer beside or below it.

    Return what comes before the points in the title, what comes between them and what is said of
    points below zero, and the rest.
    """
    words, lay = Words(language), LAYOUTS[shape]
    x, fy = _face_place(lay, players, seat)
    who, power, face = name, "", ""
    if disc:
        who = f"{name} ({words(f'nomads.disc.{DISCS[disc]}')})"
        power = " " + esc(words(f"nomads.power.{DISCS[disc]}"))
        face = use(f"nomads-{DISCS[disc]}-face", x, fy, lay.face)
    top, height = seat_top(lay, players, seat)
    if lay.stacked:
        left, y = x + lay.face + 2, top + height / 2 - lay.plain * 0.17
        room = lay.name - lay.face - 6
        drawn = face + player_name(words, left, y, name, room, lay.plain, mine)
    else:
        room = lay.name - 14
        drawn = player_name(words, x, top + 24, name, room, lay.plain + 1, mine) + face
    before, _, between = words.labelled(esc(who), GAP).partition(GAP)
    opened = f'<g id="nomads-seat-{seat}" data-panel="{seat}"><title>'
    return opened + before, between + ".", f"{power}</title>{drawn}"


@lru_cache(4096)
def _points(
    language: str, shape: Shape, players: int, seat: int, beside: bool, points: int
) -> tuple[str, str, str]:
    """Draw the points of a seat, `beside` a face or where it would be.

    Return them in words, what to say besides if they are below zero, and the drawing.
    """
    words, lay = Words(language), LAYOUTS[shape]
    told = words("nomads.points", n=points)
    about = " " + esc(words("nomads.about.below")) if points < 0 else ""
    x, fy = _face_place(lay, players, seat)
    if lay.stacked:
        top, height = seat_top(lay, players, seat)
        room = lay.name - lay.face - 6
        # On phones the word would reach into the tiles.
        shown = told if fit(told, room - 12, lay.plain) == told else signed(points)
        below = top + height / 2 + min(lay.plain + 0.5, height / 2 - 2.2)
        return told, about, text(x + lay.face + 2, below, shown, "t-fire", lay.plain)
    left = x + (lay.face + 8 if beside else 0)
    number, _, word = told.partition(" ")
    if points < 0:
        word = words("nomads.picture.below")
    drawn = text(left, fy + lay.face * 0.52, number, "t-fire", lay.big + 4) + text(
        left,
        fy + lay.face * 0.9,
        fit(word, lay.name - lay.face - 20, lay.small),
        "t-soft",
        lay.small,
    )
    return told, about, drawn


def _face_place(lay: Layout, players: int, seat: int) -> tuple[float, float]:
    """Return the upper left corner of an Adventurer's face."""
    top, height = seat_top(lay, players, seat)
    if lay.stacked:
        return lay.left + 4, top + (height - lay.face) / 2
    return lay.left + 10, top + 30 + (height - 30 - lay.face) / 2 - 2


def draw_kept(
    language: str, shape: Shape, players: int, seat: int, kind: int, tiles: tuple[str, ...]
) -> str:
    """Draw the tiles of one kind in front of a seat, and their number."""
    before, places, shown, after = _heap(language, shape, players, seat, kind, len(tiles))
    drawn = [
        f'<g class="piece kept" id="{name}" {place}>{shown}</g>'
        for name, place in zip(tiles, places, strict=True)
    ]
    return belongs(seat, before + "".join(drawn) + after)


@cache
def _heap(
    language: str, shape: Shape, players: int, seat: int, kind: int, n: int
) -> tuple[str, list[str], str, str]:
    """Return the drawing before the tiles of a heap, their positions and look, and what follows."""
    if not n:
        return group(""), [], "", ""
    words, lay = Words(language), LAYOUTS[shape]
    top, height = seat_top(lay, players, seat)
    size = lay.small_tile
    left = lay.column_left(kind)
    shift = 0.5 if lay.stacked else min(2.0, 8 / n)
    x = left + (2 if lay.stacked else 5)
    y = top + (1 if lay.stacked else 8)
    if lay.stacked:
        number = text(
            x + size / 2, y + size + (height - size - 3) / 2 + 4.5, n, "t-b", lay.small, "m"
        )
        box = halo(left, top, lay.column - 1, height, 5)
    else:
        number = text(x + size + shift * min(n - 1, 6) + 3, y + size * 0.74, n, "t-b", lay.plain)
        box = halo(left + 2, top + 4, lay.column - 4, size + 10, 6)
    title = f"{words(f'nomads.tile.{TILES[kind]}')} × {n}"
    begun = group(group(f"<title>{esc(title)}</title>"))
    if kind < LEGENDS:
        begun = of(seat, spot("tiles", TILES[kind], title, box))
    places = [at(x + shift * min(i, 6), y) for i in range(n)]
    shown = use(f"nomads-t-{TILES[kind]}", 0, 0, size)
    return begun.removesuffix("</g></g>"), places, shown, number + "</g></g>"


def draw_held(
    language: str,
    shape: Shape,
    players: int,
    seat: int,
    worth: Worth,
    written: bytes,
    song: int,
    moons: tuple[str, ...],
) -> str:
    """Draw the cards and Moons in front of a seat. Cards count from 1; 0 is none."""
    drawn = [
        _card(language, shape, players, seat, kind, card, worth.card(kind, card - 1))
        for kind, card in enumerate(written)
        if card
    ]
    if song:
        cost, points = worth.song_costs[song - 1], worth.song_points[song - 1]
        drawn.append(_song(language, shape, players, seat, song, cost, points))
    if moons:
        top, height = seat_top(LAYOUTS[shape], players, seat)
        label = f"{Words(language)('nomads.tile.moon')} × {len(moons)}"
        drawn.append(titled(label, _won(shape, top, height, moons)))
    return belongs(seat, "".join(drawn))


@lru_cache(4096)
def _card(
    language: str, shape: Shape, players: int, seat: int, kind: int, card: int, value: int
) -> str:
    """Draw a Legend card in front of a seat."""
    words, lay = Words(language), LAYOUTS[shape]
    legend = words(f"nomads.legend.{TILES[kind]}")
    name = legend[0].upper() + legend[1:]
    shown = titled(words.labelled(name, value), draw_card(lay, kind, value))
    place = held_card_place(lay, players, seat, kind)
    return piece(f"card-{TILES[kind]}-{card}", *place, shown, "card")


@lru_cache(1024)
def _song(
    language: str, shape: Shape, players: int, seat: int, song: int, cost: int, points: int
) -> str:
    """Draw a Song in front of a seat."""
    words, lay = Words(language), LAYOUTS[shape]
    title = f"{words('nomads.picture.song')} {points}"
    place = held_card_place(lay, players, seat, LEGENDS)
    return piece(f"song-{song}", *place, titled(title, draw_song_card(lay, cost, points)), "card")


def _won(shape: Shape, top: float, height: float, moons: tuple[str, ...]) -> str:
    """Draw the Moons that a seat won, and their number."""
    lay = LAYOUTS[shape]
    size = lay.small_tile
    x = lay.right - size - (2 if lay.stacked else 8)
    y = top + (height - size) / 2 if lay.stacked else top + 8
    shown = use("nomads-t-moon", 0, 0, size)
    drawn = [
        piece(name, x - (0 if lay.stacked else min(i, 2) * 2), y, shown, "kept")
        for i, name in enumerate(moons)
    ]
    cx, cy = x + size / 2, y + size / 2
    drawn.append(
        f'<circle cx="{num(cx)}" cy="{num(cy)}" r="{num(size * 0.36)}" fill="#f4f8ff"/>'
        + text(cx, cy + lay.small * 0.36, len(moons), "pic-dark", lay.small, "m")
    )
    return "".join(drawn)
