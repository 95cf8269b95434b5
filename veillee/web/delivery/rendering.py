"""From views to SVG and words: the public layer, a seat's overlay, previews and log lines."""

from __future__ import annotations

import html
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import Canvas
from veillee.engine.events import Event
from veillee.engine.game import Game, mask
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.jit.events import ALL
from veillee.engine.jit.layout import OVER
from veillee.web.delivery.turns import NO_TURN, turns_in
from veillee.web.tables.table import Note, Table

Change = tuple[int, str]
"""A part of a picture that changed, with its place."""


class Layout(NamedTuple):
    """Language and layout of a viewer: viewers with the same share all drawings."""

    language: str
    shape: Shape

    @property
    def words(self) -> Words:
        return words_in(self.language)


words_in = cache(Words)


# ---------------------------------------------------------------- pictures


class ViewBuffer:
    """A reusable buffer for redacted states; `load` overwrites the previous one."""

    def __init__(self, spec: GameSpec) -> None:
        self._states = np.zeros(1, spec.dtype)
        self._s = spec.twin(self._states)

    def load(self, game: Game, seats: int = 0, state: bytes | memoryview | None = None) -> Any:
        """Redact the game's state, or another one, for some seats (bit i for seat i).

        Without seats the view is a spectator's. At the end nothing is hidden.
        """
        self._s.bytes[:] = game.state.bytes if state is None else state
        bits = (1 << game.players) - 1 if self._s.seat == OVER else seats
        game.redact(self._states, bits)
        return self._s

    def points(self, game: Game) -> list[int]:
        """The points of all seats, as far as the view tells them."""
        return game.scores_of(self._states)


def view_of(game: Game, seats: Iterable[int], state: bytes | memoryview | None = None) -> Any:
    """A view that stays valid."""
    return ViewBuffer(game.spec).load(game, mask(seats), state)


public_view = cache(ViewBuffer)
own_view = cache(ViewBuffer)


def draw(
    canvas: Canvas,
    spec: GameSpec,
    layout: Layout,
    s: Any,
    names: Sequence[str],
    ids: Any = None,
    points: Sequence[int] | None = None,
    viewer: int | None = None,
) -> None:
    """Draw the public layer of a view, for everybody or for the viewer's seat."""
    drawing = spec.picture
    if drawing is not None:
        drawing.board(layout.words, s, names, layout.shape, viewer, ids, canvas, points)
        return
    from rich.text import Text

    canvas.renew()
    canvas.add(_plain, Text.from_markup(spec.text.board(layout.words, s, names)).plain)
    canvas.close()


def _plain(board: str) -> str:
    return f'<pre class="plain-board" tabindex="0">{html.escape(board)}</pre>'


def picture(
    spec: GameSpec, layout: Layout, s: Any, names: Sequence[str], viewer: int | None = None
) -> str:
    """The public layer of a view as SVG, for everybody or for the viewer's seat."""
    canvas = Canvas()
    draw(canvas, spec, layout, s, names, viewer=viewer)
    return "".join(canvas.parts)


def overlay(spec: GameSpec, layout: Layout, s: Any, seat: int) -> str:
    """Draw the private part of a seat's picture, as SVG."""
    drawing = spec.picture
    return str(drawing.private(layout.words, s, seat, layout.shape)) if drawing is not None else ""


def preview(spec: GameSpec, layout: Layout, s: Any, action: int, first: int) -> str:
    """Preview an action as SVG, as far as the seat can know; panels begin with `first`."""
    drawing = spec.picture
    if drawing is None:
        return ""
    return str(drawing.ghost(layout.words, s, action, layout.shape, first))


