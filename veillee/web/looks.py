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
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import msgspec
import numpy as np

from veillee.engine.contract import Contract
from veillee.engine.game import Game, mask
from veillee.engine.record import States, copied
from veillee.engine.words import Words
from veillee.web.choices import Choices, choices
from veillee.web.house import House
from veillee.web.table import Table

HEARTBEAT = 20
"""Seconds between two signs of life in a stream."""
CUT = "<g "
"""Parts of pictures are compared group by group."""
Change = tuple[int, list[str | int]]
_json = msgspec.json.Encoder()
log = logging.getLogger("veillee.web")


@dataclass(frozen=True)
class Look:
    """How somebody looks at tables."""

    language: str
    tall: bool

    @property
    def words(self) -> Words:
        return _words(self.language)


_words = cache(Words)


# ---------------------------------------------------------------- pictures


def views(game: Game, seats: Iterable[int], states: States | None = None) -> Any:
    """The game (or another state of it) as some seats may know it, for the plain rules.

    At the end all hands are on the table.
    """
    seen = copied(game.states if states is None else states)
    bits = (1 << game.players) - 1 if seen[0]["seat"] == -1 else mask(seats)
    game._run("view_at", bits, on=seen)
    return game.contract.twin(seen)


def picture(contract: Contract, look: Look, s: Any, names: Sequence[str], ids: Any) -> list[str]:
    """The public layer of a view, in parts."""
    drawing = contract.picture
    if drawing is not None:
        return drawing.board(look.words, s, names, look.tall, ids=ids)
    from rich.text import Text

    plain = Text.from_markup(contract.board(look.words, s, names)).plain
    return [f'<pre class="plain-board" tabindex="0">{html.escape(plain)}</pre>']


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


def state_after(game: Game, steps: int) -> States:
    """The state after so many steps, to read."""
    if steps >= len(game.steps):
        return game.states
    return np.frombuffer(game.steps[steps].before, game.contract.dtype)


# ---------------------------------------------------------------- words


def lines_of(
    table: Table, words: Words, names: Sequence[str], seats: int, steps: Iterable[int]
) -> list[str]:
    """What some steps told, in words, as those seats may know it. Step 0 is the opening."""
    game = table.game
    assert game is not None
    told: list[str] = []
    for step in steps:
        events = game.steps[step - 1].events if step else game.opening
        for event in events:
            line = table.contract.tell(words, event.seen_by(seats), names)
            if line is not None:
                told.append(line)
    return told


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
    panel: str | None = None
    """What was sent last of what seldom changes."""

    def what_is_new(self, own: Mine) -> Mine:
        """What is to be sent of a person's own part: not what they have already."""
        overlay, panel = self.overlay, self.panel
        self.overlay, self.panel = own.overlay, own.panel
        if own.overlay == overlay:
            own.overlay = None
        if own.panel == panel:
            own.panel = None
        return own

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
    seen = public if alike else views(game, (seat,))
    if table.contract.secrets:
        found.overlay = overlay(table.contract, look, seen, seat)
    if found.yours:
        doing = words(f"{table.plan.game}.phase.{game.phase}")
        found.status = words("web.status.yours", doing=doing)
        found.choices = choices(table.contract, words, seen, game._legal_numbers(), names)
    return found


# ---------------------------------------------------------------- the broadcast


@dataclass
class Shown:
    """The public layer as it was last sent."""

    number: int
    steps: int
    entries: int
    body: dict[str, Any]
    parts: list[str]
    seen: Any = None
    """The watcher's view from which it was drawn."""


def difference(old: Sequence[str], new: Sequence[str]) -> list[Change] | None:
    """The parts that changed: the place of each, and its groups, those as before by their number
    there. None if there are not as many parts as before."""
    if len(old) != len(new):
        return None
    return [
        (place, _groups_changed(before, after))
        for place, (before, after) in enumerate(zip(old, new, strict=True))
        if before != after
    ]


def _groups_changed(before: str, after: str) -> list[str | int]:
    known = _places(before)
    return [known.get(group, group) for group in _groups(after)]


@lru_cache(4096)
def _groups(part: str) -> list[str]:
    first, *others = part.split(CUT)
    return [*filter(None, [first]), *(CUT + other for other in others)]


@lru_cache(4096)
def _places(part: str) -> dict[str, int]:
    return {group: place for place, group in enumerate(_groups(part))}


