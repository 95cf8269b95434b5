"""Nomads: the night sky, the ground and the fire, which never change."""

from __future__ import annotations

from functools import cache

from veillee.art.sky import stars
from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import esc, group, num, use
from veillee.engine.i18n import Words
from veillee.games.nomads.core.names import DISCS
from veillee.games.nomads.picture.layout import LAYOUTS
from veillee.games.nomads.picture.symbols import defs


@cache
def draw_backdrop(language: str, shape: Shape) -> str:
    """Draw everything that never changes."""
    words, lay = Words(language), LAYOUTS[shape]
    symbols = defs(_letters(words), lay.disc, lay.card, lay.song)
    return group(symbols + _ground(shape))


@cache
def _letters_in(language: str) -> tuple[str, ...]:
    words = Words(language)
    return tuple(esc(words(f"nomads.short.{disc}")) for disc in DISCS)


def _letters(words: Words) -> tuple[str, ...]:
    return _letters_in(words.language)


@cache
def _ground(shape: Shape) -> str:
    lay = LAYOUTS[shape]
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
        f"{stars(lay.width, lay.height, 70 if lay.width > 400 else 34)}"
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
