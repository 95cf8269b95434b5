"""What people see of a table: the public picture, drawn once for all who look in one language and
layout; what a seat sees besides; and the changes, sent as little as possible.
"""

from __future__ import annotations

import asyncio
import html
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from veillee.engine.contract import Contract
from veillee.engine.events import ALL, Event
from veillee.engine.game import Game, mask
from veillee.engine.memory import remembered
from veillee.engine.record import OVER
from veillee.engine.svg import Canvas
from veillee.engine.words import Words
from veillee.web.choices import Choices, choices
from veillee.web.house import House
from veillee.web.pages import Pages, PanelFacts, TopFacts, awaited
from veillee.web.table import Table

HEARTBEAT = 20
"""Seconds between two signs of life in a stream."""
Change = tuple[int, str]
_json = msgspec.json.Encoder()
log = logging.getLogger("veillee.web")


class Look(NamedTuple):
    """How somebody looks at tables."""

    language: str
    tall: bool

    @property
    def words(self) -> Words:
        return _words(self.language)


_words = cache(Words)


# ---------------------------------------------------------------- pictures


class Sight:
    """What somebody may know of games, one after the other: each is there until the next one."""

    def __init__(self, contract: Contract) -> None:
        self._states = np.zeros(1, contract.dtype)
        self._s = contract.twin(self._states)
        self._points = np.zeros(max(contract.seats), np.int16)

    def of(self, game: Game, seats: int = 0, state: bytes | memoryview | None = None) -> Any:
        """The game (or another state of it) as some seats (bit i for seat i) may know it, for the
        plain rules; as a watcher may, for none. At the end all hands are on the table."""
        self._s.bytes[:] = game.state.bytes if state is None else state
        bits = (1 << game.players) - 1 if self._s.seat == OVER else seats
        game._run("view_at", bits, on=self._states)
        return self._s

    def points(self, game: Game) -> list[int]:
        """Everybody's points, as far as the view tells them."""
        game._run("scores_at", self._points, on=self._states)
        return self._points[: game.players].tolist()  # type: ignore[no-any-return]


def views(game: Game, seats: Iterable[int], state: bytes | memoryview | None = None) -> Any:
    """The same, to be kept."""
    return Sight(game.contract).of(game, mask(seats), state)


_watched = cache(Sight)
_known = cache(Sight)


def draw(
    canvas: Canvas,
    contract: Contract,
    look: Look,
    s: Any,
    names: Sequence[str],
    ids: Any = None,
    points: Sequence[int] | None = None,
) -> None:
    """The public layer of a view."""
    drawing = contract.picture
    if drawing is not None:
        drawing.board(look.words, s, names, look.tall, None, ids, canvas, points)
        return
    from rich.text import Text

    canvas.renew()
    canvas.add(_plain, Text.from_markup(contract.board(look.words, s, names)).plain)


def _plain(board: str) -> str:
    return f'<pre class="plain-board" tabindex="0">{html.escape(board)}</pre>'


def picture(contract: Contract, look: Look, s: Any, names: Sequence[str]) -> str:
    """The public layer of a view, once."""
    canvas = Canvas()
    draw(canvas, contract, look, s, names)
    return "".join(canvas.parts)


def overlay(contract: Contract, look: Look, s: Any, seat: int) -> str:
    """What a seat sees besides."""
    drawing = getattr(contract, "picture", None)
    return str(drawing.private(look.words, s, seat, look.tall)) if drawing is not None else ""


def ghost(contract: Contract, look: Look, s: Any, action: int) -> str:
    """What an action would do, as far as the seat can know."""
    drawing = getattr(contract, "picture", None)
    return str(drawing.ghost(look.words, s, action, look.tall)) if drawing is not None else ""


class Pieces:
    """Which piece is which, followed from step to step as a watcher could."""

    def __init__(self) -> None:
        self._ids: list[Any] = []

    def at(self, game: Game, step: int, s: Any = None) -> Any:
        """The pieces after so many steps; `s`, if it is at hand, is a watcher's view then."""
        drawing = getattr(game.contract, "picture", None)
        if drawing is None:
            return None
        del self._ids[len(game.steps) + 1 :]
        while len(self._ids) <= step:
            n = len(self._ids)
            before = self._ids[n - 1] if n else None
            events = game.steps[n - 1].events if n else game.opening
            seen = [event.seen_by(0) for event in events]
            here = s if s is not None and n == step else views(game, (), state_after(game, n))
            self._ids.append(drawing.follow(before, here, seen))
        return self._ids[step]

    def undone(self, steps: int) -> None:
        del self._ids[steps + 1 :]


