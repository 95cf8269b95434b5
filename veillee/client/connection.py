"""Shared by both clients: sending requests, reading answers, and waiting times."""

from __future__ import annotations

import logging
import random
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import httpx
import msgspec

from veillee.client import types

T = TypeVar("T")
ROOT = "/api/v1"
ATTEMPTS = 6
"""Requests for one answer, where the server is away or asks to wait."""
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 10.0
"""Seconds between two attempts, at first and at most."""
SILENCE = 60.0
"""Seconds without a heartbeat after which a stream counts as broken."""
TIMEOUT = httpx.Timeout(30.0)
STREAM_TIMEOUT = httpx.Timeout(30.0, read=SILENCE)
TOO_MANY = 429
AWAY = (502, 503, 504)
_log = logging.getLogger("veillee.client")


class ApiError(Exception):
    """A request that the server refused.

    Args:
        problem: What the server says: `code`, `clause`, and `detail` for people.
    """

    def __init__(self, problem: types.Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.clause or problem.code}: {problem.detail}")

    @property
    def status(self) -> int:
        return self.problem.status

    @property
    def code(self) -> str:
        return self.problem.code

    @property
    def clause(self) -> str:
        return self.problem.clause


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and the type of its answer."""

    method: str
    path: str
    answer: type[T] | Any
    body: Mapping[str, Any] | None = None
    key: str = field(default_factory=lambda: secrets.token_hex(12))
    """With the same key, a request that is sent again is carried out once."""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of httpx."""
        headers = {"idempotency-key": self.key} if self.method == "POST" else {}
        return {
            "method": self.method,
            "url": ROOT + self.path,
            "headers": headers,
            **({} if self.body is None else {"json": self.body}),
        }

    def read(self, response: httpx.Response) -> T:
        """Return the answer, or raise `ApiError`."""
        if response.is_success:
            if not response.content:
                return None  # type: ignore[return-value] # such calls answer None
            return msgspec.json.decode(response.content, type=self.answer)
        raise error_of(response)


def error_of(response: httpx.Response) -> ApiError:
    """Return what the server, or a proxy in front of it, refused."""
    try:
        return ApiError(msgspec.json.decode(response.content, type=types.Problem))
    except msgspec.MsgspecError:
        phrase, status = response.reason_phrase, response.status_code
        return ApiError(types.Problem("about:blank", phrase, status, phrase, str(status)))


@contextmanager
def logged_refusals(table: types.Table | None) -> Iterator[None]:
    """Log what the server refuses, and go on: somebody was faster, or has undone the last move."""
    try:
        yield
    except ApiError as error:
        _log.warning("table %s: %s", table and table.id, error)


def pauses() -> Iterator[float]:
    """Yield how long to wait before each further attempt."""
    pause = FIRST_PAUSE
    while True:
        yield random.uniform(pause / 2, pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def pause_after(response: httpx.Response, pause: float) -> float | None:
    """Return how long to wait before a request is sent again; None if it must not be."""
    if response.status_code == TOO_MANY:
        told = response.headers.get("retry-after", "")
        return float(told) if told.isdigit() else pause
    return pause if response.status_code in AWAY else None


def headers(token: str, language: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", "accept-language": language}
