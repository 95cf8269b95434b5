"""`/g/{id}/review`: a game that people look back on together."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from veillee.web.database.queries import Review
from veillee.web.http.asgi import Receive, Send
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    Caller,
    Form,
    limit,
    limit_key,
    meet,
    person_of,
    require_watching,
    require_welcome,
)
from veillee.web.http.refusals import explain
from veillee.web.http.security import respond
from veillee.web.http.stream import START, Stream, run_stream
from veillee.web.people import Person
from veillee.web.reviews import LOOK_AGAIN
from veillee.web.tables.commands import refuse
from veillee.web.tables.table import Table

JSON = "application/json"
_json = msgspec.json.Encoder()


async def review_of(context: AppContext, table_id: str, review_id: str) -> Review:
    """A review of a table's game.

    Raises:
        Refusal: If there is none, or not any more.
    """
    review = await context.reviews.find(review_id)
    if review is None or review.table_id != table_id:
        raise refuse("web.review.unknown", "unknown")
    return review


def _number(form: Form, table: Table) -> int:
    last = len(table.game.steps) if table.game is not None else 0
    asked = form.get("moment", "")
    return min(int(asked), last) if asked.isdecimal() else 0


@post("/g/{table_id:str}/review", status_code=303)
async def begin_review(
    context: AppContext, caller: Caller, person: Person, table: Table, form: Form
) -> Response[Any]:
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    person = await meet(context, caller, person)
    review = await context.reviews.begin(table.id, person.id, _number(form, table))
    return Redirect(f"/g/{table.id}/review/{review.id}", status_code=303)


@get("/g/{table_id:str}/review/{review_id:str}")
async def join_review(
    context: AppContext, caller: Caller, table: Table, review_id: str
) -> Response[Any]:
    """The link of a review leads to the moment that it shows now."""
    limit(context, context.limits.asking, caller.network)
    review = await review_of(context, table.id, review_id)
    return Redirect(f"/g/{table.id}/{review.moment}?review={review.id}", status_code=303)


@post("/g/{table_id:str}/review/{review_id:str}/move", status_code=200)
async def move_review(
    context: AppContext, caller: Caller, person: Person, table: Table, form: Form, review_id: str
) -> Response[Any]:
    """The leader shows another moment."""
    limit(context, context.limits.acting, limit_key(context, caller))
    review = await review_of(context, table.id, review_id)
    if review.leader != person.id:
        raise refuse("web.review.follows")
    await context.reviews.move(review.id, person.id, _number(form, table))
    return Response({"ok": True}, media_type=JSON)


@post("/g/{table_id:str}/review/{review_id:str}/lead", status_code=303)
async def lead_review(
    context: AppContext, caller: Caller, person: Person, table: Table, review_id: str
) -> Response[Any]:
    """Take the lead of a review; everybody with the link may."""
    limit(context, context.limits.acting, limit_key(context, caller))
    require_welcome(context, caller, person)
    review = await review_of(context, table.id, review_id)
    person = await meet(context, caller, person)
    await context.reviews.take_lead(review.id, person.id)
    return Redirect(f"/g/{table.id}/review/{review.id}", status_code=303)


async def answer_review(
    context: AppContext, caller: Caller, table_id: str, review_id: str, receive: Receive, send: Send
) -> None:
    """`GET /g/{id}/review/{review}/live`: the moment, as server-sent events."""
    person = await person_of(context, caller)
    try:
        limit(context, context.limits.asking, caller.network)
        require_watching(await context.tables.current(table_id), person)
        await review_of(context, table_id, review_id)
    except Exception as error:  # noqa: BLE001 - whatever it is, the person must hear of it
        told = explain(error, caller.language(person))
        await respond(send, told.status, _json.encode(told.body), b"application/json")
        return
    stream = Stream(person.id, caller.layout(person))
    sent = -1

    def tell(now: Review | None) -> None:
        nonlocal sent
        if now is None:
            stream.end()
        elif now.version > sent:
            sent = now.version
            body = {"moment": now.moment, "leads": now.leader == person.id}
            stream.put(b"data: %b\n\n" % _json.encode(body))

    context.reviews.follow(review_id, tell)
    again = asyncio.create_task(_look_again(context, review_id, stream, tell))
    try:
        stream.put(b"retry: 1000\n\n")
        tell(await context.reviews.find(review_id))
        await send(START)
        await run_stream(stream, receive, send)
    finally:
        again.cancel()
        context.reviews.unfollow(review_id, tell)


async def _look_again(context: AppContext, review_id: str, stream: Stream, tell: Any) -> None:
    """Keep the connection open, and find what a lost message did not tell."""
    while True:
        await asyncio.sleep(LOOK_AGAIN)
        stream.put(b": still here\n\n")
        tell(await context.reviews.find(review_id))


HANDLERS = [begin_review, join_review, move_review, lead_review]
