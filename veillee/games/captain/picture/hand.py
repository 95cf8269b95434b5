"""Oh Captain!: the private layer, with the cards that only one seat sees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import repeat

from veillee.engine.drawing.picture import Shape, rows
from veillee.engine.drawing.svg import (
    esc,
    fit,
    given,
    halo,
    overlay,
    panel,
    part,
    spot,
    text,
    titled,
    use,
)
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import LOOT
from veillee.games.captain.core.rules import found
from veillee.games.captain.core.state import KINDS, UNKNOWN, Card, Phase, State
from veillee.games.captain.picture.cards import card_about, draw_count
from veillee.games.captain.picture.layout import CARD_SHAPE, LAYOUTS, Layout
from veillee.games.captain.picture.symbols import symbol


def private(words: Words, s: State, seat: int, shape: Shape = "wide") -> str:
    """Draw a seat's own face-down cards, the card just drawn and, for the Captain, the discard."""
    phase, awaited = s.phase, s.seat == seat
    loot = s.down.tobytes()[seat * KINDS : (seat + 1) * KINDS]
    if phase in (Phase.ADVENTURER, Phase.OVER):
        return _hand(words.language, shape, awaited, loot if phase == Phase.ADVENTURER else None)
    drawn = UNKNOWN
    if s.turn == seat and phase in (Phase.ANNOUNCE, Phase.CHOICE):
        drawn = found(s)
    discard = s.discard.tobytes() if s.captain == seat else None
    chosen = phase if awaited and phase in (Phase.SIANA, Phase.FISH) else None
    return _hand(words.language, shape, awaited, loot, drawn, discard, chosen, in_play=True)


def private_keys(s: State) -> list[Hashable]:
    """Return all that the private layer of each seat depends on."""
    phase, players = s.phase, s.players
    awaited: list[Hashable] = [None] * players
    drawn, discard = awaited.copy(), awaited.copy()
    in_play = phase not in (Phase.ADVENTURER, Phase.OVER)
    if phase != Phase.OVER:
        awaited[s.seat] = phase
    if phase in (Phase.ANNOUNCE, Phase.CHOICE):
        drawn[s.turn] = found(s)
    if in_play:
        discard[s.captain] = s.discard.tobytes()
    everyone = repeat(None if in_play else phase)
    loots = rows(s.down, KINDS, players)
    return list(zip(everyone, awaited, loots, drawn, discard, strict=False))


Counts = Sequence[tuple[int, int]]
"""Kinds of cards with their numbers."""


def _counted(cards: bytes) -> Counts:
    return [(card, n) for card, n in enumerate(memoryview(cards).cast("b")) if n > 0]


@lru_cache(512)
def _hand(
    language: str,
    shape: Shape,
    awaited: bool,
    loot: bytes | None,
    drawn_card: int = UNKNOWN,
    discard: bytes | None = None,
    chosen: int | None = None,
    *,
    in_play: bool = False,
) -> str:
    """Draw the heaps that only one seat sees: each with its name, its cards, and the value of the
    field `hidden` if these can be chosen."""
    words, lay = Words(language), LAYOUTS[shape]
    heaps: list[tuple[str, Counts, str | None]] = []
    if drawn_card != UNKNOWN:
        heaps.append(("captain.picture.found", [(drawn_card, 1)], None))
    if loot is not None and (in_play or _counted(loot)):
        giving = "True" if chosen == Phase.SIANA else None
        heaps.append(("captain.picture.loot", _counted(loot), giving))
    if discard is not None:
        fishing = "" if chosen == Phase.FISH else None
        heaps.append(("captain.picture.discard", _counted(discard), fishing))
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
    cards: Counts,
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
        drawn += _kind(words.language, lay.shape, left + each * i, y, w, each, card, n, hidden)
    return drawn


@lru_cache(2048)
def _kind(
    language: str,
    shape: Shape,
    x: float,
    y: float,
    w: float,
    each: float,
    card: int,
    n: int,
    hidden: str | None,
) -> str:
    """Draw the cards of one kind in a heap."""
    h = w * CARD_SHAPE
    inner = "".join(use(symbol(LOOT[card]), x + k * 2, y - k * 2, w, h) for k in range(min(n, 3)))
    if n > 1:
        inner += draw_count(LAYOUTS[shape], x + w - 2, y + 3, n)
    title = card_about(Words(language), card, n)
    if hidden is not None and not (hidden and card == Card.EGG):
        inner += halo(x - 1, y - 3, max(w + 2, min(each, 44)), h + 6, 6)
        return given("hidden", hidden, spot("card", LOOT[card], title, inner))
    return titled(title, inner)
