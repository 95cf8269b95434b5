"""The site's emblems: its campfire under stars, one for each game and one for the Lumarathon.

Square, 160 x 160, in their own night whatever the theme.
"""

from __future__ import annotations

from functools import cache


def _icon(name: str, sky: tuple[str, str], inner: str) -> str:
    """A rounded night, lighter toward the ground, with something in it."""
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

_FLAME = (
    '<path fill="#e2571b" d="M0-52c5 17 25 27 25 49C25 10 14 19 0 19S-25 10-25-4c0-10 5-17 11-22 '
    "0 7 3 11 "
    '7 13-3-15 0-29 7-39z"/><path fill="#ffa52e" d="M2-30c2 12 15 18 15 31 0 10-7 17-16 '
    "17s-16-7-16-16c0-7 "
    '3-11 7-15 1 5 3 7 6 8-2-9 0-18 4-25z"/><path fill="#ffe27a" d="M1-10c1 7 8 10 8 17 0 6-4 '
    "10-9 10s-9-4"
    '-9-9c0-4 2-7 4-9 1 3 2 4 4 5-1-5 0-10 2-14z"/>'
)
_LOGS = (
    '<g stroke-linecap="round"><path stroke="#3b2112" stroke-width="9" d="M-30 24 26 12M30 24-26 '
    '12"/>'
    '<path stroke="#8a5230" stroke-width="5" d="M-30 23 25 11M30 23-25 11"/></g>'
)


@cache
def logo() -> str:
    """Veillée: a campfire under stars."""
    return _icon(
        "logo",
        ("#141a3c", "#3a2440"),
        '<circle cx="80" cy="92" r="66" fill="url(#icon-logo-glow)"/>'
        '<ellipse cx="80" cy="132" rx="62" ry="12" fill="#1a1226" opacity=".55"/>'
        f'<g transform="translate(80 98) scale(1.25)">{_LOGS}{_FLAME}</g>',
    )


@cache
def nomads() -> str:
    """A fire and the tents around it, and a disc pile."""
    return _icon(
        "nomads",
        ("#10163a", "#5a3340"),
        '<circle cx="80" cy="104" r="62" fill="url(#icon-nomads-glow)"/>'
        '<path fill="#2f6fc4" d="M8 124 40 66l32 58z"/><path fill="#17386b" d="M40 84 56 124H26z"/>'
        '<path fill="#3f7fd6" d="M92 124l30-52 30 52z"/><path fill="#1f4c96" d="m122 88 14 '
        '36h-26z"/>'
        '<path stroke="#9fc2f5" stroke-width="3" stroke-linecap="round" d="M40 66l-4-7M40 '
        "66l4-7M122 72l-4-7"
        'M122 72l4-7"/><path fill="#33202c" d="M0 122c40-8 120-8 160 0v4c0 19-15 34-34 34H34C15 '
        "160 0 145 0 "
        f'126z"/><g transform="translate(80 112)">{_LOGS}{_FLAME}</g>',
    )


@cache
def captain() -> str:
    """A bottle washed ashore before a cave, and a coin."""
    return _icon(
        "captain",
        ("#0c1838", "#1d4a6e"),
        '<path fill="#fff3cf" d="M36 16a17 17 0 1 0 17 24 14 14 0 0 1-17-24z"/>'
        '<path fill="#2c2840" d="M0 120C4 78 26 44 60 46c34 2 44 40 58 60l42 12v8c0 19-15 34-34 '
        "34H34C15 160 0 "
        '145 0 126z"/><path fill="#090a18" d="M22 132c0-34 12-58 34-58s34 26 34 58z"/>'
        '<circle cx="56" cy="118" r="34" fill="url(#icon-captain-glow)"/>'
        '<path fill="#1b5b86" d="M0 126c20-6 30 6 50 0s30 6 50 0 40 4 60-2c0 21-15 36-34 '
        "36H34C15 160 0 145 0 "
        '126z"/><g transform="rotate(24 104 104)"><path fill="#3aa57a" stroke="#c9ffe4" '
        'stroke-width="2.5" '
        'd="M97 62h14v18c10 6 13 12 13 22v28c0 6-3 9-9 9H93c-6 0-9-3-9-9v-28c0-10 3-16 13-22z"/>'
        '<path fill="#a8703a" d="M98 50h12v14H98z"/><path fill="#fdf4e0" d="M89 106h30v20H89z"/>'
        '<path stroke="#8a3d00" stroke-width="2.5" d="M94 112h20M94 119h13"/></g>'
        '<circle cx="44" cy="132" r="15" fill="#f2c14e" stroke="#8a5a00" stroke-width="3"/>'
        '<path fill="#8a5a00" d="m44 122 2.8 6.8 7.2.4-5.6 4.6 2 7-6.4-4-6.4 4 2-7-5.6-4.6 '
        '7.2-.4z"/>',
    )


