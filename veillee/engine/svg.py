"""Writing SVG: text escaped, numbers short, spots and pieces always spelt the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any
from unicodedata import east_asian_width, normalize

from veillee.engine.memory import remembered

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def esc(text: object) -> str:
    """Text as it may stand in an element or between the quotes of an attribute."""
    shown = str(text)
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() else " " for c in shown)
    return shown if shown.isalnum() else shown.translate(_ESCAPES)


@remembered
def num(x: float) -> str:
    """A coordinate with at most one decimal."""
    tenths = round(x * 10)
    whole = tenths // 10
    return str(whole) if whole * 10 == tenths else str(tenths / 10)


def at(x: float, y: float) -> str:
    """The attribute that moves a group."""
    return f'transform="translate({num(x)} {num(y)})"'


class Canvas:
    """A whole board in parts that is drawn again and again: its head, its words, each thing on it
    (a `group`), its end. A part is drawn anew only if what it is drawn from is no longer the same.

    `begin`, then `add` each part, always as many and in the same order, then `end`. Without a head
    it begins by `renew`.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.changed: list[int] = []
        """The places of the parts that are not as they were before `begin`."""
        self._from: list[tuple[Any, ...]] = []
        self._sections: dict[int, tuple[Any, ...]] = {}
        self._at = 0

    def renew(self) -> None:
        self._at = 0
        self.changed = []

    def begin(self, game: str, width: int, height: int, title: str, desc: str) -> None:
        self.renew()
        self.add(_head, game, width, height)
        self.add(_about, game, title, desc)

    def add(self, draw: Callable[..., str], *values: Any) -> None:
        """What a function draws from some values, which nobody changes any more."""
        at = self._at
        self._at = at + 1
        if at == len(self.parts):
            self.parts.append("")
            self._from.append(())
        elif self._from[at] == values:
            return
        self._from[at] = values
        part = draw(*values)
        if part != self.parts[at]:
            self.parts[at] = part
            self.changed.append(at)

    def section(self, size: int, *values: Any) -> bool:
        """Whether the next parts, so many, have to be added: those values, from which they are all
        drawn, are no longer the same. Otherwise they stay."""
        if self._sections.get(self._at) == values:
            self._at += size
            return False
        self._sections[self._at] = values
        return True

    def end(self) -> list[str]:
        self.add(str, "</svg>")
        return self.parts


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


def overlay(game: str, layer: str, width: int, height: int, inner: str) -> str:
    """What lies on a board, hidden from readers. `layer` is private or ghost."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture {layer} {game}" '
        f'id="{game}-{layer}" viewBox="0 0 {width} {height}" aria-hidden="true">{inner}</svg>'
    )


def piece(name: str, x: float, y: float, inner: str, kind: str = "") -> str:
    """A thing that moves: stable id, place in the `transform` attribute."""
    more = f" {kind}" if kind else ""
    return f'<g class="piece{more}" id="{name}" {at(x, y)}>{inner}</g>'


def moves(names: Iterable[str]) -> str:
    """What moved last, in its order: a piece, or `new:old` for one that comes from where another
    lies or lay."""
    return f'<g data-moves="{esc(" ".join(names))}"></g>'


def spot(field: str, value: object, title: str, inner: str) -> str:
    """A thing that can be chosen. Its halo is the shape of class `halo` inside."""
    return (
        f'<g class="spot" data-field="{field}" data-value="{esc(value)}">'
        f"<title>{esc(title)}</title>{inner}</g>"
    )


def given(field: str, value: object, inner: str) -> str:
    """Spots within all bring this field along."""
    return f'<g data-field="{field}" data-value="{esc(value)}">{inner}</g>'


def of(seat: int, inner: str) -> str:
    """Spots within are that seat's alone to choose."""
    return f'<g data-of="{seat}">{inner}</g>'


def halo(x: float, y: float, width: float, height: float, round_: float = 8) -> str:
    """What is touched, and what glows when it may be chosen."""
    return (
        f'<rect class="halo" x="{num(x)}" y="{num(y)}" width="{num(width)}" '
        f'height="{num(height)}" rx="{num(round_)}"/>'
    )


def panel(x: float, y: float, width: float, height: float, on: bool = False) -> str:
    """A board to lay things on; lit if it is that of whoever is awaited."""
    return (
        f'<rect class="panel{" on" if on else ""}" x="{num(x)}" y="{num(y)}" '
        f'width="{num(width)}" height="{num(height)}" rx="8"/>'
    )


def text(x: float, y: float, shown: object, kind: str, size: float, anchor: str = "") -> str:
    """A line of text. `kind` are its classes; `anchor` is m for middle and e for end."""
    where = {"m": ' text-anchor="middle"', "e": ' text-anchor="end"'}.get(anchor, "")
    return (
        f'<text class="{kind}" x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{where}>'
        f"{esc(shown)}</text>"
    )


def use(name: str, x: float, y: float, size: float, height: float | None = None) -> str:
    """A symbol in a box whose upper left corner is given."""
    return (
        f'<use href="#{name}" x="{num(x)}" y="{num(y)}" width="{num(size)}" '
        f'height="{num(size if height is None else height)}"/>'
    )


@lru_cache(maxsize=2048)
def fit(shown: str, width: float, size: float) -> str:
    """As much of a text as fits in a width, an ellipsis for the rest.

    Letters are measured by rule of thumb: a wide font must fit too.
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


def _measure(shown: str) -> float:
    return sum(_width(letter) for letter in shown)


def _width(letter: str) -> float:
    if east_asian_width(letter) in "WF" or ord(letter) > 0x1F000:
        return 1.1
    if letter in "iljtfrI.,:;'|! ":
        return 0.34
    if letter in "mwMW@%":
        return 0.92
    return 0.72 if letter.isupper() else 0.58