class PieceTracker:
    """The identity of pieces, followed from step to step as a spectator could.

    Args:
        keep: Whether to keep the ids of all steps, for who goes to and fro. They take more memory
            than all the rest of a table.
    """

    def __init__(self, keep: bool = False) -> None:
        self._keep = keep
        self._first = 0
        """The step to which the first of the ids belong."""
        self._ids: list[Any] = []

    def at(self, game: Game, step: int, s: Any = None) -> Any:
        """Return the pieces after a number of steps; `s`, if given, is a spectator's view then."""
        drawing = game.spec.picture
        if drawing is None:
            return None
        if step < self._first:
            self.restart()
        ids = self._ids
        del ids[len(game.steps) + 1 - self._first :]
        for n in range(self._first + len(ids), step + 1):
            events = game.steps[n - 1].events if n else game.opening
            seen = [event.seen_by(0) for event in events]
            here = s if s is not None and n == step else view_of(game, (), state_after(game, n))
            ids.append(drawing.follow(ids[-1] if n else None, here, seen))
        if not self._keep:
            del ids[: step - self._first]
            self._first = step
        return ids[step - self._first]

    def restart(self) -> None:
        """Follow the pieces from the beginning again."""
        self._ids.clear()
        self._first = 0


class PublicState:
    """The spectator's view of a game, made once for the pictures of all layouts."""

    def __init__(self, game: Game, pieces: PieceTracker) -> None:
        buffer = public_view(game.spec)
        self.view = buffer.load(game)
        self.points = buffer.points(game)
        self.ids = pieces.at(game, len(game.steps), self.view)


def state_after(game: Game, steps: int) -> bytes | memoryview:
    """Return the bytes of the state after a number of steps."""
    if steps >= len(game.steps):
        return game.state.bytes  # type: ignore[no-any-return]
    return game.steps[steps].before


# ---------------------------------------------------------------- words


class Told(msgspec.Struct, omit_defaults=True):
    """Lines of the log that belong together: those of one step and turn, or a note."""

    lines: list[str]
    turn: int = NO_TURN
    """The seat whose turn it is."""
    note: bool = False
    """Whether it is a note beside the game: a phrase that was said, a move that was undone."""


def log_of(
    table: Table,
    words: Words,
    names: Sequence[str],
    seats: int,
    steps: Iterable[int],
    notes: Sequence[Note],
) -> list[Told]:
    """Return the log of some steps, in words, as those seats may know it, with notes.

    Step 0 is the set-up.
    """
    game = table.game
    assert game is not None
    told: list[Told] = []
    waiting = deque(notes)
    for step in steps:
        while waiting and waiting[0].step < step:
            told.append(_note(waiting.popleft(), words, names))
        for turn, events in turns_in(game, step):
            lines = _lines(game.spec, words, names, seats, events)
            if lines:
                told.append(Told(lines, turn))
    return told + [_note(note, words, names) for note in waiting]


def _note(note: Note, words: Words, names: Sequence[str]) -> Told:
    name = names[note.seat]
    if note.phrase:
        phrase = words(f"web.talk.{note.phrase}")
        return Told([words("web.log.said", name=name, phrase=phrase)], note.seat, note=True)
    return Told([words("web.log.undone", name=name)], note.seat, note=True)


def lines_in(game: Game, words: Words, names: Sequence[str], seats: int, step: int) -> list[str]:
    """Return the log of one step, in words, as those seats may know it."""
    events = game.steps[step - 1].events if step else game.opening
    return _lines(game.spec, words, names, seats, events)


def _lines(
    spec: GameSpec, words: Words, names: Sequence[str], seats: int, events: Sequence[Event]
) -> list[str]:
    tell = spec.text.tell
    lines = [tell(words, event.seen_by(seats), names) for event in events]
    return [line for line in lines if line is not None]


def who_saw_more(game: Game, steps: Iterable[int]) -> int:
    """The seats that saw more of some steps than a spectator did: bit i for seat i."""
    seats = 0
    for step in steps:
        for event in game.steps[step - 1].events if step else game.opening:
            if event.secret and event.audience != ALL:
                seats |= event.audience
    return seats
