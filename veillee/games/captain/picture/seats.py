"""Oh Captain!: the seats with coins and loot, results, and the numbers of all cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import (
    GAP,
    at,
    belongs,
    esc,
    given,
    group,
    halo,
    num,
    own_mark,
    panel,
    panel_of,
    part,
    piece,
    player_name,
    spot,
    text,
    titled,
    use,
)
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import ADVENTURERS, LOOT
from veillee.games.captain.core.rules import majority
from veillee.games.captain.core.state import KINDS, Card, Phase, State, Tool
from veillee.games.captain.picture.cards import card_about, draw_count, draw_emblem, draw_heap
from veillee.games.captain.picture.layout import CARD_SHAPE, LAYOUTS, Layout, heap_place, seat_box
from veillee.games.captain.picture.piece_ids import bare
from veillee.games.captain.picture.symbols import INKS, kind_of, symbol

NARROW = 320
"""Width below which a panel has no room for an Adventurer's name beside a record."""


@cache
def draw_seat(shape: Shape, mine: bool, awaited: bool, players: int, seat: int) -> str:
    """Draw the panel of a seat, lit if its decision is awaited."""
    x, y, w, h = seat_box(shape, players, seat)
    whole = panel(x, y, w, h, awaited) + own_mark(x, y, h, mine)
    return panel_of(seat, x, y, whole, f"captain-seat-{seat}")


def draw_who(
    language: str,
    shape: Shape,
    mine: bool,
    players: int,
    seat: int,
    name: str,
    adventurer: int,
    chief: bool,
    coins: int,
    heard: tuple[int, int],
) -> str:
    """Draw who sits at a seat, and how many lies and truths of theirs everybody has seen."""
    words = Words(language)
    who = words(f"captain.adventurer.{ADVENTURERS[adventurer - 1]}") if adventurer else ""
    title = words.labelled(f"{name} ({who})" if who else name, words("captain.coins", n=coins))
    title += "."
    if adventurer:
        title += " " + words(f"captain.power.{ADVENTURERS[adventurer - 1]}")
    shown = _who(language, shape, mine, players, seat, name, adventurer, chief, heard)
    return belongs(seat, spot("seat", seat, title, shown))


@lru_cache(1024)
def _who(
    language: str,
    shape: Shape,
    mine: bool,
    players: int,
    seat: int,
    name: str,
    adventurer: int,
    chief: bool,
    heard: tuple[int, int],
) -> str:
    """Draw a face and a name, with the Bottle if it is the Captain's, and the record."""
    words, lay = Words(language), LAYOUTS[shape]
    x, y, w, h = seat_box(shape, players, seat)
    face, top = lay.face, _middle_line(lay, players, seat)
    fx = x + face / 2 + (4 if lay.tall else 10)
    who = words(f"captain.adventurer.{ADVENTURERS[adventurer - 1]}") if adventurer else ""
    left = fx + face / 2 + (4 if lay.tall else 10)
    drawn = [halo(x, y, w, h, 8), draw_emblem(adventurer, fx, top, face)]
    narrow = not lay.tall and w < NARROW
    # Where the lies and truths are below the name, they leave it less room.
    bottle = face * (0.9 if lay.tall else 0.72 if narrow else 0.8)
    purse = 52 if lay.tall else 98 if narrow else 150
    room = x + w - left - purse - 4 - (bottle * 0.7 if chief else 0)
    down = top + (4 if lay.tall else -2)
    drawn.append(player_name(words, left, down, name, room, lay.plain, mine))
    record = _record(words, *heard)
    # A narrow panel has room for one of them, and the face tells the Adventurer.
    instead = narrow and bool(record)
    if instead:
        drawn.append(text(left, top + 18, record, "t-soft", lay.small))
    elif record and lay.tall:
        drawn.append(titled(record, ""))
    elif record:
        drawn.append(
            text(
                x + w - 14, top + (23 if shape == "wide" else 20), record, "t-soft", lay.small, "e"
            )
        )
    if chief:
        said = words("captain.captain")
        if not lay.tall and not instead:
            drawn.append(text(left, top + 18, said, "t-fire", lay.small))
        bx = x + w - purse - bottle * 0.66
        inner = f"<title>{esc(said)}</title>" + use("captain-bottle", 0, 0, bottle * 0.66, bottle)
        above = bottle * (0.5 if lay.tall else 0.92 if narrow else 0.82)  # clear of the record
        drawn.append(piece("bottle", bx, top - above, inner))
    elif adventurer and not lay.tall and not instead:
        drawn.append(text(left, top + 18, who, "t-soft", lay.small))
    return "".join(drawn)


def _middle_line(lay: Layout, players: int, seat: int) -> float:
    """Return the height at which the name and the coins of a seat are."""
    _, y, _, _ = seat_box(lay.shape, players, seat)
    return (y + heap_place(lay.shape, players, seat, 0)[1]) / 2


