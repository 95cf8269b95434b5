"""Functions that write SVG: escaped text, short numbers, spots and pieces in one form."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, starmap
from operator import call, ne
from typing import Any, Self
from unicodedata import east_asian_width, normalize

from veillee.engine.i18n import Words

NO_BREAK = "\u00a0\u202f"
"""The spaces that French sets before marks; `str.isprintable` does not count them in."""

GAP = "\0"
"""Stands for what is put into a drawing later: no text contains it (`esc`)."""


@lru_cache(4096, typed=True)
def esc(text: object) -> str:
    """Return text escaped for an element or a quoted attribute."""
    shown = str(text)
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() or c in NO_BREAK else " " for c in shown)
    return html.escape(shown)


@lru_cache(8192)
def num(x: float) -> str:
    """Return a coordinate with at most one decimal."""
    tenths = round(x * 10)
    whole = tenths // 10
    return str(whole) if whole * 10 == tenths else str(tenths / 10)


@lru_cache(4096)
def at(x: float, y: float) -> str:
    """Return the attribute that moves a group."""
    return f'transform="translate({num(x)} {num(y)})"'


_Part = tuple[Callable[..., str], *tuple[Any, ...]]
"""A function that draws, and its arguments; one tuple, because a board has a hundred parts."""


class Canvas:
    """A board that is drawn again and again, in parts: only those that changed are drawn.

    The parts are its head, its description, each thing on it (a `group`) and its end. A canvas
    keeps what each part is drawn from, not the drawing. Call `renew` and `begin`, then `add` for
    each part, always the same number in the same order, then `end`; a board without a head goes
    without `begin` and ends with `close`. Parts that change together are a `section`, which is
    skipped while its key is the same. Of a row of parts that change one by one, `changed_in` says
    which.
    """

    def __init__(self) -> None:
        self.changed: list[int] = []
        """The indices of the parts that changed when the board was drawn last."""
        self._plan: list[_Part] = []
        self._at = 0
        """The index of the part that comes next."""
        self._keys: dict[int, object] = {}
        """What each section was drawn from, by the index of its first part."""
        self._rows: dict[int, Sequence[object]] = {}
        """What each row of parts was drawn from, likewise."""

    def __bool__(self) -> bool:
        """Whether anything was drawn."""
        return bool(self._plan)

    @property
    def parts(self) -> list[str]:
        """The whole board."""
        return list(starmap(call, self._plan))

    def changes(self) -> list[tuple[int, str]]:
        """Return the parts that changed, each with its index."""
        changed = map(self._plan.__getitem__, self.changed)
        return list(zip(self.changed, starmap(call, changed), strict=True))

    def renew(self) -> None:
        """Begin again; what changed in a drawing that failed is still to be told."""
        if self._at:
            self._keys.clear()
            self._rows.clear()
        else:
            self.changed = []
        self._at = 0

    def begin(self, game: str, width: int, height: int, title: str, desc: str) -> None:
        """Add the head of the board and its description."""
        self.add(_head, game, width, height)
        self.add(_about, game, title, desc)

    def add(self, *part: *_Part) -> None:
        """Add a part: a function that draws it, and what from; these values must be immutable."""
        at, plan = self._at, self._plan
        self._at = at + 1
        if at == len(plan):
            plan.append(part)
            self.changed.append(at)
        elif plan[at] != part:
            plan[at] = part
            self.changed.append(at)

    def section(self, size: int, key: object) -> bool:
        """Tell whether the next `size` parts must be added, because the key has changed; otherwise
        keep them. It holds all that they are drawn from and that can change in a game."""
        at = self._at
        if self._keys.get(at) == key:
            self._at = at + size
            return False
        self._keys[at] = key
        return True

    def changed_in(self, row: Sequence[object]) -> Iterator[int]:
        """Yield which parts of a row must be added again; keep the others.

        The row holds, for each part, what it is drawn from.
        """
        first, known = self._at, self._rows.get(self._at)
        self._rows[first] = row
        places: Iterable[int] = range(len(row))
        if known is not None:
            places = compress(places, map(ne, known, row))
        for place in places:
            self._at = first + place
            yield place
        self._at = first + len(row)

    def close(self) -> None:
        """Drop the parts that the board had beyond these."""
        del self._plan[self._at :]
        self._at = 0

    def end(self) -> Self:
        self.add(*_END)
        self.close()
        return self


_END = (str, "</svg>")


def _head(game: str, width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture board {game}" '
        f'id="{game}-board" viewBox="0 0 {width} {height}" '
        f'role="img" aria-labelledby="{game}-title {game}-desc">'
    )


def _about(game: str, title: str, desc: str) -> str:
    return group(
        f'<title id="{game}-title">{esc(title)}</title><desc id="{game}-desc">{esc(desc)}</desc>'
    )


def group(part: str) -> str:
    return f"<g>{part}</g>"


def titled(title: str, inner: str) -> str:
    """Return a group with a name, which a tap or a resting pointer shows."""
    return f"<g><title>{esc(title)}</title>{inner}</g>"


def part(name: str, inner: str) -> str:
    """Return a group that explanations can point at."""
    return f'<g data-part="{name}">{inner}</g>'


def overlay(game: str, layer: str, width: int, height: int, inner: str) -> str:
    """Return an overlay, hidden from screen readers. `layer` is private or ghost."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture {layer} {game}" '
        f'id="{game}-{layer}" viewBox="0 0 {width} {height}" aria-hidden="true">{inner}</svg>'
    )


