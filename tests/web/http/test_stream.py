"""A stream between the table and a slow client."""

from __future__ import annotations

import asyncio

from tests.web.loop import run
from veillee.web.delivery.rendering import Layout
from veillee.web.http.asgi import Message
from veillee.web.http.stream import MOST_WAITING, Stream


def test_a_slow_client_is_told_to_begin_anew() -> None:
    """Who does not read does not fill our memory; what was sent comes to a proper end."""

    async def story() -> None:
        stream = Stream("p0", Layout("en", "wide"))
        sent: list[Message] = []
        reading = asyncio.Event()

        async def send(message: Message) -> None:
            sent.append(message)
            await reading.wait()

        stream.put(b"ne", b"ws")
        sending = asyncio.create_task(stream.send_to(send))
        await asyncio.sleep(0)
        stream.put(b"x" * MOST_WAITING)
        assert not stream.ended
        stream.put(b"x")
        assert stream.ended
        stream.put(b"more")
        reading.set()
        await sending
        assert [(message["body"], message["more_body"]) for message in sent] == [
            (b"news", True),
            (b"", False),
        ]

    run(story())
