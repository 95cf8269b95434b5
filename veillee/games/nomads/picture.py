"""Nomads: the fire, the ring around it, and the table of cards and seats, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan2, degrees, hypot
from typing import Any, NamedTuple

from veillee.engine.memory import remembered
from veillee.engine.picture import counted, each_has
from veillee.engine.svg import (
    Canvas,
    at,
    esc,
    fit,
    given,
    group,
    halo,
    moves,
    num,
    of,
    overlay,
    panel,
    piece,
    spot,
    text,
    use,
)
from veillee.engine.tally import signed
from veillee.engine.words import Words
from veillee.games.nomads.art import NOTE, SMALL_CARD, defs
from veillee.games.nomads.layout import LAYOUTS, Layout, around
from veillee.games.nomads.names import DIRECTIONS, DISCS, TILES
from veillee.games.nomads.notation import describe
from veillee.games.nomads.pieces import Ids, follow, kind_of, named, tile_id
from veillee.games.nomads.rules import may_place, next_space, scores
from veillee.games.nomads.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SONGS,
    TALLEST_STACK,
    Disc,
    Phase,
    Tile,
)
from veillee.pictures.sky import stars

__all__ = ["board", "follow", "ghost", "icon", "private"]

COUNTED_FROM = 5
"""Piles at least so high show how many discs they hold."""


def board(
    words: Words,
    s: Any,
    names: Sequence[str],
    tall: bool = False,
    seat: int | None = None,
    ids: Ids | None = None,
    canvas: Canvas | None = None,
    points: Sequence[int] | None = None,
) -> list[str]:
    """The whole table: only the tiles under the tops are hidden, and those are counted."""
    lay = LAYOUTS[tall]
    if ids is None:
        ids = named(s)
    if canvas is None:
        canvas = Canvas()
    add, language, ring, players = canvas.add, words.language, s.ring, s.players
    worth = Worth(s.value.tobytes(), s.song_cost.tobytes(), s.song_points.tobytes())
    if points is None:
        points = counted(scores, s)
    told = each_has(language, "nomads.points", names, points)
    canvas.begin("nomads", lay.width, lay.height, words("nomads.title"), told)
    add(_still, language, tall)
    add(_chart, language, tall, ids["chart"])
    heights, stacks, piles = s.tiles.tobytes(), s.stack.tobytes(), ids["piles"]
    for space in _behind(tall, ring):
        height = heights[space]
        top = stacks[space * TALLEST_STACK + height - 1] if height else NOBODY
        if canvas.section(3, height, top, piles[space]):
            add(_place, tall, ring, space)
            add(_stack, language, tall, ring, space, height, top)
            add(_pile, tall, ring, space, piles[space])
    phase = s.phase
    add(_lys, language, tall, ring, s.lys if phase > Phase.LYS else NOBODY)
    add(group, _to_place(words, s, lay, ids) if phase < Phase.LYS else "")
    add(_shop, language, tall)
    offer, songs, total = s.offer.tobytes(), s.song_offer.tobytes(), s.total.tobytes()
    if canvas.section(LEGENDS + 1, worth, offer, songs, total):
        for legend in range(LEGENDS):
            row = slice(legend * CARDS, (legend + 1) * CARDS)
            offered = offer[row] if total[legend] else bytes(CARDS)
            add(_column, language, tall, legend, worth.legends[row], offered)
        add(_songs, language, tall, worth, songs)
    awaited, adventurers, written = s.seat, s.adventurer.tobytes(), s.legend.tobytes()
    for other, name in enumerate(names):
        lit, hand, moons = other == awaited, ids["hands"][other], ids["moons"][other]
        who = (players, other, name, adventurers[other], points[other])
        cards = (written[other * LEGENDS : (other + 1) * LEGENDS], s.song[other])
        add(_seat, tall, other == seat, lit, players, other)
        add(_who, language, tall, *who)
        if canvas.section(Tile.MOON + 1, hand, cards, moons):
            for kind, tiles in enumerate(hand):
                add(_kept, language, tall, players, other, kind, tiles)
            add(_held, tall, players, other, worth, *cards, moons)
    add(moves, ids["moves"])
    return canvas.end()


class Worth(NamedTuple):
    """What the cards of a game cost and score, as bytes."""

    legends: bytes
    song_costs: bytes
    song_points: bytes

    def card(self, legend: int, card: int) -> int:
        return self.legends[legend * CARDS + card]


@cache
def _still(language: str, tall: bool) -> str:
    """What never changes."""
    words, lay = Words(language), LAYOUTS[tall]
    symbols = defs(_letters(words), lay.disc, lay.card, lay.song)
    return group(symbols + _ground(tall) + _arrows(words, lay))


@cache
def _behind(tall: bool, ring: int) -> list[int]:
    """The spaces, those farthest away first."""
    return sorted(range(ring), key=lambda space: around(tall, ring)[space][1])


def private(words: Words, s: Any, seat: int, tall: bool = False) -> str:
    """Nothing: in Nomads no seat knows more than another."""
    lay = LAYOUTS[tall]
    return overlay("nomads", "private", lay.width, lay.height, "")


@cache
def _letters_in(language: str) -> tuple[str, ...]:
    words = Words(language)
    return tuple(esc(words(f"nomads.short.{disc}")) for disc in DISCS)


def _letters(words: Words) -> tuple[str, ...]:
    return _letters_in(words.language)


# ---------------------------------------------------------------- around the fire


@cache
def _ground(tall: bool) -> str:
    lay = LAYOUTS[tall]
    x, y = lay.fire
    rx, ry = lay.ground
    glow = lay.stacks[0] * 1.25
    fire = lay.tile * 2.3
    stones = "".join(
        f'<ellipse cx="{num(x + dx * fire)}" cy="{num(y + dy * fire)}" rx="{num(fire * 0.09)}" '
        f'ry="{num(fire * 0.06)}" fill="#6f6a78" stroke="#3a3644"/>'
        for dx, dy in STONES
    )
    return (
        f'<rect width="{lay.width}" height="{lay.height}" fill="url(#nomads-sky)"/>'
        f"{stars(lay.width, lay.height, 70 if not tall else 34)}"
        f'<ellipse cx="{num(x)}" cy="{num(y + 6)}" rx="{num(rx)}" ry="{num(ry)}" '
        f'fill="url(#nomads-ground)"/>'
        f'<ellipse class="rule" cx="{num(x)}" cy="{num(y)}" rx="{num(lay.stacks[0] * 0.62)}" '
        f'ry="{num(lay.stacks[1] * 0.56)}" stroke-dasharray="2 7" stroke-linecap="round" '
        'stroke-width="2" opacity=".7"/>'
        f'<circle class="pic-flicker" cx="{num(x)}" cy="{num(y)}" r="{num(glow)}" '
        f'fill="url(#nomads-glow)"/>{stones}'
        f"{use('nomads-fire', x - fire / 2, y - fire * 0.56, fire)}"
    )


STONES = ((-0.36, 0.2), (-0.22, 0.3), (0, 0.34), (0.22, 0.3), (0.36, 0.2))


def _arrows(words: Words, lay: Layout) -> str:
    """The two ways round, in the lower corners: clockwise to the left."""
    size = lay.arrow
    bottom = (lay.top if lay.tall else lay.height) - 4 - size
    right = (lay.width if lay.tall else lay.left) - 4 - size
    drawn = []
    for direction, x in zip(DIRECTIONS, (4.0, right), strict=True):
        flip = 1 if direction == "left" else -1
        drawn.append(
            spot(
                "direction",
                direction,
                words(f"nomads.direction.{direction}"),
                halo(x, bottom, size, size, size / 2)
                + f'<g transform="translate({num(x + size / 2)} {num(bottom + size / 2)}) '
                f'scale({num(flip * size / 44)} {num(size / 44)})">'
                '<circle class="panel" r="19"/>'
                '<path class="l-ink" stroke-width="3.5" stroke-linecap="round" d="M11 7.5A11.5 '
                "11.5 0 0 1"
                '-10.5 3"/><path class="f-ink" d="m-15 4 9-1.5L-12.5-6z"/></g>',
            )
        )
    return "".join(drawn)


def _chart(language: str, tall: bool, moons: tuple[str, ...]) -> str:
    """The Moon chart: four places, what is over them lies beside."""
    lay = LAYOUTS[tall]
    x, y = lay.chart
    size = lay.tile * 0.72
    shown = use("nomads-t-moon", -size * 0.46, -size * 0.46, size * 0.92)
    drawn = [_empty_chart(language, tall)]
    for i, name in enumerate(moons):
        over = i // 4 * 6
        column, row = i % 2, i % 4 // 2
        place = x + size * (column + 0.5) + over, y + size * (row + 0.5) + over
        drawn.append(piece(name, *place, shown))
    return group("".join(drawn))


@cache
def _empty_chart(language: str, tall: bool) -> str:
    lay = LAYOUTS[tall]
    x, y = lay.chart
    size = lay.tile * 0.72
    places = "".join(
        f'<circle class="slot edged" cx="{num(x + size * (i % 2 + 0.5))}" '
        f'cy="{num(y + size * (i // 2 + 0.5))}" r="{num(size * 0.45)}"/>'
        for i in range(4)
    )
    return (
        f"<title>{esc(Words(language)('nomads.picture.chart'))}</title>{places}"
        f'<path class="f-line" opacity=".9" transform="translate({num(x + size - 5)} '
        f'{num(y + size - 5)}) scale(.42)" d="M16.6 4.8a9.6 9.6 0 1 0 6 12.8 7.8 7.8 0 0 '
        '1-6-12.8z"/>'
    )


@cache
def _place(tall: bool, ring: int, space: int) -> str:
    """Where a pile stands, and the space's number. Touching what lies there is touching it."""
    lay = LAYOUTS[tall]
    px, py, tx, ty = around(tall, ring)[space]
    rx, ry, _ = lay.disc
    return group(
        _spot_of(
            space,
            _capsule(lay, px, py, tx, ty)
            + f'<ellipse cx="{num(px)}" cy="{num(py)}" rx="{num(rx + 4)}" ry="{num(ry + 3)}" '
            'fill="#000" opacity=".22"/>'
            + text(px, py + ry + lay.small + 2, space + 1, "t-soft t-b", lay.small, "m"),
        )
    )


