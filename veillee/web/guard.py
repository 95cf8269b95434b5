"""What stands before every page: headers, sizes, origins, and how often somebody may knock."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from litestar.enums import ScopeType

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 16 * 1024
HEADERS = [
    (
        b"content-security-policy",
        b"; ".join(
            [
                b"default-src 'none'",
                b"script-src 'self'",
                b"style-src 'self'",
                b"img-src 'self' data:",
                b"connect-src 'self'",
                b"form-action 'self'",
                b"base-uri 'none'",
                b"frame-ancestors 'none'",
            ]
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]

GUARDED = b"".join(b"%b: %b\r\n" % each for each in HEADERS)
"""The same, as they are sent."""


class Bucket:
    """So many at once, so many a second after that, for each key."""

    MOST_KEYS = 50_000

    def __init__(self, burst: float, rate: float) -> None:
        self.burst, self.rate = burst, rate
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> bool:
        at = time.monotonic()
        left, since = self._left.get(key, (self.burst, at))
        left = min(self.burst, left + (at - since) * self.rate)
        if len(self._left) > self.MOST_KEYS:
            self._left.clear()
        self._left[key] = (left - 1 if left >= 1 else left, at)
        return left >= 1


class Guard:
    """Around the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        given: dict[bytes, bytes] = dict(scope["headers"])

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        method = scope["method"]
        if method == "POST" and not is_allowed(given):
            status = 413 if _from_here(given) else 403
            await send_guarded({"type": "http.response.start", "status": status, "headers": []})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        await self.app(scope, receive, send_guarded)


def is_allowed(headers: dict[bytes, bytes]) -> bool:
    """Whether we read what is posted."""
    return _small(headers) and _from_here(headers)


def _small(headers: dict[bytes, bytes]) -> bool:
    """Whether a body says that it is small. One that does not say is not read."""
    length = headers.get(b"content-length", b"0" if b"transfer-encoding" not in headers else b"x")
    return length.isdigit() and int(length) <= LARGEST_BODY


def _from_here(headers: dict[bytes, bytes]) -> bool:
    """Whether a form comes from one of our own pages, as far as the browser tells."""
    if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
        return False
    origin, host = headers.get(b"origin"), headers.get(b"host", b"")
    return origin is None or origin in (b"http://" + host, b"https://" + host)
