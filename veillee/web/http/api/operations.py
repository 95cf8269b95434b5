"""How operations are declared: what they need, and which problems they may answer with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from litestar import get, post, route
from litestar.datastructures import ResponseHeader
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from veillee.client.types import Problem, Scope
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import provide_table
from veillee.web.http.refusals import PROBLEM
from veillee.web.people import Person
from veillee.web.tables.table import Table

TableId = Annotated[str, Parameter(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A table.")]
IdempotencyKey = Annotated[
    str,
    Parameter(
        header="Idempotency-Key",
        pattern=r"^[!-~]{0,64}$",
        description="Of several requests with the same key, one is carried out.",
        required=False,
    ),
]
Declare = Callable[[Callable[..., Any]], HTTPRouteHandler]
"""A decorator that makes a function an operation."""
SECURITY = "token"
PROBLEMS = {
    400: "The request can't be understood.",
    401: "There is no valid token.",
    403: "The token or the person may not do this.",
    404: "There is no such thing.",
    409: "It is too late: somebody was faster. Look again.",
    422: "The rules forbid it; `clause` says which.",
    429: "Too many requests; `Retry-After` says when to try again.",
}
QUOTA_HEADERS = [
    ResponseHeader(
        name="RateLimit-Limit", documentation_only=True, description="Requests at once."
    ),
    ResponseHeader(name="RateLimit-Remaining", documentation_only=True, description="Those left."),
    ResponseHeader(
        name="RateLimit-Reset", documentation_only=True, description="Seconds until all are back."
    ),
]


async def provide_api_table(context: AppContext, person: Person, table_id: TableId) -> Table:
    """A table that the person may watch."""
    return await provide_table(context, person, table_id)


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    return {
        status: ResponseSpec(
            Problem, generate_examples=False, description=PROBLEMS[status], media_type=PROBLEM
        )
        for status in statuses
    }


def reads(path: str, tag: str, *, scope: Scope | None = "read", **more: Any) -> Declare:
    """Declare a GET operation."""
    return _operation(get, path, tag, scope, (400, 401, 403, 404, 429), more)


def writes(
    path: str, tag: str, *, scope: Scope = "play", status: int = 200, **more: Any
) -> Declare:
    """Declare a POST operation."""
    more = {"status_code": status} | more
    return _operation(post, path, tag, scope, (400, 401, 403, 404, 409, 422, 429), more)


def options(path: str, *methods: str) -> HTTPRouteHandler:
    """Tell the methods of a path: Litestar itself tells those of one of its handlers."""
    allow = ", ".join(sorted({*methods, "OPTIONS"}))

    @route(
        path,
        http_method=HttpMethod.OPTIONS,
        status_code=204,
        include_in_schema=False,
        response_headers={"allow": allow},
        sync_to_thread=False,
    )
    def handler() -> None: ...

    return handler


def _operation(
    kind: type[HTTPRouteHandler],
    path: str,
    tag: str,
    scope: Scope | None,
    statuses: tuple[int, ...],
    more: dict[str, Any],
) -> Declare:
    told = statuses if scope else (400, 429)
    opt = {"scope": scope} if scope else {}
    security: list[dict[str, list[str]]] = [{SECURITY: [scope]}] if scope else [{}]
    responses = problems(*told) | more.pop("responses", {})
    return kind(
        path,
        tags=[tag],
        opt=opt,
        security=security,
        responses=responses,
        response_headers=QUOTA_HEADERS,
        **more,
    )