def _spot_of(space: int, inner: str, more: str = "") -> str:
    return spot("space", space + 1, f"{space + 1}{more}", inner)


def _capsule(lay: Layout, px: float, py: float, tx: float, ty: float) -> str:
    """A halo around pile and stack together."""
    high = py - lay.disc[2]
    wide = lay.tile * 1.36
    length = hypot(px - tx, high - ty) + wide
    turn = degrees(atan2(high - ty, px - tx))
    mx, my = (px + tx) / 2, (high + ty) / 2
    return (
        f'<rect class="halo" x="{num(mx - length / 2)}" y="{num(my - wide / 2)}" '
        f'width="{num(length)}" height="{num(wide)}" rx="{num(wide / 2)}" '
        f'transform="rotate({num(turn)} {num(mx)} {num(my)})"/>'
    )


@cache
def _stack(language: str, tall: bool, ring: int, space: int, height: int, top_tile: int) -> str:
    """The tiles under the top one as so many edges, the top one face up, and the number."""
    lay = LAYOUTS[tall]
    _, _, x, y = around(tall, ring)[space]
    size = lay.tile
    step = lay.edge
    half = size / 2
    drawn = []
    if height:
        top = y - half - step * (height - 1) + step * 6
        drawn.append(
            f'<rect x="{num(x - half + 2)}" y="{num(top + 3)}" width="{num(size - 4)}" '
            f'height="{num(size + step * (height - 1) - 3)}" rx="{num(size * 0.16)}" '
            f'fill="#2a2233"/>'
        )
        if height > 1:
            edges = "".join(
                f"M{num(x - half + 4)} {num(top + size + step * i)}h{num(size - 8)}"
                for i in range(1, height)
            )
            drawn.append(f'<path d="{edges}" stroke="#d9c9a8" stroke-width="{num(step * 0.5)}"/>')
        shown = use(f"nomads-t-{TILES[top_tile]}", -half, -half, size)
        drawn.append(piece(tile_id(space, height - 1), x, top + half, shown))
        badge = lay.small
        cx, cy = x + half - 2, top + size + step * (height - 1) - 3
        drawn.append(
            f'<circle class="panel" cx="{num(cx)}" cy="{num(cy)}" r="{num(badge * 0.82)}"/>'
            + text(cx, cy + badge * 0.36, height, "t-b", badge, "m")
        )
    else:
        drawn.append(
            f'<rect class="rule" x="{num(x - half + 3)}" y="{num(y - half + 3)}" '
            f'width="{num(size - 6)}" height="{num(size - 6)}" rx="{num(size * 0.16)}" '
            'stroke-dasharray="4 4"/>'
        )
    tile = f": {Words(language)(f'nomads.tile.{TILES[top_tile]}')}" if height else ""
    return group(_spot_of(space, "".join(drawn), tile))