class Broadcast:
    """Tells all who look at a table what changed there."""

    def __init__(self, house: House) -> None:
        from veillee.web.pages import Pages

        self.house = house
        self.pages = Pages(house)
        self.viewers: dict[str, set[Viewer]] = {}
        self._shown: dict[str, dict[Look, Shown]] = {}
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

    def public(self, table: Table, look: Look, names: Sequence[str], seen: Any = None) -> list[str]:
        """The public picture now, in parts; `seen`, if at hand, is a watcher's view."""
        game = table.game
        assert game is not None
        seen = seen or views(game, ())
        ids = self.pieces(table).at(game, len(game.steps), seen)
        return picture(table.contract, look, seen, names, ids)

    def join(self, table: Table, viewer: Viewer) -> bytes:
        """Somebody looks: the whole public layer, and their own."""
        shown = self._shown.setdefault(table.id, {})
        if viewer.look in shown and shown[viewer.look].number != table.number:
            self.tell(table)  # the others; whoever joins gets the whole
        self.viewers.setdefault(table.id, set()).add(viewer)
        names = self.house.names_at(table, viewer.look.words("web.someone"))
        gone = self.house.gone(table)
        if viewer.look not in shown:
            shown[viewer.look] = self._show(table, viewer.look, None, names, gone)[0]
        now = shown[viewer.look]
        steps = range(now.steps + 1)
        body = now.body | {"picture": now.parts, "whole": True}
        if table.game is not None:
            body["log"] = lines_of(table, viewer.look.words, names, 0, steps)
        own = self._mine(table, viewer, steps, names, gone, now.seen)
        viewer.overlay, viewer.panel = own.overlay, own.panel
        return _begun(now.number, _json.encode(body)) + _json.encode(own) + b"\n\n"

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
        shown = self._shown.get(table.id, {})
        gone = self.house.gone(table)
        news: dict[Look, tuple[bytes, range | None, list[str]]] = {}
        for look, old in list(shown.items()):
            if old.number != table.number:
                names = self.house.names_at(table, look.words("web.someone"))
                shown[look], public, steps = self._show(table, look, old, names, gone)
                news[look] = _begun(table.number, public), steps, names
        for viewer in self.viewers.get(table.id, ()):
            if viewer.look in news:
                message, steps, names = news[viewer.look]
                own = self._mine(table, viewer, steps, names, gone, shown[viewer.look].seen)
                viewer.put(message, _json.encode(viewer.what_is_new(own)), b"\n\n")

    def _show(
        self,
        table: Table,
        look: Look,
        old: Shown | None,
        names: list[str],
        gone: tuple[bool, ...],
    ) -> tuple[Shown, bytes, range | None]:
        """Draw the public layer: as it is now whole, and as what changed since."""
        words = look.words
        game = table.game
        body: dict[str, Any] = {
            "number": table.number,
            "moment": table.moment,
            "state": table.state,
            "top": self.pages.top(table, look, names, gone),
        }
        if game is None:
            return Shown(table.number, 0, 0, body, []), _json.encode(body), None
        steps, entries = len(game.steps), len(game.entries)
        straight = (
            old is not None and bool(old.parts) and entries - old.entries == steps - old.steps
        )
        if old is not None and straight and old.entries == entries:
            parts, seen = old.parts, old.seen
        else:
            if not straight:
                self.pieces(table).undone(0)
            seen = views(game, ())
            parts = self.public(table, look, names, seen)
        shown = Shown(table.number, steps, entries, body, parts, seen)
        if old is None or not straight:
            log = lines_of(table, words, names, 0, range(steps + 1))
            whole = body | {"picture": parts, "whole": True, "log": log}
            return shown, _json.encode(whole), range(steps + 1)
        new = range(old.steps + 1, steps + 1)
        changes = difference(old.parts, parts)
        drawn = {"picture": parts} if changes is None else {"changes": changes}
        lines = lines_of(table, words, names, 0, new)
        return shown, _json.encode(body | drawn | {"lines": lines}), new

    def _mine(
        self,
        table: Table,
        viewer: Viewer,
        steps: range | None,
        names: Sequence[str],
        gone: tuple[bool, ...],
        public: Any,
    ) -> Mine:
        found = mine(table, viewer.look, viewer.person, viewer.shows, names, public)
        bits = 1 << found.seat if found.seat >= 0 else 0
        if table.game and steps is not None and has_secrets(table.game, bits, steps):
            found.lines = lines_of(table, viewer.look.words, names, bits, steps)
        found.panel = (
            self.pages.panel(table, viewer.look, viewer.person, found, names, gone)
            if table.seats_of(viewer.person)
            else ""
        )
        return found


def _begun(number: int, public: bytes) -> bytes:
    """A message up to where each person's own part begins."""
    return b"id: %d\ndata: %b\ndata: " % (number, public)
