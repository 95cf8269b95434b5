"""`/g/{id}`: a game gone through again, and `/g/{id}/{n}`, each moment of it."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import OrderedDict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.response import Redirect
from markupsafe import Markup

from veillee.engine.drawing.picture import Theme
from veillee.engine.refusal import Refusal
from veillee.web.bot_pool import levels
from veillee.web.delivery import export
from veillee.web.delivery.export import called, strip
from veillee.web.delivery.rendering import Layout, PieceTracker
from veillee.web.delivery.replay import Replay, perspectives
from veillee.web.http.analysis import analysis_panel
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    Caller,
    Form,
    limit,
    meet,
    payer_of,
    require_welcome,
    table_to_open,
)
from veillee.web.http.pages import Pages
from veillee.web.http.review import review_of
from veillee.web.people import Person
from veillee.web.tables.commands import nonce, refuse
from veillee.web.tables.plans import TablePlan, open_table, position_at
from veillee.web.tables.table import Table

MOMENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
GAME_TYPES = {"html": "text/html", "apng": "image/apng", "gif": "image/gif"}
LONGEST_ANIMATION = 180
"""Seconds after which an animation is given up."""
CHUNK = 24
"""Moments that are sent together."""
MOST_TRACKERS = 64
_json = msgspec.json.Encoder()
_trackers: OrderedDict[tuple[str, int], PieceTracker] = OrderedDict()
"""The pieces of the games looked at last, by table and number of undos."""


def replay_of(
    context: AppContext, table: Table, person: Person, layout: Layout, wanted: str = ""
) -> Replay:
    """The replay of a table's game in the perspective that is wanted, if the person may have it.

    Raises:
        Refusal: If no game has begun, or the perspective would tell them a secret.
    """
    game = table.game
    if game is None:
        raise Refusal("unknown", "web.replay.none", "web.replay.none")
    allowed = perspectives(table, person.id)
    found = next((each for each in allowed if each.name == wanted), None)
    if found is None:
        if wanted:
            raise Refusal("hidden", "web.replay.hidden", "web.replay.hidden")
        found = allowed[0]
    names = context.tables.names_at(table, layout.words("web.someone"))
    return Replay(game, names, layout, found, _tracker(table))


def _tracker(table: Table) -> PieceTracker:
    assert table.game is not None
    undone = (len(table.game.entries) - len(table.game.steps)) // 2
    key = table.id, undone
    tracker = _trackers.setdefault(key, PieceTracker(keep=True))
    _trackers.move_to_end(key)
    if len(_trackers) > MOST_TRACKERS:
        _trackers.popitem(last=False)
    return tracker


def address(table_id: str, moment: int, seen: str, default: str, review: str = "") -> str:
    """The address of a moment; the usual perspective needs no mention."""
    told = ({} if seen == default else {"seen": seen}) | ({"review": review} if review else {})
    return f"/g/{table_id}/{moment}" + ("?" + urlencode(told) if told else "")


class ReplayPage:
    """The page of a replay for one person."""

    def __init__(
        self,
        context: AppContext,
        caller: Caller,
        pages: Pages,
        person: Person,
        table: Table,
        layout: Layout,
    ) -> None:
        self.context, self.caller, self.pages = context, caller, pages
        self.person, self.table, self.layout = person, table, layout

    async def render(self, moment: int | None) -> Response[Any]:
        table, words = self.table, self.layout.words
        if table.game is None:
            return Redirect(f"/t/{table.id}", status_code=303)
        replay = replay_of(self.context, table, self.person, self.layout, self.caller.asks("seen"))
        allowed = perspectives(table, self.person.id)
        seen, usual = replay.perspective.name, allowed[0].name
        wanted = self.caller.asks("at") or ("" if moment is None else str(moment))
        start = 0 if table.finished else replay.last
        number = min(int(wanted), replay.last) if wanted.isdecimal() else start
        review_id = self.caller.asks("review")
        review = await review_of(self.context, table.id, review_id) if review_id else None
        where = partial(address, table.id, seen=seen, default=usual, review=review_id)
        asked = wanted or self.caller.asks("seen")
        if asked and (moment is None or moment != number):
            return Redirect(where(number), status_code=303)
        [drawn] = replay.moments(number, number)
        turns = [n for n, mark in enumerate(replay.marks()) if mark.turn]
        return self.pages.render(
            "replay.html",
            table=table,
            names=replay.names,
            replay=replay,
            moment=drawn,
            seen=seen,
            perspectives=[(each.name, called(each, words, replay.names)) for each in allowed],
            at=lambda n: where(max(0, min(n, replay.last))),
            review=review,
            review_link=self.pages.link(f"/g/{table.id}/review/{review_id}"),
            leads=review is not None and review.leader == self.person.id,
            picture=Markup("".join(drawn.picture or ())),  # noqa: S704 - drawn by us
            overlay=Markup(drawn.overlay),  # noqa: S704 - drawn by us
            strip=strip(replay.marks()),
            turns=turns,
            lines=replay.lines(),
            source=f"/g/{table.id}",
            levels=[(level, words(f"bots.level.{level}")) for level in levels()],
            usual_level=_usual_level(self.context.config.level),
            seat=self._own_seat(replay, drawn.awaited),
            chunk=CHUNK,
            analysis_panel=await analysis_panel(self.context, table, self.layout, number),
            shape=self.layout.shape,
            words=words,
            here=where(number),
        )

    def _own_seat(self, replay: Replay, awaited: int) -> int:
        """The seat that is offered to a person who continues from here."""
        own = self.table.seats_of(self.person.id)
        seat = replay.perspective.seat
        return seat if seat >= 0 else next(iter(own), max(0, awaited))


def _usual_level(configured: str) -> str:
    """The level that is offered for bots: the server's, if people can choose it."""
    return configured if configured in levels() else levels()[len(levels()) // 2]


def provide_replay_page(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    table: Table,
    layout: Layout,
) -> ReplayPage:
    return ReplayPage(context, caller, pages, person, table, layout)


@get("/g/{table_id:str}")
async def replay_page(
    context: AppContext, caller: Caller, replay_page: ReplayPage
) -> Response[Any]:
    limit(context, context.limits.expensive, caller.network)
    return await replay_page.render(None)


@get("/g/{table_id:str}/{moment:int}")
async def moment_page(
    context: AppContext, caller: Caller, replay_page: ReplayPage, moment: int
) -> Response[Any]:
    limit(context, context.limits.expensive, caller.network)
    return await replay_page.render(moment)


@get("/g/{table_id:str}/moments")
async def moments(
    context: AppContext, caller: Caller, person: Person, table: Table, layout: Layout, first: int
) -> Response[Any]:
    """A chunk of moments, for the script."""
    limit(context, context.limits.asking, caller.network)
    replay = replay_of(context, table, person, layout, caller.asks("seen"))
    found = replay.moments(first, first + CHUNK - 1)
    return Response(
        _json.encode(found),
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )


@get("/g/{table_id:str}/moment/{kind:str}")
async def moment_picture(
    context: AppContext, caller: Caller, person: Person, table: Table, layout: Layout, kind: str
) -> Response[bytes]:
    """A moment as a picture."""
    limit(context, context.limits.expensive, caller.network)
    replay = replay_of(context, table, person, layout, caller.asks("seen"))
    wanted = caller.asks("at")
    number = min(int(wanted), replay.last) if wanted.isdecimal() else replay.last
    theme: Theme = "dark" if caller.asks("theme") == "dark" else "light"
    if kind not in MOMENT_TYPES or table.spec.picture is None:
        raise HTTPException(status_code=404)
    drawn = export.svg(replay, number, theme)
    made = await asyncio.to_thread(export.png, drawn, theme) if kind == "png" else drawn.encode()
    return Response(made, media_type=MOMENT_TYPES[kind], headers={"cache-control": "no-store"})


@get("/g/{table_id:str}/game/{kind:str}")
async def game_file(
    context: AppContext, caller: Caller, table: Table, layout: Layout, kind: str
) -> Response[bytes]:
    """A finished game as a file: one page, or an animation."""
    if kind not in GAME_TYPES:
        raise HTTPException(status_code=404)
    if table.game is None or not table.finished:
        raise refuse("web.replay.running")
    limit(context, context.limits.opening, caller.network)
    names = context.tables.names_at(table, layout.words("web.someone"))
    game = table.game.copy()
    game.names = names
    if kind == "html":
        made = (await asyncio.to_thread(export.page, game, names, layout.language)).encode()
    else:
        made = await _animated(game.record(reveal=True), kind, layout.language, caller.asks("seen"))
    return Response(
        made,
        media_type=GAME_TYPES[kind],
        headers={"content-disposition": f'attachment; filename="veillee-{table.id[:6]}.{kind}"'},
    )


_animating = asyncio.Semaphore(1)


async def _animated(record: dict[str, Any], kind: str, language: str, seen: str) -> bytes:
    """An animation, drawn by a process of its own: it takes seconds of computing time."""
    async with _animating, asyncio.timeout(LONGEST_ANIMATION):
        with tempfile.TemporaryDirectory() as folder:
            source, made = Path(folder, "game.json"), Path(folder, f"game.{kind}")
            source.write_bytes(_json.encode(record))
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "veillee", "replay", str(source)),
                *("--output", str(made), "--language", language, "--seen", seen),
            )
            try:
                if await process.wait():
                    raise refuse("web.replay.format")
            finally:
                if process.returncode is None:
                    process.kill()
            return made.read_bytes()