def draw_purse(
    language: str, shape: Shape, players: int, seat: int, name: str, coins: Sequence[str]
) -> str:
    """Draw a heap of coins and their number."""
    places, number = _purse(shape, players, seat, len(coins))
    drawn = [
        f'<g class="piece coin" id="{coin}" {place}</g>'
        for coin, place in zip(coins, places, strict=True)
    ]
    words = Words(language)
    title = words.labelled(name, words("captain.coins", n=len(coins))) + "."
    return belongs(seat, spot("seat", seat, title, "".join(drawn) + number))


@cache
def _purse(shape: Shape, players: int, seat: int, n: int) -> tuple[list[str], str]:
    """Return the positions and the look of the coins of a purse, and their number."""
    lay = LAYOUTS[shape]
    left, _, wide, _ = seat_box(shape, players, seat)
    right = left + wide - (6 if lay.tall else 14)
    # The record is below.
    y = _middle_line(lay, players, seat) - (0 if lay.tall else 6)
    size = 15 if lay.tall else 26
    shift = min(3.0 if lay.tall else 4.0, (14 if lay.tall else 26) / max(n, 1))
    number = lay.plain + (1 if lay.tall else 6)
    x = right - number * 1.25 - size / 2
    shown = use("captain-coin", -size / 2, -size / 2, size)
    places = [f"{at(x - (n - 1 - i) * shift, y)}>{shown}" for i in range(n)]
    return places, text(right, y + number * 0.36, n, "t-b", number, "e")


def _record(words: Words, lies: int, truths: int) -> str:
    """Return how many lies and truths of a seat everybody has seen; "" for none."""
    if not lies and not truths:
        return ""
    return f"{words('captain.seen.lies', n=lies)}, {words('captain.seen.truths', n=truths)}"


def choosable(s: State, seat: int) -> tuple[int, bool]:
    """Return which face-up cards of a seat can be chosen (bit i for kind i), and whether a
    face-down one can."""
    if s.phase == Phase.CARD:
        attacked = seat == s.target[s.row] - 1
        return (1 << KINDS) - 1 if attacked else 0, attacked
    if seat != s.seat:
        return 0, False
    if s.phase == Phase.SIANA and s.told[s.row] - 1 != Tool.LANTERN:
        return (1 << KINDS) - 1 - (1 << Card.EGG), False
    return (1 << KINDS) - 1 if s.phase == Phase.MOON else 0, False


def draw_loot(
    language: str,
    shape: Shape,
    players: int,
    seat: int,
    name: str,
    ups: Sequence[Sequence[str]],
    hidden: int,
    heap_id: str,
    downs: bytes,
    open_: int,
    closed: bool,
    over: bool,
) -> str:
    """Draw the face-up cards in heaps by kind, and the heap of face-down ones.

    Args:
        language: The viewer's language.
        shape: The layout.
        players: The number of seats.
        seat: Whose loot it is.
        name: Their name.
        ups: The ids of the face-up cards, by kind.
        hidden: The number of face-down cards.
        heap_id: The id of the top one of them.
        downs: The face-down cards by kind, as far as the view knows them.
        open_: Which face-up cards can be chosen: bit i for kind i.
        closed: Whether a face-down one can.
        over: Whether the game is over, and everything is face up.
    """
    words, lay = Words(language), LAYOUTS[shape]
    w, _ = lay.heaps(players)
    h = w * CARD_SHAPE
    known = [max(0, n) for n in memoryview(downs).cast("b")]
    drawn, heap = [], 0
    for card, up in enumerate(ups):
        n = len(up) + (known[card] if over else 0)
        if not n:
            continue
        x, top = heap_place(shape, players, seat, heap)
        heap += 1
        shown = [*(bare(seat, card, i) for i in range(n - len(up))), *up]
        before, places, after = _face_up(language, shape, x, top, w, card, n, open_ >> card & 1)
        pieces = [
            f'<g class="piece card" id="{each}" {place}</g>'
            for each, place in zip(shown, places, strict=True)
        ]
        drawn.append(before + "".join(pieces) + after)
    if hidden and not over:
        x, top = heap_place(shape, players, seat, 7)
        down = f"{words('captain.picture.down')} × {hidden}"
        inner = draw_heap(x, top, w, hidden, heap_id)
        inner += draw_count(lay, x + w - 1, top + h - 3, hidden) + _known(known, x, top, w)
        if closed:
            inner += halo(x - 1, top - 4, w + 6, h + 8, 6)
            drawn.append(spot("hidden", True, down, inner))
        else:
            drawn.append(titled(down, inner))
    if not drawn:
        return belongs(seat, "")
    return belongs(seat, spot("seat", seat, f"{name}.", "".join(drawn)))


