"""Oh Captain!: the cave by the sea at night and those around it, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from veillee.engine.memory import remembered
from veillee.engine.picture import counted, each_has
from veillee.engine.svg import (
    Canvas,
    esc,
    fit,
    given,
    group,
    halo,
    moves,
    num,
    overlay,
    panel,
    piece,
    spot,
    text,
    use,
)
from veillee.engine.words import Words
from veillee.games.captain.art import INKS, defs, kind_of, sign, symbol
from veillee.games.captain.layout import CARD_SHAPE, LAYOUTS, Layout, heap_place, seat_box
from veillee.games.captain.names import ADVENTURERS, CARDS, LOOT, TOOLS
from veillee.games.captain.notation import parts
from veillee.games.captain.pieces import Ids, bare, follow, named
from veillee.games.captain.rules import (
    adventurers_taken,
    attacker,
    can_hit,
    found,
    majority,
    scores,
)
from veillee.games.captain.state import (
    KINDS,
    NOBODY,
    UNKNOWN,
    Adventurer,
    Answer,
    Card,
    Fate,
    Phase,
    Tool,
)
from veillee.pictures.sky import stars

__all__ = ["board", "follow", "ghost", "icon", "private"]


def board(
    words: Words,
    s: Any,
    names: Sequence[str],
    tall: bool = False,
    seat: int | None = None,
    ids: Ids | None = None,
    canvas: Canvas | None = None,
    points: Sequence[int] | None = None,
) -> list[str]:
    """What lies open, and how many cards lie face down where. Each part is drawn anew only when
    something changed that it shows."""
    lay = LAYOUTS[tall]
    if ids is None:
        ids = named(s)
    if canvas is None:
        canvas = Canvas()
    section, add = canvas.section, canvas.add
    coins = tuple(s.coins.tolist()[: s.players])
    told = each_has(words.language, "captain.coins", names, coins)
    canvas.begin("captain", lay.width, lay.height, words("captain.title"), told)
    add(_still, tall)
    reserve = (s.size - s.drawn, s.discards, s.reserve, ids["down"][-1], ids["coins"][-1])
    if section(1, reserve):
        add(group, _middle(words, s, lay, ids))
    phase, row = s.phase, s.row
    adventurers = s.adventurer.tobytes()
    news = (phase, s.turn, s.told[row], s.target[row], _card_in_the_open(s))
    if section(1, news, adventurers, tuple(names), ids["found"]):
        add(group, _saying(words, s, lay, names, ids))
    if section(1, phase, adventurers, s.many):
        add(group, _choice(words, s, lay) if phase == Phase.ADVENTURER else "")
    in_play = phase not in (Phase.ADVENTURER, Phase.OVER)
    if section(2, phase, s.told[row]):
        add(group, _tools(words, s, lay) if in_play else "")
        add(group, _answers(words, s, lay) if in_play else "")
    over = phase == Phase.OVER
    shown = (points or counted(scores, s)) if over else None
    chosen = (phase, s.target[row], s.told[row]) if phase in CHOOSING else ()
    for other, name in enumerate(names):
        lit = (other == seat, other == s.seat, other == s.captain, chosen)
        lies = (ids["coins"][other], ids["up"][other], ids["down"][other], s.hidden[other], over)
        if section(1, s.players, name, adventurers[other], lit, lies):
            add(group, _seat(words, s, lay, names, other, other == seat, ids, shown))
    if section(1, s.total.tobytes()):
        add(group, _inventory(words, s, lay))
    add(moves, ids["moves"])
    return canvas.end()


CHOOSING = (Phase.CARD, Phase.SIANA, Phase.MOON)
"""When cards in front of seats can be chosen."""


def _card_in_the_open(s: Any) -> int:
    """The card that was found, if all may see it."""
    if s.phase in (Phase.ADVENTURER, Phase.OVER) or not _found_is_open(s):
        return UNKNOWN
    return int(found(s))


@cache
def _still(tall: bool) -> str:
    """What never changes."""
    lay = LAYOUTS[tall]
    return group(
        defs()
        + f'<rect width="{lay.width}" height="{lay.height}" fill="url(#captain-sky)"/>'
        + stars(lay.width, lay.height, 30 if tall else 60, 3)
        + _scenery(tall)
    )


def _card_words(words: Words, card: int) -> str:
    return words(f"captain.card.{CARDS[card].replace(' ', '_')}")


# ---------------------------------------------------------------- the cave by the sea


@cache
def _scenery(tall: bool) -> str:
    """A moon over the sea, a cliff with a cave in it, light from within: night in every theme."""
    lay = LAYOUTS[tall]
    x, y, w, h = lay.scene
    cx, cy = lay.cave
    k = w / 432
    low = 0.5 if tall else 1
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
        f'height="{num(h)}" rx="{0 if tall else 14}"/></clipPath><g '
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
    """Stars over the sea, which are never dimmed by the theme."""
    x, y, w, h = lay.scene
    path = "".join(
        f"M{num(x + w * across)} {num(y + h * down)}h.01"
        for across, down in (
            (0.06, 0.05), (0.14, 0.16), (0.2, 0.04), (0.31, 0.09), (0.4, 0.03), (0.55, 0.05),
            (0.64, 0.1), (0.7, 0.03), (0.95, 0.2), (0.04, 0.27), (0.12, 0.33), (0.9, 0.29),
        )
    )  # fmt: skip
    return f'<path stroke="#ffe9b0" stroke-width="2.4" stroke-linecap="round" d="{path}"/>'


def _heap(x: float, y: float, w: float, n: int, name: str) -> str:
    """Cards face down on each other; the top one is a piece."""
    h = w * CARD_SHAPE
    top = min(n, 4) - 1
    under = (use("captain-back", x + i * 1.5, y - i * 1.5, w, h) for i in range(top))
    face = use("captain-back", 0, 0, w, h)
    return "".join(under) + piece(name, x + top * 1.5, y - top * 1.5, face, "card")


def _deck(
    lay: Layout, place: tuple[float, float], n: int, title: str, label: str, name: str
) -> str:
    """A face-down pile, its number and its name."""
    x, y = place
    w = lay.card
    h = w * CARD_SHAPE
    drawn = _heap(x - w / 2, y - h / 2, w, n, name) if n else ""
    if not n:
        drawn = (
            f'<rect fill="none" stroke="#93a6e0" x="{num(x - w / 2)}" y="{num(y - h / 2)}" '
            f'width="{num(w)}" height="{num(h)}" rx="6" stroke-dasharray="4 4"/>'
        )
    r = lay.small * 0.95
    bx, by = x + w / 2 + 1, y + h / 2 - 4
    return (
        f"<g><title>{esc(title)}: {n}</title>{drawn}"
        f'<circle class="panel" cx="{num(bx)}" cy="{num(by)}" r="{num(r)}"/>'
        + text(bx, by + lay.small * 0.36, n, "t-b", lay.small, "m")
        + (label and _plate(lay, x, y + h / 2 + lay.small + 5, label))
        + "</g>"
    )


def _plate(lay: Layout, x: float, y: float, label: str) -> str:
    """A name under a thing, readable on rock and sea."""
    label = fit(label, lay.card * 2.4, lay.small)
    w = len(label) * lay.small * 0.62 + 12
    return (
        f'<rect class="f-panel" opacity=".82" x="{num(x - w / 2)}" y="{num(y - lay.small)}" '
        f'width="{num(w)}" height="{num(lay.small + 5)}" rx="6"/>'
        + text(x, y, label, "t-soft", lay.small, "m")
    )


def _middle(words: Words, s: Any, lay: Layout, ids: Ids) -> str:
    """The Cave, the discard under the Bottle, the reserve of coins."""
    cave, under = words("captain.picture.cave"), words("captain.picture.discard")
    drawn = _deck(lay, lay.cave, s.size - s.drawn, cave, cave, "cave")
    drawn += _deck(lay, lay.discard, s.discards, under, under, ids["down"][-1])
    x, y = lay.reserve
    size = lay.card * 0.5
    stack = ids["coins"][-1]
    coins = "".join(
        piece(
            name,
            x + (i % 5 - 2) * size * 0.62,
            y + size * 0.9 - (i // 5) * size * 0.42,
            use("captain-coin", -size / 2, -size / 2, size),
            "coin",
        )
        for i, name in enumerate(stack)
    )
    reserve = words("captain.picture.reserve")
    r = lay.small * 0.95
    by = y + lay.card * CARD_SHAPE / 2 - 4
    bx = x + lay.card * 0.86
    return (
        f"{drawn}<g><title>{esc(reserve)}: {s.reserve}</title>{coins}"
        f'<circle class="panel" cx="{num(bx)}" cy="{num(by)}" r="{num(r)}"/>'
        + text(bx, by + lay.small * 0.36, s.reserve, "t-b", lay.small, "m")
        + _plate(lay, x, y + lay.card * CARD_SHAPE / 2 + lay.small + 5, reserve)
        + "</g>"
    )


def _emblem(s: Any, seat: int, x: float, y: float, size: float) -> str:
    adventurer = s.adventurer[seat]
    if not adventurer:
        return f'<circle class="slot" cx="{num(x)}" cy="{num(y)}" r="{num(size / 2)}"/>'
    return use(f"captain-{ADVENTURERS[adventurer - 1]}-face", x - size / 2, y - size / 2, size)


def _found_is_open(s: Any) -> bool:
    return bool(s.fate[s.row] == Fate.BOUGHT or s.answer[s.row] == Answer.ACCUSED)


def _saying(words: Words, s: Any, lay: Layout, names: Sequence[str], ids: Ids) -> str:
    """Who found something, what they say it is, and whom it is aimed at."""
    if s.phase in (Phase.ADVENTURER, Phase.RICH, Phase.FISH, Phase.OVER):
        return ""
    x, y, w, h = lay.saying
    size = h * 0.62
    fx = x + size * 0.62
    mid = y + h / 2
    drawn = _emblem(s, s.turn, fx, mid, size)
    left = x + size * 1.32
    target = s.target[s.row] - 1 if s.target[s.row] else NOBODY
    room = w - size * 1.32 - (size * 1.7 if target != NOBODY else 4) - h * 0.62
    drawn += (
        f'<path class="panel" d="M{num(left + 8)} {num(y + 3)}h{num(room - 16)}a8 8 0 0 1 8 8v'
        f"{num(h - 22)}a8 8 0 0 1-8 8H{num(left + 8)}a8 8 0 0 1-8-8V{num(mid + 7)}l-9-7 9-7V"
        f'{num(y + 11)}a8 8 0 0 1 8-8z"/>'
    )
    told = s.told[s.row]
    if told:
        tool = TOOLS[told - 1]
        glyph = h * 0.6
        ground, _, _ = INKS[tool]
        drawn += (
            f'<rect x="{num(left + 8)}" y="{num(mid - glyph / 2)}" width="{num(glyph)}" '
            f'height="{num(glyph)}" rx="6" fill="{ground}"/>'
            + use(f"captain-g-{tool}", left + 11, mid - glyph / 2 + 3, glyph - 6)
            + text(
                left + glyph + 15,
                mid + lay.plain * 0.36,
                fit(words(f"captain.tool.{tool}"), room - glyph - 20, lay.plain + 1),
                "t-b",
                lay.plain + 1,
            )
        )
    else:
        drawn += text(left + room / 2, mid + 6, "…", "t-b", lay.plain + 8, "m")
    cw = h * 0.56
    ch = cw * CARD_SHAPE
    cx = left + room + 6
    card = _card_in_the_open(s)
    face = symbol(CARDS[card]) if card != UNKNOWN else "captain-back"
    drawn += piece(ids["found"], cx, mid - ch / 2, use(face, 0, 0, cw, ch), "card")
    if target != NOBODY:
        ax = cx + cw + 2
        tx = x + w - size * 0.5
        drawn += (
            f'<path fill="none" stroke="#ffb454" stroke-width="3" stroke-linecap="round" '
            f'd="M{num(ax)} {num(mid)}H{num(tx - size * 0.5 - 4)}m-6-5 6 5-6 5"/>'
            + _emblem(s, target, tx, mid, size)
        )
    return f"<g><title>{esc(names[s.turn])}</title>{drawn}</g>"


def _tools(words: Words, s: Any, lay: Layout) -> str:
    """The four things that can be announced."""
    x, y, w, h = lay.tools
    each = w / len(TOOLS)
    told = s.told[s.row] - 1 if s.phase >= Phase.CHOICE and s.phase != Phase.OVER else NOBODY
    drawn = ""
    for i, tool in enumerate(TOOLS):
        left = x + each * i
        ground, edge, _ = INKS[tool]
        size = min(h - 12, each - 10)
        faint = "" if s.phase == Phase.ANNOUNCE or told == i else ' opacity=".55"'
        inner = (
            halo(left + 1, y, each - 2, h, 10)
            + f'<g{faint}><rect x="{num(left + (each - size) / 2)}" y="{num(y + (h - size) / 2)}" '
            f'width="{num(size)}" height="{num(size)}" rx="9" fill="{ground}" stroke="{edge}" '
            'stroke-width="2"/>'
            + use(
                f"captain-g-{tool}",
                left + (each - size) / 2 + size * 0.12,
                y + (h - size) / 2 + size * 0.12,
                size * 0.76,
            )
            + "</g>"
        )
        drawn += spot("tool", tool, words(f"captain.tool.{tool}"), inner)
    return drawn


_ANSWERS: dict[int, tuple[str, ...]] = {
    Phase.RICH: ("mutiny", "allegiance"),
    Phase.CHOICE: ("buy", "leave"),
    Phase.ANSWER: ("accept", "accuse"),
    Phase.FISH: ("pass",),
    Phase.MOON: ("pass",),
}


def _answers(words: Words, s: Any, lay: Layout) -> str:
    """The plain answers that are awaited now, as signs."""
    asked = _ANSWERS.get(s.phase, ())
    x, y, w, h = lay.answers
    each = min(w / 2, 150)
    drawn = ""
    for i, do in enumerate(asked):
        left = x + w / 2 + each * (i - len(asked) / 2)
        key = f"captain.do.{do}"
        if do == "pass":
            key += ".fish" if s.phase == Phase.FISH else ".turn"
        inner = (
            f'<rect class="panel" x="{num(left + 2)}" y="{num(y + 1)}" width="{num(each - 4)}" '
            f'height="{num(h - 2)}" rx="12"/>' + sign(do, left + each / 2, y + h / 2, h * 0.62)
        )
        # The halo lies over the plate, so that its light is seen.
        drawn += spot("do", do, words(key), inner + halo(left + 2, y + 1, each - 4, h - 2, 12))
    return drawn


def _choice(words: Words, s: Any, lay: Layout) -> str:
    """The Adventurers who are still free."""
    x, w = lay.scene[0] + 4, lay.scene[2] - 8
    y, h = lay.saying[1] + 20, 68 if lay.tall else 90
    taken = adventurers_taken(s)
    free = [one for one in range(1, s.many + 1) if not taken >> one & 1]
    each = min(w / max(len(free), 1), h * 1.1)
    left = x + (w - each * len(free)) / 2
    drawn = ""
    for i, one in enumerate(free):
        name = ADVENTURERS[one - 1]
        said = words(f"captain.adventurer.{name}")
        size = min(each - 6, h - lay.small - 8)
        cx = left + each * (i + 0.5)
        inner = (
            f'<rect class="f-panel" opacity=".8" x="{num(cx - each / 2 + 1)}" y="{num(y)}" '
            f'width="{num(each - 2)}" height="{num(h)}" rx="10"/>'
            + halo(cx - each / 2 + 1, y, each - 2, h, 10)
            + use(f"captain-{name}-face", cx - size / 2, y + 3, size)
            + text(cx, y + h - 4, fit(said, each, lay.small), "t-b", lay.small, "m")
        )
        drawn += spot("adventurer", name, f"{said}: {words(f'captain.power.{name}')}", inner)
    return drawn


# ---------------------------------------------------------------- around the table


def _seat(
    words: Words,
    s: Any,
    lay: Layout,
    names: Sequence[str],
    seat: int,
    mine: bool,
    ids: Ids,
    points: Sequence[int] | None,
) -> str:
    x, y, w, h = seat_box(lay.tall, s.players, seat)
    face = lay.face
    top = (y + heap_place(lay.tall, s.players, seat, 0)[1]) / 2
    fx = x + face / 2 + (4 if lay.tall else 10)
    adventurer = s.adventurer[seat]
    who = f" ({words(f'captain.adventurer.{ADVENTURERS[adventurer - 1]}')})" if adventurer else ""
    coins = words("captain.coins", n=s.coins[seat])
    name_left = fx + face / 2 + (4 if lay.tall else 10)
    drawn = [halo(x, y, w, h, 8), _emblem(s, seat, fx, top, face)]
    chief = s.captain == seat
    bottle = face * (0.9 if lay.tall else 1)
    room = x + w - name_left - (54 if lay.tall else 104) - (bottle * 0.7 if chief else 0)
    drawn.append(
        text(
            name_left,
            top + (4 if lay.tall else -2),
            fit(names[seat], room, lay.plain),
            "t-b",
            lay.plain,
        )
    )
    if chief:
        said = words("captain.captain")
        if not lay.tall:
            drawn.append(text(name_left, top + 18, said, "t-fire", lay.small))
        bx = x + w - (52 if lay.tall else 100) - bottle * 0.66
        inner = f"<title>{esc(said)}</title>" + use("captain-bottle", 0, 0, bottle * 0.66, bottle)
        drawn.append(piece("bottle", bx, top - bottle / 2, inner))
    elif adventurer and not lay.tall:
        said = words(f"captain.adventurer.{ADVENTURERS[adventurer - 1]}")
        drawn.append(text(name_left, top + 18, said, "t-soft", lay.small))
    drawn.append(_purse(lay, x + w - (6 if lay.tall else 14), top, ids["coins"][seat]))
    drawn.append(_loot(words, s, lay, seat, ids))
    if points is not None:
        drawn.append(_result(s, lay, seat, points[seat]))
    if mine:
        drawn.append(
            f'<rect class="f-fire" x="{num(x + 1)}" y="{num(y + 5)}" width="3" '
            f'height="{num(h - 10)}" rx="1.5"/>'
        )
    title = f"{names[seat]}{who}: {coins}"
    shown = spot("seat", seat, title, "".join(drawn))
    return f'<g id="captain-seat-{seat}">{panel(x, y, w, h, s.seat == seat)}{shown}</g>'


def _purse(lay: Layout, right: float, y: float, coins: Sequence[str]) -> str:
    """A heap of coins and their number."""
    size = 15 if lay.tall else 26
    shift = min(3.0 if lay.tall else 4.0, (14 if lay.tall else 26) / max(len(coins), 1))
    number = lay.plain + (1 if lay.tall else 6)
    x = right - number * 1.25 - size / 2
    drawn = "".join(
        piece(
            name,
            x - (len(coins) - 1 - i) * shift,
            y,
            use("captain-coin", -size / 2, -size / 2, size),
            "coin",
        )
        for i, name in enumerate(coins)
    )
    return drawn + text(right, y + number * 0.36, len(coins), "t-b", number, "e")


def _loot(words: Words, s: Any, lay: Layout, seat: int, ids: Ids) -> str:
    """Face-up cards in heaps of a kind, and the number of those that lie face down."""
    w, _ = lay.heaps(s.players)
    over = s.phase == Phase.OVER
    drawn, heap = [], 0
    for card in range(KINDS):
        up = ids["up"][seat][card]
        n = len(up) + (s.down[seat, card] if over else 0)
        if not n:
            continue
        x, top = heap_place(lay.tall, s.players, seat, heap)
        heap += 1
        shown = [bare(seat, card, i) for i in range(n - len(up))] + list(up)
        inner = "".join(
            piece(name, x + min(i, 3) * 1.5, top - min(i, 3) * 1.5,
                  use(symbol(LOOT[card]), 0, 0, w, w * CARD_SHAPE), "card")
            for i, name in enumerate(shown)
        )  # fmt: skip
        if n > 1:
            inner += _count(lay, x + w - 1, top + 3, n)
        title = f"{_card_words(words, card)} × {n}"
        if _may_choose_open(s, seat, card):
            box_ = halo(x - 1, top - 4, w + 6, w * CARD_SHAPE + 8, 6)
            chosen = spot("card", LOOT[card], title, inner + box_)
            drawn.append(given("hidden", "", chosen))
        else:
            drawn.append(f"<g><title>{esc(title)}</title>{inner}</g>")
    if s.hidden[seat] and not over:
        x, top = heap_place(lay.tall, s.players, seat, 7)
        n = s.hidden[seat]
        inner = _heap(x, top, w, n, ids["down"][seat]) + _count(
            lay, x + w - 1, top + w * CARD_SHAPE - 3, n
        )
        if s.phase == Phase.CARD and seat == s.target[s.row] - 1:
            inner += halo(x - 1, top - 4, w + 6, w * CARD_SHAPE + 8, 6)
            drawn.append(spot("hidden", True, f"× {n}", inner))
        else:
            drawn.append(f"<g><title>× {n}</title>{inner}</g>")
    return "".join(drawn)


def _may_choose_open(s: Any, seat: int, card: int) -> bool:
    """Whether a face-up card is one that is being chosen from now."""
    if s.phase == Phase.CARD:
        return bool(seat == s.target[s.row] - 1)
    if s.phase == Phase.SIANA:
        return bool(seat == s.seat and card != Card.EGG and s.told[s.row] - 1 != Tool.LANTERN)
    return bool(s.phase == Phase.MOON and seat == s.seat)


def _count(lay: Layout, x: float, y: float, n: int) -> str:
    r = lay.small * 0.72
    return f'<circle class="panel" cx="{num(x)}" cy="{num(y)}" r="{num(r)}"/>' + text(
        x, y + lay.small * 0.36, n, "t-b", lay.small, "m"
    )


def _result(s: Any, lay: Layout, seat: int, points: int) -> str:
    """At the end: points, and the tokens won for the most of a kind."""
    x, _, w, _ = seat_box(lay.tall, s.players, seat)
    right = x + w - (4 if lay.tall else 10)
    _, top = heap_place(lay.tall, s.players, seat, 7)
    size = lay.plain + (6 if lay.tall else 16)
    high = lay.heaps(s.players)[0] * CARD_SHAPE
    drawn = text(right, top + high * 0.62, points, "t-fire", size, "e")
    won = [card for card in (Card.PISTOL, Card.HOOK, Card.LIZARD) if majority(s, card) == seat]
    token = 15 if lay.tall else 26
    for i, card in enumerate(won):
        tool = kind_of(LOOT[card])
        cx = right - size * 1.4 - (token + 3) * (i + 0.5)
        cy = top + high * 0.62 - size * 0.36
        ground, _, _ = INKS[tool]
        drawn += (
            f'<circle cx="{num(cx)}" cy="{num(cy)}" r="{num(token / 2)}" fill="{ground}" '
            'stroke="#f2c14e" stroke-width="2.5"/>'
            + use(f"captain-g-{tool}", cx - token * 0.3, cy - token * 0.3, token * 0.6)
        )
    return drawn


def _inventory(words: Words, s: Any, lay: Layout) -> str:
    """How many cards there are of each kind: everyone knows."""
    x, y, w, h = lay.box
    label = words("captain.picture.cards")
    drawn = panel(x, y, w, h)
    head = 0.0
    if not lay.tall:
        drawn += text(x + 12, y + 20, label, "t-soft t-b", lay.small)
        head = 24
    each = (w - 8) / KINDS
    ch = min(h - head - 8, 74)
    cw = ch / CARD_SHAPE
    for card in range(KINDS):
        cx = x + 4 + each * card
        cy = y + head + (h - head - ch) / 2
        title = f"{_card_words(words, card)} × {s.total[card]}"
        drawn += (
            f"<g><title>{esc(title)}</title>"
            + use(symbol(LOOT[card]), cx + 3, cy, cw, ch)
            + text(cx + cw + 6, cy + ch / 2 + 5, s.total[card], "t-b", lay.plain)
            + "</g>"
        )
    return drawn


# ---------------------------------------------------------------- what one seat knows


def private(words: Words, s: Any, seat: int, tall: bool = False) -> str:
    """Own face-down cards, the card just found, and under the Bottle what the Captain sees."""
    heaps: list[Heap] = []
    phase, awaited = s.phase, s.seat == seat
    if phase not in (Phase.ADVENTURER, Phase.OVER):
        if s.turn == seat and phase in (Phase.ANNOUNCE, Phase.CHOICE) and found(s) != UNKNOWN:
            heaps.append(("captain.picture.found", ((found(s), 1),), None))
        giving = "True" if phase == Phase.SIANA and awaited else None
        heaps.append(("captain.picture.loot", _counted(s.down.tolist()[seat]), giving))
        if s.captain == seat:
            fishing = "" if phase == Phase.FISH and awaited else None
            heaps.append(("captain.picture.discard", _counted(s.discard.tolist()), fishing))
    return _hand(words.language, tall, awaited, tuple(heaps))


Heap = tuple[str, tuple[tuple[int, int], ...], str | None]
"""The key of its name, its cards with how many there are of each, and, where they can be chosen,
the value of the field `hidden`."""


def _counted(cards: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple([(card, n) for card, n in enumerate(cards) if n > 0])


@remembered
def _hand(language: str, tall: bool, awaited: bool, heaps: tuple[Heap, ...]) -> str:
    """What only one seat sees: nothing, without a heap."""
    words, lay = Words(language), LAYOUTS[tall]
    drawn = ""
    if heaps:
        x, y, w, h = lay.hand
        drawn = panel(x, y, w, h, awaited)
        many = sum(max(len(cards), 2) for _, cards, _ in heaps)
        gap = 8 if tall else 24
        each = min((w - 12 - gap * (len(heaps) - 1)) / many, lay.held + (4 if tall else 10))
        left = x + 6
        for key, cards, hidden in heaps:
            drawn += _held(words, lay, left, each, words(key), cards, hidden)
            left += each * max(len(cards), 2) + gap
    return overlay("captain", "private", lay.width, lay.height, drawn)


def _held(
    words: Words,
    lay: Layout,
    left: float,
    each: float,
    label: str,
    cards: Sequence[tuple[int, int]],
    hidden: str | None,
) -> str:
    """Cards that only this seat sees. `hidden` is that field's value where they can be chosen."""
    _, top, _, height = lay.hand
    head = lay.small + 5
    room = each * max(len(cards), 2)
    drawn = text(left + 2, top + head - 1, fit(label, room, lay.small), "t-soft t-b", lay.small)
    w = min(each - 3, lay.held, (height - head - 6) / CARD_SHAPE)
    h = w * CARD_SHAPE
    y = top + head + (height - head - h) / 2 - 1
    for i, (card, n) in enumerate(cards):
        x = left + each * i
        inner = "".join(
            use(symbol(LOOT[card]), x + k * 2, y - k * 2, w, h) for k in range(min(n, 3))
        )
        if n > 1:
            inner += _count(lay, x + w - 2, y + 3, n)
        title = f"{_card_words(words, card)} × {n}"
        if hidden is not None and not (hidden and card == Card.EGG):
            inner += halo(x - 1, y - 3, max(w + 2, min(each, 44)), h + 6, 6)
            drawn += given("hidden", hidden, spot("card", LOOT[card], title, inner))
        else:
            drawn += f"<g><title>{esc(title)}</title>{inner}</g>"
    return drawn