@post("/g/{table_id:str}/go-on", status_code=303)
async def go_on(
    context: AppContext, caller: Caller, person: Person, table: Table, form: Form
) -> Response[Any]:
    """Open a table at which the game goes on from a moment.

    What the person's seat did not know then is resampled with the new table's seed: only the
    seat's view is handed on.
    """
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    game, number = table.game, form.get("moment", "")
    if game is None or not table.finished:
        raise refuse("web.replay.running")
    if not number.isdecimal() or int(number) >= len(game.steps):
        raise refuse("web.replay.over")
    who = [form.get(f"seat{seat}", "friend") for seat in range(game.players)]
    if who.count("me") != 1:
        raise refuse("web.replay.one")
    own = who.index("me")
    person = await meet(context, caller, person)
    table_id = await table_to_open(context, form)
    plan = TablePlan(
        table.plan.game,
        [each[4:] if each.startswith("bot:") else "" for each in who],
        {own: ""},
        nonce(form),
        table.plan.options,
        pace=context.config.pace,
        position=position_at(game, int(number), own),
        origin=f"{table.id}/{int(number)}",
    )
    seed, payer = context.seeds.seed(table_id), payer_of(context, caller)
    opened = await open_table(context.tables, table_id, seed, person.id, plan, payer)
    return Redirect(f"/t/{opened.id}", status_code=303)


HANDLERS = [replay_page, moment_page, moments, moment_picture, game_file, go_on]
