"""Nomads: tiles, discs and the fire as SVG symbols."""

from __future__ import annotations

from functools import cache

from veillee.art.adventurers import EMBLEMS, symbols
from veillee.engine.drawing.svg import num
from veillee.games.nomads.core.names import DISCS, TILES
from veillee.games.nomads.core.state import LEGENDS

TILE_INKS: dict[str, tuple[str, str, str]] = {
    "whale": ("#1f5fa8", "#123c70", "#eaf6ff"),
    "stag": ("#7b4a20", "#4c2b0f", "#fff1dc"),
    "cedar": ("#1f7d4d", "#0f4c2d", "#efffe9"),
    "comet": ("#5a3fb0", "#35227a", "#fff3b8"),
    "storm": ("#cdd7e2", "#7f8ea1", "#20314a"),
    "ember": ("#f5932b", "#b45a0a", "#401704"),
    "shell": ("#f6bccb", "#c77a92", "#6a1b3d"),
    "wild": ("#fff7dc", "#c79a2b", "#8a5a00"),
}
"""Ground, edge and glyph of each tile; shape and lightness differ too, not only colour."""

GLYPHS: dict[str, str] = {
    "whale": (
        '<path fill="{i}" d="M1.8 13.6C1.8 9.8 5.6 7.4 10.2 7.4c4.4 0 6.9 2.3 8 4.9.9-.8 1.3-1.8'
        " 1.2-3-1.5-.3-2.4-1.3-2.5-2.9 1.4-.1 2.7.5 3.4 1.6.6-1 1.6-1.5 2.8-1.4 0 1.6-.8 2.7"
        '-2 3.1.3 5.2-3.1 9.1-9.1 9.1-6 0-10.2-2-10.2-5.2z"/>'
        '<circle cx="5.8" cy="12.8" r="1" fill="{g}"/>'
        '<path stroke="{g}" stroke-width=".9" fill="none" d="M4 16c2.4 1.2 5.2 1.4 8 .8M9 '
        "13.8c.4 1.6 "
        '1.6 2.4 3.4 2.4"/><path stroke="{i}" stroke-width="1.3" stroke-linecap="round" '
        'fill="none" '
        'd="M8.6 6V4.2M8.6 4.2C8.3 2.8 7.2 2.2 5.8 2.4M8.6 4.2c.3-1.4 1.4-2 2.8-1.8"/>'
    ),
    "stag": (
        '<path fill="{i}" d="M9.2 12.4 12 11.4l2.8 1 3.6-.5-2.8 2.7-.9 3.6L12 22.4 9.3 18.2l-.9-3.6'
        '-2.8-2.7z"/><path stroke="{i}" stroke-width="1.7" stroke-linecap="round" '
        'stroke-linejoin="round" fill="none" d="M10.4 11.8C6.8 10.6 5.2 7 5.8 2M5.6 5.4 2.8 '
        "4M6.6 8.8 "
        "3 9.2M8.4 10.4C9.4 8 9.2 6 8.8 4.4M13.6 11.8C17.2 10.6 18.8 7 18.2 2M18.4 5.4 21.2 4M17.4 "
        '8.8 21 9.2M15.6 10.4C14.6 8 14.8 6 15.2 4.4"/>'
        '<circle cx="10.5" cy="15" r=".8" fill="{g}"/><circle cx="13.5" cy="15" r=".8" fill="{g}"/>'
    ),
    "cedar": (
        '<path fill="{i}" d="M12 1.6c1.6 2.7 3 4.2 5.2 5.4-1 .4-1.8.5-2.8.5 1.5 2.2 3 3.5 5.2 '
        "4.7-1 "
        ".4-2 .6-3.2.6 1.6 2.2 3.4 3.7 5.8 5-2.7.9-5.6 1.3-8.8 1.3V22.6h-2.8v-3.5c-3.2 0-6.1-.4"
        "-8.8-1.3 2.4-1.3 4.2-2.8 5.8-5-1.2 0-2.2-.2-3.2-.6 2.2-1.2 3.7-2.5 5.2-4.7-1 0-1.8-.1-2.8"
        '-.5C9 5.8 10.4 4.3 12 1.6z"/>'
    ),
    "comet": (
        '<path fill="{i}" opacity=".55" d="M5 10.5 20.6 2 11 11zM13.5 19 22 3.4 13 13z"/>'
        '<path fill="{i}" opacity=".8" d="M7.5 10.5 22.4 1.6 13.5 16.5z"/>'
        '<path fill="{i}" d="m8.4 9 1.7 4.3 4.6.3-3.6 2.9 1.2 4.5-3.9-2.5-3.9 2.5 '
        "1.2-4.5-3.6-2.9 4.6"
        '-.3z"/>'
    ),
    "storm": (
        '<path fill="{i}" d="M6.6 13.6a4.6 4.6 0 0 1-.4-9.1A6 6 0 0 1 17.4 5.3a4.2 4.2 0 0 1 .2 '
        '8.3z"/>'
        '<path fill="{i}" stroke="{g}" stroke-width="1.3" stroke-linejoin="round" '
        'd="M12.2 9.2 7.6 16.4h3.2L8.8 23l7.2-8.6h-3.4l2.6-5.2z"/>'
        '<path stroke="{i}" stroke-width="1.5" stroke-linecap="round" d="M5.4 16 4.2 19.4M19 '
        '16l-1.2 3.4"/>'
    ),
    "ember": (
        '<path fill="{i}" d="M12.4 1.4c.8 4.4 6 6.7 6 12.7 0 4.9-2.9 8.3-6.4 '
        "8.3s-6.4-3.2-6.4-7.7c0-2.7"
        ' 1.2-4.7 2.7-6 .1 1.7.7 2.8 1.7 3.4-.4-4.2.6-8 2.4-10.7z"/>'
        '<path fill="{g}" d="M12.3 12.6c.5 1.9 2.5 2.8 2.5 5.2 0 1.7-1.2 3-2.8 '
        "3s-2.8-1.2-2.8-2.9c0-1.2.5"
        '-2 1.2-2.6.1.7.4 1.1.8 1.3-.1-1.5.3-3 1.1-4z"/>'
    ),
    "shell": (
        '<path fill="{i}" d="M12 2.8c5.6 0 10 4 10 8.7 0 1.6-.6 3-1.5 4l-5 3.3.9 '
        "2.6H7.6l.9-2.6-5-3.3c-.9"
        '-1-1.5-2.4-1.5-4 0-4.7 4.4-8.7 10-8.7z"/>'
        '<path stroke="{g}" stroke-width="1.2" stroke-linecap="round" fill="none" d="M12 '
        "18.6V5.6M10.6 18.6 "
        '7.6 6.6M9.6 18 4.2 9.8M13.4 18.6l3-12M14.4 18l5.4-8.2"/>'
    ),
    "wild": (
        '<path fill="#d0552a" d="M12 1 14 10 12 12z"/><path fill="#8a5a00" d="M12 1 10 10 12 12z"/>'
        '<path fill="#1f7d4d" d="M23 12 14 14 12 12z"/><path fill="#0f4c2d" d="M23 12 14 10 12 '
        '12z"/>'
        '<path fill="#1f5fa8" d="M12 23 10 14 12 12z"/><path fill="#123c70" d="M12 23 14 14 12 '
        '12z"/>'
        '<path fill="#8f3a9c" d="M1 12 10 10 12 12z"/><path fill="#5a3fb0" d="M1 12 10 14 12 12z"/>'
        '<path fill="{i}" d="m5 5 4.8 3.6-1.2 1.2zM19 5l-3.6 4.8-1.2-1.2zM19 19l-4.8-3.6 1.2-1.2z'
        'M5 19l3.6-4.8 1.2 1.2z"/>'
    ),
}


