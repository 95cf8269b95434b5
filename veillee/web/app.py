"""The application: all addresses together, and what is said when something is wrong."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Response
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException

from veillee.engine.refusal import Refusal
from veillee.engine.words import Words
from veillee.web.desk import Desk, Req, Serving, desk, scripted
from veillee.web.guard import Guard
from veillee.web.people import COOKIE, Person, new_id
from veillee.web.routes import common, home, person, table
from veillee.web.share import Share

log = logging.getLogger("veillee.web")


def _lost(request: Req, error: Exception) -> Response[Any]:
    """A page, or a line for the script, that says what to do; never what is inside."""
    d = desk(request)
    person_id = d.house.seal.open("person", request.cookies.get(COOKIE, "")) or new_id()
    asking = d.people.get(person_id, Person(person_id))
    language = d.language(request, asking)
    if not isinstance(error, Refusal | HTTPException):
        log.error("a request failed", exc_info=error)
        error = HTTPException(status_code=500)
    status, told = d.refused(error, language, at_table=False)
    if scripted(request):
        return Response(told, media_type="application/json", status_code=status)
    return d.page(
        request,
        asking,
        "lost.html",
        status=status,
        title=Words(language)("web.lost"),
        message=told["refused"],
        here="/",
    )


HANDLERS = [
    home.home,
    home.play_now,
    home.new_table,
    home.set_table,
    table.table_page,
    table.hint,
    table.ghost,
    table.why,
    table.since,
    table.next_table,
    table.verify,
    table.record,
    table.invite,
    table.move_page,
    table.act_at_table,
    person.settings,
    person.me,
    person.forget,
    common.rules,
    common.health,
    common.static,
    common.favicon,
]


def make_app(serving: Serving, share: Share | None = None) -> Litestar:
    """The application, not yet listening."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.desk = d = Desk(serving, share)
        await d.open()
        try:
            yield
        finally:
            await d.close()

    return Litestar(
        route_handlers=HANDLERS,
        lifespan=[lifespan],
        middleware=[Guard],
        exception_handlers={Refusal: _lost, HTTPException: _lost, Exception: _lost},
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, gzip_compress_level=4, exclude=["/static"]
        ),
        openapi_config=None,
        logging_config=None,
    )
