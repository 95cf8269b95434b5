"""Streams: a table, or all tables of an account, as server-sent events or as lines of JSON."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

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
from veillee.web.people import Person
from veillee.web.tables.table import Table
from veillee.web.tokens import Token

STREAMS = "Streams"
SSE, NDJSON = "text/event-stream", "application/x-ndjson"
LOOK = 0.5
"""Seconds between two looks for new tables and invitations of an account."""
CHECK = 5.0
"""Seconds between two looks whether the token was revoked."""
MOST_FOLLOWED = 200
"""Tables that one stream follows."""
Most = Annotated[
    int | None, Parameter(ge=1, le=1_000_000, description="End after so many messages.")
]
Sent = types.TableMessage | types.AccountMessage
_json = msgspec.json.Encoder()


# ------------------------------------------------------------ what is told


async def table_messages(
    context: AppContext, follower: Follower, table: Table, person: Person, words: Words
) -> AsyncIterator[types.TableMessage | None]:
    """A table, then what happens there, until the game is over. None is a heartbeat."""
    teller = Teller(table, person.id)
    unlogged = False
    while table.may_watch(person.id):
        names = context.tables.names_at(table, words("web.someone"))
        away = context.presence.away_seats(table)
        message = teller.news(names, away, words, again=unlogged)
        yield message
        if table.state == "over" or follower.ended:
            return
        changed = await follower.wait(HEARTBEAT)
        unlogged = any(changed.values())


async def account_messages(
    context: AppContext, follower: Follower, person: Person, words: Words
) -> AsyncIterator[types.AccountMessage | None]:
    """Invitations, decisions to take and ends of games at all tables of a person."""
    yield types.AccountMessage("hello", None)
    invited: set[str] = set()
    told: dict[str, int] = {}
    """The moment of each table at which the person was last told that it is their turn."""
    silent = 0.0
    while not follower.ended:
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
        silent = 0.0 if found else silent + LOOK
        if silent >= HEARTBEAT:
            silent = 0.0
            yield None
        await follower.wait(LOOK)


def _is_news(table: Table, person: Person, told: dict[str, int]) -> bool:
    if table.state == "over":
        return True
    return table.deciding in table.seats_of(person.id) and told.get(table.id) != table.moment


async def _new_invitations(context: AppContext, person: Person, invited: set[str]) -> list[Table]:
    ids = await api_queries.invitations_of(context.store, person.id, MOST_FOLLOWED)
    new = [table_id for table_id in ids if table_id not in invited]
    invited.update(new)
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
    await context.presence.refresh(table)
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
    follower: Follower,
    token: Token,
    messages: AsyncIterator[Any],
    write: Callable[[Any], bytes],
    most: int | None,
) -> AsyncIterator[bytes]:
    """Messages as bytes, so many at most, until the token is revoked."""
    count, checked = 0, time.monotonic()
    try:
        async for message in messages:
            if time.monotonic() - checked > CHECK:
                checked = time.monotonic()
                if not await context.tokens.is_valid(token):
                    return
            count += message is not None
            yield write(message)
            if count == most:
                return
    finally:
        await leave_all(context, follower)


def _stream(
    context: AppContext,
    follower: Follower,
    token: Token,
    messages: AsyncIterator[Any],
    kind: str,
    most: int | None,
) -> Stream:
    write = as_event if kind == SSE else as_line
    return Stream(
        written(context, follower, token, messages, write, most),
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
    follower = context.feed.add(person.id)
    try:
        await join(context, follower, table)
    except BaseException:
        await leave_all(context, follower)
        raise
    messages = table_messages(context, follower, table, person, words)
    return _stream(context, follower, token, messages, kind, most)


def _follow_account(
    context: AppContext, person: Person, token: Token, words: Words, most: int | None, kind: str
) -> Stream:
    follower = context.feed.add(person.id)
    messages = account_messages(context, follower, person, words)
    return _stream(context, follower, token, messages, kind, most)


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
