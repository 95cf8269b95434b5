"""The one mapping of refusals and errors to statuses and messages."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import NamedTuple

from litestar.exceptions import HTTPException

from veillee.client.types import Problem
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web import metrics

log = logging.getLogger("veillee.http")

API = "/api/v1"
PROBLEM = "application/problem+json"
STATUSES = {"unknown": 404, "late": 409, "hidden": 403}
ILLEGAL = 422


class Told(NamedTuple):
    """The answer to a refused request."""

    status: int
    body: dict[str, str]


def explain(error: Exception, language: str) -> Told:
    """A sentence in the person's language that says what is wrong; nothing of our own errors."""
    words = Words(language)
    if isinstance(error, Refusal):
        body = {"refused": error.why(words), "code": error.code, "clause": error.clause}
        return Told(STATUSES.get(error.code, ILLEGAL), body)
    if not isinstance(error, HTTPException):
        log.error("a request failed", exc_info=error)
    status = error.status_code if isinstance(error, HTTPException) else 500
    metrics.REFUSED.labels(status).inc()
    key = f"web.lost.{status}"
    message = words(key if key in words else "web.lost.500")
    return Told(status, {"refused": message, "code": str(status)})


def problem(told: Told) -> Problem:
    """Return the refusal as a problem for programs (RFC 9457)."""
    return Problem(
        type="about:blank",
        title=HTTPStatus(told.status).phrase,
        status=told.status,
        detail=told.body["refused"],
        code=told.body["code"],
        clause=told.body.get("clause", ""),
    )