def piece(name: str, x: float, y: float, inner: str, kind: str = "") -> str:
    """Return something that moves, with a stable id and its place in the `transform` attribute."""
    more = f" {kind}" if kind else ""
    return f'<g class="piece{more}" id="{name}" {at(x, y)}>{inner}</g>'


def moves(names: Iterable[str]) -> str:
    """Return a group that lists what moved last, in order.

    An item is the id of a piece, or `new:old` for one that comes from where another lies or lay.
    """
    return f'<g data-moves="{" ".join(names)}"></g>'


def spot(field: str, value: object, title: str, inner: str) -> str:
    """Return something that can be chosen; `inner` contains its halo."""
    return (
        f'<g class="spot" data-field="{field}" data-value="{esc(value)}">'
        f"<title>{esc(title)}</title>{inner}</g>"
    )


def given(field: str, value: object, inner: str) -> str:
    """Return a group that adds a field to all spots in it."""
    return f'<g data-field="{field}" data-value="{esc(value)}">{inner}</g>'


def of(seat: int, inner: str) -> str:
    """Return a group whose spots only one seat can choose."""
    return f'<g data-of="{seat}">{inner}</g>'


@lru_cache(4096)
def halo(x: float, y: float, width: float, height: float, round_: float = 8) -> str:
    """Return the touch target of a spot, which is highlighted when the spot can be chosen."""
    return (
        f'<rect class="halo" x="{num(x)}" y="{num(y)}" width="{num(width)}" '
        f'height="{num(height)}" rx="{num(round_)}"/>'
    )


@lru_cache(4096)
def panel(x: float, y: float, width: float, height: float, on: bool = False) -> str:
    """Return a panel; it is highlighted if `on`, for the player to decide."""
    return (
        f'<rect class="panel{" on" if on else ""}" x="{num(x)}" y="{num(y)}" '
        f'width="{num(width)}" height="{num(height)}" rx="8"/>'
    )


def panel_of(seat: int, x: float, y: float, inner: str, name: str = "") -> str:
    """Return the first group of a player's panel, whose upper left corner is at (x, y)."""
    known = f' id="{name}"' if name else ""
    return f'<g{known} data-panel="{seat}" data-at="{num(x)} {num(y)}">{inner}</g>'


def belongs(seat: int, inner: str) -> str:
    """Return another group of a player's panel."""
    return f'<g data-panel="{seat}">{inner}</g>'


def player_name(
    words: Words, x: float, y: float, name: str, room: float, size: float, mine: bool
) -> str:
    """Return a player's name in their panel, and "You", which the script shows to them instead."""
    return _player_name(words(YOU), x, y, name, room, size, mine)


@lru_cache(4096)
def _player_name(
    you: str, x: float, y: float, name: str, room: float, size: float, mine: bool
) -> str:
    own = f'<g class="you{" shown" if mine else ""}">{text(x, y, you, "t-fire", size)}</g>'
    return own if mine else text(x, y, fit(name, room, size), "name", size) + own


YOU = "veillee.you"


@lru_cache(4096)
def own_mark(x: float, y: float, height: float, mine: bool) -> str:
    """Return the mark of the viewer's own panel."""
    return (
        f'<rect class="f-fire you{" shown" if mine else ""}" x="{num(x + 2)}" y="{num(y + 5)}" '
        f'width="4" height="{num(height - 10)}" rx="2"/>'
    )


@lru_cache(4096)
def text(x: float, y: float, shown: object, kind: str, size: float, anchor: str = "") -> str:
    """Return a line of text. `kind` are its classes; `anchor` is m (middle) or e (end)."""
    return (
        f'<text class="{kind}" x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{_ANCHORS[anchor]}>'
        f"{esc(shown)}</text>"
    )


_ANCHORS = {"": "", "m": ' text-anchor="middle"', "e": ' text-anchor="end"'}


@lru_cache(4096)
def use(name: str, x: float, y: float, size: float, height: float | None = None) -> str:
    """Return a symbol in a box with the given upper left corner."""
    return (
        f'<use href="#{name}" x="{num(x)}" y="{num(y)}" width="{num(size)}" '
        f'height="{num(size if height is None else height)}"/>'
    )


@lru_cache(maxsize=2048)
def fit(shown: str, width: float, size: float) -> str:
    """Return as much of a text as fits in a width, with an ellipsis if it was cut.

    Widths of letters are estimated, generously enough for a wide font.
    """
    shown = normalize("NFC", shown)
    room = width / size
    used = 0.0
    for i, letter in enumerate(shown):
        used += _width(letter)
        if used > room:
            kept = shown[:i]
            while kept and _measure(kept) + 0.9 > room:
                kept = kept[:-1]
            return kept.rstrip() + "…"
    return shown


@lru_cache(maxsize=2048)
def wrap(shown: str, width: float, size: float, most: int) -> list[str]:
    """Wrap a text to a width and a number of lines; the last one may be cut."""
    lines: list[str] = []
    for word in normalize("NFC", shown).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (_measure(longer) * size <= width or len(lines) == most):
            lines[-1] = longer
        else:
            lines.append(word)
    return [fit(line, width, size) for line in lines]


def _measure(shown: str) -> float:
    return sum(_width(letter) for letter in shown)


def _width(letter: str) -> float:
    if east_asian_width(letter) in "WF" or ord(letter) > 0x1F000:
        return 1.1
    if letter in "iljtfrI.,:;'|! " + NO_BREAK:
        return 0.34
    if letter in "mwMW@%":
        return 0.92
    return 0.72 if letter.isupper() else 0.58