def state_after(game: Game, steps: int) -> bytes | memoryview:
    """The state after so many steps, to read."""
    if steps >= len(game.steps):
        return game.state.bytes  # type: ignore[no-any-return]
    return game.steps[steps].before


# ---------------------------------------------------------------- words


def lines_of(
    table: Table, words: Words, names: Sequence[str], seats: int, steps: Iterable[int]
) -> list[str]:
    """What some steps told, in words, as those seats may know it. Step 0 is the opening."""
    game = table.game
    assert game is not None
    contract, language, there = table.contract, words.language, tuple(names)
    told: list[str] = []
    for step in steps:
        events = game.steps[step - 1].events if step else game.opening
        for event in events:
            seen = event.seen_by(seats)
            line = _line(contract, language, there, seen.name, *seen.values.values())
            if line is not None:
                told.append(line)
    return told


@remembered
def _line(
    contract: Contract, language: str, names: tuple[str, ...], name: str, *values: int | None
) -> str | None:
    """An event in words."""
    fields = next(kind.fields for kind in contract.happenings if kind.name == name)
    event = Event(name, ALL, dict(zip(fields, values, strict=True)))
    return contract.tell(_words(language), event, names)


def has_secrets(game: Game, seats: int, steps: Iterable[int]) -> bool:
    """Whether those seats saw more of some steps than a watcher did."""
    return any(
        event.audience != -1 and event.secret and event.audience & seats
        for step in steps
        for event in (game.steps[step - 1].events if step else game.opening)
    )


# ---------------------------------------------------------------- a person at a table


@dataclass(eq=False)
class Viewer(ABC):
    """Somebody who looks at a table, in one browser window."""

    person: str
    look: Look
    shows: int | None = None
    """On a shared screen: the seat for which the curtain is lifted."""
    overlay: str | None = None
    """What was sent last."""
    panel: PanelFacts | None = None
    """What the panel told that was sent last."""

    @abstractmethod
    def put(self, *message: bytes) -> None:
        """Send a message, given in pieces."""

    @abstractmethod
    def end(self) -> None:
        """There is nothing more: the browser comes back by itself."""


class Mine(msgspec.Struct, omit_defaults=True):
    """What one person sees besides the public layer."""

    seat: int = -1
    """The seat through whose eyes the person looks; -1 for a watcher."""
    yours: bool = False
    """Whether this person's decision is awaited."""
    curtain: int = -1
    """The seat that is to come to the screen."""
    status: str = ""
    overlay: str | None = None
    """In a stream None says that it is as before; so for the panel."""
    choices: Choices | None = None
    lines: list[str] | None = None
    """The news, where this seat knows more of it than a watcher."""
    panel: str | None = None


def mine(
    table: Table,
    look: Look,
    person: str,
    shows: int | None,
    names: Sequence[str],
    public: Any = None,
) -> Mine:
    """What a person may see and do at a table now; `public`, if at hand, is a watcher's view."""
    seats = table.seats_of(person)
    game = table.game
    if not seats or game is None:
        return Mine(overlay="")
    words = look.words
    deciding = table.deciding
    seat = deciding if deciding in seats else seats[0]
    secret = table.contract.secrets and len(seats) > 1 and not game.over
    if secret and shows not in seats:
        return Mine(overlay="", curtain=seat, status=words("web.curtain", name=names[seat]))
    if secret and shows is not None:
        if deciding in seats and shows != deciding:
            status = words("web.curtain", name=names[deciding])
            return Mine(overlay="", curtain=deciding, status=status)
        seat = shows
    found = Mine(overlay="", seat=seat)
    found.yours = deciding == seat and not table.seats[seat].bot and not table.paused
    if not found.yours and not table.contract.secrets:
        return found
    alike = public is not None and not table.contract.secrets
    seen = public if alike else _known(table.contract).of(game, 1 << seat)
    if table.contract.secrets:
        found.overlay = overlay(table.contract, look, seen, seat)
    if found.yours:
        found.status = awaited(words.language, table.plan.game, game.phase)
        found.choices = choices(table.contract, words, seen, game._legal_numbers(), names)
    return found


# ---------------------------------------------------------------- the broadcast


@dataclass(eq=False)
class Shown:
    """The public layer for all who look in one way, as it was last sent."""

    look: Look
    canvas: Canvas = field(default_factory=Canvas)
    number: int = -1
    steps: int = 0
    entries: int = 0
    body: dict[str, Any] = field(default_factory=dict)
    """Besides the picture."""
    names: tuple[str, ...] = ()
    top: TopFacts | None = None
    """What the top told that was sent last."""


