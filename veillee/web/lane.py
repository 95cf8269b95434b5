"""The way of a move: what the page's script sends from a table, and the stream it listens to.

These two are asked for all the time, so they go before the framework and its layers. Everything
else, forms without script too, goes on to the application. A move goes

    Lane._act      who asks, and is it allowed to ask
    Desk.act       which table, and what is done there
    House.change   checked against the table, written to the disk, added to the table
    Broadcast      drawn once for all who look in one way, sent to each

and is answered as soon as it is on the disk.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import msgspec
from litestar.exceptions import HTTPException

from veillee.engine.refusal import Refusal
from veillee.web.acts import ACTS
from veillee.web.guard import Guard
from veillee.web.looks import Viewer
from veillee.web.people import COOKIE, Person, language_of

if TYPE_CHECKING:
    from litestar import Litestar
    from litestar.types import Receive, Scope, Send

    from veillee.web.desk import Desk

_json = msgspec.json.Encoder()
_form = msgspec.json.Decoder(dict[str, str])


class Asked:
    """A request, as far as these two ways need it."""

    def __init__(self, scope: Any) -> None:
        self.headers: dict[bytes, str] = {
            key: value.decode("latin-1") for key, value in scope["headers"]
        }
        self.query: dict[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"))
        self.where = scope["client"][0] if scope["client"] else ""

    def cookie(self, name: str) -> str:
        for part in self.headers.get(b"cookie", "").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value
        return ""

    def asks(self, name: str) -> str:
        return self.query.get(name, [""])[0]

    def language(self, person: Person) -> str:
        return language_of(person, self.headers.get(b"accept-language", ""))


class Lane:
    """Before the application."""

    def __init__(self, app: Litestar) -> None:
        self.app = app
        self._guarded = Guard(self._serve)

    @property
    def desk(self) -> Desk | None:
        return getattr(self.app.state, "desk", None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        way = self._guarded if self._is_ours(scope) else self.app
        await way(scope, receive, send)

    @staticmethod
    def _is_ours(scope: Any) -> bool:
        if scope["type"] != "http" or not scope["path"].startswith("/t/"):
            return False
        _, _, _, *what = scope["path"].split("/")
        if scope["method"] != "POST":
            return bool(scope["method"] == "GET" and what == ["live"])
        headers = dict(scope["headers"])
        scripted = headers.get(b"x-veillee") == b"1"
        as_json = headers.get(b"content-type", b"").startswith(b"application/json")
        return len(what) == 1 and what[0] in ACTS and scripted and as_json

    async def _serve(self, scope: Any, receive: Receive, send: Send) -> None:
        asked = Asked(scope)
        _, _, table_id, what = scope["path"].split("/")
        desk = self.desk
        assert desk is not None
        person = await desk.known(asked.cookie(COOKIE))
        try:
            if what == "live":
                await _live(desk, asked, person, table_id, receive, send)
            else:
                body = await _act(desk, asked, person, table_id, what, receive)
                await _answer(send, 200, body)
        except (Refusal, HTTPException) as error:
            status, told = desk.refused(error, asked.language(person), what != "live")
            await _answer(send, status, _json.encode(told))


async def _act(
    desk: Desk, asked: Asked, person: Person, table_id: str, act: str, receive: Receive
) -> bytes:
    """Something that a person does at a table."""
    message: Any = await receive()
    body = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    try:
        form = _form.decode(body)
    except msgspec.MsgspecError:
        raise HTTPException(status_code=400) from None
    desk.check(form.get("csrf") or asked.headers.get(b"x-csrf", ""), person)
    table = await desk.act(person, asked.language(person), table_id, act, form)
    return b'{"ok":true,"number":%d}' % table.number


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


STREAM = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


async def _live(
    desk: Desk, asked: Asked, person: Person, table_id: str, receive: Receive, send: Send
) -> None:
    """The stream of what happens: the whole first, then each change."""
    desk.limit(desk.asking, asked.where)
    table = await desk.seen(table_id, person)
    look = desk.look(
        asked.language(person),
        asked.asks("tall") or asked.cookie("shape"),
        asked.headers.get(b"user-agent", ""),
    )
    shows = asked.asks("look")
    viewer = Viewer(person.id, look, int(shows) if shows.isdigit() else None)
    desk.house.present(table, person.id)
    leaving = asyncio.create_task(_until_gone(receive, viewer))
    try:
        message: bytes | None = b"retry: 1000\n\n" + desk.broadcast.join(table, viewer)
        await send({"type": "http.response.start", "status": 200, "headers": list(STREAM)})
        while message is not None:
            await send({"type": "http.response.body", "body": message, "more_body": True})
            message = None if desk.broadcast.closing else await viewer.next()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        leaving.cancel()
        desk.broadcast.leave(table, viewer)
        if viewer.person in table.people and not desk.broadcast.closing:
            loop = asyncio.get_running_loop()
            loop.call_later(desk.house.away + 1, desk.broadcast.tell_again, table)


async def _until_gone(receive: Receive, viewer: Viewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.waiting.clear()
    viewer.end()
