"""Lumens: the preview of an action."""

from __future__ import annotations

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import at, num, overlay, text
from veillee.engine.i18n import Words
from veillee.games.lumens.core.state import FACES, NO_TOKEN, PASSAGE, SIDE, State
from veillee.games.lumens.notation import parts
from veillee.games.lumens.picture.layout import LAYOUTS, Layout, middle_of_square, square_size
from veillee.games.lumens.picture.rooms import draw_plate
from veillee.games.lumens.picture.symbols import emblem


def ghost(words: Words, s: State, action: int, shape: Shape = "wide", first: int = 0) -> str:
    """Draw from where a token is counted, what it reaches, and the pips in its room."""
    lay = LAYOUTS[shape]
    square, face = parts(action)
    seat = s.seat
    cell = square_size(s, lay)
    x, y = middle_of_square(s, lay, square)
    drawn = []
    for origin in _origins(s, seat, square):
        ox, oy = middle_of_square(s, lay, origin)
        drawn.append(f'<path class="g-line" d="M{num(ox)} {num(oy)}L{num(x)} {num(y)}"/>')
        drawn.append(
            f'<circle class="g-line" cx="{num(ox)}" cy="{num(oy)}" r="{num(cell * 0.46)}"/>'
        )
    for reached in _reached(s, seat, square, face):
        rx, ry = middle_of_square(s, lay, reached)
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


def _origins(s: State, seat: int, square: int) -> list[int]:
    """Return the own tokens from which counting ends on a square."""
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


def _reached(s: State, seat: int, square: int, face: int) -> list[int]:
    """Return the squares that a token on a square would reach."""
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
        if free and not _is_full(s, end) and not _others_marker(s, seat, end):
            found.append(end)
    return found


def _is_full(s: State, square: int) -> bool:
    return bool((s.top if s.per_square == 1 else s.covered)[square] != NO_TOKEN)


def _others_marker(s: State, seat: int, square: int) -> bool:
    return any(s.start[other] == square for other in range(s.players) if other != seat)


def _ghost_room(s: State, lay: Layout, square: int, face: int, room: int) -> str:
    """Draw the pips in the room after the action, on its plate and beside the square."""
    pips = {seat: s.pips[seat, room - 1] for seat in range(s.players)}
    token = s.top[square]
    if token != NO_TOKEN:
        pips[(token - 1) // FACES] -= (token - 1) % FACES + 1
    pips[s.seat] += face
    standing = sorted(((n, i) for i, n in pips.items() if n), key=lambda e: (-e[0], e[1]))
    squares = s.room.tobytes()
    drawn = draw_plate(lay.shape, square_size(s, lay), squares, room, tuple(standing), "g-tag")
    x, y = middle_of_square(s, lay, square)
    cell = square_size(s, lay)
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
        drawn += emblem(seat, cx, top + h / 2, size * 0.8)
        drawn += text(cx + size * 0.52, top + h / 2 + 5, n, "t-b", max(size * 0.62 + 1, 13.5))
    return drawn
