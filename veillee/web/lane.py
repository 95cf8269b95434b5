"""The way of a move: what the page's script sends from a table, and the stream it listens to.

These two are asked for all the time, so they are answered right where their bytes arrive, without
the framework and its layers. Everything else on the same connection, forms without script too, goes
on through uvicorn to the application. A move goes

    Lane           which of the two it is
    Post           who asks, and is it allowed to ask
    Desk.act       which table, and what is done there
    House.change   checked against the table, written to the disk, added to the table
    Broadcast      drawn once for all who look in one way
    Window         sent to each

and is answered as soon as it is on the disk.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

import msgspec
from litestar.exceptions import HTTPException
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from veillee.engine.refusal import Refusal
from veillee.web.acts import ACTS
from veillee.web.desk import Desk
from veillee.web.guard import GUARDED, is_allowed
from veillee.web.looks import Viewer
from veillee.web.people import COOKIE, Person, language_of
from veillee.web.share import LARGEST_NOTE
from veillee.web.table import Table

MOST_WAITING = 256 * 1024
"""How many bytes may wait for a slow reader before it is told to begin anew."""
JSON = b"content-type: application/json\r\n"
STREAM = (
    b"content-type: text/event-stream; charset=utf-8\r\ncache-control: no-store\r\n"
    b"x-accel-buffering: no\r\ntransfer-encoding: chunked\r\n"
)
LONGEST_LINE = 4096
"""How far we look for the end of a request's first line, to see whose it is."""
LAST = b"0\r\n\r\n"
NOBODY = Person("")
"""Who asks, as long as we do not know."""

_json = msgspec.json.Encoder()
_form = msgspec.json.Decoder(dict[str, str])
_acts = {name.encode(): name for name in ACTS}
log = logging.getLogger("veillee.web")


