"""Logs: one line for each event, as text or JSON, with request and table, without secrets."""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from veillee.web.http.asgi import ASGIApp, Message, Receive, Scope, Send

access = logging.getLogger("veillee.access")

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""Id of the request that is being answered."""
TABLE: ContextVar[str] = ContextVar("table", default="")
"""Id of the table that it is about."""

GONE: ContextVar[bool] = ContextVar("gone", default=False)
"""Whether the connection of the request was closed before it was answered."""

PASSWORD = re.compile(r"(://[^/@\s:]*):[^/@\s]*@")
"""The password in an address such as postgresql://user:password@host."""
REQUEST_ID = re.compile(rb"[\w-]{8,64}", re.ASCII)
"""Pattern of the request ids that are accepted from a proxy."""
QUIET = 60.0
"""Seconds in which a traceback is logged once."""
MOST_REMEMBERED = 1000
"""Different tracebacks that are remembered."""

_json = msgspec.json.Encoder()


def configure(*, as_json: bool = False, requests: bool = False) -> None:
    """Log to the standard error stream; `requests` adds a line for each request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    handler.addFilter(RepeatedTracebacks())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    access.setLevel(logging.INFO if requests else logging.WARNING)
    server = logging.getLogger("uvicorn.error")
    if not any(isinstance(filter_, Unanswered) for filter_ in server.filters):
        server.addFilter(Unanswered())


def without_secrets(text: str) -> str:
    return PASSWORD.sub(r"\1:***@", text)


class TextFormatter(logging.Formatter):
    """`WARNING veillee.bus: lost its connection [request=… table=…]`"""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        about = [f"{key}={value}" for key, value in _context().items()]
        text = super().format(record)
        head, newline, rest = text.partition("\n")
        return without_secrets(head + (f" [{' '.join(about)}]" if about else "") + newline + rest)


class JsonFormatter(logging.Formatter):
    """One object for each line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": record.created,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            **_context(),
            **record.__dict__.get("fields", {}),
        }
        if record.exc_info:
            line["traceback"] = without_secrets(self.formatException(record.exc_info))
        return _json.encode(line).decode()


def _context() -> dict[str, str]:
    found = {"request": REQUEST.get(), "table": TABLE.get()}
    return {key: value for key, value in found.items() if value}


class RepeatedTracebacks(logging.Filter):
    """Log a traceback once a minute, then only that it happened, with how often."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[str, int, object], tuple[float, int]] = {}
        """When it was logged with its traceback, and how often it happened since."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info:
            return True
        now = time.monotonic()
        key = (record.pathname, record.lineno, record.exc_info[0])
        at, count = self._seen.get(key, (-QUIET, 0))
        if now - at < QUIET:
            self._seen[key] = (at, count + 1)
            return False
        if count:
            record.msg = f"{record.getMessage()} (and {count} times before)"
            record.args = ()
        if len(self._seen) >= MOST_REMEMBERED:
            self._seen.clear()
        self._seen[key] = (now, 0)
        return True


class ClientGone(BaseException):
    """The connection is closed, so nobody is left to be told.

    Uvicorn closes a connection at malformed bytes while it still answers what came before them, and
    uvloop refuses to write then. Not an `Exception`, for which there would be an answer.
    """


class Unanswered(logging.Filter):
    """Drop Uvicorn's complaint about requests whose connection it has closed itself."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (GONE.get() and "without completing response" in record.getMessage())


class RequestLog:
    """Give each request an id, and log it when it is answered.

    The id is the proxy's, if it sends one, and is sent back as `X-Request-Id`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        request_id = _request_id(scope)
        path = scope["path"]
        REQUEST.set(request_id.decode())
        TABLE.set(path.split("/", 3)[2][:64] if path.startswith("/t/") else "")
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", request_id)]
                message = {**message, "headers": headers}  # it may be a constant
            try:
                await send(message)
            except RuntimeError as error:
                if "closed" not in str(error):
                    raise
                GONE.set(True)
                raise ClientGone from None

        GONE.set(False)
        try:
            await self._app(scope, receive, send_on)
        except ClientGone:
            pass
        finally:
            if access.isEnabledFor(logging.INFO):
                _log_request(scope, status, time.monotonic() - began)


def _request_id(scope: Scope) -> bytes:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and REQUEST_ID.fullmatch(value):
            return bytes(value)
    return secrets.token_hex(8).encode()


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    fields = {
        "method": scope["method"],
        "path": scope["path"],
        "status": status,
        "ms": round(seconds * 1000, 1),
        "client": (scope.get("client") or ("",))[0],
    }
    text = " ".join(str(value) for value in fields.values())
    access.info("%s", text, extra={"fields": fields})