def _tile(name: str) -> str:
    if name == "moon":
        return (
            f'<symbol id="nomads-t-{name}" viewBox="0 0 28 28"><circle cx="14" cy="14" r="12.8" '
            'fill="url(#nomads-opal)" stroke="#5f7fa8" stroke-width="1.2"/>'
            '<path fill="#34507a" d="M16.6 4.8a9.6 9.6 0 1 0 6 12.8 7.8 7.8 0 0 1-6-12.8z" '
            'opacity=".82"/><circle cx="19.8" cy="9.5" r="1.3" fill="#34507a" '
            'opacity=".8"/></symbol>'
        )
    ground, edge, ink = TILE_INKS[name]
    glyph = GLYPHS[name].replace("{i}", ink).replace("{g}", ground)
    return (
        f'<symbol id="nomads-t-{name}" viewBox="0 0 28 28"><rect x="1" y="1" width="26" '
        f'height="26" '
        f'rx="5.5" fill="{ground}" stroke="{edge}" stroke-width="1.5"/>'
        f'<g transform="translate(3.2 3.2) scale(.9)">{glyph}</g></symbol>'
    )


def _disc(name: str, letter: str, rx: float, ry: float, rim: float) -> str:
    """Define a disc; its origin is the middle of its upper face."""
    emblem = EMBLEMS[name]
    box = ry * 1.9
    letter_size = min(rim * 1.06, 15)
    return (
        f'<g id="nomads-d-{name}"><path fill="{emblem.rim}" stroke="#0b0b16" stroke-width=".8" '
        f'd="M{num(-rx)} 0A{num(rx)} {num(ry)} 0 0 0 {num(rx)} 0V{num(rim)}A{num(rx)} {num(ry)} '
        f"0 0 1 "
        f'{num(-rx)} {num(rim)}z"/><ellipse rx="{num(rx)}" ry="{num(ry)}" fill="{emblem.face}" '
        f'stroke="{emblem.rim}"/><ellipse rx="{num(rx - 3)}" ry="{num(ry - 2)}" fill="none" '
        f'stroke="{emblem.ink}" stroke-width=".7" opacity=".6"/>'
        f'<g transform="scale(1 .66)"><use href="#nomads-{name}" x="{num(-box * 0.72)}" '
        f'y="{num(-box * 0.72)}" width="{num(box * 1.44)}" height="{num(box * 1.44)}"/></g>'
        f'<text class="{"pic-dark" if name in PALE_RIMS else "pic-pale"}" x="0" '
        f'y="{num(ry + rim - rim * 0.14)}" font-size="{num(letter_size)}" text-anchor="middle">'
        f"{letter}</text></g>"
    )


