"""Lumens: the private layer, with the token in hand."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from itertools import repeat

from veillee.engine.drawing.picture import Shape, rows
from veillee.engine.drawing.svg import fit, halo, num, overlay, panel, spot, text
from veillee.engine.i18n import Words
from veillee.games.lumens.core.rules import colour_of
from veillee.games.lumens.core.state import BOTH_FACES, KINDS, NO_TOKEN, UNKNOWN, Phase, State
from veillee.games.lumens.picture.layout import LAYOUTS
from veillee.games.lumens.picture.symbols import emblem


def private(words: Words, s: State, seat: int, shape: Shape = "wide") -> str:
    """Draw the token in hand; each of its faces can be chosen."""
    kind = s.hand[seat]
    if kind == UNKNOWN or s.out >> seat & 1 or s.phase == Phase.OVER:
        kind = NO_TOKEN
    language, lay = words.language, LAYOUTS[shape]
    drawn = ""
    if kind != NO_TOKEN:
        drawn = _hand(language, shape, seat, colour_of(s, seat), kind, s.seat == seat)
        drawn += _left(language, shape, sum(s.left.tolist()[seat]))
    return overlay("lumens", "private", lay.width, lay.height, drawn)


def private_keys(s: State) -> list[Hashable]:
    """Return all that the private layer of each seat depends on."""
    players = s.players
    awaited = map(s.seat.__eq__, range(players))
    everyone = repeat((s.phase == Phase.OVER, s.out, s.colours))
    return list(zip(awaited, s.hand, rows(s.left, KINDS, players), everyone, strict=False))


@lru_cache(512)
def _left(language: str, shape: Shape, n: int) -> str:
    """Draw how many tokens a seat has left."""
    lay = LAYOUTS[shape]
    x, y, w, h = lay.hand
    shown = fit(Words(language)("lumens.left", n=n), w * 0.24, lay.small)
    return text(x + w - 10, y + h / 2 + 5, shown, "t-soft", lay.small, "e")


@lru_cache(1024)
def _hand(language: str, shape: Shape, seat: int, colour: int, kind: int, awaited: bool) -> str:
    """Draw both faces of a token in hand."""
    words, lay = Words(language), LAYOUTS[shape]
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
            + emblem(seat, cx, y + h / 2, size * 0.74)
            + text(cx, y + h / 2 + size * 0.13 + (size * 0.05 if colour == 2 else 0), face,
                   "pic-dark", size * 0.36, "m")
        )  # fmt: skip
        drawn += spot("face", face, str(face), inner)
    middle = x + w / 2
    drawn += (
        f'<path class="l-ink" stroke-width="2" stroke-linecap="round" d="M{num(middle - 6)} '
        f'{num(y + h / 2 - 3)}h12l-3-3M{num(middle + 6)} {num(y + h / 2 + 3)}h-12l3 3"/>'
    )
    return drawn
