"""Pictures of a game as SVG: the Protocol, a base class for small games, and SVG documents.

Every game has three layouts (`SIZES`): `wide` for a desk, `square` for a tablet, `tall` for a phone
held upright. Each layer is a whole `<svg>`; all layers of a layout have the same viewBox and are
stacked:

`board`    the public layer, the same for all viewers with one language
`private`  what one seat knows besides: its hidden cards, the token in its hand
`ghost`    a preview of an action, as far as the seat can know its effect

Each is drawn from a *view* (`Game.seen_by`), so it can't show more than its reader may know. The
overlays use symbols that the board defines.

What the page's script relies on:

- The public layer comes in parts (a space, a seat), always the same number in the same order, so
  that only the changed ones need be sent and replaced. Together they are one `<svg>`: the first
  part opens it, the last one closes it, each between is a `<g>` of its own.
- Everything that moves is `<g class="piece" id="…" transform="translate(x y)">`. An id stays with
  its piece from picture to picture, as far as viewers can tell; the script animates the move.
  `follow` keeps ids right where a state alone does not tell two pieces apart.
- A group with `data-moves` lists what moved last, in order (see `svg.moves`).
- Everything that can be chosen is `<g class="spot" data-field="space" data-value="3">`, its field
  and value (as `str` writes it) those of `describe(s, action)`; an empty value stands for actions
  without that field. A spot also brings the fields of the groups around it:
  a card is `card` 2 within `legend` whale, a disc is `height` 2 within `space` 3. Fields that no
  legal action has are ignored. Where a field's value is a list (the tiles that pay a Song), each
  of its members is a spot. A ghost may contain spots too: the steps of the path it shows.
- Each part of a player's panel is, or is in, a group with `data-panel`, the seat; the first of them
  has `data-at`, its upper left corner. The script moves panels so that the viewer's own is first,
  and shows what has the class `you` in it instead of what has the class `name`. Overlays are drawn
  in that order: see `ghost`.
- Spots within a group with `data-of="2"` can be chosen by seat 2 alone.
- In a spot, the shape of class `halo` is the touch target. The script marks spots with the classes
  `legal`, `chosen` and `hint`; the stylesheet highlights them. A piece that lies on a spot but is
  drawn in another part is a spot again, with the same field and value, and needs no halo.
- No inline style, no script: classes, presentation attributes, and `picture.css` for both themes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from struct import Struct
from typing import Any, Literal, Protocol

from veillee.engine.drawing.svg import Canvas, overlay
from veillee.engine.events import Event
from veillee.engine.i18n import Words

Shape = Literal["wide", "square", "tall"]
SIZES: Mapping[Shape, tuple[int, int]] = {
    "wide": (1280, 900),
    "square": (900, 900),
    "tall": (390, 560),
}
"""Width and height of each layout."""

Ids = Any
"""The places of the pieces, as JSON data; its form is up to the game."""


class Picture(Protocol):
    """Protocol of a game's module `picture`."""

    def board(
        self,
        words: Words,
        s: Any,
        names: Sequence[str],
        shape: Shape = "wide",
        seat: int | None = None,
        ids: Ids = None,
        canvas: Canvas | None = None,
        points: Sequence[int] | None = None,
    ) -> Canvas:
        """Draw the public layer on a canvas, in parts, and return the canvas.

        Args:
            words: The viewer's language.
            s: A spectator's view.
            names: The players' names, by seat.
            shape: The layout.
            seat: The viewer's own seat, if the picture is for one viewer.
            ids: Result of `follow`; without it pieces are identified by where they lie.
            canvas: The canvas of an earlier picture of the game, which finds out what changed.
            points: The scores of `s`, if known already.
        """

    def private(self, words: Words, s: Any, seat: int, shape: Shape = "wide") -> str:
        """Return the overlay of a seat, drawn from its view."""

    def ghost(
        self, words: Words, s: Any, action: int, shape: Shape = "wide", first: int = 0
    ) -> str:
        """Return the overlay that previews a legal action of `s.seat`, drawn from its view.

        Players' panels begin with that of the seat `first`.
        """

    def follow(self, ids: Ids, s: Any, events: Sequence[Event]) -> Ids:
        """Return which piece is where in `s`, a spectator's view.

        Args:
            ids: Which piece was where before; None to give all pieces new ids. Never changed.
            s: The view after the events.
            events: What happened since, as a spectator sees it. If it doesn't fit (after an
                undo), pieces get new ids.
        """

    def icon(self) -> str:
        """Return the game's emblem, a square `<svg>`."""