PALE_RIMS = ("moon", "siana", "frog")


def _card(name: str, width: float, height: float) -> str:
    """Define a Legend card without its value; its origin is its middle."""
    ground, edge, _ = TILE_INKS[name]
    x, y = num(-width / 2), num(-height / 2)
    box = f'<rect x="{x}" y="{y}" width="{num(width)}" height="{num(height)}" fill="#fdf4e0" '
    if width < SMALL_CARD:
        return f'<g id="nomads-c-{name}">{box}rx="4" stroke="{ground}" stroke-width="3"/></g>'
    return (
        f'<g id="nomads-c-{name}">{box}rx="6" stroke="{edge}"/>'
        f'<path fill="{ground}" d="M{x} {num(6 - height / 2)}a6 6 0 0 1 6-6h{num(width * 0.34)}v'
        f'{num(height)}h{num(-width * 0.34)}a6 6 0 0 1-6-6z"/><use href="#nomads-t-{name}" '
        f'x="{num(1 - width / 2)}" y="{num(-width * 0.25)}" width="{num(width / 2)}" '
        f'height="{num(width / 2)}"/></g>'
    )


SMALL_CARD = 30
"""Width below which a card has no room for a picture."""


def _song(width: float, height: float) -> str:
    side = min(width, height)
    small = width < SMALL_CARD
    return (
        f'<g id="nomads-c-song"><rect x="{num(-width / 2)}" y="{num(-height / 2)}" '
        f'width="{num(width)}" height="{num(height)}" rx="{4 if small else 6}" fill="#fdf4e0" '
        f'stroke="#8a5a00" stroke-width="{2 if small else 1.5}" stroke-dasharray="4 1.5"/>'
        f'<g transform="translate({num(-width * 0.26)} 0) scale({num(side / 30)})">{NOTE}</g></g>'
    )


