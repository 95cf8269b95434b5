"""`GET /t/{id}/live`: a table as server-sent events."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import msgspec

from veillee.web.delivery.broadcast import Viewer
from veillee.web.http.asgi import Message, Receive, Send
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, limit, person_of, require_watching
from veillee.web.http.refusals import explain
from veillee.web.http.security import HEADERS, respond
from veillee.web.tables.commands import seat_number

MOST_WAITING = 256 * 1024
"""Bytes that may wait for a slow client before its stream is ended."""
SEND_DEADLINE = 30.0
"""Seconds after which a client counts as gone that takes nothing of what it is sent."""
START: Any = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *HEADERS,
    ],
}
END: Any = {"type": "http.response.body", "body": b"", "more_body": False}
_json = msgspec.json.Encoder()
log = logging.getLogger("veillee.stream")


@dataclass(eq=False)
class Stream(Viewer):
    """A viewer over HTTP: messages wait here until the connection takes them."""

    ended: bool = False
    _waiting: list[bytes] = field(default_factory=list)
    _size: int = 0
    sending: asyncio.Task[Any] | None = None
    """The task that sends, unless it has been given up."""
    _sending_since: float = math.inf
    """When the server was handed the message that the client has not taken yet."""
    _arrival: asyncio.Future[None] | None = None
    """Done when something arrives; None while nobody waits for it."""

    def put(self, *message: bytes) -> None:
        if time.monotonic() - self._sending_since > SEND_DEADLINE:
            self._give_up()
        if self.ended:
            return
        self._waiting += message
        self._size += sum(map(len, message))
        if self._size > MOST_WAITING:
            self.drop()
        self._wake()

    def end(self) -> None:
        self.ended = True
        self._wake()

    def drop(self) -> None:
        """End the stream without what waits: nobody reads it."""
        self._waiting.clear()
        self.end()

    def _give_up(self) -> None:
        """Stop sending: the client has taken nothing for long."""
        self.drop()
        self._sending_since = math.inf
        sending, self.sending = self.sending, None
        if sending is not None:
            sending.cancel()

    def _wake(self) -> None:
        arrival, self._arrival = self._arrival, None
        if arrival is not None and not arrival.done():
            arrival.set_result(None)

    async def send_to(self, send: Send) -> None:
        """Send what is put here, until the stream is ended.

        The deadline of `send` is checked when something is put, a heartbeat at the latest: a timer
        for each message costs 12 µs.
        """
        self.sending = asyncio.current_task()
        while not self.ended or self._waiting:
            if self._waiting:
                self._sending_since = time.monotonic()
                await send(self._take())
                self._sending_since = math.inf
            else:
                self._arrival = asyncio.get_running_loop().create_future()
                await self._arrival
        self._sending_since = time.monotonic()
        await send(END)
        self._sending_since = math.inf

    def _take(self) -> Message:
        """All that waits. Nothing else may hold it: a first message is 60 kB, and streams are open
        for long."""
        body = b"".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        return {"type": "http.response.body", "body": body, "more_body": True}


async def answer_stream(
    context: AppContext, caller: Caller, table_id: str, receive: Receive, send: Send
) -> None:
    """Send a table: the whole first, then each change."""
    person = await person_of(context, caller)
    async with AsyncExitStack() as stack:
        try:
            limit(context, context.limits.asking, caller.network)
            table = await context.tables.get(table_id)
            stack.push_async_callback(context.tables.unwatch, table)
            await context.tables.watch(table)
            require_watching(table, person)
            await context.presence.try_refresh(table)
            stream = Stream(person.id, caller.layout(person), seat_number(caller.asks("look")))
        except Exception as error:  # noqa: BLE001 - whatever it is, the person must hear of it
            told = explain(error, caller.language(person))
            await respond(send, told.status, _json.encode(told.body), b"application/json")
            return
        stack.callback(context.broadcast.leave, table, stream)
        stream.put(b"retry: 1000\n\n", context.broadcast.join(table, stream))
        context.broadcast.expect_absence(table)
        await context.scheduler.wake(table)
        if context.broadcast.closing:
            stream.end()
        await send(START)
        await run_stream(stream, receive, send)


async def run_stream(stream: Stream, receive: Receive, send: Send) -> None:
    """Send until the stream is ended or the client is gone."""
    gone = asyncio.create_task(_wait_for_end(stream, receive))
    try:
        await stream.send_to(send)
    except asyncio.CancelledError:
        if stream.sending is not None:  # the server is told to stop
            raise
        log.info("a stream was ended whose client took nothing for %d s", SEND_DEADLINE)
    finally:
        gone.cancel()


async def _wait_for_end(stream: Stream, receive: Receive) -> None:
    """End the stream when the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.drop()