# ---------------------------------------------------------------- what an action can lead to

TRUE, LIE, PERHAPS = "✓", "✗", "?"
"""Where it was the truth, where it was a lie, and where nobody can say."""

Line = tuple[str, str]
"""What must hold, and what it then is."""


def ghost(words: Words, s: Any, action: int, tall: bool = False) -> str:
    """Who can win or lose what, as far as the one who decides can tell."""
    lay = LAYOUTS[tall]
    data = parts(action)
    told: dict[int, list[Line]] = {}

    def tell(seat: int, when: str, what: str) -> None:
        told.setdefault(seat, []).append((when, what))

    match data["do"]:
        case "announce":
            tool = TOOLS.index(data["tool"])
            if s.coins[s.captain]:
                tell(s.captain, PERHAPS, "coin -1")
                tell(s.turn, PERHAPS, "coin +1")
            for seat in range(s.players):
                if can_hit(s, s.turn, tool, seat):
                    tell(seat, PERHAPS, data["tool"])
        case "buy":
            tell(s.captain, "", "coin -1")
            tell(s.captain, "", "card +1")
            tell(s.turn, "", "coin +1")
            tool = s.told[s.row] - 1
            for seat in range(s.players):
                # The seller has the coin by then.
                if can_hit(s, s.captain, tool, seat) or (tool == Tool.LIZARD and seat == s.turn):
                    tell(seat, TRUE, TOOLS[tool])
        case "leave":
            tell(s.turn, "", "card +1")
            for seat in range(s.players):
                if _can_hit_after_leaving(s, seat):
                    tell(seat, PERHAPS, TOOLS[s.told[s.row] - 1])
        case "target":
            _tell_effect(s, attacker(s), data["seat"], "", tell)
        case "accept":
            _tell_effect(s, s.turn, s.seat, "", tell)
        case "accuse":
            lost = min(_due(s, s.seat), s.coins[s.turn])
            won = min(_due(s, s.turn), s.coins[s.seat] - (s.told[s.row] - 1 == Tool.LIZARD))
            if lost:
                tell(s.seat, LIE, f"coin +{lost}")
                tell(s.turn, LIE, f"coin -{lost}")
            _tell_effect(s, s.turn, s.seat, TRUE, tell)
            if won > 0:
                tell(s.seat, TRUE, f"coin -{won}")
                tell(s.turn, TRUE, f"coin +{won}")
        case "mutiny":
            tell(s.seat, "", "bottle")
            if s.reserve:
                tell(s.seat, "", "coin +1")
        case "allegiance":
            tell(s.seat, "", "coin -1")
            tell(s.captain, "", "coin +1")
        case "rob":
            tell(data["seat"], "", "coin -1")
            tell(s.seat, "", "coin +1")
        case "fish":
            tell(s.seat, "", "card +1")
        case "take" | "give":
            _tell_effect(s, attacker(s), s.target[s.row] - 1, "", tell)
        case "turn":
            tell(s.seat, "", "down")
        case _:
            pass
    drawn = "".join(_tag(s, lay, seat, lines) for seat, lines in told.items())
    return overlay("captain", "ghost", lay.width, lay.height, drawn)


