"""Lumens: the seats, and whose token is awaited."""

from __future__ import annotations

from functools import cache, lru_cache

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import (
    belongs,
    esc,
    fit,
    group,
    num,
    own_mark,
    panel,
    panel_of,
    piece,
    player_name,
    text,
)
from veillee.engine.i18n import Words
from veillee.games.lumens.core.names import COLOURS, TOKENS, token_name
from veillee.games.lumens.core.state import KINDS, NO_TOKEN
from veillee.games.lumens.picture.layout import LAYOUTS
from veillee.games.lumens.picture.symbols import emblem


@cache
def seat_box(shape: Shape, players: int, seat: int) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the panel of a seat."""
    lay = LAYOUTS[shape]
    left, top, width, height = lay.seats
    across = min(lay.across, players)
    rows = -(-players // across)
    w, h = width / across, min(height / rows, 184)
    x, y = left + w * (seat % across), top + h * (seat // across)
    return x, y, w - (0 if across == 1 else 2), h - (8 if across == 1 else 2)


@cache
def draw_seat(shape: Shape, mine: bool, awaited: bool, players: int, seat: int) -> str:
    """Draw the panel of a seat, lit if its decision is awaited."""
    x, y, w, h = seat_box(shape, players, seat)
    return panel_of(seat, x, y, panel(x, y, w, h, awaited) + own_mark(x, y, h, mine))


def draw_who(
    language: str,
    shape: Shape,
    mine: bool,
    players: int,
    seat: int,
    name: str,
    colour: int,
    points: int,
    out: bool,
    holds: int,
) -> str:
    """Draw a seat's name, bag and points; `holds` is the token in hand, if known."""
    words, lay = Words(language), LAYOUTS[shape]
    x, y, w, h = seat_box(shape, players, seat)
    told = words("lumens.points", n=points)
    drawn = [f"<title>{words.labelled(_who(language, name, colour), told)}</title>"]
    size, small = lay.plain, lay.small
    if lay.across > 1:
        light, mid = h * 0.56, y + h / 2
        left, below = x + light + 12, mid + small + 2
        drawn.append(piece(f"bag-{seat}", x + light / 2 + 7, mid, emblem(seat, 0, 0, light)))
        known = not out and holds > NO_TOKEN
        room = w - light - 14 - size * 2.6 - (small * 2.4 if known else 0)
        drawn.append(player_name(words, left, mid - 4, name, room, size, mine))
        drawn.append(text(x + w - 6, mid - 3, points, "t-fire", size * 1.2, "e"))
        if out:
            drawn.append(text(left, below, words("lumens.out"), "t-fire", small))
        elif known:
            drawn.append(text(x + w - 8 - size * 1.6, mid - 3, token_name(holds), "", small, "e"))
    else:
        right, line = x + w - 16, y + h * 0.36
        drawn.append(piece(f"bag-{seat}", x + 40, line, emblem(seat, 0, 0, 52)))
        drawn.append(player_name(words, x + 80, y + h * 0.34, name, w - 190, size + 2, mine))
        number, _, word = told.partition(" ")
        drawn.append(text(right, line, number, "t-fire", 34, "e"))
        drawn.append(text(right, line + small + 2, word, "t-soft", small, "e"))
        if out:
            said = words("lumens.out")
            drawn.append(text(x + 80, y + h * 0.34 + size + 4, said, "t-fire", size))
        elif holds:
            shown = token_name(holds) if holds > NO_TOKEN else "?"
            drawn.append(_in_hand(x + w - 100, y + h * 0.3, seat, 40, shown))
    return f'<g id="lumens-seat-{seat}" data-panel="{seat}">{"".join(drawn)}</g>'


@lru_cache(1024)
def _who(language: str, name: str, colour: int) -> str:
    return esc(f"{name} ({Words(language)(f'lumens.colour.{COLOURS[colour]}')})")


@lru_cache(1024)
def draw_tokens(shape: Shape, players: int, seat: int, tokens: bytes) -> str:
    """Draw how many tokens of each kind a seat has left."""
    lay = LAYOUTS[shape]
    x, y, w, h = seat_box(shape, players, seat)
    drawn = []
    for kind, n in enumerate(tokens):
        if lay.across > 1:
            light = h * 0.56
            left, below = x + light + 12, y + h / 2 + lay.small + 2
            step, shown = (w - light - 18) / KINDS, f"{TOKENS[kind]} ×{n}"
            drawn.append(text(left + kind * step, below, shown, "t-soft", lay.small))
        else:
            cx, size = x + 14 + kind * (w - 22) / KINDS, lay.plain - 1
            wide = (w - 22) / KINDS - 8
            drawn.append(
                f'<rect class="slot" x="{num(cx)}" y="{num(y + h - 40)}" width="{num(wide)}" '
                'height="30" rx="15"/>'
            )
            drawn.append(text(cx + 13, y + h - 19, TOKENS[kind], "t-soft", size))
            drawn.append(text(cx + wide - 12, y + h - 19, f"×{n}", "t-b", size, "e"))
    return belongs(seat, "".join(drawn))


def _in_hand(x: float, y: float, seat: int, size: float, shown: str = "?") -> str:
    """Draw a token in hand."""
    return emblem(seat, x, y, size) + text(x, y + size * 0.18, shown, "pic-dark", size * 0.46, "m")


@lru_cache(1024)
def draw_awaited(shape: Shape, seat: int, name: str) -> str:
    """Draw whose token is awaited; the private layer covers this. Without a name, draw nothing."""
    if not name:
        return group("")
    lay = LAYOUTS[shape]
    x, y, w, h = lay.hand
    size = h * 0.56
    name = fit(name, w - size - 60, lay.plain + 2)
    return group(
        panel(x, y, w, h)
        + _in_hand(x + h / 2 + 4, y + h / 2, seat, size)
        + text(x + h + 10, y + h / 2 + 6, name, "t-b", lay.plain + 2)
    )