def _step(lay: Layout, n: int, y: float) -> float:
    """How much of each disc shows in a pile of so many whose foot is at a height of the picture."""
    _, ry, rim = lay.disc
    room = min(lay.headroom, y - rim - ry - 2)
    return min(rim + 1, room / max(n, 1))


def _pile(tall: bool, ring: int, space: int, pile: tuple[str, ...]) -> str:
    places, badge = _heights(tall, ring, space, len(pile))
    drawn = []
    for height, (name, place) in enumerate(zip(pile, places, strict=True), 1):
        disc = kind_of(name)
        covered = height if disc == Disc.RED and height < len(pile) else 0
        drawn.append(f'<g class="piece disc" id="{name}" {place}>{_disc(tall, disc, covered)}</g>')
    return group(_spot_of(space, "".join(drawn) + badge) if pile else "")


@cache
def _heights(tall: bool, ring: int, space: int, n: int) -> tuple[tuple[str, ...], str]:
    """Where the discs of a pile of so many lie; and a high pile's number."""
    lay = LAYOUTS[tall]
    x, y, _, _ = around(tall, ring)[space]
    rx, ry, rim = lay.disc
    step = _step(lay, n, y)
    badge = ""
    if n >= COUNTED_FROM:
        size = lay.small
        cx, cy = x + rx + size * 0.3, y - rim - step * (n - 1) - ry
        badge = (
            f'<circle class="panel" cx="{num(cx)}" cy="{num(cy)}" r="{num(size * 0.8)}"/>'
            + text(cx, cy + size * 0.36, n, "t-b", size, "m")
        )
    return tuple(at(x, y - rim - step * height) for height in range(n)), badge


