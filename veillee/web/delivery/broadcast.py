"""Broadcast: what changed at a table, sent to all who watch it.

The public layer is drawn once for all viewers of one layout and sent as what changed. Each viewer
then gets their own part. When there is more than can be drawn, the steps of a table that waited are
sent together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import Any, NamedTuple

import msgspec

from veillee.engine.drawing.svg import Canvas
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import OVER
from veillee.web import metrics
from veillee.web.delivery.fragments import (
    Fragments,
    HeaderState,
    PanelState,
    header_state,
    panel_state,
    status,
)
from veillee.web.delivery.player_view import PlayerView, player_view
from veillee.web.delivery.rendering import (
    Layout,
    PieceTracker,
    PublicState,
    Told,
    draw,
    log_of,
    who_saw_more,
)
from veillee.web.tables.messages import Changed, Message, Messages, PresenceChanged, Renamed
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.table import Note, Table

HEARTBEAT = 20
"""Seconds between two heartbeats in a stream."""
_json = msgspec.json.Encoder()
log = logging.getLogger("veillee.delivery")


@dataclass(eq=False)
class Viewer(ABC):
    """One browser window that watches a table."""

    person: str
    layout: Layout
    shows: int | None = None
    """On a shared screen: the seat for which the curtain is lifted."""
    overlay: str | None = None
    """The overlay that was sent last."""
    layer: Hashable = None
    """What it was drawn from."""
    panel: PanelState | None = None
    """The state of the panel that was sent last."""
    panel_depends: tuple[Any, ...] = ()
    """The part of the table's state that it was made from."""

    @abstractmethod
    def put(self, *message: bytes) -> None:
        """Send a message, given in pieces."""

    @abstractmethod
    def end(self) -> None:
        """End the stream: the browser comes back by itself."""


@dataclass(eq=False)
class Frame:
    """The public layer for all viewers of one layout, as it was last sent."""

    layout: Layout
    canvas: Canvas = field(default_factory=Canvas)
    number: int = -1
    steps: int = 0
    entries: int = 0
    notes: int = 0
    """Number of notes of the log that were sent."""
    body: dict[str, Any] = field(default_factory=dict)
    """All but the picture."""
    names: tuple[str, ...] = ()
    header: HeaderState | None = None


NOBODY = -1
"""In place of the seat of who has none."""


class News:
    """The lines of the log in a message, made once for all who read them in one language."""

    def __init__(self, table: Table, steps: range, notes: Sequence[Note]) -> None:
        self._table, self._steps, self._notes = table, steps, notes
        game = table.game
        self.secret_for = who_saw_more(game, steps) if game and table.spec.hidden else 0
        """The seats that learnt more than a spectator: bit i for seat i."""
        self._told: dict[tuple[Any, ...], list[Told]] = {}

    def told(self, words: Words, names: tuple[str, ...], seats: int = 0) -> list[Told]:
        """Return the lines as those seats may know them; without seats, as a spectator may."""
        key = words.language, names, seats
        if key not in self._told:
            self._told[key] = log_of(self._table, words, names, seats, self._steps, self._notes)
        return self._told[key]


class Moment:
    """What the own parts of all viewers of a table are made from.

    Args:
        table: The table.
        away: At which seats a person is away.
        public: A spectator's view, if it was made.
        learnt: The seats that learnt more than a spectator: bit i for seat i.
    """

    def __init__(self, table: Table, away: tuple[bool, ...], public: Any, learnt: int) -> None:
        self.away, self.public = away, public
        self.panel = table.last_other, table.state, table.asking, len(table.decided), away
        """The part of the table's state that panels are made from."""
        self.layers = _layers(table)
        """What the private layer of each seat is drawn from, then that of a spectator."""
        self.active = [seat for seat in range(len(table.seats)) if learnt >> seat & 1]
        """The seats of the person who decides, and those that learnt something."""
        if table.deciding != OVER:
            self.active += table.seats_of(table.seats[table.deciding].person)


