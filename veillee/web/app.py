"""The ASGI application: endpoints, the router, and what is answered when something is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from litestar import Litestar, Response
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException

from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.config import ServerConfig
from veillee.web.http import (
    analysis,
    history,
    home,
    importing,
    installed,
    notify,
    person,
    pictures,
    programs,
    puzzles,
    replay,
    review,
    rules,
    scoring,
    site,
    table,
    variants,
)
from veillee.web.http.actions import answer_script
from veillee.web.http.api import document
from veillee.web.http.api.access import answer_problem
from veillee.web.http.api.router import api_router
from veillee.web.http.asgi import ASGIApp, Receive, Scope, Send
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    COOKIE,
    DEPENDENCIES,
    Caller,
    HttpRequest,
    provide_context,
)
from veillee.web.http.pages import Pages, provide_pages
from veillee.web.http.refusals import API, explain
from veillee.web.http.review import answer_review
from veillee.web.http.security import SecurityMiddleware, with_headers
from veillee.web.http.stream import answer_stream
from veillee.web.lifecycle import call_on_stop, tune_process
from veillee.web.logs import RequestLog, configure
from veillee.web.people import new_id
from veillee.web.tables.commands import COMMANDS

HANDLERS = [
    *home.HANDLERS,
    *table.HANDLERS,
    *replay.HANDLERS,
    *importing.HANDLERS,
    *review.HANDLERS,
    *scoring.HANDLERS,
    *analysis.HANDLERS,
    *puzzles.HANDLERS,
    *person.HANDLERS,
    *history.HANDLERS,
    *installed.HANDLERS,
    *notify.HANDLERS,
    *pictures.HANDLERS,
    *rules.HANDLERS,
    *variants.HANDLERS,
    *programs.HANDLERS,
    *site.HANDLERS,
    *document.HANDLERS,
]


def create_app() -> ASGIApp:
    """The application for any ASGI server, set up by environment variables."""
    return make_app(ServerConfig.from_environment())


def make_app(config: ServerConfig) -> ASGIApp:
    """The application with a configuration."""
    context = AppContext(config)
    endpoints = TableEndpoints(context, with_headers(cast(ASGIApp, _router(context))))
    return RequestLog(SecurityMiddleware(endpoints, config.allowed_hosts))


class TableEndpoints:
    """The script's posts and the streams, ahead of the router: they are nearly all requests."""

    def __init__(self, context: AppContext, app: ASGIApp) -> None:
        self._context = context
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/t/"):
            parts = scope["path"].split("/")
            if len(parts) == 4:
                _, _, table_id, name = parts
                caller = Caller(scope)
                if scope["method"] == "POST" and name in COMMANDS and caller.sends_json:
                    await answer_script(self._context, caller, table_id, name, receive, send)
                    return
                if scope["method"] == "GET" and name == "live":
                    await answer_stream(self._context, caller, table_id, receive, send)
                    return
        if scope["type"] == "http" and scope["method"] == "GET":
            match scope["path"].split("/"):
                case ["", "g", table_id, "review", review_id, "live"]:
                    caller = Caller(scope)
                    await answer_review(self._context, caller, table_id, review_id, receive, send)
                    return
        await self._app(scope, receive, send)


def _router(context: AppContext) -> Litestar:
    config = context.config

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.context = context
        tune_process()
        configure(as_json=config.log_json, requests=config.log_requests)
        await context.open()
        call_on_stop(context.end_streams)
        try:
            yield
        finally:
            await context.close()

    return Litestar(
        route_handlers=[*HANDLERS, api_router()],
        include_in_schema=False,
        lifespan=[lifespan],
        dependencies=DEPENDENCIES
        | {
            "pages": Provide(provide_pages, sync_to_thread=False),
            "page": Provide(table.provide_table_page, sync_to_thread=False),
            "replay_page": Provide(replay.provide_replay_page, sync_to_thread=False),
        },
        exception_handlers={
            Refusal: answer_error,
            HTTPException: answer_error,
            Exception: answer_error,
        },
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, gzip_compress_level=4, exclude=["/static", "/stream"]
        ),
        openapi_config=document.CONFIG,
        logging_config=None,
    )


def answer_error(request: HttpRequest, error: Exception) -> Response[Any]:
    """A page, or JSON for the script, that says what can be done; never what is inside."""
    if request.scope["path"].startswith(API):
        return answer_problem(request, error)
    context, caller = provide_context(request), Caller(request.scope)
    asking = context.people.cached(context.signer.person_of(caller.cookie(COOKIE)) or new_id())
    language = caller.language(asking)
    told = explain(error, language)
    if caller.by_script:
        return Response(told.body, media_type="application/json", status_code=told.status)
    return Pages(context, caller, asking).render(
        "lost.html",
        status=told.status,
        title=Words(language)("web.lost.nothing" if told.status == 404 else "web.lost"),
        message=told.body["refused"],
        here="/",
    )
