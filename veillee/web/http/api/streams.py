"""Streams: a table, or all tables of an account, as server-sent events or as lines of JSON."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from veillee.client import types
from veillee.engine.i18n import Words
from veillee.web.database import api_queries, queries
from veillee.web.delivery.broadcast import HEARTBEAT
from veillee.web.delivery.feed import Follower
from veillee.web.delivery.table_data import Teller
from veillee.web.http.api.operations import Declare, TableId, reads
from veillee.web.http.api.tables import shown
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import require_watching
from veillee.web.http.stream import SEND_DEADLINE
from veillee.web.people import Person
from veillee.web.tables.table import Table
from veillee.web.tokens import Token

STREAMS = "Streams"
SSE, NDJSON = "text/event-stream", "application/x-ndjson"
CHECK = 5.0
"""Seconds after which a message is sent only if the token is still in the store. A revocation ends
streams at once, but the bus may lose a message, and `veillee admin` sends none."""
MOST_FOLLOWED = 200
"""Tables that one stream follows."""
Most = Annotated[
    int | None, Parameter(ge=1, le=1_000_000, description="End after so many messages.")
]
Sent = types.TableMessage | types.AccountMessage
MessageSource = Callable[[Follower], AsyncIterator[Sent | None]]
_json = msgspec.json.Encoder()


# ------------------------------------------------------------ what is told


async def table_messages(
    context: AppContext, table: Table, person: Person, words: Words, follower: Follower
) -> AsyncIterator[types.TableMessage | None]:
    """A table, then what happens there, until the game is over. None is a heartbeat."""
    await join(context, follower, table)
    teller = Teller(table, person.id)
    unlogged = False
    while table.may_watch(person.id) and not follower.ended:
        names = context.tables.names_at(table, words("web.someone"))
        away = context.presence.away_seats(table)
        message = teller.news(names, away, words, again=unlogged)
        yield message
        if table.state == "over":
            return
        changed = await follower.wait(HEARTBEAT)
        unlogged = any(changed.values())


async def account_messages(
    context: AppContext, person: Person, words: Words, follower: Follower
) -> AsyncIterator[types.AccountMessage | None]:
    """Invitations, decisions to take and ends of games at all tables of a person.

    None is a heartbeat. The bus wakes the stream when there is an invitation or a new game. It may
    lose a message, so both lists are read again every HEARTBEAT seconds.
    """
    yield types.AccountMessage("hello", None)
    invited: set[str] = set()
    told: dict[str, int] = {}
    """The moment of each table at which the person was last told that it is their turn."""
    looked, spoken = 0.0, time.monotonic()
    while not follower.ended:
        found = []
        if follower.list_changed or time.monotonic() - looked >= HEARTBEAT:
            follower.list_changed, looked = False, time.monotonic()
            found = [
                types.AccountMessage("invited", shown(context, table, person, words))
                for table in await _new_invitations(context, person, invited)
            ]
            await _follow_new_tables(context, follower, person)
        for table in list(follower.tables.values()):
            data = shown(context, table, person, words) if _is_news(table, person, told) else None
            if data is not None and data.state == "over":
                context.feed.leave(table, follower)
                await context.tables.unwatch(table)
                found.append(types.AccountMessage("over", data))
            elif data is not None and data.yours:
                told[table.id] = table.moment
                found.append(types.AccountMessage("turn", data))
        for message in found:
            yield message
        if found:
            spoken = time.monotonic()
        elif time.monotonic() - spoken >= HEARTBEAT:
            spoken = time.monotonic()
            yield None
        await follower.wait(HEARTBEAT)


def _is_news(table: Table, person: Person, told: dict[str, int]) -> bool:
    if table.state == "over":
        return True
    return table.deciding in table.seats_of(person.id) and told.get(table.id) != table.moment


async def _new_invitations(context: AppContext, person: Person, invited: set[str]) -> list[Table]:
    ids = await api_queries.invitations_of(context.store, person.id, MOST_FOLLOWED)
    new = [table_id for table_id in ids if table_id not in invited]
    invited.clear()  # who refused can be invited again
    invited.update(ids)
    return [await context.tables.current(table_id) for table_id in new]


async def _follow_new_tables(context: AppContext, follower: Follower, person: Person) -> None:
    for own in await queries.tables_of(context.store, person.id, "playing", MOST_FOLLOWED):
        if own.id not in follower.tables:
            table = await context.tables.current(own.id)
            if table.state == "playing":
                await join(context, follower, table)


async def join(context: AppContext, follower: Follower, table: Table) -> None:
    """Follow a table."""
    context.feed.join(table, follower)
    await context.tables.watch(table)
    await context.presence.try_refresh(table)
    context.broadcast.expect_absence(table)
    await context.scheduler.wake(table)


async def leave_all(context: AppContext, follower: Follower) -> None:
    tables = list(follower.tables.values())
    context.feed.remove(follower)
    for table in tables:
        await context.tables.unwatch(table)
        context.broadcast.expect_absence(table)


# ------------------------------------------------------------ how it is told


def as_event(message: Sent | None) -> bytes:
    """A server-sent event."""
    if message is None:
        return b": still here\n\n"
    number = b"id: %d\n" % message.table.version if message.table else b""
    return number + b"event: %b\ndata: %b\n\n" % (message.event.encode(), _json.encode(message))


def as_line(message: Sent | None) -> bytes:
    return b"\n" if message is None else _json.encode(message) + b"\n"


async def written(
    context: AppContext,
    token: Token,
    messages: MessageSource,
    write: Callable[[Sent | None], bytes],
    most: int | None,
) -> AsyncIterator[bytes]:
    """Messages as bytes, so many at most, until the token is revoked."""
    count, checked = 0, 0.0
    follower = context.feed.add(token.person, token.id)
    leaving: list[asyncio.Task[None]] = []

    def give_up() -> None:
        """The client takes nothing: it is not there, however long the server waits for it."""
        follower.end()
        leaving.append(asyncio.create_task(leave_all(context, follower)))

    try:
        async for message in messages(follower):
            if time.monotonic() - checked > CHECK:
                checked = time.monotonic()
                if not await context.tokens.is_valid(token):
                    return
            if follower.ended:
                return
            count += message is not None
            deadline = asyncio.get_running_loop().call_later(SEND_DEADLINE, give_up)
            try:
                yield write(message)
            finally:
                deadline.cancel()
            if count == most:
                return
    finally:
        await leave_all(context, follower)


def _stream(
    context: AppContext, token: Token, messages: MessageSource, kind: str, most: int | None
) -> Stream:
    write = as_event if kind == SSE else as_line
    return Stream(
        written(context, token, messages, write, most),
        media_type=kind,
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


def _streams(path: str, kind: str, message: type, name: str, summary: str) -> Declare:
    spec = ResponseSpec(message, media_type=kind, generate_examples=False, description=summary)
    return reads(
        path,
        STREAMS,
        media_type=kind,
        operation_id=name,
        summary=summary,
        responses={200: spec},
    )


async def _follow_table(
    context: AppContext,
    person: Person,
    token: Token,
    words: Words,
    table_id: str,
    most: int | None,
    kind: str,
) -> Stream:
    table = require_watching(await context.tables.get(table_id), person)
    messages = partial(table_messages, context, table, person, words)
    return _stream(context, token, messages, kind, most)


def _follow_account(
    context: AppContext, person: Person, token: Token, words: Words, most: int | None, kind: str
) -> Stream:
    messages = partial(account_messages, context, person, words)
    return _stream(context, token, messages, kind, most)


@_streams(
    "/tables/{table_id:str}/stream", SSE, types.ServerSentEvent, "streamTable", "Follow a table"
)
async def table_events(
    context: AppContext,
    person: Person,
    token: Token,
    words: Words,
    table_id: TableId,
    most: Most = None,
) -> Stream:
    """Server-sent events: the table now, then after everything that happens, until the end."""
    return await _follow_table(context, person, token, words, table_id, most, SSE)


@_streams(
    "/tables/{table_id:str}/stream.ndjson",
    NDJSON,
    types.TableMessage,
    "streamTableLines",
    "Follow a table, by lines",
)
async def table_lines(
    context: AppContext,
    person: Person,
    token: Token,
    words: Words,
    table_id: TableId,
    most: Most = None,
) -> Stream:
    """The same as lines of JSON. An empty line is a heartbeat."""
    return await _follow_table(context, person, token, words, table_id, most, NDJSON)


@_streams("/stream", SSE, types.ServerSentEvent, "streamAccount", "Follow all your tables")
async def account_events(
    context: AppContext, person: Person, token: Token, words: Words, most: Most = None
) -> Stream:
    """Server-sent events: invitations, your turns and the ends of games, at all your tables."""
    return _follow_account(context, person, token, words, most, SSE)


@_streams(
    "/stream.ndjson",
    NDJSON,
    types.AccountMessage,
    "streamAccountLines",
    "Follow all your tables, by lines",
)
async def account_lines(
    context: AppContext, person: Person, token: Token, words: Words, most: Most = None
) -> Stream:
    """The same as lines of JSON. An empty line is a heartbeat."""
    return _follow_account(context, person, token, words, most, NDJSON)


HANDLERS = [table_events, table_lines, account_events, account_lines]
