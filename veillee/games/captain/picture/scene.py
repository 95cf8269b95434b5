"""Oh Captain!: the cave by the sea at night, which never changes."""

from __future__ import annotations

from functools import cache

from veillee.art.sky import stars
from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import group, num
from veillee.games.captain.picture.layout import LAYOUTS, Layout
from veillee.games.captain.picture.symbols import defs


@cache
def draw_backdrop(shape: Shape) -> str:
    """Draw everything that never changes."""
    lay = LAYOUTS[shape]
    return group(
        defs()
        + f'<rect width="{lay.width}" height="{lay.height}" fill="url(#captain-sky)"/>'
        + stars(lay.width, lay.height, 30 if lay.tall else 60, 3)
        + _scenery(shape)
    )


@cache
def _scenery(shape: Shape) -> str:
    """Draw the moon, the sea and a cliff with a lit cave, dark in every theme."""
    lay = LAYOUTS[shape]
    x, y, w, h = lay.scene
    cx, cy = lay.cave
    k = w / 432
    low = 0.5 if lay.tall else 1
    shore = cy + 66 * low
    mx, my, r = x + w * 0.85, y + 62 * low, 30 * low
    waves = "".join(
        f"M{num(x + w * across)} {num(shore + (y + h - shore) * down)}q6-3 12 0t12 0"
        for across, down in WAVES
    )
    lights = "".join(
        f"M{num(mx - long / 2)} {num(shore + (y + h - shore) * down)}h{long}"
        for down, long in ((0.06, 34), (0.14, 22), (0.22, 40), (0.31, 16), (0.4, 28))
    )
    return (
        f'<clipPath id="captain-scene"><rect x="{num(x)}" y="{num(y)}" width="{num(w)}" '
        f'height="{num(h)}" rx="{0 if lay.tall else 14}"/></clipPath><g '
        f'clip-path="url(#captain-scene)">'
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(shore - y + 10)}" '
        f'fill="url(#captain-night)"/>{_strewn(lay)}'
        f'<circle cx="{num(mx)}" cy="{num(my)}" r="{num(r * 3.2)}" '
        'fill="url(#captain-moonlight)"/>'
        f'<circle cx="{num(mx)}" cy="{num(my)}" r="{num(r)}" fill="#fff3cf"/>'
        f'<g fill="#e6d5a4"><circle cx="{num(mx - r * 0.3)}" cy="{num(my - r * 0.2)}" '
        f'r="{num(r * 0.2)}"/><circle cx="{num(mx + r * 0.35)}" cy="{num(my + r * 0.3)}" '
        f'r="{num(r * 0.26)}"/><circle cx="{num(mx + r * 0.2)}" cy="{num(my - r * 0.5)}" '
        f'r="{num(r * 0.12)}"/></g>'
        f'<path fill="#232447" d="M{num(x)} {num(shore + 4)}q{num(50 * k)} {num(-60 * low)} '
        f"{num(110 * k)} {num(-44 * low)}t{num(110 * k)} {num(-50 * low)} {num(110 * k)} "
        f'{num(60 * low)} {num(102 * k)} {num(34 * low)}z"/>'
        f'<path fill="#3b3350" stroke="#57496a" stroke-width="2" d="M{num(cx - 170 * k)} '
        f"{num(shore + 8)}c{num(10 * k)} {num(-60 * low)} {num(34 * k)} {num(-84 * low)} "
        f"{num(58 * k)} {num(-104 * low)}s{num(70 * k)} {num(-66 * low)} {num(116 * k)} "
        f"{num(-60 * low)} {num(66 * k)} {num(34 * low)} {num(92 * k)} {num(66 * low)} "
        f"{num(62 * k)} "
        f'{num(50 * low)} {num(74 * k)} {num(98 * low)}z"/>'
        f'<path fill="#0b0a16" d="M{num(cx - 92 * k)} {num(shore + 6)}c{num(-6 * k)} '
        f"{num(-70 * low)} "
        f"{num(24 * k)} {num(-140 * low)} {num(88 * k)} {num(-138 * low)}s{num(102 * k)} "
        f'{num(64 * low)} {num(98 * k)} {num(138 * low)}z"/>'
        f'<ellipse class="pic-flicker" cx="{num(cx)}" cy="{num(cy + 22 * low)}" '
        f'rx="{num(104 * k)}" ry="{num(88 * low)}" fill="url(#captain-glow)"/>'
        f'<path fill="url(#captain-sea)" d="M{num(x)} {num(shore)}q{num(w / 8)} {num(-10 * low)} '
        f'{num(w / 4)} 0t{num(w / 4)} 0 {num(w / 4)} 0 {num(w / 4)} 0V{num(y + h)}H{num(x)}z"/>'
        f'<path stroke="#fff3cf" opacity=".4" stroke-width="2.5" stroke-linecap="round" '
        f'd="{lights}"/>'
        f'<path fill="none" stroke="#bfe0f5" opacity=".4" stroke-width="1.5" '
        f'stroke-linecap="round" '
        f'd="{waves}"/></g>'
    )


WAVES = ((0.06, 0.12), (0.18, 0.3), (0.68, 0.34), (0.42, 0.2), (0.9, 0.5), (0.08, 0.62), (0.5, 0.7))


def _strewn(lay: Layout) -> str:
    """Draw the stars over the sea, which don't depend on the theme."""
    x, y, w, h = lay.scene
    path = "".join(
        f"M{num(x + w * across)} {num(y + h * down)}h.01"
        for across, down in (
            (0.06, 0.05), (0.14, 0.16), (0.2, 0.04), (0.31, 0.09), (0.4, 0.03), (0.55, 0.05),
            (0.64, 0.1), (0.7, 0.03), (0.95, 0.2), (0.04, 0.27), (0.12, 0.33), (0.9, 0.29),
        )
    )  # fmt: skip
    return f'<path stroke="#ffe9b0" stroke-width="2.4" stroke-linecap="round" d="{path}"/>'
