"""Oh Captain!: cards, coins, the Bottle and the cave by the sea as SVG symbols."""

from __future__ import annotations

from functools import cache

from veillee.art.adventurers import symbols
from veillee.engine.drawing.svg import num
from veillee.games.captain.core.names import ADVENTURERS

INKS: dict[str, tuple[str, str, str]] = {
    "lantern": ("#f4bd2c", "#8a6000", "#3a2600"),
    "hook": ("#3f5f83", "#1f3550", "#eef6ff"),
    "lizard": ("#2a8f57", "#0f4c2d", "#f0ffe9"),
    "pistol": ("#a32a22", "#5e100b", "#fff0e6"),
    "egg": ("#d9c6f2", "#7a55b0", "#43207a"),
    "purse": ("#b4672a", "#6a3a10", "#fff3dc"),
    "arrival": ("#2f6fc4", "#17386b", "#f3f7ff"),
}
"""Ground, edge and glyph of each kind of card."""

GLYPHS: dict[str, str] = {
    # A storm lantern, lit.
    "lantern": (
        '<path fill="none" stroke="{i}" stroke-width="1.6" d="M8 7a4 4.6 0 0 1 8 0"/>'
        '<path fill="{i}" d="M7 6.6h10l1 2.4H6zM6 19h12v2.6H6z"/>'
        '<path fill="#fff8d8" stroke="{i}" stroke-width="1.5" d="M7.4 9h9.2l1 10H6.4z"/>'
        '<path fill="#e2681f" d="M12 10.6c.6 2.4 2.8 3.2 2.8 5.2a2.8 2.8 0 0 1-5.6 0c0-2 2-2.6 '
        '2.8-5.2z"/>'
    ),
    # A grappling hook on its rope.
    "hook": (
        '<path fill="none" stroke="{i}" stroke-width="2.2" stroke-linecap="round" '
        'stroke-linejoin="round" d="M12 8v9.5M4.4 12.6c0 5 3.2 8.4 7.6 8.4s7.6-3.4 7.6-8.4M4.4 '
        "12.6 2.4 15.6"
        'M4.4 12.6 7.4 14.6M19.6 12.6l2 3M19.6 12.6l-3 2M12 17.5V21"/>'
        '<circle cx="12" cy="5.4" r="2.4" fill="none" stroke="{i}" stroke-width="1.8"/>'
        '<path fill="none" stroke="{i}" stroke-width="1.4" stroke-dasharray="2 1" d="M12 3C14 1 '
        '18 3 21 1.5"/>'
    ),
    # A lizard seen from above.
    "lizard": (
        '<g fill="none" stroke="{i}" stroke-linecap="round" stroke-linejoin="round">'
        '<path stroke-width="5.4" d="M10.8 7.5C9.6 10 13.4 12 12.4 15.2"/>'
        '<path stroke-width="2.6" d="M12.4 15.2c-.6 3.4-5.4 3-5.2 5.6.2 2 3.6 2 5.2.6"/>'
        '<path stroke-width="1.7" d="M9.4 7.4 5.6 6 4 8M4 8 2.6 7.4M4 8l-.4 1.8M13 8.2l4.2-1.8 2 '
        "1.6M19.2 8"
        "l1.4-.8M19.2 8l.6 1.6M10.2 13.4 6 13.6 4.8 15.8M4.8 15.8l-1.6-.2M4.8 15.8l.2 1.6M14.6 "
        "13.6l3.8 "
        '1.2.6 2.6M19 17.4l-1.2 1M19 17.4l1.6.4"/></g>'
        '<ellipse cx="11.6" cy="4.4" rx="2.9" ry="3.3" fill="{i}"/>'
        '<circle cx="10.3" cy="3.6" r=".8" fill="{g}"/><circle cx="12.9" cy="3.6" r=".8" '
        'fill="{g}"/>'
    ),
    # A flintlock.
    "pistol": (
        '<path fill="{i}" d="M1.8 6.4h16.4l1.4-2h1.8v4.2c0 1.2-.8 2-2 2l1.6 8.2c.2 1.2-.5 '
        "2.2-1.8 2.2h-2.6c-1 "
        '0-1.8-.6-2-1.6L13.2 13H9.6c-1.2 0-2-.8-2-2v-.8H1.8z"/>'
        '<path fill="none" stroke="{i}" stroke-width="1.5" d="M13.4 11c.4 2.4-.6 4-2.8 4-1.6 '
        '0-2.4-1.2-2.2-2.6"/>'
        '<path fill="{g}" d="M3 7.6h13v1H3z"/>'
    ),
    # A speckled egg.
    "egg": (
        '<path fill="{i}" d="M12 1.8c3.8 0 7.4 6 7.4 11.4 0 5.2-3.2 8.8-7.4 '
        "8.8s-7.4-3.6-7.4-8.8C4.6 7.8 8.2 1.8 "
        '12 1.8z"/><g fill="{g}"><circle cx="9.2" cy="9.2" r="1.5"/><circle cx="14.6" cy="7.6" '
        'r="1.1"/>'
        '<circle cx="15.4" cy="13.2" r="1.9"/><circle cx="9" cy="15.6" r="1.9"/><circle cx="13" '
        'cy="18.6" r="1.1"/>'
        '<circle cx="11.8" cy="12.2" r=".8"/></g>'
    ),
    # A purse drawn shut.
    "purse": (
        '<path fill="{i}" d="M8.4 7.6C4.4 10.2 2.4 14 2.8 17.6c.4 3 3.2 4.6 9.2 4.6s8.8-1.6 '
        "9.2-4.6c.4-3.6-1.6"
        '-7.4-5.6-10z"/><path fill="{i}" d="M7 2.2c1.7 1 3.3 1 5 0 1.7 1 3.3 1 5 0l-1.6 4H8.6z"/>'
        '<circle cx="12" cy="15" r="3.8" fill="{g}"/><circle cx="12" cy="15" r="2.2" fill="none" '
        'stroke="{i}"/>'
    ),
    # A tent under the moon: they have come.
    "arrival": (
        '<path fill="{i}" d="M12 7.2 21.8 21.5H2.2z"/><path fill="{g}" d="m12 12.6 3.6 8.9H8.4z"/>'
        '<path fill="{i}" d="M18.8 1.6a4 4 0 1 0 3.6 5.6 3.3 3.3 0 0 1-3.6-5.6z"/>'
    ),
}

