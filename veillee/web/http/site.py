"""Static files and health checks."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any, NamedTuple, cast

from litestar import Response, get
from litestar.exceptions import HTTPException

from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller
from veillee.web.templating import GENERATED, STATIC

MEDIA_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
CACHE_FOR_EVER = {
    "cache-control": "public, max-age=31536000, immutable",
    "vary": "accept-encoding",
}


@get("/health/live")
async def live() -> Response[Any]:
    """Liveness: if the process does not answer, it should be restarted."""
    return _health(True)


@get(["/health/ready", "/health"])
async def ready(context: AppContext) -> Response[Any]:
    """Readiness: the server is not stopping, and its store can be written to."""
    return _health(not context.broadcast.closing and await context.readiness.check())


def _health(good: bool) -> Response[Any]:
    return Response(
        {"ok": good},
        media_type="application/json",
        headers={"cache-control": "no-store"},
        status_code=200 if good else 503,
    )


class StaticFile(NamedTuple):
    raw: bytes
    compressed: bytes
    media_type: str


@cache
def static_files() -> dict[str, StaticFile]:
    """All static files by name."""
    contents = {file.name: file.read_bytes() for file in STATIC.iterdir() if file.is_file()}
    contents |= {name: make().encode() for name, make in GENERATED.items()}
    return {
        name: StaticFile(
            raw,
            gzip.compress(raw, 9, mtime=0),
            MEDIA_TYPES.get(name.rpartition(".")[2], "application/octet-stream"),
        )
        for name, raw in contents.items()
    }


@get("/static/{version:str}/{name:str}")
async def static(caller: Caller, version: str, name: str) -> Response[bytes]:  # noqa: ARG001
    found = static_files().get(name)
    if found is None:
        raise HTTPException(status_code=404)
    if "gzip" in caller.header(b"accept-encoding"):
        headers = CACHE_FOR_EVER | {"content-encoding": "gzip"}
        return Response(found.compressed, media_type=found.media_type, headers=headers)
    return Response(found.raw, media_type=found.media_type, headers=CACHE_FOR_EVER)


@get("/favicon.ico")
async def favicon(caller: Caller) -> Response[bytes]:
    return cast(Response[bytes], await static.fn(caller, "", "fire.svg"))


HANDLERS = [live, ready, static, favicon]