def _layers(table: Table) -> list[Hashable]:
    """Return what the private layer of each seat is drawn from, then that of a spectator.

    What nobody knows is equal to nothing, so that it is drawn: where the game does not tell, in a
    guided game, and of those who take turns at one screen.
    """
    game, keys = table.game, table.spec.private_keys
    if game is None or table.plan.guided:
        return [object()] * (len(table.seats) + 1)
    if not table.spec.hidden:
        return [()] * (game.players + 1)
    if keys is None:
        return [*(object() for _ in range(game.players)), ()]
    layers = [*keys(game.state), ()]
    if len(table.people) < game.players:
        for seat in range(game.players):
            if len(table.seats_of(table.seats[seat].person)) > 1:
                layers[seat] = object()
    return layers


class Sent(NamedTuple):
    """What all viewers of a layout are sent."""

    message: bytes
    """The message up to where each viewer's own part begins."""
    news: News
    names: tuple[str, ...]


class Broadcast:
    """Sends tables to their viewers."""

    def __init__(
        self,
        tables: TableRegistry,
        presence: Presence,
        messages: Messages,
        fragments: Fragments,
    ) -> None:
        self.fragments = fragments
        self._tables = tables
        self._presence = presence
        self._viewers: dict[str, set[Viewer]] = {}
        self._frames: dict[str, dict[Layout, Frame]] = {}
        self._pieces: dict[str, PieceTracker] = {}
        self._changed: dict[str, Table] = {}
        self._absences: dict[str, asyncio.TimerHandle] = {}
        self._sending = False
        self._heart: asyncio.Task[None] | None = None
        self.closing = False
        messages.subscribe(self._receive)

    def open(self) -> None:
        self._heart = asyncio.create_task(self._beat())

    def end_streams(self) -> None:
        """End all streams: the browsers come back by themselves."""
        self.closing = True
        for viewers in self._viewers.values():
            for viewer in viewers:
                viewer.end()

    def close(self) -> None:
        self.end_streams()
        if self._heart is not None:
            self._heart.cancel()

    # ------------------------------------------------------------ what happened

    def _receive(self, message: Message) -> None:
        match message:
            case Changed(table):
                self._send_soon(table)
            case Renamed(table):
                self._restart(table)
            case PresenceChanged(table):
                self.send_again(table)

    def _send_soon(self, table: Table) -> None:
        if self._viewers.get(table.id):
            self._changed[table.id] = table
            if not self._sending:
                self._sending = True
                asyncio.get_running_loop().call_soon(self._send_next)

    def _send_next(self) -> None:
        """Send one changed table, and let other work have its turn before the next."""
        table_id = next(iter(self._changed))
        table = self._changed.pop(table_id)
        try:
            with metrics.DRAWING.time():
                self.send(table)
            metrics.SHOWN.observe(max(0.0, time.time() - table.at / 1000))
        except Exception:
            log.exception("table %s could not be shown", table_id)
        self._sending = bool(self._changed)
        if self._sending:
            asyncio.get_running_loop().call_soon(self._send_next)

    def _restart(self, table: Table) -> None:
        """Let all begin anew, if a name that they see has changed."""
        frames = self._frames.get(table.id, {})
        if all(frame.names == self._names(table, layout) for layout, frame in frames.items()):
            return
        for viewer in self._viewers.get(table.id, ()):
            viewer.end()
        self._frames.pop(table.id, None)

    def _names(self, table: Table, layout: Layout) -> tuple[str, ...]:
        return tuple(self._tables.names_at(table, layout.words("web.someone")))

    def send_again(self, table: Table) -> None:
        """Send who is there, and what may be done about it."""
        for frame in self._frames.get(table.id, {}).values():
            frame.number = -1
        self.send(table)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            self._presence.forget_old()
            for viewers in self._viewers.values():
                for viewer in viewers:
                    viewer.put(b": still here\n\n")

    # ------------------------------------------------------------ viewers

    def join(self, table: Table, viewer: Viewer) -> bytes:
        """Add a viewer and return the first message: the whole public layer, and their own."""
        self._presence.enter(table, viewer.person)  # first: only others are told who is back
        frames = self._frames.setdefault(table.id, {})
        if viewer.layout in frames and frames[viewer.layout].number != table.number:
            self.send(table)  # to the others
        self._viewers.setdefault(table.id, set()).add(viewer)
        metrics.STREAMS.inc()
        away = self._presence.away_seats(table)
        header = header_state(table, away)
        frame = frames.get(viewer.layout)
        if frame is None:
            frame = frames[viewer.layout] = Frame(viewer.layout, header=header)
            frame.notes = len(table.notes)
            self._update(table, frame)
        body = self._whole(table, frame, header)
        new = News(table, range(frame.steps + 1), table.notes)
        sent = Sent(_message(frame.number, body), new, frame.names)
        now = Moment(table, away, None, new.secret_for)
        return sent.message + self._own(table, viewer, sent, now)

    def leave(self, table: Table, viewer: Viewer) -> None:
        """Remove a viewer. If the person stays away, the others learn of it."""
        left = self._viewers.get(table.id, set())
        if viewer not in left:
            return
        left.discard(viewer)
        metrics.STREAMS.dec()
        self._presence.leave(table, viewer.person)
        if not any(other.layout == viewer.layout for other in left):
            self._frames.get(table.id, {}).pop(viewer.layout, None)
        if not left:
            self._viewers.pop(table.id, None)
            self._frames.pop(table.id, None)
            self._pieces.pop(table.id, None)
            self._cancel_absence(table)
        elif viewer.person in table.people:
            self.expect_absence(table)

    def expect_absence(self, table: Table) -> None:
        """Send who is away, once those who have no open window count as such."""
        self._cancel_absence(table)
        if not self.closing and self._presence.has_absent(table):
            self._absences[table.id] = asyncio.get_running_loop().call_later(
                self._presence.away + 1, self.send_again, table
            )

    def _cancel_absence(self, table: Table) -> None:
        timer = self._absences.pop(table.id, None)
        if timer is not None:
            timer.cancel()

    # ------------------------------------------------------------ one table

    def _follow(self, table: Table) -> PieceTracker:
        """The pieces of a table: kept while somebody watches."""
        if table.id in self._viewers:
            return self._pieces.setdefault(table.id, PieceTracker())
        return PieceTracker()

    def picture(self, table: Table, layout: Layout, names: Sequence[str]) -> list[str]:
        """The public picture now, in parts."""
        frame = self._frames.get(table.id, {}).get(layout)
        if frame is not None and frame.number == table.number:
            return frame.canvas.parts
        canvas = Canvas()
        self._draw(table, canvas, layout, names)
        return canvas.parts

    def send(self, table: Table) -> None:
        """Send what is new to all viewers of a table."""
        viewers = list(self._viewers.get(table.id, ()))
        if not table.plan.watching:
            viewers = self._end_strangers(table, viewers)
        away = self._presence.away_seats(table, {viewer.person for viewer in viewers})
        header = header_state(table, away)
        messages: dict[Layout, Sent] = {}
        told: dict[tuple[range, int], News] = {}
        public: PublicState | None = None
        for layout, frame in self._frames.get(table.id, {}).items():
            if frame.number != table.number:
                steps, public = self._update(table, frame, public)
                if steps is None:
                    new = News(table, range(frame.steps + 1), table.notes)
                    body = self._whole(table, frame, header)
                else:
                    key = steps, frame.notes
                    if key not in told:
                        told[key] = News(table, steps, table.notes[frame.notes :])
                    new = told[key]
                    body = self._news(table, frame, new, header)
                frame.header, frame.notes = header, len(table.notes)
                messages[layout] = Sent(_message(table.number, body), new, frame.names)
        if messages:
            learnt = reduce(or_, [sent.news.secret_for for sent in messages.values()])
            now = Moment(table, away, public and public.view, learnt)
            for viewer in viewers:
                if sent := messages.get(viewer.layout):
                    viewer.put(sent.message, self._own(table, viewer, sent, now))

    @staticmethod
    def _end_strangers(table: Table, viewers: Sequence[Viewer]) -> list[Viewer]:
        """End the streams of those who may not watch any more; return the others."""
        allowed = [viewer for viewer in viewers if table.may_watch(viewer.person)]
        for viewer in set(viewers) - set(allowed):
            viewer.end()
        return allowed

    def _draw(
        self,
        table: Table,
        canvas: Canvas,
        layout: Layout,
        names: Sequence[str],
        public: PublicState | None = None,
    ) -> PublicState:
        """Draw a table as it is now; return what was drawn, for other layouts."""
        assert table.game is not None
        now = public or PublicState(table.game, self._follow(table))
        draw(canvas, table.spec, layout, now.view, names, now.ids, now.points)
        return now

    def _update(
        self, table: Table, frame: Frame, public: PublicState | None = None
    ) -> tuple[range | None, PublicState | None]:
        """Bring the public layer up to date.

        Return which steps are new in it, None if it begins anew, and what was drawn, if anything.
        """
        layout, game = frame.layout, table.game
        if frame.number < table.last_other:
            frame.names = self._names(table, layout)
        frame.number = table.number
        frame.body = {
            "number": table.number,
            "moment": table.moment,
            "state": table.state,
            "awaited": table.deciding,
            "status": status(table, layout.words, frame.names),
        }
        if game is None:
            return range(0), public
        before, had = frame.steps, frame.entries
        frame.steps, frame.entries = len(game.steps), len(game.entries)
        straight = bool(frame.canvas) and frame.entries - had == frame.steps - before
        if straight and had == frame.entries:
            frame.canvas.changed = []
            return range(0), public
        if not straight and public is None:
            self._follow(table).restart()
        public = self._draw(table, frame.canvas, layout, frame.names, public)
        return range(before + 1, frame.steps + 1) if straight else None, public

    def _whole(self, table: Table, frame: Frame, header: HeaderState) -> dict[str, Any]:
        """The public layer for who has nothing of it yet."""
        whole = frame.body | {
            "top": self.fragments.header(table, frame.layout, frame.names, header),
            "picture": frame.canvas.parts,
            "whole": True,
        }
        if table.game is not None:
            steps = range(frame.steps + 1)
            whole["log"] = log_of(table, frame.layout.words, frame.names, 0, steps, table.notes)
        return whole

    def _news(self, table: Table, frame: Frame, new: News, header: HeaderState) -> dict[str, Any]:
        """Return the changes of the public layer since it was last sent."""
        news = frame.body.copy()
        if header != frame.header:
            news["top"] = self.fragments.header(table, frame.layout, frame.names, header)
        if table.game is not None:
            news["changes"] = frame.canvas.changes()
            news["lines"] = new.told(frame.layout.words, frame.names)
        return news

    def _own(self, table: Table, viewer: Viewer, sent: Sent, now: Moment) -> bytes:
        """A viewer's own part, as far as they don't have it already."""
        seats = table.seats_of(viewer.person)
        seat = seats[0] if seats else NOBODY
        layer, panel = now.layers[seat], None
        if viewer.panel_depends != now.panel:  # people may have changed seats
            viewer.panel_depends = now.panel
            panel = self._panel(table, viewer, sent.names, now.away)
        elif layer == viewer.layer and seat not in now.active:
            return _seat_only(seat)
        viewer.layer = layer
        layout, news, names = viewer.layout, sent.news, sent.names
        own = player_view(table, layout, viewer.person, viewer.shows, names, now.public)
        if own.seat != NOBODY and news.secret_for >> own.seat & 1:
            own.lines = news.told(layout.words, names, 1 << own.seat)
        if own.overlay == viewer.overlay:
            own.overlay = None
        else:
            viewer.overlay = own.overlay
        own.panel = panel
        return _own_part(own)

    def _panel(
        self, table: Table, viewer: Viewer, names: Sequence[str], away: tuple[bool, ...]
    ) -> str | None:
        """A viewer's panel; None if it is the one they have."""
        state = panel_state(table, viewer.person, away)
        if state == viewer.panel:
            return None
        viewer.panel = state
        return self.fragments.panel(table, viewer.layout, viewer.person, names, state)


def _message(number: int, public: dict[str, Any]) -> bytes:
    """A message up to where each viewer's own part begins."""
    return b"id: %d\ndata: %b\ndata: " % (number, _json.encode(public))


def _own_part(own: PlayerView) -> bytes:
    """The rest of a message: a viewer's own part."""
    return _json.encode(own) + b"\n\n"


@cache
def _seat_only(seat: int) -> bytes:
    """The own part of a viewer for whom nothing changed but what all see."""
    return _own_part(PlayerView(seat))