@cache
def _disc(tall: bool, disc: int, height: int) -> str:
    """A disc; a covered one that can be lifted is a spot, and its height is given."""
    rx, ry, rim = LAYOUTS[tall].disc
    shown = f'<use href="#nomads-d-{DISCS[disc]}"/>'
    if not height:
        return shown
    touched = halo(-rx - 3, ry - 3, 2 * rx + 6, rim + 6, 5)
    return spot("height", height, str(height), shown + touched)


def _lys_place(lay: Layout, tall: bool, ring: int, space: int) -> tuple[float, float, float]:
    """Where Lys stands to point at a space, and which way she looks."""
    _, _, tx, ty = around(tall, ring)[space]
    fx, fy = lay.fire
    far = hypot(tx - fx, ty - fy)
    near = (far - lay.tile * 0.82) / far
    return fx + (tx - fx) * near, fy + (ty - fy) * near, degrees(atan2(ty - fy, tx - fx))


def _lys_token(lay: Layout, turn: float) -> str:
    size = lay.tile * 0.62
    return (
        f'<path transform="rotate({num(turn)}) scale({num(size / 34)})" fill="#c65bb4" '
        'stroke="#fff0fb" stroke-width="1.5" d="M25 0 12-11v22z"/>'
        + use("nomads-lys-face", -size / 2, -size / 2, size)
    )


@cache
def _lys(language: str, tall: bool, ring: int, space: int) -> str:
    if space == NOBODY:
        return group("")
    words, lay = Words(language), LAYOUTS[tall]
    x, y, turn = _lys_place(lay, tall, ring, space)
    size = lay.tile * 0.62
    inner = halo(-size / 2 - 3, -size / 2 - 3, size + 6, size + 6, size) + _lys_token(lay, turn)
    return group(piece("lys", x, y, spot("do", "lys", words("nomads.lys"), inner)))


def _to_place(words: Words, s: Any, lay: Layout, ids: Ids) -> str:
    """In set-up: the Adventurers to choose from, or the discs to be placed, by the fire."""
    x, y = lay.fire
    rx, _, rim = lay.disc
    if s.phase == Phase.ADVENTURER:
        free = [disc for disc in range(Disc.ULRICH, Disc.FROG) if s.owner[disc] == NOBODY]
        wide = min(lay.piles[0] * 0.37, 84)
        bottom = (lay.top if lay.tall else lay.height) - 6
        drawn = []
        for i, disc in enumerate(free):
            cx = x + wide * (i - (len(free) - 1) / 2)
            name = words(f"nomads.disc.{DISCS[disc]}")
            size = wide * 0.76
            inner = (
                halo(cx - wide / 2 + 1, bottom - wide * 1.08, wide - 2, wide * 1.08, 10)
                + use(f"nomads-{DISCS[disc]}-face", cx - size / 2, bottom - wide * 1.04, size)
                + text(cx, bottom - 4, fit(name, wide, lay.small), "t-b", lay.small, "m")
            )
            title = f"{name}: {words(f'nomads.power.{DISCS[disc]}')}"
            drawn.append(spot("adventurer", DISCS[disc], title, inner))
        return "".join(drawn)
    waiting = [d for d in range(Disc.ULRICH, Disc.FROG + 1) if s.box[d] and may_place(s, d)]
    wide = rx * 2 + 2
    drawn = []
    for i, disc in enumerate(waiting):
        cx = x + wide * (i - (len(waiting) - 1) / 2)
        placed = sum(
            known.startswith(f"disc-{DISCS[disc]}-") for pile in ids["piles"] for known in pile
        )
        inner = halo(cx - wide / 2 + 1, y - wide / 2, wide - 2, wide, 8)
        for k in range(s.box[disc]):
            inner += piece(
                f"disc-{DISCS[disc]}-{placed + k}",
                cx,
                y + 2 - k * (rim + 1),
                f'<use href="#nomads-d-{DISCS[disc]}"/>',
                "disc",
            )
        drawn.append(spot("disc", DISCS[disc], words(f"nomads.disc.{DISCS[disc]}"), inner))
    return "".join(drawn)


# ---------------------------------------------------------------- the table of cards and seats


def _card_place(lay: Layout, legend: int, card: int) -> tuple[float, float]:
    """The middle of a card's place on offer; column 7 is that of the Songs."""
    width = lay.column if legend < LEGENDS else lay.last
    return lay.column_left(legend) + width / 2, lay.offer_top + lay.row * (card + 0.5)


def _card(lay: Layout, legend: int, value: int) -> str:
    width, _ = lay.card
    x, size = (width * 0.25, width * 0.5) if width >= SMALL_CARD else (0, lay.plain + 1)
    shown = text(x, size * 0.37, value, "pic-dark", size, "m")
    return f'<use href="#nomads-c-{TILES[legend]}"/>{shown}'