@cache
def lumens() -> str:
    """Four lights of four shapes in dark rooms."""
    return _icon(
        "lumens",
        ("#0b0d26", "#20204e"),
        '<g fill="#2f3270" stroke="#5a5fb0" stroke-width="2"><path d="M22 92h44v44H22zM94 '
        "92h44v44H94zM58 44h44"
        'v44H58z"/></g><g opacity=".9"><circle cx="80" cy="66" r="40" '
        'fill="url(#icon-lumens-glow)"/>'
        '<circle cx="44" cy="114" r="32" fill="url(#icon-lumens-glow)"/>'
        '<circle cx="116" cy="114" r="32" fill="url(#icon-lumens-glow)"/></g>'
        '<circle cx="80" cy="66" r="17" fill="#ffd84d" stroke="#fff6d0" stroke-width="3"/>'
        '<rect x="29" y="99" width="30" height="30" rx="4" fill="#2fbf6f" stroke="#d8ffe6" '
        'stroke-width="3"/>'
        '<path fill="#ff5a4d" stroke="#ffe1dc" stroke-width="3" stroke-linejoin="round" '
        'd="m116 95 19 33H97z"/><g fill="#20140a"><circle cx="75" cy="61" r="3"/><circle cx="85" '
        'cy="71" r="3"/>'
        '<circle cx="44" cy="114" r="3.5"/><circle cx="111" cy="120" r="3"/><circle cx="121" '
        'cy="120" r="3"/>'
        '<circle cx="116" cy="110" r="3"/></g>',
    )


@cache
def lumarathon() -> str:
    """The way from the bottle on the shore to the fire."""
    return _icon(
        "lumarathon",
        ("#10163a", "#3a2a58"),
        '<path fill="#1b5b86" d="M0 118c16-6 26 6 44 2s20-2 30 0v40H34C15 160 0 145 0 126z"/>'
        '<path fill="#33202c" d="M26 160c4-18 14-34 34-39 34-8 76-6 100 1v4c0 19-15 34-34 34z"/>'
        '<path fill="none" stroke="#ffd27a" stroke-width="5" stroke-linecap="round" '
        'stroke-dasharray="1 11" '
        'd="M38 104C52 70 84 108 98 62"/>'
        '<circle cx="116" cy="98" r="46" fill="url(#icon-lumarathon-glow)"/>'
        f'<g transform="translate(116 108) scale(.8)">{_LOGS}{_FLAME}</g>'
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
    """The fire alone, large enough for a tab."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" '
        'height="64" rx="14" '
        f'fill="#171b3d"/><g transform="translate(32 40) scale(.78)">{_LOGS}{_FLAME}</g>'
        '<path stroke="#ffe9b0" stroke-linecap="round" stroke-width="3" d="M12 14h.01M52 '
        '12h.01M54 28h.01"/>'
        "</svg>"
    )


@cache
def favicon_turn() -> str:
    """The same, with a mark that one is awaited."""
    return favicon().replace(
        "</svg>",
        '<circle cx="50" cy="14" r="12" fill="#ff4d3d" stroke="#fff" stroke-width="4"/></svg>',
    )