@lru_cache(2048)
def _face_up(
    language: str, shape: Shape, x: float, top: float, w: float, card: int, n: int, chosen: int
) -> tuple[str, list[str], str]:
    """Return the drawing before the cards of a heap, their positions and look, and what follows."""
    lay, h = LAYOUTS[shape], w * CARD_SHAPE
    face = use(symbol(LOOT[card]), 0, 0, w, h)
    places = [f"{at(x + min(i, 3) * 1.5, top - min(i, 3) * 1.5)}>{face}" for i in range(n)]
    inner = GAP
    if n > 1:
        inner += draw_count(lay, x + w - 1, top + (3 if lay.tall else 9), n)
    title = card_about(Words(language), card, n)
    if chosen:
        inner += halo(x - 1, top - 4, w + 6, h + 8, 6)
        heap = given("hidden", "", spot("card", LOOT[card], title, inner))
    else:
        heap = titled(title, inner)
    before, _, after = heap.partition(GAP)
    return before, places, after


def _known(known: Sequence[int], x: float, top: float, w: float) -> str:
    """Draw the face-down cards left of their heap, small, if the view knows them."""
    size = max(w * 0.6, 19)
    cards = [card for card, n in enumerate(known) for _ in range(n)]
    step = min(size + 2, 3 * w / max(len(cards), 1))
    y = top + (w - size) * CARD_SHAPE
    return "".join(
        use(symbol(LOOT[card]), x - 4 - size - step * i, y, size, size * CARD_SHAPE)
        for i, card in enumerate(cards)
    )


def won_by(s: State, seat: int) -> tuple[int, ...]:
    """Return the kinds of cards of which a seat has the majority at the end."""
    return tuple(c for c in (Card.PISTOL, Card.HOOK, Card.LIZARD) if majority(s, c) == seat)


def draw_result(
    language: str,
    shape: Shape,
    players: int,
    seat: int,
    points: int | None = None,
    won: Sequence[int] = (),
) -> str:
    """Draw the points and the majority tokens of a seat at the end; nothing before."""
    if points is None:
        return group("")
    words, lay = Words(language), LAYOUTS[shape]
    x, _, w, _ = seat_box(shape, players, seat)
    right = x + w - (4 if lay.tall else 10)
    _, top = heap_place(shape, players, seat, 7)
    size = lay.plain + (6 if lay.tall else 16)
    high = lay.heaps(players)[0] * CARD_SHAPE
    drawn = text(right, top + high * 0.62, points, "t-fire", size, "e")
    token = 15 if lay.tall else 26
    for i, card in enumerate(won):
        tool = kind_of(LOOT[card])
        cx = right - size * 1.4 - (token + 3) * (i + 0.5)
        cy = top + high * 0.62 - size * 0.36
        ground, _, _ = INKS[tool]
        drawn += titled(
            words("captain.picture.majority", card=words(f"captain.card.{tool}")),
            f'<circle cx="{num(cx)}" cy="{num(cy)}" r="{num(token / 2)}" fill="{ground}" '
            'stroke="#f2c14e" stroke-width="2.5"/>'
            + use(f"captain-g-{tool}", cx - token * 0.3, cy - token * 0.3, token * 0.6),
        )
    return belongs(seat, drawn)


@lru_cache(1024)
def draw_inventory(language: str, shape: Shape, totals: bytes, hidden: tuple[int, ...]) -> str:
    """Draw how many cards of each kind don't lie face up, of how many there are."""
    words, lay = Words(language), LAYOUTS[shape]
    x, y, w, h = lay.box
    label = words("captain.picture.cards")
    drawn = panel(x, y, w, h)
    head = 0.0
    if not lay.tall:
        drawn += text(x + 12, y + 20, label, "t-soft t-b", lay.small)
        head = 24
    each = (w - 8) / KINDS
    ch = min(h - head - 8, 74)
    cy = y + head + (h - head - ch) / 2
    for card in range(KINDS):
        cx = x + 4 + each * card
        drawn += _not_shown(language, shape, card, cx, cy, ch, hidden[card], totals[card])
    return part("cards", drawn)


@lru_cache(1024)
def _not_shown(
    language: str, shape: Shape, card: int, x: float, y: float, height: float, n: int, total: int
) -> str:
    """Draw a kind of cards, and how many of them don't lie face up."""
    lay, width = LAYOUTS[shape], height / CARD_SHAPE
    counted, left = f"{n}/{total}", x + width + (4 if lay.tall else 6)
    return (
        f"<g><title>{esc(card_about(Words(language), card, total))}</title>"
        + use(symbol(LOOT[card]), x + 3, y, width, height)
        + text(left, y + height / 2 + 5, counted, "t-b", lay.plain)
        + "</g>"
    )
