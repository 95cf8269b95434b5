"""Nomads: the spaces around the fire, with piles of discs, stacks of tiles and Lys."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import chain
from math import atan2, degrees, hypot

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import GAP, at, fit, group, halo, num, piece, spot, text, use
from veillee.engine.i18n import Words
from veillee.games.nomads.core.names import DISCS, TILES
from veillee.games.nomads.core.rules import may_place
from veillee.games.nomads.core.state import NOBODY, Disc, Phase, State
from veillee.games.nomads.picture.layout import LAYOUTS, Layout, around
from veillee.games.nomads.picture.piece_ids import Ids, kind_of, tile_id
from veillee.games.nomads.text import power

COUNTED_FROM = 5
"""Height from which on a pile shows its number of discs."""
SMALLEST_TARGET = 24
"""The least height of what a finger has to hit, on a phone a pixel each."""


@cache
def back_to_front(shape: Shape, ring: int) -> list[int]:
    """Return the spaces from back to front."""
    return sorted(range(ring), key=lambda space: around(shape, ring)[space][1])


@cache
def draw_place(shape: Shape, ring: int, space: int) -> str:
    """Draw the ground of a pile, and the number of the space, as a spot."""
    lay = LAYOUTS[shape]
    px, py, tx, ty = around(shape, ring)[space]
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


def _spot_of(space: int, inner: str, title: str = "") -> str:
    return spot("space", space + 1, title or str(space + 1), inner)


def _capsule(lay: Layout, px: float, py: float, tx: float, ty: float) -> str:
    """Draw a halo around a pile and its stack."""
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
def draw_stack(
    language: str, shape: Shape, ring: int, space: int, height: int, top_tile: int
) -> str:
    """Draw a stack: edges for the tiles below, the top one face up, and the number."""
    lay = LAYOUTS[shape]
    _, _, x, y = around(shape, ring)[space]
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
    words = Words(language)
    tile = words(f"nomads.tile.{TILES[top_tile]}")
    title = words.labelled(space + 1, tile) if height else ""
    return group(_spot_of(space, "".join(drawn), title))


def pile_step(lay: Layout, n: int, y: float) -> float:
    """Return how much of each disc shows in a pile of `n` whose foot is at `y`."""
    _, ry, rim = lay.disc
    room = min(lay.headroom, y - rim - ry - 2)
    return min(rim + 1, room / max(n, 1))


def draw_pile(shape: Shape, ring: int, space: int, pile: tuple[str, ...]) -> str:
    before, places, after = _pile(shape, ring, space, len(pile))
    drawn = [
        f'<g class="piece disc" id="{name}" {place}>{_disc(shape, name, height)}</g>'
        for name, (place, height) in zip(pile, places, strict=True)
    ]
    return before + "".join(drawn) + after


@cache
def _pile(
    shape: Shape, ring: int, space: int, n: int
) -> tuple[str, tuple[tuple[str, int], ...], str]:
    """Return the drawing before the discs of a pile, their places, and what follows them.

    A place is a position and, if the disc is covered, its height. A high pile shows its number.
    """
    if not n:
        return group(""), (), ""
    lay = LAYOUTS[shape]
    x, y, _, _ = around(shape, ring)[space]
    rx, ry, rim = lay.disc
    step = pile_step(lay, n, y)
    badge = ""
    if n >= COUNTED_FROM:
        size = lay.small
        cx, cy = x + rx + size * 0.3, y - rim - step * (n - 1) - ry
        badge = (
            f'<circle class="panel" cx="{num(cx)}" cy="{num(cy)}" r="{num(size * 0.8)}"/>'
            + text(cx, cy + size * 0.36, n, "t-b", size, "m")
        )
    before, _, after = group(_spot_of(space, GAP + badge)).partition(GAP)
    places = [(at(x, y - rim - step * i), (i + 1) % n) for i in range(n)]
    return before, tuple(places), after


@cache
def _disc(shape: Shape, name: str, height: int) -> str:
    """Draw a disc; a covered one that Red can lift is a spot with its height."""
    disc = kind_of(name)
    rx, ry, rim = LAYOUTS[shape].disc
    shown = f'<use href="#nomads-d-{DISCS[disc]}"/>'
    if not height or disc != Disc.RED:
        return shown
    high = max(rim + 6, SMALLEST_TARGET)
    touched = halo(-rx - 3, ry + (rim - high) / 2, 2 * rx + 6, high, 5)
    return spot("height", height, str(height), shown + touched)


def lys_place(lay: Layout, shape: Shape, ring: int, space: int) -> tuple[float, float, float]:
    """Return where Lys stands to point at a space, and her rotation."""
    _, _, tx, ty = around(shape, ring)[space]
    fx, fy = lay.fire
    far = hypot(tx - fx, ty - fy)
    near = (far - lay.tile * 0.82) / far
    return fx + (tx - fx) * near, fy + (ty - fy) * near, degrees(atan2(ty - fy, tx - fx))


def draw_lys_token(lay: Layout, turn: float) -> str:
    size = lay.tile * 0.62
    return (
        f'<path transform="rotate({num(turn)}) scale({num(size / 34)})" fill="#c65bb4" '
        'stroke="#fff0fb" stroke-width="1.5" d="M25 0 12-11v22z"/>'
        + use("nomads-lys-face", -size / 2, -size / 2, size)
    )


@cache
def draw_lys(language: str, shape: Shape, ring: int, space: int) -> str:
    if space == NOBODY:
        return group("")
    words, lay = Words(language), LAYOUTS[shape]
    x, y, turn = lys_place(lay, shape, ring, space)
    size = lay.tile * 0.62
    inner = halo(-size / 2 - 3, -size / 2 - 3, size + 6, size + 6, size) + draw_lys_token(lay, turn)
    return group(piece("lys", x, y, spot("do", "lys", words("nomads.lys"), inner)))


def draw_to_place(words: Words, s: State, shape: Shape, ids: Ids) -> str:
    """Draw, in set-up, the Adventurers to choose from or the discs to be placed."""
    language = words.language
    if s.phase == Phase.ADVENTURER:
        taking_part = [d for d in range(Disc.ULRICH, Disc.FROG) if s.taking_part >> d & 1]
        free = [disc for disc in taking_part if s.owner[disc] == NOBODY]
        drawn = [
            _to_choose(language, shape, disc, i - (len(free) - 1) / 2, power(words, s, DISCS[disc]))
            for i, disc in enumerate(free)
        ]
    else:
        placed = Counter(map(kind_of, chain.from_iterable(ids["piles"])))
        waiting = [d for d in range(Disc.ULRICH, Disc.FROG + 1) if s.box[d] and may_place(s, d)]
        drawn = [
            _to_place(language, shape, disc, i - (len(waiting) - 1) / 2, placed[disc], s.box[disc])
            for i, disc in enumerate(waiting)
        ]
    return "".join(drawn)


@lru_cache(1024)
def _to_choose(language: str, shape: Shape, disc: int, right: float, power: str) -> str:
    """Draw an Adventurer to choose, so many widths right of the middle."""
    words, lay = Words(language), LAYOUTS[shape]
    x, _ = lay.fire
    wide = min(lay.width * 0.19, 84)
    # Above the ring, where nothing is yet: below, they would hide two spaces.
    high = min(wide * 1.08, lay.tile * 1.7)
    bottom = high + (4 if lay.stacked else 12)
    cx = x + wide * right
    name = words(f"nomads.disc.{DISCS[disc]}")
    size = high - lay.small - 6
    inner = (
        halo(cx - wide / 2 + 1, bottom - high, wide - 2, high, 10)
        + use(f"nomads-{DISCS[disc]}-face", cx - size / 2, bottom - high + 2, size)
        + text(cx, bottom - 4, fit(name, wide, lay.small), "t-b", lay.small, "m")
    )
    return spot("adventurer", DISCS[disc], words.labelled(name, power), inner)


@lru_cache(1024)
def _to_place(language: str, shape: Shape, disc: int, right: float, placed: int, left: int) -> str:
    """Draw the discs of a kind that are left to place, so many widths right of the middle."""
    lay = LAYOUTS[shape]
    x, y = lay.fire
    rx, _, rim = lay.disc
    wide = rx * 2 + 2
    cx = x + wide * right
    inner = halo(cx - wide / 2 + 1, y - wide / 2, wide - 2, wide, 8)
    shown = f'<use href="#nomads-d-{DISCS[disc]}"/>'
    for k in range(left):
        inner += piece(f"disc-{DISCS[disc]}-{placed + k}", cx, y + 2 - k * (rim + 1), shown, "disc")
    return spot("disc", DISCS[disc], Words(language)(f"nomads.disc.{DISCS[disc]}"), inner)
