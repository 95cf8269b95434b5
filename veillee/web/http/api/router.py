"""The router of the API: all operations, who may use them, and how refusals are told."""

from __future__ import annotations

from typing import Any, cast

from litestar import Router
from litestar.di import Provide
from litestar.exceptions import HTTPException

from veillee.engine.refusal import Refusal
from veillee.web.http.api import account, games, streams, tables, webhooks
from veillee.web.http.api.access import (
    answer_problem,
    authorize,
    provide_api_person,
    provide_token,
    tell_quota,
)
from veillee.web.http.api.operations import provide_api_table
from veillee.web.http.refusals import API


def api_router() -> Router:
    return Router(
        API,
        route_handlers=[
            *account.HANDLERS,
            *games.HANDLERS,
            *tables.HANDLERS,
            *streams.HANDLERS,
            *webhooks.HANDLERS,
        ],
        guards=[authorize],
        dependencies={
            "person": Provide(provide_api_person, sync_to_thread=False),
            "table": Provide(provide_api_table),
            "token": Provide(provide_token, sync_to_thread=False),
        },
        exception_handlers={
            Refusal: answer_problem,
            HTTPException: answer_problem,
            Exception: answer_problem,
        },
        middleware=[cast(Any, tell_quota)],
        include_in_schema=True,
    )