def changes(canvas: Canvas) -> list[Change]:
    """The parts that are not as they were, each with its place."""
    return [(place, canvas.parts[place]) for place in canvas.changed]


class Broadcast:
    """Tells all who look at a table what changed there."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.pages = Pages(house)
        self.viewers: dict[str, set[Viewer]] = {}
        self._shown: dict[str, dict[Look, Shown]] = {}
        """By table."""
        self._pieces: dict[str, Pieces] = {}
        self._dirty: dict[str, Table] = {}
        self._telling = False
        self._beating: asyncio.Task[None] | None = None
        self.closing = False
        house.changed = self.changed
        house.renamed = self.renamed
        house.returned = self.tell_again
        house.looks = self._looks
        house.looked_at = lambda table: bool(self.viewers.get(table.id))

    def _looks(self, table: Table, person: str) -> bool:
        return any(viewer.person == person for viewer in self.viewers.get(table.id, ()))

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._beating = self._loop.create_task(self._beat())

    def close(self) -> None:
        """End all streams: the browsers come back by themselves."""
        self.closing = True
        for viewers in self.viewers.values():
            for viewer in viewers:
                viewer.end()

    def changed(self, table: Table) -> None:
        if self.viewers.get(table.id):
            self._dirty[table.id] = table
            if not self._telling:
                self._telling = True
                self._loop.call_soon(self._tell_next)

    def _tell_next(self) -> None:
        """Draw and send, table by table, and let others do something in between. When there is
        more than can be drawn, the steps of a table that waited are told together."""
        table_id = next(iter(self._dirty))
        try:
            self.tell(self._dirty.pop(table_id))
        except Exception:  # one table's trouble is not that of all
            log.exception("a table could not be shown")
        self._telling = bool(self._dirty)
        if self._telling:
            self._loop.call_soon(self._tell_next)

    async def _beat(self) -> None:
        """Now and then a sign of life to all who look, who thereby give one."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for table_id, viewers in self.viewers.items():
                for viewer in viewers:
                    self.house.seen[table_id, viewer.person] = time.monotonic()
                    viewer.put(b": still here\n\n")

    # ------------------------------------------------------------ one table

    def pieces(self, table: Table) -> Pieces:
        return self._pieces.setdefault(table.id, Pieces())

    def public(self, table: Table, look: Look, names: Sequence[str]) -> list[str]:
        """The public picture now, in parts."""
        shown = self._shown.get(table.id, {}).get(look)
        if shown is not None and shown.number == table.number:
            return shown.canvas.parts
        canvas = Canvas()
        self._draw(table, canvas, look, names)
        return canvas.parts

    def _draw(self, table: Table, canvas: Canvas, look: Look, names: Sequence[str]) -> Any:
        """Draw a table as it is now; the watcher's view from which that was done."""
        game = table.game
        assert game is not None
        sight = _watched(table.contract)
        seen = sight.of(game)
        ids = self.pieces(table).at(game, len(game.steps), seen)
        draw(canvas, table.contract, look, seen, names, ids, sight.points(game))
        return seen

    def join(self, table: Table, viewer: Viewer) -> bytes:
        """Somebody looks: the whole public layer, and their own."""
        looks = self._shown.setdefault(table.id, {})
        if viewer.look in looks and looks[viewer.look].number != table.number:
            self.tell(table)  # the others; whoever joins gets the whole
        self.viewers.setdefault(table.id, set()).add(viewer)
        gone = self.house.gone(table)
        top = self.pages.top_facts(table, gone)
        shown = looks.get(viewer.look)
        if shown is None:
            shown = looks[viewer.look] = Shown(viewer.look, top=top)
            self._show(table, shown)
        body = self._whole(table, shown, top)
        own = self._own(table, viewer, range(shown.steps + 1), shown.names, gone, None)
        return _begun(shown.number, body) + own

    def leave(self, table: Table, viewer: Viewer) -> None:
        left = self.viewers.get(table.id, set())
        self.house.present(table, viewer.person)
        left.discard(viewer)
        if not any(other.look == viewer.look for other in left):
            self._shown.get(table.id, {}).pop(viewer.look, None)
        if not left:
            self.viewers.pop(table.id, None)
            self._shown.pop(table.id, None)
            self._pieces.pop(table.id, None)

    def tell_again(self, table: Table) -> None:
        """Somebody went or came back: who is there, and what may be done about it."""
        for shown in self._shown.get(table.id, {}).values():
            shown.number = -1
        self.tell(table)

    def renamed(self, table: Table) -> None:
        """A name at the table changed: all look anew."""
        for viewer in self.viewers.get(table.id, ()):
            viewer.end()
        self._shown.pop(table.id, None)

    def tell(self, table: Table) -> None:
        """Send what is new to all who look."""
        viewers = self.viewers.get(table.id, ())
        gone = self.house.gone(table, {viewer.person for viewer in viewers})
        top = self.pages.top_facts(table, gone)
        news: dict[Look, tuple[bytes, range, Shown, Any]] = {}
        for look, shown in self._shown.get(table.id, {}).items():
            if shown.number != table.number:
                new, seen = self._show(table, shown)
                if new is None:
                    body, new = self._whole(table, shown, top), range(shown.steps + 1)
                else:
                    body = self._news(table, shown, new, top)
                shown.top = top
                news[look] = _begun(table.number, body), new, shown, seen
        for viewer in viewers:
            if viewer.look in news:
                message, steps, shown, seen = news[viewer.look]
                viewer.put(message, self._own(table, viewer, steps, shown.names, gone, seen))

    def _show(self, table: Table, shown: Shown) -> tuple[range | None, Any]:
        """Bring the public layer up to date: which steps are new in it (None if it begins anew),
        and the view from which it was drawn, if it was."""
        look, game = shown.look, table.game
        if shown.number < table.arranged:
            shown.names = tuple(self.house.names_at(table, look.words("web.someone")))
        shown.number = table.number
        shown.body = {
            "number": table.number,
            "moment": table.moment,
            "state": table.state,
            "awaited": table.deciding,
            "status": self.pages.status(table, look.words, shown.names),
        }
        if game is None:
            return range(0), None
        before, had = shown.steps, shown.entries
        shown.steps, shown.entries = len(game.steps), len(game.entries)
        straight = bool(shown.canvas.parts) and shown.entries - had == shown.steps - before
        if straight and had == shown.entries:
            shown.canvas.renew()
            return range(0), None
        if not straight:
            self.pieces(table).undone(0)
        seen = self._draw(table, shown.canvas, look, shown.names)
        return range(before + 1, shown.steps + 1) if straight else None, seen

    def _whole(self, table: Table, shown: Shown, top: TopFacts) -> dict[str, Any]:
        """The public layer for who has nothing of it yet."""
        whole = shown.body | {
            "top": self.pages.top(table, shown.look, shown.names, top),
            "picture": shown.canvas.parts,
            "whole": True,
        }
        if table.game is not None:
            steps = range(shown.steps + 1)
            whole["log"] = lines_of(table, shown.look.words, shown.names, 0, steps)
        return whole

    def _news(self, table: Table, shown: Shown, new: range, top: TopFacts) -> dict[str, Any]:
        """What changed in the public layer since it was last sent."""
        news = shown.body.copy()
        if top != shown.top:
            news["top"] = self.pages.top(table, shown.look, shown.names, top)
        if table.game is not None:
            news["changes"] = changes(shown.canvas)
            news["lines"] = lines_of(table, shown.look.words, shown.names, 0, new)
        return news

    def _own(
        self,
        table: Table,
        viewer: Viewer,
        steps: range,
        names: Sequence[str],
        gone: tuple[bool, ...],
        public: Any,
    ) -> bytes:
        """What one person sees besides, as far as they don't have it already."""
        found = mine(table, viewer.look, viewer.person, viewer.shows, names, public)
        if table.contract.secrets and table.game and found.seat >= 0:
            bits = 1 << found.seat
            if has_secrets(table.game, bits, steps):
                found.lines = lines_of(table, viewer.look.words, names, bits, steps)
        viewer.overlay, overlay = found.overlay, viewer.overlay
        if found.overlay == overlay:
            found.overlay = None
        found.panel = self._panel(table, viewer, names, gone)
        return _json.encode(found) + b"\n\n"

    def _panel(
        self, table: Table, viewer: Viewer, names: Sequence[str], gone: tuple[bool, ...]
    ) -> str | None:
        """A person's panel; None if it is the one they have."""
        facts = self.pages.panel_facts(table, viewer.person, gone)
        if facts == viewer.panel:
            return None
        viewer.panel = facts
        return self.pages.panel(table, viewer.look, viewer.person, names, facts)


def _begun(number: int, public: dict[str, Any]) -> bytes:
    """A message up to where each person's own part begins."""
    return b"id: %d\ndata: %b\ndata: " % (number, _json.encode(public))