def _song_card(lay: Layout, cost: int, points: int) -> str:
    width, height = lay.song
    shown = str(points) if cost == points else f"{cost}›{points}"
    size = min(height * 0.58, 19)
    said = text(width * 0.24, size * 0.37, shown, "pic-dark", size, "m")
    return f'<use href="#nomads-c-song"/>{said}'


@cache
def _shop(language: str, tall: bool) -> str:
    """What the cards on offer lie on."""
    words, lay = Words(language), LAYOUTS[tall]
    x, y = lay.left, lay.top
    title = fit(words("nomads.picture.offer"), lay.name - 8, lay.small)
    return group(
        panel(x, y, lay.right - x, lay.head + lay.row * CARDS)
        + text(x + 8, y + lay.head + lay.row * 0.6, title, "t-soft t-b", lay.small)
        + _slots(tall)
    )


@remembered
def _column(language: str, tall: bool, legend: int, values: bytes, offered: bytes) -> str:
    lay = LAYOUTS[tall]
    left, head = lay.column_left(legend), min(lay.head - 4, 30)
    tile = TILES[legend]
    name = Words(language)(f"nomads.tile.{tile}")
    emblem = use(f"nomads-t-{tile}", left + (lay.column - head) / 2, lay.top + 3, head)
    drawn = [f"<g><title>{esc(name)}</title>{emblem}</g>"]
    for card, value in enumerate(values):
        if offered[card]:
            cx, cy = _card_place(lay, legend, card)
            touched = halo(left + 1, cy - lay.row / 2 + 0.5, lay.column - 2, lay.row - 1, 6)
            shown = piece(f"card-{tile}-{card + 1}", cx, cy, _card(lay, legend, value), "card")
            drawn.append(spot("card", card + 1, f"{name} {value}", touched + shown))
    return given("legend", tile, "".join(drawn))


@remembered
def _songs(language: str, tall: bool, worth: Worth, offered: bytes) -> str:
    lay = LAYOUTS[tall]
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
            cx, cy = _card_place(lay, LEGENDS, card)
            cost, points = worth.song_costs[card], worth.song_points[card]
            touched = halo(left + 1, cy - lay.row / 2 + 0.5, lay.last - 2, lay.row - 1, 6)
            shown = piece(f"song-{card + 1}", cx, cy, _song_card(lay, cost, points), "card")
            drawn.append(spot("song", card + 1, f"{song} {points}", touched + shown))
    return group("".join(drawn))


@cache
def _slots(tall: bool) -> str:
    """The places of all cards, seen where one was taken."""
    lay = LAYOUTS[tall]
    path = ""
    for legend in range(LEGENDS + 1):
        width, height = lay.card if legend < LEGENDS else lay.song
        for card in range(CARDS):
            x, y = _card_place(lay, legend, card)
            across = num(width)
            path += f"M{num(x - width / 2)} {num(y - height / 2)}h{across}v{num(height)}h-{across}z"
    return f'<path class="slot" d="{path}"/>'


def _seat_top(lay: Layout, players: int, seat: int) -> tuple[float, float]:
    height = lay.seat_height(players)
    return lay.seats_top + height * seat, height - (5 if not lay.tall else 2)


def _held_card_place(lay: Layout, players: int, seat: int, legend: int) -> tuple[float, float]:
    top, height = _seat_top(lay, players, seat)
    if lay.tall:
        shift = lay.column - lay.card[0] / 2 - 1.5 if legend < LEGENDS else lay.song[0] / 2 + 18
        return lay.column_left(legend) + shift, top + height / 2
    width = lay.column if legend < LEGENDS else lay.last
    return lay.column_left(legend) + width / 2, top + height - lay.card[1] / 2 - 5


@cache
def _seat(tall: bool, mine: bool, awaited: bool, players: int, seat: int) -> str:
    """Where somebody's things lie; lit if they are awaited."""
    lay = LAYOUTS[tall]
    top, height = _seat_top(lay, players, seat)
    x = lay.left
    bar = (
        f'<rect class="f-fire" x="{num(x + 2)}" y="{num(top + 5)}" width="3" '
        f'height="{num(height - 10)}" rx="1.5"/>'
    )
    return group(panel(x, top, lay.right - x, height, awaited) + (bar if mine else ""))


@remembered
def _who(
    language: str, tall: bool, players: int, seat: int, name: str, disc: int, points: int
) -> str:
    """Who sits there, and with how many points."""
    words, lay = Words(language), LAYOUTS[tall]
    top, height = _seat_top(lay, players, seat)
    told = words("nomads.points", n=points).replace("-", "−")
    who = f" ({words(f'nomads.disc.{DISCS[disc]}')})" if disc else ""
    return (
        f'<g id="nomads-seat-{seat}"><title>{esc(name + who)}: {esc(told)}</title>'
        + _named(tall, name, disc, points, told, top, height)
        + "</g>"
    )


