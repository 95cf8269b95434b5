"""Lumens: the dark board and the lights on it, the seats and the rooms' standing, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from veillee.engine.events import Event
from veillee.engine.memory import remembered
from veillee.engine.picture import TALL, WIDE, counted, each_has
from veillee.engine.svg import (
    Canvas,
    at,
    esc,
    fit,
    group,
    halo,
    moves,
    num,
    overlay,
    panel,
    piece,
    spot,
    text,
)
from veillee.engine.words import Words
from veillee.games.lumens.art import defs, floor, shape, spots
from veillee.games.lumens.names import COLOURS, SQUARES, TOKENS, room_letter
from veillee.games.lumens.notation import parts
from veillee.games.lumens.rules import scores, tokens_left
from veillee.games.lumens.state import (
    BOTH_FACES,
    FACES,
    KINDS,
    NO_TOKEN,
    PASSAGE,
    ROOMS,
    SIDE,
    UNKNOWN,
    Phase,
)
from veillee.pictures.sky import stars

__all__ = ["board", "follow", "ghost", "icon", "private"]

Ids = list[str]
"""What moved last."""
Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True)
class Layout:
    width: int
    height: int
    grid: tuple[float, float, float]
    """Left and top of the board, and its side."""
    seats: Box
    across: int
    """How many seats stand beside each other."""
    rooms: Box
    hand: Box
    plain: float
    small: float

    @property
    def tall(self) -> bool:
        return self.width < self.height


LAYOUTS = (
    Layout(
        width=WIDE[0],
        height=WIDE[1],
        grid=(30, 26, 684),
        seats=(732, 14, 536, 348),
        across=1,
        rooms=(732, 368, 536, 232),
        hand=(732, 608, 536, 100),
        plain=16,
        small=13,
    ),
    Layout(
        width=TALL[0],
        height=TALL[1],
        grid=(15, 14, 375),
        seats=(2, 390, 386, 78),
        across=2,
        rooms=(2, 470, 386, 36),
        hand=(2, 508, 386, 50),
        plain=12,
        small=11,
    ),
)
LARGEST_SQUARE = 84


def _cell(s: Any, lay: Layout) -> float:
    return float(min(lay.grid[2] // s.side, LARGEST_SQUARE))


def _middle(s: Any, lay: Layout, square: int) -> tuple[float, float]:
    return _middle_of(lay, _cell(s, lay), square)


def _middle_of(lay: Layout, cell: float, square: int) -> tuple[float, float]:
    x, y, _ = lay.grid
    return x + (square % SIDE + 0.5) * cell, y + (square // SIDE + 0.5) * cell


def _name_of(square: int) -> str:
    return SQUARES[square]


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
    """All but what hands hold."""
    lay = LAYOUTS[tall]
    cell, side, players = _cell(s, lay), s.side, s.players
    if points is None:
        points = counted(scores, s)
    if canvas is None:
        canvas = Canvas()
    language, add = words.language, canvas.add
    told = each_has(language, "lumens.points", names, points)
    canvas.begin("lumens", lay.width, lay.height, words("lumens.title"), told)
    rooms = s.room.tobytes()
    add(_ground, tall, cell, side, s.central, rooms, tuple(s.start.tolist()[:players]))
    tops, covered = s.top.tobytes(), s.covered.tobytes()
    for row in range(0, side * SIDE, SIDE):
        add(_row, tall, cell, row, tops[row : row + side], covered[row : row + side])
    add(_spots, tall, cell, side, rooms)
    left = s.left.tobytes()
    for other, name in enumerate(names):
        lit = (other == seat, other == s.seat)
        bag = (s.out >> other & 1, s.hand[other] != NO_TOKEN)
        tokens = left[other * KINDS : (other + 1) * KINDS]
        add(_seat, language, tall, *lit, players, other, name, points[other], *bag, tokens)
    add(_rooms, language, tall, rooms, s.central, players, s.pips.tobytes())
    add(_awaited, tall, s.seat, names[s.seat] if s.phase != Phase.OVER else "")
    add(moves, ids or ())
    return canvas.end()


def _ground(
    tall: bool, cell: float, side: int, central: int, rooms: bytes, starts: tuple[int, ...]
) -> str:
    """What never changes in a game."""
    lay = LAYOUTS[tall]
    x, y, _ = lay.grid
    return group(
        defs(cell)
        + f'<rect width="{lay.width}" height="{lay.height}" fill="url(#lumens-sky)"/>'
        + stars(lay.width, lay.height, 30 if tall else 60)
        + floor(rooms, side, central, x, y, cell)
        + "".join(_marker(lay, cell, seat, start) for seat, start in enumerate(starts))
    )


def _row(tall: bool, cell: float, first: int, tops: bytes, covered: bytes) -> str:
    """The tokens in a row of squares."""
    drawn = [
        _square(tall, cell, square, top, under)
        for square, (top, under) in enumerate(zip(tops, covered, strict=True), first)
        if top != NO_TOKEN
    ]
    return group("".join(drawn))


def _spots(tall: bool, cell: float, side: int, rooms: bytes) -> str:
    x, y, _ = LAYOUTS[tall].grid
    return group(spots(rooms, side, x, y, cell))


def follow(ids: Ids | None, s: Any, events: Sequence[Event]) -> Ids:
    """A token stays where it was placed; the last ones come from the bags."""
    if ids and not events:
        return ids
    return [
        f"{_light(event.values['square'] or 0, event.values['covered'] != NO_TOKEN)}"
        f":bag-{event.values['seat']}"
        for event in events
        if event.name == "place"
    ]


def _light(square: int, above: bool) -> str:
    """The id of a token: the lower or the upper one on a square."""
    return f"light-{_name_of(square)}-{int(above)}"


def _marker(lay: Layout, cell: float, seat: int, start: int) -> str:
    """A seat's start marker: its shape as a frame."""
    x, y = _middle_of(lay, cell, start)
    half = cell / 2 - 2
    return (
        f'<rect class="panel" x="{num(x - half)}" y="{num(y - half)}" width="{num(half * 2)}" '
        f'height="{num(half * 2)}" rx="5" stroke-dasharray="3 2"/>'
        f'<g opacity=".55">{shape(seat, x, y, cell * 0.84)}</g>'
    )


