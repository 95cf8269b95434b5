"""`/import`: a saved game, chosen or dropped on the page, becomes a replay."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import HTTPException
from litestar.response import Redirect

from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.database import Statement, queries
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, HttpRequest, limit, meet, require_welcome
from veillee.web.http.pages import Pages
from veillee.web.people import Person, new_id
from veillee.web.tables import importing
from veillee.web.tables.table import Table


@get("/import")
async def import_page(pages: Pages) -> Response[str]:
    return pages.render("import.html")


@post("/import", status_code=303)
async def import_record(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    words: Words,
    request: HttpRequest,
) -> Response[Any]:
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    try:
        table = await store_record(context, caller, person, _decoded(await _uploaded(request)))
    except Refusal as refused:
        unreadable = refused.text == "veillee.record.format"
        said = words("web.import.unreadable") if unreadable else refused.why(words)
        return pages.render("import.html", 422, said=said)
    return Redirect(f"/g/{table.id}", status_code=303)


async def _uploaded(request: HttpRequest) -> bytes:
    """The file of the form."""
    try:
        sent = (await request.form()).get("record")
    except (LookupError, ValueError):
        raise HTTPException(status_code=400) from None
    return await sent.read() if isinstance(sent, UploadFile) else str(sent or "").encode()


def _decoded(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refusal("unreadable", "veillee.record", "web.import.unreadable") from None


async def store_record(context: AppContext, caller: Caller, person: Person, record: Any) -> Table:
    """Store the game of a record as a table to look back on.

    Raises:
        Refusal: If the record is not what the rules allow.
    """
    game, entries = await asyncio.to_thread(importing.replayed, record)
    person = await meet(context, caller, person)
    opened, guests = importing.opening(game, person.id)
    table_id = new_id()
    own: list[Statement] = [queries.insert_sitting(person.id, table_id)] if game.over else []
    return await context.tables.create(table_id, game.seed, [*opened, *entries], *guests, *own)


HANDLERS = [import_page, import_record]