def _named(
    tall: bool, name: str, disc: int, points: int, told: str, top: float, height: float
) -> str:
    lay = LAYOUTS[tall]
    x = lay.left + (4 if tall else 10)
    face = lay.face
    if tall:
        fy = top + (height - face) / 2
        drawn = [use(f"nomads-{DISCS[disc]}-face", x, fy, face)] if disc else []
        left = x + face + 3
        room = lay.name - face - 8
        drawn.append(
            text(left, top + height / 2 - 1.5, fit(name, room, lay.plain), "t-b", lay.plain)
        )
        shown = told if fit(told, room, 12) == told else signed(points)
        drawn.append(text(left, top + height / 2 + 11, shown, "t-fire", 12))
        return "".join(drawn)
    drawn = [text(x, top + 21, fit(name, lay.name - 14, lay.plain + 1), "t-b", lay.plain + 1)]
    fy = top + 27 + (height - 27 - face) / 2 - 2
    if disc:
        drawn.append(use(f"nomads-{DISCS[disc]}-face", x, fy, face))
    left = x + (face + 8 if disc else 0)
    number, _, word = told.partition(" ")
    drawn.append(text(left, fy + face * 0.52, number, "t-fire", lay.big + 4))
    drawn.append(
        text(left, fy + face * 0.9, fit(word, lay.name - face - 20, lay.small), "t-soft", lay.small)
    )
    return "".join(drawn)


def _kept(
    language: str, tall: bool, players: int, seat: int, kind: int, tiles: tuple[str, ...]
) -> str:
    """The tiles of one kind in front of a seat, and how many."""
    before, places, shown, after = _heap(language, tall, players, seat, kind, len(tiles))
    drawn = [
        f'<g class="piece kept" id="{name}" {place}>{shown}</g>'
        for name, place in zip(tiles, places, strict=True)
    ]
    return before + "".join(drawn) + after


@cache
def _heap(
    language: str, tall: bool, players: int, seat: int, kind: int, n: int
) -> tuple[str, list[str], str, str]:
    """What stands before so many tiles, where each lies, how it looks, and what stands behind."""
    if not n:
        return group(""), [], "", ""
    words, lay = Words(language), LAYOUTS[tall]
    top, height = _seat_top(lay, players, seat)
    size = lay.small_tile
    left = lay.column_left(kind)
    shift = 0.5 if tall else min(3.0, 12 / n)
    x = left + (2 if tall else 5)
    y = top + (1.5 if tall else 8)
    if tall:
        number = text(
            x + size / 2, y + size + (height - size - 3) / 2 + 4.5, n, "t-b", lay.small, "m"
        )
        box = halo(left, top, lay.column / 2 + 1, height, 5)
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


@remembered
def _held(
    tall: bool,
    players: int,
    seat: int,
    worth: Worth,
    written: bytes,
    song: int,
    moons: tuple[str, ...],
) -> str:
    """The cards and Moons in front of a seat. Cards count from 1; 0 is none."""
    lay = LAYOUTS[tall]
    top, height = _seat_top(lay, players, seat)
    drawn = []
    for kind, card in enumerate(written):
        if card:
            cx, cy = _held_card_place(lay, players, seat, kind)
            shown = _card(lay, kind, worth.card(kind, card - 1))
            drawn.append(piece(f"card-{TILES[kind]}-{card}", cx, cy, shown, "card"))
    if song:
        cx, cy = _held_card_place(lay, players, seat, LEGENDS)
        shown = _song_card(lay, worth.song_costs[song - 1], worth.song_points[song - 1])
        drawn.append(piece(f"song-{song}", cx, cy, shown, "card"))
    if moons:
        drawn.append(_won(tall, top, height, moons))
    return group("".join(drawn))


def _won(tall: bool, top: float, height: float, moons: tuple[str, ...]) -> str:
    """The Moons that a seat won, and how many."""
    lay = LAYOUTS[tall]
    size = lay.small_tile
    x = lay.right - size - (2 if tall else 8)
    y = top + (height - size) / 2 if tall else top + 8
    shown = use("nomads-t-moon", 0, 0, size)
    drawn = [
        piece(name, x - (0 if tall else min(i, 3) * 3), y, shown, "kept")
        for i, name in enumerate(moons)
    ]
    cx, cy = x + size / 2, y + size / 2
    drawn.append(
        f'<circle cx="{num(cx)}" cy="{num(cy)}" r="{num(size * 0.36)}" fill="#f4f8ff"/>'
        + text(cx, cy + lay.small * 0.36, len(moons), "pic-dark", lay.small, "m")
    )
    return "".join(drawn)


# ---------------------------------------------------------------- what an action would do