NOTE = (
    '<path fill="#8a3d00" d="M-3.6-8.6 5.6-11V3.4a3.6 2.8 0 1 1-2.2-2.6V-5l-4.8 1.3v9.6a3.6 2.8 '
    "0 1 1"
    '-2.2-2.6z"/>'
)


@cache
def defs(
    letters: tuple[str, ...],
    disc: tuple[float, float, float],
    card: tuple[float, float],
    song: tuple[float, float],
) -> str:
    """Return the definitions of all symbols, with discs of a size and with letters on them."""
    tiles = "".join(_tile(name) for name in TILES)
    cards = "".join(_card(name, *card) for name in TILES[:LEGENDS]) + _song(*song)
    discs = "".join(_disc(name, letter, *disc) for name, letter in zip(DISCS, letters, strict=True))
    return (
        "<defs>"
        '<radialGradient id="nomads-sky" cx=".5" cy=".45" r=".8"><stop class="s-sky" offset="0"/>'
        '<stop class="s-sky-far" offset="1"/></radialGradient>'
        '<radialGradient id="nomads-ground"><stop class="s-ground" offset="0"/>'
        '<stop class="s-ground" offset=".35"/><stop class="s-ground-far" '
        'offset="1"/></radialGradient>'
        '<radialGradient id="nomads-glow"><stop offset="0" stop-color="#ffd98a" '
        'stop-opacity=".95"/>'
        '<stop offset=".35" stop-color="#ff9a3d" stop-opacity=".5"/>'
        '<stop offset="1" stop-color="#ff6a1a" stop-opacity="0"/></radialGradient>'
        '<linearGradient id="nomads-opal" x1="0" y1="0" x2="1" y2="1">'
        '<stop offset="0" stop-color="#ffffff"/><stop offset=".35" stop-color="#bfe9ff"/>'
        '<stop offset=".65" stop-color="#e6d2ff"/><stop offset="1" stop-color="#ffe3ee"/>'
        "</linearGradient>"
        f"{symbols('nomads', (*DISCS, 'lys'))}{tiles}{discs}{cards}{FIRE}</defs>"
    )


FIRE = (
    '<symbol id="nomads-fire" viewBox="-50 -60 100 100">'
    '<g stroke-linecap="round"><path stroke="#3b2112" stroke-width="9" d="M-30 24 26 12M30 24-26 '
    '12"/>'
    '<path stroke="#7a4522" stroke-width="5" d="M-30 23 25 11M30 23-25 11"/>'
    '<path stroke="#5c3218" stroke-width="8" d="M-17 28h34"/></g>'
    '<path class="pic-flicker" fill="#e2571b" d="M0-52c5 17 25 27 25 49C25 10 14 19 0 19S-25 '
    "10-25-4c0-10 "
    '5-17 11-22 0 7 3 11 7 13-3-15 0-29 7-39z"/>'
    '<path fill="#ffa52e" d="M2-30c2 12 15 18 15 31 0 10-7 17-16 17s-16-7-16-16c0-7 3-11 7-15 1 '
    "5 3 7 6 8"
    '-2-9 0-18 4-25z"/><path fill="#ffe27a" d="M1-10c1 7 8 10 8 17 0 6-4 10-9 10s-9-4-9-9c0-4 '
    "2-7 4-9 1 3 2 "
    '4 4 5-1-5 0-10 2-14z"/></symbol>'
)