_PLACES = {"lantern 3": "lantern", "lantern 2": "lantern"}


def kind_of(card: str) -> str:
    """Return the kind whose glyph a card has: both Lanterns share one."""
    return _PLACES.get(card, card)


def symbol(card: str) -> str:
    return f"captain-c-{card.replace(' ', '-')}"


def _glyph(kind: str) -> str:
    ground, _, ink = INKS[kind]
    return GLYPHS[kind].replace("{i}", ink).replace("{g}", ground)


def _face(card: str) -> str:
    kind = kind_of(card)
    ground, edge, ink = INKS[kind]
    glyph = f'<g transform="translate(6.2 14.5) scale(1.4)">{_glyph(kind)}</g>'
    if card != kind:
        # What a Lantern is worth is read on the smallest card, too.
        value = card.removeprefix("lantern ")
        glyph = (
            f'<g transform="translate(9.2 2.2) scale(1.15)">{_glyph(kind)}</g>'
            f'<rect x="8" y="30.5" width="30" height="28.5" rx="7" fill="#fff8e2" stroke="{edge}"/>'
            f'<text class="pic-dark" x="23" y="56.5" font-size="33" '
            f'text-anchor="middle">{value}</text>'
        )
    return (
        f'<symbol id="{symbol(card)}" viewBox="0 0 46 62"><rect x="1" y="1" width="44" height="60" '
        f'rx="6" fill="{ground}" stroke="{edge}" stroke-width="2"/><rect x="4" y="4" width="38" '
        f'height="54" rx="4" fill="none" stroke="{ink}" opacity=".35"/>{glyph}</symbol>'
    )


