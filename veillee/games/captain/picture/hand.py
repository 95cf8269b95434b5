"""Oh Captain!: the private layer, with the cards that only one seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import esc, fit, given, halo, overlay, panel, part, spot, text, use
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import LOOT
from veillee.games.captain.core.rules import found
from veillee.games.captain.core.state import UNKNOWN, Card, Phase, State
from veillee.games.captain.picture.cards import card_about, draw_count
from veillee.games.captain.picture.layout import CARD_SHAPE, LAYOUTS, Layout
from veillee.games.captain.picture.symbols import symbol


def private(words: Words, s: State, seat: int, shape: Shape = "wide") -> str:
    """Draw a seat's own face-down cards, the card just drawn and, for the Captain, the discard."""
    heaps: list[Heap] = []
    phase, awaited = s.phase, s.seat == seat
    loot = _counted(s.down.tolist()[seat])
    if phase == Phase.ADVENTURER and loot:
        heaps.append(("captain.picture.loot", loot, None))
    if phase not in (Phase.ADVENTURER, Phase.OVER):
        if s.turn == seat and phase in (Phase.ANNOUNCE, Phase.CHOICE) and found(s) != UNKNOWN:
            heaps.append(("captain.picture.found", ((found(s), 1),), None))
        giving = "True" if phase == Phase.SIANA and awaited else None
        heaps.append(("captain.picture.loot", loot, giving))
        if s.captain == seat:
            fishing = "" if phase == Phase.FISH and awaited else None
            heaps.append(("captain.picture.discard", _counted(s.discard.tolist()), fishing))
    return _hand(words.language, shape, awaited, tuple(heaps))


Heap = tuple[str, tuple[tuple[int, int], ...], str | None]
"""Text key of its name, kinds of cards with their numbers, and the value of the field `hidden` if
its cards can be chosen."""


def _counted(cards: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple([(card, n) for card, n in enumerate(cards) if n > 0])


@lru_cache(512)
def _hand(language: str, shape: Shape, awaited: bool, heaps: tuple[Heap, ...]) -> str:
    """Draw the heaps that only one seat sees."""
    words, lay = Words(language), LAYOUTS[shape]
    drawn = ""
    if heaps:
        x, y, w, h = lay.hand
        drawn = panel(x, y, w, h, awaited)
        many = sum(max(len(cards), 2) for _, cards, _ in heaps)
        gap = 8 if lay.tall else 24
        each = min((w - 12 - gap * (len(heaps) - 1)) / many, lay.held + (4 if lay.tall else 10))
        left = x + 6
        for key, cards, hidden in heaps:
            drawn += part(key.rpartition(".")[2], _held(words, lay, left, each, key, cards, hidden))
            left += each * max(len(cards), 2) + gap
    return overlay("captain", "private", lay.width, lay.height, drawn)


def _held(
    words: Words,
    lay: Layout,
    left: float,
    each: float,
    key: str,
    cards: Sequence[tuple[int, int]],
    hidden: str | None,
) -> str:
    """Draw one heap. `hidden` is the value of that field if its cards can be chosen.

    captain.know.loot, captain.setup.discard: the title says that it may be looked at any time.
    """
    _, top, _, height = lay.hand
    head = lay.small + 5
    room = each * max(len(cards), 2)
    label = fit(words(key), room, lay.small)
    drawn = (
        f"<g><title>{esc(words(f'{key}.about'))}</title>"
        + text(left + 2, top + head - 1, label, "t-soft t-b", lay.small)
        + "</g>"
    )
    w = min(each - 3, lay.held, (height - head - 9) / CARD_SHAPE)
    h = w * CARD_SHAPE
    y = top + head + (height - head - h) / 2
    for i, (card, n) in enumerate(cards):
        x = left + each * i
        inner = "".join(
            use(symbol(LOOT[card]), x + k * 2, y - k * 2, w, h) for k in range(min(n, 3))
        )
        if n > 1:
            inner += draw_count(lay, x + w - 2, y + 3, n)
        title = card_about(words, card, n)
        if hidden is not None and not (hidden and card == Card.EGG):
            inner += halo(x - 1, y - 3, max(w + 2, min(each, 44)), h + 6, 6)
            drawn += given("hidden", hidden, spot("card", LOOT[card], title, inner))
        else:
            drawn += f"<g><title>{esc(title)}</title>{inner}</g>"
    return drawn