@remembered
def _square(tall: bool, cell: float, square: int, token: int, covered: int) -> str:
    """The token on top, and behind it the edge of one that it covers."""
    x, y = _middle_of(LAYOUTS[tall], cell, square)
    shown = f'<use href="#lumens-t-{_token(token)}"/>'
    if covered == NO_TOKEN:
        return piece(_light(square, False), x, y, shown, "token")
    shift = cell * 0.07
    under = shape((covered - 1) // FACES, 0, 0, cell * 0.8)
    return piece(_light(square, False), x + shift * 1.3, y + shift * 1.5, under, "token") + piece(
        _light(square, True), x - shift, y - shift, shown, "token"
    )


def _token(token: int) -> str:
    seat, face = divmod(token - 1, FACES)
    return f"{seat}-{face + 1}"


@remembered
def _rooms_of(squares: bytes) -> list[int]:
    return sorted(set(squares) - {PASSAGE})


# ---------------------------------------------------------------- beside the board


@remembered
def _seat(
    language: str,
    tall: bool,
    mine: bool,
    awaited: bool,
    players: int,
    seat: int,
    name: str,
    points: int,
    out: bool,
    holds: bool,
    tokens: bytes,
) -> str:
    """Who sits there, with how many points, and how many tokens are left."""
    words, lay = Words(language), LAYOUTS[tall]
    left, top, width, height = lay.seats
    rows = -(-players // lay.across)
    w = width / lay.across
    h = min(height / rows, 112)
    x = left + w * (seat % lay.across)
    y = top + h * (seat // lay.across)
    w, h = w - (2 if lay.tall else 0), h - (2 if lay.tall else 6)
    told = words("lumens.points", n=points)
    who = f"{name} ({words(f'lumens.colour.{COLOURS[seat]}')})"
    drawn = [
        f"<title>{esc(who)}: {esc(told)}</title>",
        panel(x, y, w, h, awaited),
    ]
    if mine:
        drawn.append(
            f'<rect class="f-fire" x="{num(x + 2)}" y="{num(y + 5)}" width="3" '
            f'height="{num(h - 10)}" rx="1.5"/>'
        )
    if lay.tall:
        drawn.append(piece(f"bag-{seat}", x + 20, y + h / 2, shape(seat, 0, 0, 26)))
        drawn.append(text(x + 38, y + h / 2 - 3, fit(name, w - 78, lay.plain), "t-b", lay.plain))
        drawn.append(text(x + w - 6, y + h / 2 - 3, points, "t-fire", 14, "e"))
        shown = words("lumens.out") if out else ""
        for kind in range(KINDS):
            cx = x + 38 + kind * 48
            if not out:
                shown = TOKENS[kind]
                drawn.append(text(cx, y + h / 2 + 12, shown, "t-soft", lay.small))
                drawn.append(text(cx + 22, y + h / 2 + 12, f"×{tokens[kind]}", "t-b", lay.small))
        if out:
            drawn.append(text(x + 38, y + h / 2 + 12, shown, "t-fire", lay.small))
        return f'<g id="lumens-seat-{seat}">{"".join(drawn)}</g>'
    drawn.append(piece(f"bag-{seat}", x + 38, y + h / 2, shape(seat, 0, 0, 52)))
    shown = fit(name, 240, lay.plain + 2)
    drawn.append(text(x + 76, y + h / 2 - 8, shown, "t-b", lay.plain + 2))
    number, _, word = told.partition(" ")
    drawn.append(text(x + w - 18, y + h / 2 + 2, number, "t-fire", 30, "e"))
    drawn.append(text(x + w - 18, y + h / 2 + 22, word, "t-soft", lay.small, "e"))
    for kind in range(KINDS):
        cx = x + 76 + kind * 92
        n = tokens[kind]
        drawn.append(
            f'<rect class="slot" x="{num(cx)}" y="{num(y + h / 2 + 4)}" width="84" height="26" '
            'rx="13"/>'
        )
        drawn.append(text(cx + 13, y + h / 2 + 22, TOKENS[kind], "t-soft", lay.plain - 1))
        drawn.append(text(cx + 74, y + h / 2 + 22, f"×{n}", "t-b", lay.plain - 1, "e"))
    if out:
        drawn.append(text(x + 356, y + h / 2 + 22, words("lumens.out"), "t-fire", lay.plain))
    elif holds:
        drawn.append(_face_down(x + 378, y + h / 2 + 6, seat, 40))
    return f'<g id="lumens-seat-{seat}">{"".join(drawn)}</g>'


def _face_down(x: float, y: float, seat: int, size: float) -> str:
    """A token in hand that is not shown."""
    return shape(seat, x, y, size) + text(x, y + size * 0.18, "?", "pic-dark", size * 0.46, "m")


def _standing(players: int, pips: bytes, room: int) -> tuple[tuple[int, int], ...]:
    """Who has pips in a room, most first: (pips, seat)."""
    each = [(pips[seat * ROOMS + room - 1], seat) for seat in range(players)]
    return tuple(sorted((e for e in each if e[0]), key=lambda entry: (-entry[0], entry[1])))


@cache
def _room_box(tall: bool, squares: bytes, room: int) -> Box:
    """Where a room's standing is shown."""
    lay = LAYOUTS[tall]
    left, top, width, height = lay.rooms
    rooms = _rooms_of(squares)
    n, i = len(rooms), rooms.index(room)
    if lay.tall:
        across = n if n <= 13 else -(-n // 2)
    else:
        across = 4 if n <= 12 else 7
    rows = -(-n // across)
    w, h = width / across, min(height / rows, 76)
    return left + w * (i % across), top + h * (i // across), w - 2, h - (0 if lay.tall else 4)


def _rooms(
    language: str, tall: bool, squares: bytes, central: int, players: int, pips: bytes
) -> str:
    """How things stand in each room."""
    drawn = [f"<title>{esc(Words(language)('lumens.rooms'))}</title>"]
    for room in _rooms_of(squares):
        box, standing = _room_box(tall, squares, room), _standing(players, pips, room)
        drawn.append(_room(tall, box, room, standing, room == central))
    return group("".join(drawn))


@remembered
def _room(
    tall: bool,
    box: Box,
    room: int,
    standing: tuple[tuple[int, int], ...],
    central: bool,
    kind: str = "",
) -> str:
    """A room's letter and the pips in it."""
    lay = LAYOUTS[tall]
    x, y, w, h = box
    letter = room_letter(room)
    frame = kind or ("slot edged" if not central else "slot central")
    drawn = (
        f'<rect class="{frame}" x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" '
        f'rx="6"/>'
    )
    if lay.tall:
        if h < 30:
            drawn += text(x + 3, y + h / 2 + 4, letter, "t-soft t-b", lay.small)
        else:
            drawn += text(x + w / 2, y + 12, letter, "t-soft t-b", lay.small, "m")
        most = standing[0][0] if standing else 0
        first = [seat for pips, seat in standing if pips == most]
        cy = y + h - 10
        if len(first) == 1:
            shown = str(most)
            drawn += shape(first[0], x + w / 2 - 7, cy, 13)
            drawn += text(x + w / 2 + 1, cy + 4, shown, "t-b", lay.small)
        else:
            for i, seat in enumerate(first[:3]):
                drawn += shape(seat, x + w / 2 + (i - (len(first[:3]) - 1) / 2) * 11, cy, 11)
        return drawn
    drawn += text(x + 9, y + 19, letter, "t-soft t-b", lay.plain)
    for i, (pips, seat) in enumerate(standing):
        cx, cy = x + 42 + (i % 2) * 46, y + h * (0.3 if i < 2 else 0.72)
        if len(standing) <= 2:
            cy = y + h / 2
        drawn += shape(seat, cx, cy, 21 if i == 0 or pips == standing[0][0] else 16)
        drawn += text(cx + 13, cy + 6, pips, "t-b" if i == 0 else "t-soft", lay.plain)
    return drawn


def _awaited(tall: bool, seat: int, name: str) -> str:
    """Whose token is awaited, without a name nobody's; one's own hand lies over this."""
    if not name:
        return group("")
    lay = LAYOUTS[tall]
    x, y, w, h = lay.hand
    size = h * 0.56
    name = fit(name, w - size - 60, lay.plain + 2)
    return group(
        panel(x, y, w, h)
        + _face_down(x + h / 2 + 4, y + h / 2, seat, size)
        + text(x + h + 10, y + h / 2 + 6, name, "t-b", lay.plain + 2)
    )


# ---------------------------------------------------------------- one's own hand


def private(words: Words, s: Any, seat: int, tall: bool = False) -> str:
    """The token in hand, each of its faces to be chosen."""
    kind = s.hand[seat]
    if kind == UNKNOWN or s.out >> seat & 1 or s.phase == Phase.OVER:
        kind = NO_TOKEN
    return _hand(words.language, tall, seat, kind, s.seat == seat, tokens_left(s, seat))


@remembered
def _hand(language: str, tall: bool, seat: int, kind: int, awaited: bool, left: int) -> str:
    words, lay = Words(language), LAYOUTS[tall]
    drawn = ""
    if kind != NO_TOKEN:
        x, y, w, h = lay.hand
        label = words("lumens.hand")
        label = label[:1].upper() + label[1:]
        drawn = panel(x, y, w, h, awaited)
        drawn += text(x + 12, y + h / 2 + 5, fit(label, w * 0.3, lay.plain), "t-b", lay.plain)
        size = min(h - 6, 84)
        for i, face in enumerate((kind, BOTH_FACES - kind)):
            cx = x + w / 2 + (i - 0.5) * (size + 26)
            inner = (
                halo(cx - size / 2, y + (h - size) / 2, size, size, 10)
                + shape(seat, cx, y + h / 2, size * 0.74)
                + text(cx, y + h / 2 + size * 0.13 + (size * 0.05 if seat == 2 else 0), face,
                       "pic-dark", size * 0.36, "m")
            )  # fmt: skip
            drawn += spot("face", face, str(face), inner)
        middle = x + w / 2
        drawn += (
            f'<path class="l-ink" stroke-width="2" stroke-linecap="round" d="M{num(middle - 6)} '
            f'{num(y + h / 2 - 3)}h12l-3-3M{num(middle + 6)} {num(y + h / 2 + 3)}h-12l3 3"/>'
        )
        count = words("lumens.left", n=left).rstrip(" :")
        drawn += text(
            x + w - 10, y + h / 2 + 5, fit(count, w * 0.24, lay.small), "t-soft", lay.small, "e"
        )
    return overlay("lumens", "private", lay.width, lay.height, drawn)


# ---------------------------------------------------------------- what an action would do


def ghost(words: Words, s: Any, action: int, tall: bool = False) -> str:
    """From where it is counted, where it reaches, and what the room's standing would become."""
    lay = LAYOUTS[tall]
    square, face = parts(action)
    seat = s.seat
    cell = _cell(s, lay)
    x, y = _middle(s, lay, square)
    drawn = []
    for origin in _origins(s, seat, square):
        ox, oy = _middle(s, lay, origin)
        drawn.append(f'<path class="g-line" d="M{num(ox)} {num(oy)}L{num(x)} {num(y)}"/>')
        drawn.append(
            f'<circle class="g-line" cx="{num(ox)}" cy="{num(oy)}" r="{num(cell * 0.46)}"/>'
        )
    for reached in _reached(s, seat, square, face):
        rx, ry = _middle(s, lay, reached)
        half = cell * 0.36
        drawn.append(
            f'<rect class="g-mark" x="{num(rx - half)}" y="{num(ry - half)}" '
            f'width="{num(half * 2)}" height="{num(half * 2)}" rx="{num(half * 0.5)}"/>'
        )
    drawn.append(
        f'<g {at(x, y)}><use href="#lumens-t-{seat}-{face}"/>'
        f'<circle class="g-line" r="{num(cell * 0.52)}"/></g>'
    )
    room = s.room[square]
    if room != PASSAGE:
        drawn.append(_ghost_room(s, lay, square, face, room))
    return overlay("lumens", "ghost", lay.width, lay.height, "".join(drawn))


DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _origins(s: Any, seat: int, square: int) -> list[int]:
    """Own tokens from which counting ends on a square: nothing lies between."""
    found = []
    for down, right in DIRECTIONS:
        row, column = divmod(square, SIDE)
        for steps in range(1, FACES + 1):
            row, column = row + down, column + right
            if not (0 <= row < s.side and 0 <= column < s.side):
                break
            token = s.top[row * SIDE + column]
            if token != NO_TOKEN:
                if (token - 1) // FACES == seat and (token - 1) % FACES + 1 == steps:
                    found.append(row * SIDE + column)
                break
    return found


def _reached(s: Any, seat: int, square: int, face: int) -> list[int]:
    """Where one may count to from a token that lay on a square."""
    found = []
    for down, right in DIRECTIONS:
        row, column = divmod(square, SIDE)
        free = True
        for steps in range(1, face + 1):
            row, column = row + down, column + right
            if not (0 <= row < s.side and 0 <= column < s.side):
                free = False
                break
            if steps < face and s.top[row * SIDE + column] != NO_TOKEN:
                free = False
                break
        end = row * SIDE + column
        if free and s.covered[end] == NO_TOKEN and not _others_marker(s, seat, end):
            found.append(end)
    return found


def _others_marker(s: Any, seat: int, square: int) -> bool:
    return any(s.start[other] == square for other in range(s.players) if other != seat)


def _ghost_room(s: Any, lay: Layout, square: int, face: int, room: int) -> str:
    """The standing of the room as it would be, in its place and beside the square."""
    pips = {seat: s.pips[seat, room - 1] for seat in range(s.players)}
    token = s.top[square]
    if token != NO_TOKEN:
        pips[(token - 1) // FACES] -= (token - 1) % FACES + 1
    pips[s.seat] += face
    standing = sorted(((n, i) for i, n in pips.items() if n), key=lambda e: (-e[0], e[1]))
    box = _room_box(lay.tall, s.room.tobytes(), room)
    drawn = _room(lay.tall, box, room, tuple(standing), False, "g-tag")
    x, y = _middle(s, lay, square)
    cell = _cell(s, lay)
    size = 20 if lay.tall else 26
    w = len(standing) * size * 1.75 + 8
    h = size + 8
    left = min(max(x - w / 2, 2), lay.grid[0] + lay.grid[2] - w)
    top = y - cell * 0.62 - h if y > lay.grid[1] + h + cell else y + cell * 0.62
    drawn += (
        f'<rect class="g-tag" x="{num(left)}" y="{num(top)}" width="{num(w)}" height="{num(h)}" '
        'rx="8"/>'
    )
    for i, (n, seat) in enumerate(standing):
        cx = left + 4 + size * (0.5 + i * 1.75)
        drawn += shape(seat, cx, top + h / 2, size * 0.8)
        drawn += text(cx + size * 0.52, top + h / 2 + 5, n, "t-b", size * 0.62 + 1)
    return drawn


def icon() -> str:
    """Three lights in dark rooms."""
    from veillee.pictures.icons import lumens

    return lumens()