BACK = (
    '<symbol id="captain-back" viewBox="0 0 46 62"><rect x="1" y="1" width="44" height="60" rx="6" '
    'fill="#22305c" stroke="#93a6e0" stroke-width="2"/><rect x="5" y="5" width="36" height="52" '
    'rx="4" '
    'fill="none" stroke="#93a6e0" stroke-dasharray="2 2"/><path fill="#93a6e0" d="M23 19c7 0 12 '
    "7 12 17v6H11v-6"
    'c0-10 5-17 12-17z"/><path fill="#22305c" d="M23 26c4 0 7 5 7 12v4H16v-4c0-7 3-12 '
    '7-12z"/></symbol>'
)
COIN = (
    '<symbol id="captain-coin" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10.5" fill="#f2c14e" '
    'stroke="#7a5000" stroke-width="1.8"/><path fill="#7a5000" d="m12 5.2 1.9 4.5 4.9.3-3.8 3.1 '
    "1.3 4.7L12 15.2"
    'l-4.3 2.6 1.3-4.7L5.2 10l4.9-.3z"/></symbol>'
)
BOTTLE = (
    '<symbol id="captain-bottle" viewBox="0 0 32 48"><path fill="#a8703a" d="M12 1h8v8h-8z"/>'
    '<path fill="#35a077" stroke="#d6ffea" stroke-width="1.8" d="M12 8h8v9c6 3.5 8 7 8 13v12c0 '
    "3-2 5-5 5H9c-3 0-5"
    '-2-5-5V30c0-6 2-9.5 8-13z"/><path fill="#fdf4e0" d="M7.5 28h17v11h-17z"/>'
    '<path stroke="#8a3d00" stroke-width="1.5" d="M10.5 32h11M10.5 35.5h7"/></symbol>'
)
_SIGNS = {
    "buy": '<use href="#captain-coin" x="3" y="3" width="18" height="18"/>',
    "leave": (
        '<path class="l-ink" stroke-width="2.2" stroke-linecap="round" d="M6 12h12M13 7l5 5-5 5"/>'
    ),
    "accept": (
        '<path class="l-ink" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round" '
        'd="m5.5 12.5 4.5 4.5 8.5-10"/>'
    ),
    "accuse": (
        '<path class="l-ink" stroke-width="3" stroke-linecap="round" d="M12 4.5v9M12 18.8v.01"/>'
    ),
    "mutiny": '<use href="#captain-bottle" x="4" y="1" width="16" height="22"/>',
    "allegiance": (
        '<use href="#captain-coin" x="2" y="6" width="12" height="12"/><path class="l-ink" '
        'stroke-width="2" stroke-linecap="round" d="M16 12h5M18.5 9.5 21 12l-2.5 2.5"/>'
    ),
    "pass": (
        '<path class="l-ink" stroke-width="3" stroke-linecap="round" d="M6 12h.01M12 12h.01M18 '
        '12h.01"/>'
    ),
}


def sign(do: str, x: float, y: float, size: float) -> str:
    """Draw the sign of an answer around a point."""
    return (
        f'<g transform="translate({num(x - size / 2)} {num(y - size / 2)}) scale({size / 24:.2f})">'
        f"{_SIGNS[do]}</g>"
    )


@cache
def defs() -> str:
    """Return the definitions of all symbols."""
    cards = "".join(
        _face(card)
        for card in (
            "lantern 3",
            "lantern 2",
            "egg",
            "hook",
            "lizard",
            "pistol",
            "purse",
            "arrival",
        )
    )
    tools = "".join(
        f'<symbol id="captain-g-{kind}" viewBox="0 0 24 24">{_glyph(kind)}</symbol>'
        for kind in ("lantern", "hook", "lizard", "pistol")
    )
    return (
        '<defs><radialGradient id="captain-sky" cx=".5" cy=".4" r=".8"><stop class="s-sky" '
        'offset="0"/>'
        '<stop class="s-sky-far" offset="1"/></radialGradient>'
        '<linearGradient id="captain-night" x1="0" y1="0" x2="0" y2="1">'
        '<stop offset="0" stop-color="#0a0e28"/><stop offset=".6" stop-color="#2b2a55"/>'
        '<stop offset="1" stop-color="#4a3556"/></linearGradient>'
        '<radialGradient id="captain-moonlight"><stop offset=".25" stop-color="#fff3cf" '
        'stop-opacity=".35"/><stop offset="1" stop-color="#fff3cf" '
        'stop-opacity="0"/></radialGradient>'
        '<linearGradient id="captain-sea" x1="0" y1="0" x2="0" y2="1">'
        '<stop offset="0" stop-color="#2a5c85"/><stop offset="1" '
        'stop-color="#0f2444"/></linearGradient>'
        '<radialGradient id="captain-glow"><stop offset="0" stop-color="#ffd98a" '
        'stop-opacity=".9"/>'
        '<stop offset=".4" stop-color="#ff9a3d" stop-opacity=".4"/>'
        '<stop offset="1" stop-color="#ff6a1a" stop-opacity="0"/></radialGradient>'
        f"{symbols('captain', ADVENTURERS)}{cards}{tools}{BACK}{COIN}{BOTTLE}</defs>"
    )