class Lane(HttpToolsProtocol):
    """One connection. Uvicorn reads what comes; where it would begin a cycle with the application,
    the two ways take its place."""

    desk: Desk
    window: Window | None = None
    """What is told on this connection now."""
    handed = b""
    """What another process had read when it handed the connection over."""
    begun = b""
    """The first line of a request, of which the end is yet to come."""
    reading = False
    """Whether a request has begun to arrive, and is not whole."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.desk = self.config.app.state.desk  # type: ignore[union-attr]
        if self.handed:
            self.data_received(self.handed)

    def data_received(self, data: bytes) -> None:
        share = self.desk.share
        if share is not None and not self.reading and not self.pipeline:
            data, self.begun = self.begun + data, b""
            if b"\n" not in data and len(data) < LONGEST_LINE:
                self.begun = data
                return
            owner = share.asked(data)
            if owner != share.number and self._is_idle() and len(data) < LARGEST_NOTE:
                connection = self.transport.get_extra_info("socket").fileno()
                share.hand_over(owner, connection, data)
                self.transport.abort()  # ours alone: the connection stays open where it is now
                return
        super().data_received(data)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def on_message_begin(self) -> None:
        self.reading = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        asked = self._ours()
        if asked is None:
            super().on_headers_complete()
            return
        before, self.cycle = self.cycle, asked
        if before is None or before.response_complete:
            asked.may_begin = True
        else:  # as uvicorn does it: answers go out in the order of the requests
            self.flow.pause_reading()
            self.pipeline.appendleft((asked, self.app))

    def on_message_complete(self) -> None:
        self.reading = False
        super().on_message_complete()
        if isinstance(self.cycle, Asked):
            self.cycle.go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.window is not None:
            self.window.gone()

    def keeps_alive(self) -> bool:
        """Whether the connection is good for another request, as uvicorn sees it."""
        return self.parser.should_keep_alive() and self.parser.get_http_version() != "1.0"

    def _ours(self) -> Asked | None:
        """The request, if it goes one of the two ways. One that the guard would refuse goes on to
        it, and one that wants something unusual of HTTP to those who know about it."""
        if not self.url.startswith(b"/t/") or self.expect_100_continue:
            return None
        path, _, query = self.url.partition(b"?")
        parts = path.split(b"/")
        if len(parts) != 4 or b"%" in path or self.parser.should_upgrade():
            return None
        method, headers = self.parser.get_method(), dict(self.headers)
        if method == b"POST":
            act = _acts.get(parts[3])
            scripted = headers.get(b"x-veillee") == b"1"
            as_json = headers.get(b"content-type", b"").startswith(b"application/json")
            if act and scripted and as_json and is_allowed(headers):
                return Post(self, headers, parts[2].decode(), act)
        elif method == b"GET" and parts[3] == b"live" and not self._has_body(headers):
            return Live(self, headers, parts[2].decode(), query.decode("latin-1"))
        return None

    @staticmethod
    def _has_body(headers: dict[bytes, bytes]) -> bool:
        return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


class Asked(RequestResponseCycle):
    """A request of one of the two ways, and for uvicorn a cycle like any other: it adds to the
    body, and looks whether the response is complete. It runs none with the application."""

    message_event = asyncio.Event()
    """Set by uvicorn whenever something arrives; nobody waits for it here."""
    more_body = True
    response_complete = False
    at_table = False
    """Whether something is done at the table, and not only looked at."""
    may_begin = False
    """Whether all that was asked before on this connection is answered, and this not yet begun."""

    def __init__(self, lane: Lane, headers: dict[bytes, bytes], table_id: str) -> None:
        self.lane = lane
        self.desk = lane.desk
        self.transport = lane.transport
        self.given = headers
        self.table_id = table_id
        self.keep_alive = lane.keeps_alive()
        self.body = bytearray()

    async def run_asgi(self, _: Any) -> None:
        """Called by uvicorn when it is our turn at last."""
        self.may_begin = True
        self.go_on()

    def go_on(self) -> None:
        """Begin, once, when the whole request is there and it is its turn."""
        if self.may_begin and not self.more_body:
            self.may_begin = False
            task = self.lane.loop.create_task(self._begin())
            self.lane.tasks.add(task)
            task.add_done_callback(self.lane.tasks.discard)

    async def _begin(self) -> None:
        person = NOBODY
        try:
            person = await self.desk.known(self.cookie(COOKIE))
            body = await self.grant(person)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person must hear of it
            self.refuse(error, person)
        else:
            if body is not None:
                self.answer(200, body)

    async def grant(self, person: Person) -> bytes | None:
        """Do what is asked, or refuse it: the answer, or None if that is given otherwise."""
        raise NotImplementedError

    def header(self, name: bytes) -> str:
        return self.given.get(name, b"").decode("latin-1")

    def cookie(self, name: str) -> str:
        for part in self.header(b"cookie").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value
        return ""

    def language(self, person: Person) -> str:
        return language_of(person, self.header(b"accept-language"))

    def head(self, status: int, kind: bytes) -> bytes:
        """The head of an answer, up to its last lines."""
        return _head(status, kind, self.keep_alive, *self.lane.server_state.default_headers)

    def answer(self, status: int, body: bytes) -> None:
        if not self.transport.is_closing():
            length = b"content-length: %d\r\n\r\n" % len(body)
            self.transport.write(b"".join((self.head(status, JSON), length, body)))
        self.complete()

    def complete(self) -> None:
        self.response_complete = True
        if not self.keep_alive:
            self.transport.close()
        self.lane.on_response_complete()

    def refuse(self, error: Exception, person: Person) -> None:
        """Say what is wrong, in the person's language; of our own mistakes nothing."""
        if not isinstance(error, Refusal | HTTPException):
            log.error("a request failed", exc_info=error)
            error = HTTPException(status_code=500)
        status, told = self.desk.refused(error, self.language(person), self.at_table)
        self.answer(status, _json.encode(told))


