"""Around the whole application: host names, origins, body sizes and deadlines, security headers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from veillee.engine.i18n import Words
from veillee.web.http.asgi import ASGIApp, Message, Receive, Scope, Send
from veillee.web.http.csrf import is_cross_site
from veillee.web.http.refusals import API, PROBLEM, Told, problem
from veillee.web.people import accepted_language

LARGEST_BODY = 16 * 1024
LARGEST_RECORD = 256 * 1024
UPLOADS = "/import"
"""Path to which saved games are uploaded."""
LONGEST_TARGET = 4 * 1024
BODY_DEADLINE = 10.0
"""Seconds that a client has to send a body."""
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
                b"manifest-src 'self'",
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
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)
"""For a page that brings its styles and drawings along, and nothing that runs or loads."""
HOST = re.compile(rb"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)


class SecurityMiddleware:
    """Refuses what must not reach the application, and adds the security headers."""

    def __init__(self, app: ASGIApp, allowed_hosts: Collection[str] = ()) -> None:
        self.app = app
        self._allowed = frozenset(host.encode() for host in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        status = self._refusal(scope, headers)
        if status:
            await _refuse(scope, send, status, headers)
            return
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        elif scope["method"] == "POST":
            body = await read_body(receive)
            if body is None:
                await _refuse(scope, send, 408, headers)
                return
            receive = _replay(body, receive)
        await self.app(scope, receive, send)

    def _refusal(self, scope: Any, headers: Mapping[bytes, bytes]) -> int:
        """The status with which a request is refused, or 0."""
        method, host = scope["method"], HOST.fullmatch(headers.get(b"host", b""))
        if host is None or int((host[2] or b":0")[1:]) > 65535:
            return 400
        if self._allowed and host[1].lower() not in self._allowed:
            return 421
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST_TARGET:
            return 414
        if is_cross_site(method, headers):
            return 403
        largest = LARGEST_RECORD if scope["path"] == UPLOADS else LARGEST_BODY
        return 413 if method == "POST" and not is_small(headers, largest) else 0


async def _refuse(scope: Scope, send: Send, status: int, headers: Mapping[bytes, bytes]) -> None:
    """Say in the person's language why a request is refused."""
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    text = Words(accepted_language(accepted))(f"web.lost.{status}")
    if scope["path"].startswith(API):
        told = problem(Told(status, {"refused": text, "code": str(status)}))
        await respond(send, status, msgspec.json.encode(told), PROBLEM.encode())
    else:
        await respond(send, status, text.encode(), b"text/plain; charset=utf-8")


def is_small(headers: Mapping[bytes, bytes], largest: int = LARGEST_BODY) -> bool:
    """Tell whether a body declares a length within the limit. Without a length it is not read."""
    length = headers.get(b"content-length", b"0" if b"transfer-encoding" not in headers else b"x")
    return len(length) < 9 and length.isdigit() and int(length) <= largest


async def read_body(receive: Receive) -> bytes | None:
    """A request's body, or None if it does not come in time."""
    parts: list[bytes] = []
    try:
        async with asyncio.timeout(BODY_DEADLINE):
            while True:
                message: Any = await receive()
                if message["type"] == "http.disconnect":
                    return None
                parts.append(message.get("body", b""))
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        return None


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives a body that was read, and then what comes after it."""
    pending: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Any:
        return pending.pop() if pending else await receive()

    return replay


def _without_body(send: Send) -> Send:
    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_head


def with_headers(app: ASGIApp) -> ASGIApp:
    """Add the security headers to every response of an application that doesn't set its own.

    It gets a scope of its own: Litestar keeps the parsed request in it, and a server the scope of
    the last request as long as the connection is open.
    """

    async def protected(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "state": dict(scope.get("state", ()))}

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", [])]
                names = {name.lower() for name, _ in own}
                message["headers"] = own + [each for each in HEADERS if each[0] not in names]
            await send(message)

        await app(scope, receive, send_protected if scope["type"] == "http" else send)

    return protected


async def respond(send: Send, status: int, body: bytes, kind: bytes) -> None:
    """Send a whole response, with the security headers."""
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