def _can_hit_after_leaving(s: Any, seat: int) -> bool:
    return bool(seat != s.turn and can_hit(s, s.turn, s.told[s.row] - 1, seat))


def _due(s: Any, winner: int) -> int:
    return 2 if s.adventurer[winner] == Adventurer.ULRICH else 1


def _tell_effect(s: Any, by: int, target: int, when: str, tell: Any) -> None:
    match s.told[s.row] - 1:
        case Tool.LIZARD:
            tell(target, when, "coin -1")
            tell(by, when, "coin +1")
        case Tool.PISTOL:
            tell(target, when, "card -1")
        case Tool.HOOK:
            tell(target, when, "card -1")
            tell(by, when, "card +1")
        case _:
            tell(target, when, "lantern")


def _tag(s: Any, lay: Layout, seat: int, lines: list[Line]) -> str:
    """What a seat can win or lose, before its face-down cards."""
    x, _, w, _ = seat_box(lay.tall, s.players, seat)
    size = 15 if lay.tall else 24
    each = size * 2.9
    high = size + 8
    total = each * len(lines) + 4
    right, top = heap_place(lay.tall, s.players, seat, 7)
    if total > w - 12:
        each = (w - 16) / len(lines)
        total = w - 12
    left = max(right - 4 - total, x + 6)
    top += lay.heaps(s.players)[0] * CARD_SHAPE - high
    drawn = (
        f'<rect class="g-tag" x="{num(left)}" y="{num(top)}" width="{num(total)}" '
        f'height="{num(high)}" rx="8"/>'
    )
    for i, (when, what) in enumerate(lines):
        cx = left + 4 + each * i
        mid = top + high / 2
        down = mid + size * 0.32
        if when:
            drawn += text(cx + size * 0.3, down, when, "t-fire", size * 0.8, "m")
        gx = cx + size * 0.66
        kind, _, number = what.partition(" ")
        if kind in INKS:
            drawn += (
                f'<rect x="{num(gx)}" y="{num(mid - size / 2)}" width="{num(size)}" '
                f'height="{num(size)}" rx="4" fill="{INKS[kind][0]}"/>'
                + use(f"captain-g-{kind}", gx + 1, mid - size / 2 + 1, size - 2)
            )
        elif kind == "coin":
            drawn += use("captain-coin", gx, mid - size / 2, size)
        elif kind == "bottle":
            drawn += use("captain-bottle", gx, mid - size / 2, size, size)
        else:
            drawn += use("captain-back", gx, mid - size / 2, size * 0.8, size)
        if number:
            shown = number.replace("-", "−")
            drawn += text(gx + size * 1.05, down, shown, "t-b", max(size * 0.72, 11))
    return drawn


def icon() -> str:
    """A bottle washed ashore before a cave."""
    from veillee.pictures.icons import captain

    return captain()
