"""Oh Captain!: heaps of cards, their numbers and names, and the faces of Adventurers."""

from __future__ import annotations

from veillee.engine.drawing.svg import num, piece, text, use
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import ADVENTURERS, CARDS
from veillee.games.captain.core.rules import found
from veillee.games.captain.core.state import UNKNOWN, Phase, State
from veillee.games.captain.picture.layout import CARD_SHAPE, Layout
from veillee.games.captain.picture.symbols import kind_of


def card_in_the_open(s: State) -> int:
    """Return the card drawn this turn, if the view knows it: a spectator's, once all saw it."""
    return UNKNOWN if s.phase in (Phase.ADVENTURER, Phase.OVER) else int(found(s))


def card_words(words: Words, card: int) -> str:
    return words(f"captain.card.{CARDS[card].replace(' ', '_')}")


def card_about(words: Words, card: int, n: int) -> str:
    """Return the name of a card, how many there are, and what it does."""
    kind = kind_of(CARDS[card])
    return f"{card_words(words, card)} × {n}. {words(f'captain.about.{kind}')}"


def draw_heap(x: float, y: float, w: float, n: int, name: str) -> str:
    """Draw a heap of face-down cards; the top one is a piece."""
    h = w * CARD_SHAPE
    top = min(n, 4) - 1
    under = (use("captain-back", x + i * 1.5, y - i * 1.5, w, h) for i in range(top))
    face = use("captain-back", 0, 0, w, h)
    return "".join(under) + piece(name, x + top * 1.5, y - top * 1.5, face, "card")


def draw_emblem(adventurer: int, x: float, y: float, size: float) -> str:
    """Draw the face of an Adventurer; 0 for a seat that has none yet."""
    if not adventurer:
        return f'<circle class="slot" cx="{num(x)}" cy="{num(y)}" r="{num(size / 2)}"/>'
    return use(f"captain-{ADVENTURERS[adventurer - 1]}-face", x - size / 2, y - size / 2, size)


def draw_count(lay: Layout, x: float, y: float, n: int) -> str:
    r = lay.small * 0.72
    return f'<circle class="panel" cx="{num(x)}" cy="{num(y)}" r="{num(r)}"/>' + text(
        x, y + lay.small * 0.36, n, "t-b", lay.small, "m"
    )