def ghost(words: Words, s: Any, action: int, tall: bool = False) -> str:
    """Where discs fall, who takes from which stack, which card goes where."""
    lay = LAYOUTS[tall]
    data = describe(s, action)
    piles = [[s.pile[space, h] for h in range(s.discs[space])] for space in range(s.ring)]
    drawn: list[str] = []
    match data["do"]:
        case "sow":
            drawn.append(_ghost_sow(s, lay, tall, piles, data))
            if s.adventurer[s.turn] != Disc.RED or not _covered_red(piles):
                drawn.append(_ghost_takers(s, lay, tall, piles))
        case "lift":
            space, height = data["space"] - 1, data["height"] - 1
            piles[space].append(piles[space].pop(height))
            x, y = _disc_place(lay, tall, s, space, len(piles[space]) - 1)
            rx, ry, rim = lay.disc
            fx, fy = _disc_place(lay, tall, s, space, height)
            out = rx + 14
            drawn.append(
                f'<path class="g-line" d="M{num(fx + rx)} {num(fy + ry)}q{num(out * 0.5)} '
                f'{num((y - fy) / 2)} 0 {num(y - fy)}"/>'
            )
            drawn.append(_ghost_disc(lay, x, y - rim, Disc.RED))
            drawn.append(_ghost_takers(s, lay, tall, piles))
        case "keep":
            drawn.append(_ghost_takers(s, lay, tall, piles))
        case "lys":
            space = data["space"] - 1
            x, y, turn = _lys_place(lay, tall, s.ring, space)
            drawn.append(f'<g {at(x, y)} opacity=".8">{_lys_token(lay, turn)}</g>')
            if s.phase == Phase.BONUS and s.tiles[space]:
                drawn.append(_taker(lay, tall, s, space, s.adventurer[s.turn], False))
        case "place":
            space = data["space"] - 1
            x, y = _disc_place(lay, tall, s, space, len(piles[space]))
            drawn.append(_ghost_disc(lay, x, y, DISCS.index(data["disc"])))
        case "write":
            legend = TILES.index(data["legend"])
            drawn.append(
                _ghost_card(s, lay, legend, data["card"] - 1, _card(lay, legend, data["value"]))
            )
            paid = _price(s, legend, data["card"] - 1) - data["wilds"]
            drawn.append(_ghost_paid(s, lay, legend, paid))
            drawn.append(_ghost_paid(s, lay, Tile.WILD, data["wilds"]))
        case "sing":
            song = data["song"] - 1
            shown = _song_card(lay, s.song_cost[song], s.song_points[song])
            drawn.append(_ghost_card(s, lay, LEGENDS, song, shown))
            drawn.extend(_ghost_paid(s, lay, TILES.index(tile), 1) for tile in data["tiles"])
            drawn.append(_ghost_paid(s, lay, Tile.WILD, data["wilds"]))
        case _:
            pass
    return overlay("nomads", "ghost", lay.width, lay.height, "".join(drawn))


def _covered_red(piles: Sequence[Sequence[int]]) -> bool:
    return any(Disc.RED in pile[:-1] for pile in piles)


def _disc_place(lay: Layout, tall: bool, s: Any, space: int, height: int) -> tuple[float, float]:
    px, py, _, _ = around(tall, s.ring)[space]
    return px, py - lay.disc[2] - _step(lay, s.discs[space], py) * height


def _ghost_disc(lay: Layout, x: float, y: float, disc: int) -> str:
    rx, ry, _ = lay.disc
    return (
        f'<g {at(x, y)}><use href="#nomads-d-{DISCS[disc]}" opacity=".86"/>'
        f'<ellipse class="g-line" rx="{num(rx + 3)}" ry="{num(ry + 3)}"/></g>'
    )


