"""A game gone through again: each moment drawn as it was seen then.

Moment 0 is the set-up, moment n the state after n decisions. A perspective says who looks: a seat,
a spectator, or, once the game is over, somebody to whom everything is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from veillee.engine.drawing.svg import Canvas
from veillee.engine.game import Game
from veillee.engine.jit.layout import OVER
from veillee.web.delivery.fragments import awaited
from veillee.web.delivery.rendering import (
    Change,
    Layout,
    PieceTracker,
    ViewBuffer,
    draw,
    lines_in,
    overlay,
    state_after,
)
from veillee.web.delivery.turns import NO_TURN, turn_at
from veillee.web.tables.table import Table

OPEN = "open"
WATCHING = "watch"


class Perspective(NamedTuple):
    """The viewer of a replay."""

    name: str
    """The number of a seat, "watch" for a spectator, or "open"."""
    seats: int = 0
    """The seats whose knowledge is shown: bit i for seat i."""
    seat: int = -1
    """The seat whose overlay is shown; -1 for none."""


def perspectives(table: Table, person: str) -> list[Perspective]:
    """Return how a person may look at the game of a table, what suits them best first.

    While a game runs, everybody sees only what they may know. On a screen that several players
    share, that is what a spectator sees.
    """
    game = table.game
    assert game is not None
    watching = Perspective(WATCHING)
    if not table.spec.hidden:
        return [watching]
    own = table.seats_of(person)
    if not table.finished:
        return [_of_seat(own[0]), watching] if len(own) == 1 else [watching]
    found = all_perspectives(game)
    return sorted(found, key=lambda each: each.seat not in own[:1] or each.seat < 0)


def all_perspectives(game: Game) -> list[Perspective]:
    """Return how a finished game can be seen."""
    watching = Perspective(WATCHING)
    if not game.spec.hidden:
        return [watching]
    everything = Perspective(OPEN, (1 << game.players) - 1)
    return [everything, *map(_of_seat, range(game.players)), watching]


def _of_seat(seat: int) -> Perspective:
    return Perspective(str(seat), 1 << seat, seat)


class Moment(msgspec.Struct, omit_defaults=True):
    """One moment of a game, as it is sent."""

    number: int
    status: str
    awaited: int = -1
    """The seat to decide; -1 when the game is over."""
    picture: list[str] | None = None
    """The public layer in parts; None if it is told by what changed since the moment before."""
    changes: list[Change] | None = None
    overlay: str = ""


class Mark(NamedTuple):
    """A decision as the slider shows it."""

    seat: int
    """The seat that took it."""
    turn: bool
    """Whether it is the first one of a turn."""
    scoring: bool


class Replay:
    """The moments of a game in one perspective, language and layout."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        layout: Layout,
        perspective: Perspective,
        pieces: PieceTracker | None = None,
    ) -> None:
        self.game, self.names, self.layout = game, names, layout
        self.perspective = perspective
        self.last = len(game.steps)
        self._pieces = pieces or PieceTracker(keep=True)
        self._public, self._own = ViewBuffer(game.spec), ViewBuffer(game.spec)

    def moments(self, first: int, last: int) -> list[Moment]:
        """Return some moments: the first with a whole picture, the others with what changed."""
        canvas = Canvas()
        found: list[Moment] = []
        for number in range(max(0, first), min(last, self.last) + 1):
            moment = self._draw(canvas, number)
            if found:
                moment.changes = canvas.changes()
            else:
                moment.picture = canvas.parts
            found.append(moment)
        return found

    def _draw(self, canvas: Canvas, number: int) -> Moment:
        game, layout, perspective = self.game, self.layout, self.perspective
        state = state_after(game, number)
        seen = self._public.load(game, 0, state)
        ids = self._pieces.at(game, number, seen)
        if perspective.name == OPEN:
            seen = self._public.load(game, perspective.seats, state)
        draw(canvas, game.spec, layout, seen, self.names, ids, self._public.points(game))
        moment = Moment(number, self._status(seen), int(seen.seat))
        if game.spec.hidden and perspective.seat >= 0:
            own = self._own.load(game, perspective.seats, state)
            moment.overlay = overlay(game.spec, layout, own, perspective.seat)
        return moment

    def _status(self, seen: object) -> str:
        game, words = self.game, self.layout.words
        deciding = int(seen.seat)  # type: ignore[attr-defined]
        if deciding == OVER:
            winners = words.listed([self.names[seat] for seat in game.winners])
            return words("web.status.over", n=len(game.winners), names=winners)
        phase = game.spec.phases[seen.phase]  # type: ignore[attr-defined]
        return awaited(words.language, game.spec.name, phase, self.names[deciding])

    def lines(self) -> list[tuple[int, str]]:
        """Return everything that was told, each line with its moment."""
        words, seats = self.layout.words, self.perspective.seats
        return [
            (step, line)
            for step in range(self.last + 1)
            for line in lines_in(self.game, words, self.names, seats, step)
        ]

    def marks(self) -> list[Mark]:
        """Return a mark for each decision."""
        before = NO_TURN
        found = []
        scorings = self.game.spec.scorings
        for number, step in enumerate(self.game.steps, 1):
            scoring = any(event.name in scorings for event in step.events)
            turn = turn_at(self.game, number)
            found.append(Mark(step.seat, turn != before, scoring))
            before = turn
        return found
