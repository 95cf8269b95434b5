"""What is the same for all: rules, files, health."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any, cast

from litestar import Response, get
from litestar.exceptions import HTTPException
from markupsafe import Markup

from veillee.engine.game import game_of
from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.engine.words import Words
from veillee.web import looks as seeing
from veillee.web.desk import Req, desk, look_of
from veillee.web.looks import Look
from veillee.web.pages import HERE, MADE, summary


@get("/rules/{name:str}")
async def rules(request: Req, name: str) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    language = d.language(request, person)
    words = Words(language)
    if name not in games():
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    contract = games()[name]
    back = request.query_params.get("back", "")
    look = look_of(d, request, person)
    return d.page(
        request,
        person,
        "rules.html",
        game=name,
        title=words(f"{name}.title"),
        fewest=min(contract.seats),
        most=max(contract.seats),
        minutes=contract.minutes,
        picture=Markup(_sample(name, language, look.tall)),  # noqa: S704 - drawn by us
        summary=summary(contract, words),
        clauses=[(key, words(key)) for key in contract.clauses if key in words],
        back=back if back.replace("-", "").replace("_", "").isalnum() else "",
    )


@cache
def _sample(name: str, language: str, tall: bool) -> str:
    """A game in its middle, to look at beside the rules."""
    from random import Random

    contract = games()[name]
    if getattr(contract, "picture", None) is None:
        return ""
    chance = Random(5)
    game = game_of(contract)(min(3, max(contract.seats)), 5)
    for _ in range(40):
        if game.over:
            break
        game.play(int(chance.choice(game.legal)))
    names = ["Ondine", "Basile", "Céleste", "Anselme", "Lucine", "Tancrède"][: game.players]
    look = Look(language, tall)
    return seeing.picture(contract, look, seeing.views(game, ()), names)


@get("/health")
async def health(request: Req) -> Response[Any]:
    """Whether the store answers."""
    d = desk(request)
    await d.house.store.read("SELECT 1")
    body = {"ok": True, "tables": len(d.house.tables)}
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@cache
def _static(name: str) -> tuple[bytes, bytes, str] | None:
    if name in MADE:
        raw = MADE[name]().encode()
    elif name in {file.name for file in (HERE / "static").iterdir()}:
        raw = (HERE / "static" / name).read_bytes()
    else:
        return None
    kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return raw, gzip.compress(raw, 9, mtime=0), kind


@get("/static/{version:str}/{name:str}")
async def static(request: Req, version: str, name: str) -> Response[bytes]:  # noqa: ARG001
    found = _static(name)
    if found is None:
        raise HTTPException(status_code=404)
    raw, small, kind = found
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(small, media_type=kind, headers=headers | {"content-encoding": "gzip"})
    return Response(raw, media_type=kind, headers=headers)


@get("/favicon.ico")
async def favicon(request: Req) -> Response[bytes]:
    return cast(Response[bytes], await static.fn(request, "", "fire.svg"))