def _ghost_sow(
    s: Any, lay: Layout, tall: bool, piles: list[list[int]], data: dict[str, Any]
) -> str:
    """Drop the pile, changing `piles`; each step is a spot for those whose power is in steps."""
    start = data["space"] - 1
    direction = DIRECTIONS.index(data["direction"])
    power = {Disc.ULRICH: "double", Disc.SIANA: "skip"}.get(s.adventurer[s.turn])
    in_hand = piles[start]
    piles[start] = []
    px, py, _, _ = around(tall, s.ring)[start]
    rx, ry, rim = lay.disc
    high = _step(lay, len(in_hand), py) * (len(in_hand) - 1)
    mark = (
        f'<rect class="g-mark" x="{num(px - rx - 5)}" y="{num(py - rim - high - ry - 5)}" '
        f'width="{num(rx * 2 + 10)}" height="{num(high + rim + ry * 2 + 10)}" '
        f'rx="{num(rx * 0.6)}"/>'
    )
    drawn = [mark]
    visit, dropped, space = 0, 0, start
    while dropped < len(in_hand):
        space = next_space(s, space, direction)
        visit += 1
        falls = 0 if data.get("skip") == visit else 2 if data.get("double") == visit else 1
        base = len(piles[space])
        here = []
        for i in range(falls):
            x, y = _disc_place(lay, tall, s, space, base + i)
            here.append(_ghost_disc(lay, x, y, in_hand[dropped]))
            piles[space].append(in_hand[dropped])
            dropped += 1
        x, y = _disc_place(lay, tall, s, space, base + max(falls - 1, 0))
        tag_x, tag_y, r = x - rx - 1, y - ry * 0.6, lay.small * 0.85
        shown = str(visit) if falls else "–"
        here.append(
            f'<circle class="g-tag" cx="{num(tag_x)}" cy="{num(tag_y)}" r="{num(r)}"/>'
            + text(tag_x, tag_y + lay.small * 0.36, shown, "t-b", lay.small, "m")
        )
        if power and (power == "skip" or dropped < len(in_hand) or falls == 2):
            box = halo(x - 22, y - 22, 44, 44, 10)
            drawn.append(spot(power, visit, str(visit), box + "".join(here)))
        else:
            drawn.append("".join(here))
    if space == s.lys:
        x, y, _ = _lys_place(lay, tall, s.ring, space)
        drawn.append(
            f'<circle class="g-mark pic-flicker" cx="{num(x)}" cy="{num(y)}" '
            f'r="{num(lay.tile * 0.46)}"/>'
        )
    return "".join(drawn)


def _ghost_takers(s: Any, lay: Layout, tall: bool, piles: list[list[int]]) -> str:
    """Who takes the top tile of each stack, when all have listened."""
    drawn = []
    for space in range(s.ring):
        if s.tiles[space] and piles[space]:
            disc = piles[space][-1]
            if disc != Disc.NOMAD:
                shown = Disc.NOSTROMO if disc == Disc.FROG else disc
                drawn.append(_taker(lay, tall, s, space, shown, s.owner[disc] == NOBODY))
    return "".join(drawn)


def _taker(lay: Layout, tall: bool, s: Any, space: int, disc: int, lost: bool) -> str:
    """The emblem of who takes a tile, on that tile; struck through where it leaves the game."""
    _, _, tx, ty = around(tall, s.ring)[space]
    size = lay.tile * 0.74
    y = ty - lay.edge * (s.tiles[space] - 7)
    r = lay.tile * 0.52
    drawn = (
        f'<rect class="g-mark" x="{num(tx - r)}" y="{num(y - r)}" width="{num(2 * r)}" '
        f'height="{num(2 * r)}" rx="{num(r * 0.36)}"/>'
        + use(f"nomads-{DISCS[disc]}-face", tx - size / 2, y - size / 2, size)
    )
    if lost:
        drawn += (
            f'<path stroke="#111" stroke-width="{num(size * 0.2)}" stroke-linecap="round" '
            f'd="M{num(tx - r * 0.8)} {num(y + r * 0.8)}L{num(tx + r * 0.8)} {num(y - r * 0.8)}"/>'
            f'<path stroke="#ffb0a0" stroke-width="{num(size * 0.1)}" stroke-linecap="round" '
            f'd="M{num(tx - r * 0.8)} {num(y + r * 0.8)}L{num(tx + r * 0.8)} {num(y - r * 0.8)}"/>'
        )
    return drawn


def _ghost_card(s: Any, lay: Layout, legend: int, card: int, shown: str) -> str:
    fx, fy = _card_place(lay, legend, card)
    x, y = _held_card_place(lay, s.players, s.seat, legend)
    width, height = (side + 6 for side in (lay.card if legend < LEGENDS else lay.song))
    return (
        f'<path class="g-line" d="M{num(fx)} {num(fy)}L{num(x)} {num(y)}"/>'
        f'<g {at(x, y)}><g opacity=".9">{shown}</g><rect class="g-line" x="{num(-width / 2)}" '
        f'y="{num(-height / 2)}" width="{num(width)}" height="{num(height)}" rx="6"/></g>'
    )


def _price(s: Any, legend: int, card: int) -> int:
    held = s.legend[s.seat, legend]
    return int(s.value[legend, card] - (s.value[legend, held - 1] if held else 0))


def _ghost_paid(s: Any, lay: Layout, kind: int, n: int) -> str:
    """Tiles that would be paid: how many less."""
    if not n:
        return ""
    top, _ = _seat_top(lay, s.players, s.seat)
    size = lay.small_tile
    x = lay.column_left(kind) + (2 if lay.tall else 5)
    y = top + (1.5 if lay.tall else 8)
    return (
        f'<rect class="g-tag" x="{num(x - 1)}" y="{num(y)}" width="{num(size + 6)}" '
        f'height="{num(size)}" rx="4"/>'
        + text(x + size / 2 + 2, y + size / 2 + lay.small * 0.36, f"−{n}", "t-fire", lay.small, "m")
    )


def icon() -> str:
    """A fire, and tents around it."""
    from veillee.pictures.icons import nomads

    return nomads()