class BoardPicture:
    """A picture for which a game only has to write `draw`.

    Args:
        name: The name of the game.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def draw(
        self, words: Words, s: Any, names: Sequence[str], shape: Shape, canvas: Canvas
    ) -> None:
        """Add the parts of the board to a canvas: always the same number in the same order."""
        raise NotImplementedError

    def size(self, shape: Shape) -> tuple[int, int]:
        """Return width and height of a layout."""
        return SIZES[shape]

    def overlay(self, layer: str, shape: Shape, inner: str = "") -> str:
        """Return an overlay; `layer` is private or ghost."""
        return overlay(self.name, layer, *self.size(shape), inner)

    def board(
        self,
        words: Words,
        s: Any,
        names: Sequence[str],
        shape: Shape = "wide",
        seat: int | None = None,
        ids: Ids = None,
        canvas: Canvas | None = None,
        points: Sequence[int] | None = None,
    ) -> Canvas:
        canvas = Canvas() if canvas is None else canvas
        title = words(f"{self.name}.title")
        canvas.renew()
        canvas.begin(self.name, *self.size(shape), title, title)
        self.draw(words, s, names, shape, canvas)
        return canvas.end()

    def private(self, words: Words, s: Any, seat: int, shape: Shape = "wide") -> str:
        return self.overlay("private", shape)

    def ghost(
        self, words: Words, s: Any, action: int, shape: Shape = "wide", first: int = 0
    ) -> str:
        return self.overlay("ghost", shape)

    def follow(self, ids: Ids, s: Any, events: Sequence[Event]) -> Ids:
        return None

    def icon(self) -> str:
        """Return the initial of the game's name in a circle."""
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" class="icon" viewBox="0 0 160 160" '
            'aria-hidden="true"><circle cx="80" cy="80" r="76" fill="#27305c"/>'
            '<text x="80" y="110" font-size="84" text-anchor="middle" fill="#ffe9b0">'
            f"{self.name[:1].upper()}</text></svg>"
        )


@cache
def stylesheet() -> str:
    """Return the stylesheet of all pictures, for both themes."""
    return (Path(__file__).parent / "picture.css").read_text("utf-8")


def counted(scores: Callable[[Any, Any], None], s: Any) -> list[int]:
    """Return the points of each seat, by the rules' `scores`."""
    points = [0] * s.players
    scores(s, points)
    return points


def rows(cells: Any, size: int, n: int) -> tuple[bytes, ...]:
    """Return the first `n` rows of `size` one-byte cells each: what sections are compared by."""
    return _rows(size, n).unpack_from(cells.tobytes())


@cache
def _rows(size: int, n: int) -> Struct:
    return Struct(f"{size}s" * n)


def each_has(language: str, key: str, names: Sequence[str], numbers: Sequence[int]) -> str:
    """Return how many each player has, in the words of a key: "Ada: 3 Moons, Bo: 1 Moon"."""
    pairs = zip(names, numbers, strict=True)
    return ", ".join([_has(language, key, name, n) for name, n in pairs])


@lru_cache(1024)
def _has(language: str, key: str, name: str, n: int) -> str:
    words = Words(language)
    return words.labelled(name, words(key, n=n))


def overlaid(board: Sequence[str], *overlays: str) -> str:
    """Return one `<svg>` of a board's parts and the overlays on it."""
    return "".join([*board[:-1], *overlays, board[-1]])


Theme = Literal["light", "dark"]
_ROOTS = {"light": ":root {", "dark": ':root[data-theme="dark"] {'}
_VARIABLE = re.compile(r"(--[\w-]+):\s*([^;]+);")
_USED = re.compile(r"var\((--[\w-]+)\)")
_CONDITIONAL = re.compile(r"@(?:media|keyframes)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_ROOT = re.compile(r":root[^{]*\{[^{}]*\}")


def standalone(svg: str, theme: Theme = "light") -> str:
    """Return a picture with its stylesheet inlined, for files, notebooks and other programs.

    Colours are written out, because few programs beside browsers know CSS variables and media
    queries. A page with a strict Content-Security-Policy links the stylesheet instead.
    """
    colours = _colours(theme)
    head, bracket, rest = svg.partition(">")
    whole = f"{head}{bracket}<style>{_plain(_plain_css())}</style>{rest}"
    return _USED.sub(lambda used: colours[used[1]], whole)


@cache
def _colours(theme: Theme) -> dict[str, str]:
    """Return the values of the stylesheet's variables in a theme."""
    block = stylesheet().partition(_ROOTS[theme])[2].partition("}")[0]
    return dict(_VARIABLE.findall(block))


@cache
def _plain_css() -> str:
    """Return the rules of the stylesheet that hold in every theme, with simple selectors."""
    rules = _ROOT.sub("", _CONDITIONAL.sub("", stylesheet()))
    return rules.replace(":where(.picture) text", "text")


def _plain(css: str) -> str:
    return css.replace("&", "&amp;").replace("<", "&lt;")