@lru_cache(64)
def _head(status: int, kind: bytes, keep_alive: bool, *more: tuple[bytes, bytes]) -> bytes:
    """The same for all within a second: then uvicorn has another date."""
    lines = [b"%b: %b\r\n" % each for each in more]
    last = b"" if keep_alive else b"connection: close\r\n"
    return b"".join((STATUS_LINE[status], *lines, kind, GUARDED, last))


class Post(Asked):
    """Something that a person does at a table."""

    at_table = True

    def __init__(self, lane: Lane, headers: dict[bytes, bytes], table_id: str, act: str) -> None:
        super().__init__(lane, headers, table_id)
        self.act = act

    async def grant(self, person: Person) -> bytes:
        form = self._form()
        self.desk.check(form.get("csrf") or self.header(b"x-csrf"), person)
        language = self.language(person)
        table = await self.desk.act(person, language, self.table_id, self.act, form)
        return b'{"ok":true,"number":%d}' % table.number

    def _form(self) -> dict[str, str]:
        try:
            return _form.decode(self.body)
        except msgspec.MsgspecError:
            raise HTTPException(status_code=400) from None


class Live(Asked):
    """Somebody wants to look: the whole first, then each change."""

    def __init__(self, lane: Lane, headers: dict[bytes, bytes], table_id: str, query: str) -> None:
        super().__init__(lane, headers, table_id)
        self.scope = lane.scope
        self.query = parse_qs(query)

    async def grant(self, person: Person) -> None:
        self.desk.limit(self.desk.asking, await self._where())
        table = await self.desk.seen(self.table_id, person)
        if not self.transport.is_closing():
            self._tell(table, person)

    async def _where(self) -> str:
        """The address that asks; behind a proxy that we trust, the one that it tells."""

        async def known(*_: Any) -> None:
            pass

        trusted = self.lane.config.forwarded_allow_ips
        await ProxyHeadersMiddleware(known, trusted)(self.scope, self.receive, self.send)
        return self.scope["client"][0] if self.scope["client"] else ""

    def _tell(self, table: Table, person: Person) -> None:
        shape = self._asks("tall") or self.cookie("shape")
        look = self.desk.look(self.language(person), shape, self.header(b"user-agent"))
        shows = self._asks("look")
        self.desk.house.present(table, person.id)
        number = int(shows) if shows.isdigit() else None
        window = Window(person.id, look, number, live=self, table=table)
        try:
            first = self.desk.broadcast.join(table, window)
        except Exception:
            self.desk.broadcast.leave(table, window)
            raise
        self.lane.window = window
        window.put(b"retry: 1000\n\n", first, head=self.head(200, STREAM) + b"\r\n")
        if self.desk.broadcast.closing:
            window.end()

    def _asks(self, name: str) -> str:
        return self.query.get(name, [""])[0]


@dataclass(eq=False)
class Window(Viewer):
    """A browser window that looks: what it is told goes straight onto its connection."""

    live: Live = field(kw_only=True)
    table: Table = field(kw_only=True)
    ended: bool = False

    def put(self, *message: bytes, head: bytes = b"") -> None:
        transport = self.live.transport
        if self.ended:
            return
        if transport.get_write_buffer_size() > MOST_WAITING:
            self.end()
            return
        size = b"%b%x\r\n" % (head, sum(map(len, message)))
        transport.write(b"".join((size, *message, b"\r\n")))

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self.live.transport.write(LAST)
            self.live.lane.loop.call_soon(self._leave)

    def gone(self) -> None:
        """The connection is no more."""
        if not self.ended:
            self.ended = True
            self._leave()

    def _leave(self) -> None:
        desk, lane = self.live.desk, self.live.lane
        lane.window = None
        desk.broadcast.leave(self.table, self)
        if self.person in self.table.people and not desk.broadcast.closing:
            lane.loop.call_later(desk.house.away + 1, desk.broadcast.tell_again, self.table)
        self.live.complete()
