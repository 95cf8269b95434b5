"""Authentication, scopes and rate limits of the API, and refusals as problems (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, cast

from litestar import Response
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotAuthorizedException, ValidationException
from litestar.handlers import BaseRouteHandler

from veillee.client.types import Problem
from veillee.engine.refusal import Refusal
from veillee.web.http.asgi import ASGIApp, Message, Receive, Scope, Send
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, HttpRequest, limit, require_welcome
from veillee.web.http.rate_limit import Quota
from veillee.web.http.refusals import PROBLEM, Told, explain, problem
from veillee.web.people import Person
from veillee.web.tokens import Token

BEARER = "Bearer "
LONGEST_TOKEN = 100
PERSON, TOKEN, QUOTA = "api.person", "api.token", "api.quota"


async def authorize(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Find the person of the token, and refuse what it may not do or does too often.

    A handler without the option `scope` is for everybody.
    """
    context = cast(AppContext, connection.app.state.context)
    caller, state = Caller(connection.scope), connection.scope["state"]
    token = await _token(context, caller) if "scope" in handler.opt else None
    key = token.person if token else caller.network
    reads = cast(Any, connection.scope)["method"] == "GET"
    limiter = context.limits.asking if reads else context.limits.acting
    try:
        limit(context, limiter, key)
    finally:
        state[QUOTA] = limiter.quota(key)
    if "scope" not in handler.opt:
        return
    if token is None:
        raise NotAuthorizedException(headers={"www-authenticate": "Bearer"})
    state[PERSON] = await context.people.find(token.person)
    state[TOKEN] = token
    require_welcome(context, caller, state[PERSON])
    if handler.opt["scope"] not in token.scopes:
        raise Refusal("hidden", "web.token.scope", scope=handler.opt["scope"])


async def _token(context: AppContext, caller: Caller) -> Token | None:
    given = caller.header(b"authorization")
    text = given[len(BEARER) :].strip()
    if not given.startswith(BEARER) or len(text) > LONGEST_TOKEN:
        return None
    return await context.tokens.find(text)


def provide_api_person(request: HttpRequest) -> Person:
    """The person of the token; where none is needed, somebody unknown."""
    return cast(Person, request.scope["state"].get(PERSON) or Person(""))


def provide_token(request: HttpRequest) -> Token:
    return cast(Token, request.scope["state"][TOKEN])


def tell_quota(app: ASGIApp) -> ASGIApp:
    """Add what is left of the rate limit to every answer."""

    async def telling(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_quota(message: Message) -> None:
            quota: Quota | None = scope.get("state", {}).get(QUOTA)
            if message["type"] == "http.response.start" and quota is not None:
                message["headers"] = [*message["headers"], *_headers(quota, message["status"])]
            await send(message)

        await app(scope, receive, send_with_quota)

    return telling


def _headers(quota: Quota, status: int) -> list[tuple[bytes, bytes]]:
    told = [
        (b"ratelimit-limit", quota.limit),
        (b"ratelimit-remaining", quota.remaining),
        (b"ratelimit-reset", quota.reset),
    ]
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        told.append((b"retry-after", max(1, quota.retry_after)))
    return [(name, b"%d" % value) for name, value in told]


def answer_problem(request: HttpRequest, error: Exception) -> Response[Problem]:
    """Say what is wrong, with the clause; never what is inside."""
    person = provide_api_person(request)
    told = explain(error, Caller(request.scope).language(person))
    if isinstance(error, ValidationException):
        detail = " ".join([told.body["refused"], *_faults(error)])
        told = Told(told.status, told.body | {"refused": detail})
    headers = error.headers if isinstance(error, HTTPException) else None
    return Response(
        problem(told), media_type=PROBLEM, status_code=told.status, headers=dict(headers or {})
    )


def _faults(error: ValidationException) -> list[str]:
    extra = error.extra if isinstance(error.extra, list) else []
    return [f"{fault.get('key', '')}: {fault.get('message', '')}." for fault in extra]
