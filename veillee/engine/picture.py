"""Pictures of a game: what a game's module `picture` answers, and how pictures stand alone.

A picture is a whole `<svg>`. Every game has two layouts, `wide` (1280 x 720) and `tall` (390 x 560,
a phone held upright); all layers of a layout have the same viewBox and lie exactly on each other:

`board`    the public layer, the same for all who look in one language
`private`  what one seat knows besides: its hidden cards, the token in its hand
`ghost`    what an action would do, as far as the seat can know

Each is drawn from a *view* (`Game.seen_by`), so none can tell more than its reader may know. The
overlays use symbols that the board defines: they are meant to lie on it.

What the page's script may count on:

- The public layer comes in parts (a space, a seat), in the same order and as many at every moment
  of a game, so that the ones that changed can be sent and renewed alone. Together they are one
  `<svg>`: the first part begins it, the last one ends it, each between is a `<g>` of its own.
- Everything that moves is `<g class="piece" id="…" transform="translate(x y)">`. An id stays with
  its piece from picture to picture, as far as those who look can tell; after that the piece glides.
  `follow` keeps ids right where a state alone does not tell two pieces apart (see there).
- A group with `data-moves` lists what moved last, in its order (see `svg.moves`).
- Everything that can be chosen is `<g class="spot" data-field="space" data-value="3">`, its field
  and value (as `str` writes it) those of `describe(s, action)`; an empty value stands for actions
  without that field. A spot also brings the fields of the groups around it:
  a card is `card` 2 within `legend` whale, a disc is `height` 2 within `space` 3. Fields that no
  action on offer has are to be passed over. Where a field's value is a list (the tiles that pay a
  Song), each of its members is a spot. A ghost may hold spots too: the steps of the way it shows.
- Spots within a group with `data-of="2"` can be chosen by seat 2 alone; to others they are none.
- In a spot, the shape of class `halo` is what is touched. The script marks spots with the classes
  `legal`, `chosen` and `hint`; the stylesheet lights them. What lies on a spot and is drawn in a
  part of its own is a spot again, with the same field and value, and needs no halo.
- No inline style, no script: classes, presentation attributes, and `picture.css` for both themes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from veillee.engine.events import Event
from veillee.engine.memory import remembered
from veillee.engine.svg import Canvas
from veillee.engine.words import Words

WIDE = (1280, 720)
TALL = (390, 560)

Ids = Any
"""Which piece is where, as JSON data: each game's own."""


class Picture(Protocol):
    """What the module `picture` of a game has."""

    def board(
        self,
        words: Words,
        s: Any,
        names: Sequence[str],
        tall: bool = False,
        seat: int | None = None,
        ids: Ids = None,
        canvas: Canvas | None = None,
        points: Sequence[int] | None = None,
    ) -> list[str]:
        """The public layer in parts, from a watcher's view. `seat`, if given, is the reader's.

        `ids` comes from `follow`; without it pieces are told apart by where they lie. A `canvas` on
        which the game was drawn before says what is no longer as it was. `points` are what `scores`
        makes of `s`, if at hand.
        """

    def private(self, words: Words, s: Any, seat: int, tall: bool = False) -> str:
        """The overlay of a seat, from its view."""

    def ghost(self, words: Words, s: Any, action: int, tall: bool = False) -> str:
        """The overlay that shows what a legal action of `s.seat` would do, from its view."""

    def follow(self, ids: Ids, s: Any, events: Sequence[Event]) -> Ids:
        """Which piece is where in `s`, given which was where before the events that led to it.

        `s` and the events as a watcher sees them. With None for `ids`, or where they don't fit
        (after an undo), pieces are named anew from `s`. Never changes the `ids` it is given.
        """

    def icon(self) -> str:
        """The game's emblem, square."""


@cache
def stylesheet() -> str:
    """The one stylesheet of all pictures, for both themes."""
    return (Path(__file__).parent / "picture.css").read_text("utf-8")


def counted(scores: Callable[[Any, Any], None], s: Any) -> list[int]:
    """Everybody's points, by the rules' `scores`."""
    points = [0] * s.players
    scores(s, points)
    return points


def each_has(language: str, key: str, names: Sequence[str], numbers: Sequence[int]) -> str:
    """Who has how many, in words of a key."""
    pairs = zip(names, numbers, strict=True)
    return "; ".join([_has(language, key, name, n) for name, n in pairs])


@remembered
def _has(language: str, key: str, name: str, n: int) -> str:
    return f"{name}: {Words(language)(key, n=n)}"


def overlaid(board: Sequence[str], *overlays: str) -> str:
    """One picture of a board's parts and what lies on it."""
    return "".join([*board[:-1], *overlays, board[-1]])


def standalone(svg: str) -> str:
    """A picture with its stylesheet inside: for files and notebooks, not for strict pages."""
    head, bracket, rest = svg.partition(">")
    return f"{head}{bracket}<style>{_plain(stylesheet())}</style>{rest}"


def _plain(css: str) -> str:
    return css.replace("&", "&amp;").replace("<", "&lt;")
