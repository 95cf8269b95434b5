"""Emblems, 160 x 160, under a night sky in both themes: the site's and the Lumarathon's.

Each game draws its own in `picture/icon.py`.
"""

from __future__ import annotations

from functools import cache


def emblem(name: str, sky: tuple[str, str], inner: str) -> str:
    """Return an emblem: a rounded night sky, lighter toward the ground, with a drawing in it.

    The gradient `icon-<name>-glow` can be used by the drawing.
    """
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="icon" viewBox="0 0 160 160" '
        f'aria-hidden="true"><defs><linearGradient id="icon-{name}-sky" x1="0" y1="0" x2="0" '
        f'y2="1">'
        f'<stop offset="0" stop-color="{sky[0]}"/><stop offset="1" stop-color="{sky[1]}"/>'
        f'</linearGradient><radialGradient id="icon-{name}-glow">'
        '<stop offset="0" stop-color="#ffd98a" stop-opacity=".95"/>'
        '<stop offset=".4" stop-color="#ff9a3d" stop-opacity=".5"/>'
        '<stop offset="1" stop-color="#ff6a1a" stop-opacity="0"/></radialGradient></defs>'
        f'<rect width="160" height="160" rx="34" fill="url(#icon-{name}-sky)"/>{STARS}{inner}</svg>'
    )


STARS = (
    '<path stroke="#ffe9b0" stroke-linecap="round" stroke-width="2.4" opacity=".85" '
    'd="M24 34h.01M52 20h.01M92 30h.01M132 22h.01M140 58h.01M18 66h.01M112 50h.01M40 52h.01"/>'
    '<path fill="#ffe9b0" d="m124 34 2 6 6 2-6 2-2 6-2-6-6-2 6-2zM34 74l1.5 4.5L40 80l-4.5 '
    "1.5L34 86"
    'l-1.5-4.5L28 80l4.5-1.5z"/>'
)

FLAME = (
    '<path fill="#e2571b" d="M0-52c5 17 25 27 25 49C25 10 14 19 0 19S-25 10-25-4c0-10 5-17 11-22 '
    "0 7 3 11 "
    '7 13-3-15 0-29 7-39z"/><path fill="#ffa52e" d="M2-30c2 12 15 18 15 31 0 10-7 17-16 '
    "17s-16-7-16-16c0-7 "
    '3-11 7-15 1 5 3 7 6 8-2-9 0-18 4-25z"/><path fill="#ffe27a" d="M1-10c1 7 8 10 8 17 0 6-4 '
    "10-9 10s-9-4"
    '-9-9c0-4 2-7 4-9 1 3 2 4 4 5-1-5 0-10 2-14z"/>'
)
LOGS = (
    '<g stroke-linecap="round"><path stroke="#3b2112" stroke-width="9" d="M-30 24 26 12M30 24-26 '
    '12"/>'
    '<path stroke="#8a5230" stroke-width="5" d="M-30 23 25 11M30 23-25 11"/></g>'
)


@cache
def logo() -> str:
    """Return the emblem of Veillée: a campfire under stars."""
    return emblem(
        "logo",
        ("#141a3c", "#3a2440"),
        '<circle cx="80" cy="92" r="66" fill="url(#icon-logo-glow)"/>'
        '<ellipse cx="80" cy="132" rx="62" ry="12" fill="#1a1226" opacity=".55"/>'
        f'<g transform="translate(80 98) scale(1.25)">{LOGS}{FLAME}</g>',
    )


@cache
def lumarathon() -> str:
    """Return the emblem of the Lumarathon: the way from the bottle on the shore to the fire."""
    return emblem(
        "lumarathon",
        ("#10163a", "#3a2a58"),
        '<path fill="#1b5b86" d="M0 118c16-6 26 6 44 2s20-2 30 0v40H34C15 160 0 145 0 126z"/>'
        '<path fill="#33202c" d="M26 160c4-18 14-34 34-39 34-8 76-6 100 1v4c0 19-15 34-34 34z"/>'
        '<path fill="none" stroke="#ffd27a" stroke-width="5" stroke-linecap="round" '
        'stroke-dasharray="1 11" '
        'd="M38 104C52 70 84 108 98 62"/>'
        '<circle cx="116" cy="98" r="46" fill="url(#icon-lumarathon-glow)"/>'
        f'<g transform="translate(116 108) scale(.8)">{LOGS}{FLAME}</g>'
        '<g transform="translate(-58 20) rotate(-20 96 100) scale(.92)"><path fill="#3aa57a" '
        'stroke="#c9ffe4" '
        'stroke-width="2.5" d="M91 68h10v14c8 5 10 9 10 17v20c0 5-2 7-7 7H88c-5 0-7-2-7-7V99c0-8 '
        '2-12 10-17z"/>'
        '<path fill="#a8703a" d="M91 58h10v11H91z"/></g>'
        '<path fill="#ffe9b0" d="m98 30 3.5 9 9.5.5-7.5 6 2.5 9.5-8-5.5-8 5.5 2.5-9.5-7.5-6 '
        '9.5-.5z"/>',
    )


@cache
def favicon() -> str:
    """Return the favicon: the fire alone."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" '
        'height="64" rx="14" '
        f'fill="#171b3d"/><g transform="translate(32 40) scale(.78)">{LOGS}{FLAME}</g>'
        '<path stroke="#ffe9b0" stroke-linecap="round" stroke-width="3" d="M12 14h.01M52 '
        '12h.01M54 28h.01"/>'
        "</svg>"
    )


@cache
def favicon_turn() -> str:
    """Return the favicon with a mark: it is your turn."""
    return favicon().replace(
        "</svg>",
        '<circle cx="50" cy="14" r="12" fill="#ff4d3d" stroke="#fff" stroke-width="4"/></svg>',
    )
