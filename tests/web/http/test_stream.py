"""A stream between the table and a slow client."""

from __future__ import annotations

import asyncio
import dataclasses
from functools import partial

import pytest

from tests.web.loop import run
from tests.web.tables.test_registry import TWO_ON_A_SCREEN, two_servers
from veillee.engine.i18n import Words
from veillee.web.delivery.rendering import Layout
from veillee.web.http.api import streams
from veillee.web.http.asgi import Message
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller
from veillee.web.http.stream import MOST_WAITING, Stream, answer_stream
from veillee.web.people import Person
from veillee.web.tables.plans import open_table


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


def request(context: AppContext, person: str) -> Caller:
    """A person's request for a stream."""
    cookie = f"veillee={context.signer.sign_person(person)}".encode()
    headers = [(b"host", b"localhost"), (b"cookie", cookie)]
    return Caller({"headers": headers, "query_string": b"", "client": ("192.0.2.1", 1)})


async def for_ever() -> Message:
    await asyncio.sleep(3600)
    raise AssertionError


async def take_the_head(message: Message) -> None:
    """As a server whose client has gone without a word."""
    if message["type"] == "http.response.body":
        await asyncio.sleep(3600)


def test_a_refused_stream_leaves_no_subscription(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            await one.people.save(Person("p", "Ida"))
            private = dataclasses.replace(TWO_ON_A_SCREEN, watching=False)
            await open_table(one.tables, "t", one.seeds.seed("t"), "p", private)
            sent: list[Message] = []

            async def send(message: Message) -> None:
                sent.append(message)

            await answer_stream(other, request(other, "stranger"), "t", for_ever, send)
            assert sent[0]["status"] == 403
            assert not other.bus._tables

    run(story())


def test_who_takes_nothing_is_not_there(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veillee.web.http.stream.SEND_DEADLINE", 0.1)
    monkeypatch.setattr("veillee.web.delivery.broadcast.HEARTBEAT", 0.05)

    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.people.save(Person("p", "Ida"))
            table = await open_table(one.tables, "t", one.seeds.seed("t"), "p", TWO_ON_A_SCREEN)
            async with asyncio.timeout(10):
                await answer_stream(one, request(one, "p"), "t", for_ever, take_the_head)
            assert not one.presence.is_here(table, "p")

    run(story())


def test_a_program_that_takes_nothing_is_not_there(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "SEND_DEADLINE", 0.1)

    async def story() -> None:
        async with two_servers(database) as (one, _):
            ida = await one.people.save(Person("p", "Ida"))
            table = await open_table(one.tables, "t", one.seeds.seed("t"), "p", TWO_ON_A_SCREEN)
            token = await one.tokens.find(await one.tokens.make(ida, "laptop", ["read"]))
            assert token is not None
            messages = partial(streams.table_messages, one, table, ida, Words("en"))
            told = streams.written(one, token, messages, streams.as_line, None)
            assert await anext(told)
            assert one.presence.is_here(table, "p")
            async with asyncio.timeout(10):
                while one.presence.is_here(table, "p"):
                    await asyncio.sleep(0.01)
            assert [line async for line in told] == []

    run(story())
