"""Oh Captain!: Cave, discard and reserve, the announcement, and what can be answered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import (
    at,
    esc,
    fit,
    group,
    halo,
    num,
    panel,
    piece,
    spot,
    text,
    titled,
    use,
    wrap,
)
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import ADVENTURERS, CARDS, TOOLS
from veillee.games.captain.core.rules import adventurers_taken, tool_of
from veillee.games.captain.core.state import (
    NOBODY,
    UNKNOWN,
    Adventurer,
    Answer,
    Fate,
    Phase,
    State,
)
from veillee.games.captain.picture.cards import card_in_the_open, draw_emblem, draw_heap
from veillee.games.captain.picture.layout import CARD_SHAPE, LAYOUTS, Layout
from veillee.games.captain.picture.symbols import INKS, sign, symbol
from veillee.games.captain.text import answer, power


def _deck(
    lay: Layout, place: tuple[float, float], n: int, title: str, label: str, name: str
) -> str:
    """Draw a face-down pile with its number and its name."""
    x, y = place
    w = lay.card
    h = w * CARD_SHAPE
    drawn = draw_heap(x - w / 2, y - h / 2, w, n, name) if n else ""
    if not n:
        drawn = (
            f'<rect fill="none" stroke="#93a6e0" x="{num(x - w / 2)}" y="{num(y - h / 2)}" '
            f'width="{num(w)}" height="{num(h)}" rx="6" stroke-dasharray="4 4"/>'
        )
    r = lay.small * 0.95
    bx, by = x + w / 2 + 1, y + h / 2 - 4
    return (
        f"<g><title>{esc(title)}</title>{drawn}"
        f'<circle class="panel" cx="{num(bx)}" cy="{num(by)}" r="{num(r)}"/>'
        + text(bx, by + lay.small * 0.36, n, "t-b", lay.small, "m")
        + (label and _plate(lay, x, y + h / 2 + lay.small + 5, label))
        + "</g>"
    )


def _plate(lay: Layout, x: float, y: float, label: str) -> str:
    """Draw a label that is readable on rock and sea."""
    label = fit(label, lay.card * 2.4, lay.small)
    w = len(label) * lay.small * 0.62 + 12
    return (
        f'<rect class="f-panel" opacity=".82" x="{num(x - w / 2)}" y="{num(y - lay.small)}" '
        f'width="{num(w)}" height="{num(lay.small + 5)}" rx="6"/>'
        + text(x, y, label, "t-soft", lay.small, "m")
    )


@lru_cache(1024)
def draw_middle(language: str, shape: Shape, cave: int, discards: int, top: str) -> str:
    """Draw the Cave and the discard under the Bottle, whose top card has an id."""
    words, lay = Words(language), LAYOUTS[shape]
    name, under = words("captain.picture.cave"), words("captain.picture.discard")
    drawn = _deck(lay, lay.cave, cave, words.labelled(name, cave), name, "cave")
    title = words.labelled(under, discards)
    return group(drawn + _deck(lay, lay.discard, discards, title, under, top))


def draw_reserve(language: str, shape: Shape, stack: Sequence[str]) -> str:
    """Draw the reserve of coins."""
    words, lay = Words(language), LAYOUTS[shape]
    name = words("captain.picture.reserve")
    x, y = lay.reserve
    size = lay.card * 0.5
    shown = use("captain-coin", -size / 2, -size / 2, size)
    coins = "".join(
        piece(
            coin,
            x + (i % 5 - 2) * size * 0.62,
            y + size * 0.9 - (i // 5) * size * 0.42,
            shown,
            "coin",
        )
        for i, coin in enumerate(stack)
    )
    n, r = len(stack), lay.small * 0.95
    by = y + lay.card * CARD_SHAPE / 2 - 4
    bx = x + lay.card * 0.86
    return (
        f"<g><title>{esc(words.labelled(name, n))}</title>{coins}"
        f'<circle class="panel" cx="{num(bx)}" cy="{num(by)}" r="{num(r)}"/>'
        + text(bx, by + lay.small * 0.36, n, "t-b", lay.small, "m")
        + _plate(lay, x, y + lay.card * CARD_SHAPE / 2 + lay.small + 5, name)
        + "</g>"
    )


class Stage(NamedTuple):
    """The announcement on the stage: speaker, listener and card."""

    row: int
    """Its row of the history."""
    card_id: str
    card: int
    """The card, if everybody knows it."""
    told: int
    """What it was announced as: 1 for the first tool, 0 if nothing was announced yet."""
    speaker: str
    target: str
    """The name of who is attacked; "" for nobody."""
    face: int
    other: int | None
    """The Adventurers of who speaks and of who listens; None if there is nobody, 0 if they have
    none yet."""
    mine: bool
    """Whether the picture is for who speaks."""
    at_me: bool
    """Whether the picture is for who is attacked."""


def on_stage(
    s: State, names: Sequence[str], found_id: str, viewer: int | None = None
) -> Stage | None:
    """Return what the stage shows; None for nothing."""
    row = stage_row(s)
    if row is None:
        return None
    current = row == s.row
    speaker, told = s.finder[row] if not current else s.turn, s.told[row]
    target = s.target[row] - 1 if s.target[row] else NOBODY
    other = target if target != NOBODY else s.chief[row] if told else NOBODY
    by = speaker
    if target != NOBODY and s.fate[row] == Fate.BOUGHT:
        by = s.chief[row]
    return Stage(
        row,
        found_id if current else f"shown-{row}",
        card_in_the_open(s) if current else s.cave[s.laid + row],
        told,
        names[by],
        names[target] if target != NOBODY else "",
        s.adventurer[by],
        s.adventurer[other] if other not in (NOBODY, speaker) else None,
        by == viewer,
        target == viewer,
    )


def draw_saying(language: str, shape: Shape, stage: Stage | None) -> str:
    """Draw the stage: who says what to whom, the card, and whether it was true."""
    if stage is None:
        return group("")
    words, lay = Words(language), LAYOUTS[shape]
    x, y, w, h = lay.saying
    card, row = stage.card, stage.row
    drawn = panel(x, y, w, h)
    line = lay.plain + (0 if lay.tall else 4)
    said = _headline(words, stage)
    if lay.tall:
        size, mid = h * 0.78, y + h / 2
        faces = (x + size * 0.6, x + w - size * 0.6)
        cw = h * 0.62
        middle = x + w - size * 1.2 - cw * 0.9
        # On phones the text stands between the faces and the card, across which there is a stamp.
        start = x + size * 1.2 + 4
        stamp = max(_stamp_width(words(key), lay) for key in STAMPS)
        lines = wrap(said, middle - max(stamp, cw) / 2 - start, line, 2)
        for i, shown in enumerate(lines):
            down = mid + line * (0.36 + i - (len(lines) - 1) / 2)
            drawn += text(start, down, shown, "t-b", line)
    else:
        high = line * 1.25 * 2 + 14
        lines = wrap(said, w - 20, line, 2)
        for i, shown in enumerate(lines):
            down = y + line * 1.25 * (i + 1 + (2 - len(lines)) / 2) + 4
            drawn += text(x + w / 2, down, shown, "t-b", line, "m")
        size, mid = min((h - high) * 0.72, w * 0.24), y + high + (h - high) / 2 - 4
        faces = (x + w * 0.17, x + w * 0.83)
        cw, middle = min((h - high - 14) / CARD_SHAPE, w * 0.24), x + w / 2
    drawn += draw_emblem(stage.face, faces[0], mid, size)
    if stage.other is not None:
        drawn += draw_emblem(stage.other, faces[1], mid, size)
        if not lay.tall:
            start, end = middle + cw / 2 + 8, faces[1] - size / 2 - 8
            drawn += (
                '<path class="l-fire" stroke-width="3.5" stroke-linecap="round" '
                f'd="M{num(start)} {num(mid)}H{num(end)}m-9-7 9 7-9 7"/>'
            )
    ch = cw * CARD_SHAPE
    face = symbol(CARDS[card]) if card != UNKNOWN else "captain-back"
    drawn += (
        f'<g class="piece card reveal" id="{stage.card_id}" data-back="captain-back" '
        f"{at(middle - cw / 2, mid - ch / 2)}>{use(face, 0, 0, cw, ch)}</g>"
    )
    if card != UNKNOWN and stage.told:
        # Low on the card, so that its emblem is seen.
        low = mid + ch * (0.2 if lay.tall else 0.3)
        drawn += _stamp(words, tool_of(card) == stage.told - 1, row, middle, low, lay)
    return titled(said, drawn)


def stage_row(s: State) -> int | None:
    """Return the row of the history that is on stage; None if there is none.

    That of the card just drawn; until it is announced, the one before if its card was revealed.
    """
    if s.phase in (Phase.ADVENTURER, Phase.OVER):
        return None
    if s.told[s.row] and s.phase > Phase.ANNOUNCE:
        return int(s.row)
    before = s.row - 1
    if before >= 0 and (s.fate[before] == Fate.BOUGHT or s.answer[before] == Answer.ACCUSED):
        return int(before)
    return int(s.row) if s.phase == Phase.ANNOUNCE else None


def _headline(words: Words, stage: Stage) -> str:
    if not stage.told:
        key = "captain.stage.found" if stage.mine else "captain.phase.announce.other"
        return words(key, name=stage.speaker)
    tool = words(f"captain.some.{TOOLS[stage.told - 1]}", n=1)
    if not stage.target:
        key = "captain.stage.announce.mine" if stage.mine else "captain.stage.announce"
        return words(key, name=stage.speaker, tool=tool)
    if stage.mine:
        return words("captain.stage.attack.mine", target=stage.target, tool=tool)
    key = "captain.stage.attack.me" if stage.at_me else "captain.stage.attack"
    return words(key, attacker=stage.speaker, target=stage.target, tool=tool)


STAMPS = ("captain.stage.true", "captain.stage.lie")


def _stamp(words: Words, true: bool, row: int, x: float, y: float, lay: Layout) -> str:
    """Draw whether the announcement was true, across the card; it appears after the card."""
    said = words(STAMPS[not true])
    size = _stamp_size(lay)
    w, h = _stamp_width(said, lay), size * 1.5
    return (
        f'<g class="piece late" id="stamp-{row}" {at(x, y)}><g transform="rotate(-12)">'
        f'<rect class="{"stamp-true" if true else "stamp-lie"}" x="{num(-w / 2)}" '
        f'y="{num(-h / 2)}" width="{num(w)}" height="{num(h)}" rx="6"/>'
        + text(0, size * 0.36, said, "pic-pale", size, "m")
        + "</g></g>"
    )


def _stamp_size(lay: Layout) -> float:
    return lay.small if lay.tall else lay.plain + 10


def _stamp_width(said: str, lay: Layout) -> float:
    return (len(said) * 0.66 + 1) * _stamp_size(lay)


@cache
def draw_tools(language: str, shape: Shape, in_play: bool, announcing: bool, told: int) -> str:
    """Draw the four tools that can be announced, and which one was told."""
    if not in_play:
        return group("")
    words, lay = Words(language), LAYOUTS[shape]
    x, y, w, h = lay.tools
    if lay.tall and announcing:  # nothing is answered yet, and the names need the room
        w = lay.saying[2]
    each = w / len(TOOLS)
    drawn = ""
    for i, tool in enumerate(TOOLS):
        left = x + each * i
        ground, edge, _ = INKS[tool]
        called = announcing or (told == i and not lay.tall)
        size = min(h - lay.small - (5 if lay.tall else 9), each - 10)
        top = y + (2 if lay.tall else 3) if called else y + (h - size) / 2
        faint = "" if called or told == i else ' opacity=".55"'
        inner = (
            halo(left + 1, y, each - 2, h, 10)
            + f'<g{faint}><rect x="{num(left + (each - size) / 2)}" y="{num(top)}" '
            f'width="{num(size)}" height="{num(size)}" rx="9" fill="{ground}" stroke="{edge}" '
            'stroke-width="2"/>'
            + use(
                f"captain-g-{tool}",
                left + (each - size) / 2 + size * 0.12,
                top + size * 0.12,
                size * 0.76,
            )
            + "</g>"
        )
        name = words(f"captain.tool.{tool}")
        if called:
            shown = fit(name, each, lay.small)
            inner += text(left + each / 2, y + h - 4, shown, "pic-pale", lay.small, "m")
        title = f"{name}. {words(f'captain.about.{tool}')}"
        drawn += spot("tool", tool, title, inner)
    return f'<g class="by-night">{drawn}</g>'


_ANSWERS: dict[int, tuple[str, ...]] = {
    Phase.RICH: ("mutiny", "allegiance"),
    Phase.CHOICE: ("buy", "leave"),
    Phase.ANSWER: ("accept", "accuse"),
    Phase.FISH: ("pass",),
    Phase.MOON: ("pass",),
}


Answers = tuple[tuple[str, str, str], ...]
"""What can be answered, each with its words and with a word that fits under its sign."""


def answers(words: Words, s: State) -> Answers:
    """Return what the deciding seat can answer."""
    found = []
    for do in _ANSWERS.get(s.phase, ()):
        if do == "leave":
            said = words("captain.picture.leave")
        else:
            when = (".fish" if s.phase == Phase.FISH else ".turn") if do == "pass" else ""
            said = answer(words, s, do + when)
        found.append((do, said, words(f"captain.picture.answer.{do}")))
    return tuple(found)


@lru_cache(256)
def draw_answers(shape: Shape, asked: Answers) -> str:
    """Draw the possible answers, each a sign and a word."""
    lay = LAYOUTS[shape]
    x, y, w, h = lay.answers
    each = min(w / 2, 150)
    drawn = ""
    for i, (do, said, short) in enumerate(asked):
        left = x + w / 2 + each * (i - len(asked) / 2)
        inner = (
            f'<rect class="panel" x="{num(left + 2)}" y="{num(y + 1)}" width="{num(each - 4)}" '
            f'height="{num(h - 2)}" rx="12"/>'
            + sign(do, left + each / 2, y + (h - lay.small) / 2, h * 0.46)
            + text(left + each / 2, y + h - 7, fit(short, each - 8, lay.small), "", lay.small, "m")
        )
        # The halo is drawn over the panel, which would hide it.
        drawn += spot("do", do, said, inner + halo(left + 2, y + 1, each - 4, h - 2, 12))
    return group(drawn)


def draw_choice(words: Words, s: State, lay: Layout) -> str:
    """Draw the Adventurers that can be chosen."""
    x, w = lay.scene[0] + 4, lay.scene[2] - 8
    y, h = lay.saying[1] + 20, 90
    taken = adventurers_taken(s)
    free = [one for one in range(1, len(Adventurer)) if s.taking_part >> one & ~(taken >> one) & 1]
    across = max(len(free), 1)
    if lay.tall:
        y, h = lay.saying[1], 48
    if w / across < lay.small * 5.6:  # in two rows, because the names need the room
        across = max((len(free) + 1) // 2, 3)
    each = min(w / across, max(h * 1.1, lay.small * 6))
    drawn = ""
    for i, one in enumerate(free):
        name = ADVENTURERS[one - 1]
        said = words(f"captain.adventurer.{name}")
        size = min(each - 6, h - lay.small - 8)
        row, column = divmod(i, across)
        cx = x + w / 2 + each * (column + 0.5 - min(across, len(free) - row * across) / 2)
        top = y + (h + 1) * row
        inner = (
            f'<rect class="f-panel" opacity=".8" x="{num(cx - each / 2 + 1)}" y="{num(top)}" '
            f'width="{num(each - 2)}" height="{num(h)}" rx="10"/>'
            + halo(cx - each / 2 + 1, top, each - 2, h, 10)
            + use(f"captain-{name}-face", cx - size / 2, top + 3, size)
            + text(cx, top + h - 4, fit(said, each, lay.small), "t-b", lay.small, "m")
        )
        drawn += spot("adventurer", name, words.labelled(said, power(words, s, name)), inner)
    return drawn
