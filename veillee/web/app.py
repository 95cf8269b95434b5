"""The application: every address, and who may ask what there."""

from __future__ import annotations

import contextlib
import gzip
import hmac
import logging
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

import msgspec
from litestar import Litestar, Request, Response, get, post
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException
from litestar.response import Redirect
from markupsafe import Markup

from veillee.engine.game import game_of
from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.engine.tally import lines, signed
from veillee.engine.words import LANGUAGES, Words
from veillee.web import acts
from veillee.web import looks as seeing
from veillee.web.bots import RANDOM, Thinkers, levels
from veillee.web.choices import Stage, fits, stage
from veillee.web.entries import PACES
from veillee.web.guard import Bucket, Guard
from veillee.web.house import AWAY, CARRIED, House, now, sitting
from veillee.web.lane import Lane
from veillee.web.looks import Broadcast, Look
from veillee.web.marathon import carried, standing
from veillee.web.pages import (
    HERE,
    MADE,
    MARATHON,
    has_marathon,
    level_names,
    marathon_seats,
    shelf,
    summary,
)
from veillee.web.people import (
    COOKIE,
    SPEEDS,
    THEMES,
    Person,
    Settings,
    find_person,
    keep_person,
    language_of,
    new_id,
    tidy_name,
)
from veillee.web.store import Statement, store_at
from veillee.web.table import Table

log = logging.getLogger("veillee.web")
Req = Request[Any, Any, Any]

USUAL_SEATS = {"nomads": 4, "captain": 5, "lumens": 4}
TIMINGS = {
    "untimed": ("untimed", 0),
    "clock10": ("clock", 10),
    "clock30": ("clock", 30),
    "days1": ("days", 1),
    "days3": ("days", 3),
}
MOST_FRAMES = 60


@dataclass(frozen=True)
class Serving:
    """How the table is served."""

    database: str
    level: str = "wanderer"
    """The bots' level where nobody chose one."""
    pace: int = 1200
    address: str = ""
    """What links begin with where the browser's own address would not do for others."""
    limits: bool = True
    workers: int | None = None
    away: int = AWAY
    """Seconds without a sign of life after which the others may vote for a bot."""


class Desk:
    """Everything that a request needs."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self.house = House(
            store_at(serving.database),
            Thinkers(serving.workers),
            serving.level,
            serving.pace,
            serving.away,
        )
        self.broadcast = Broadcast(self.house)
        self.pages = self.broadcast.pages
        self.people: dict[str, Person] = {}
        self.acting = Bucket(60, 12)
        self.setting = Bucket(20, 0.5)
        self.asking = Bucket(120, 30)

    async def open(self) -> None:
        await self.house.store.open()
        await self.house.open()
        self.broadcast.start()

    async def close(self) -> None:
        self.broadcast.close()
        await self.house.close()

    # ------------------------------------------------------------ who asks

    async def person(self, request: Req) -> Person:
        """Who asks, by their cookie; somebody new without one."""
        return await self.known(request.cookies.get(COOKIE, ""))

    async def known(self, sealed: str) -> Person:
        """The person of a cookie; somebody new if it is none of ours."""
        person_id = self.house.seal.open("person", sealed)
        if person_id is None:
            return Person(new_id())
        person = self.people.get(person_id)
        if person is None:
            person = await find_person(self.house.store, person_id)
            if len(self.people) > 20_000:
                self.people.clear()
            self.people[person_id] = person
        return person

    def language(self, request: Req, person: Person) -> str:
        return language_of(person, request.headers.get("accept-language", ""))

    def look(self, language: str, shape: str, browser: str) -> Look:
        """How somebody looks: the script tells the screen's shape, else the browser's name does."""
        return Look(language, shape == "1" if shape in ("0", "1") else "Mobi" in browser)

    async def keep(self, person: Person, language: str) -> Person:
        """Make sure that the store knows the person; without a name they get one."""
        if person.known and person.name:
            return person
        name = person.name or Words(language)("web.traveller")
        return await self.store_person(msgspec.structs.replace(person, name=name))

    async def store_person(self, person: Person) -> Person:
        known = msgspec.structs.replace(person, known=True)
        await self.house.store.write(keep_person(known, now()))
        self.people[known.id] = known
        if self.house.names.get(known.id) != known.name:
            self.house.names[known.id] = known.name
            for table in self.house.tables.values():
                if known.id in table.people:
                    self.house.renamed(table)
        return known

    async def form(self, request: Req, person: Person) -> dict[str, str]:
        """What a form or the script says; refused without the token of our own pages."""
        if request.headers.get("content-type", "").startswith("application/json"):
            try:
                data = msgspec.json.decode(await request.body(), type=dict[str, str])
            except msgspec.MsgspecError:
                raise HTTPException(status_code=400) from None
        else:
            data = {key: str(value) for key, value in (await request.form()).items()}
        self.check(data.get("csrf") or request.headers.get("x-csrf") or "", person)
        return data

    def check(self, token: str, person: Person) -> None:
        """Refuse what does not carry the token of our own pages."""
        right = self.house.seal.mark("form", person.id)
        if not hmac.compare_digest(token.encode(), right.encode()):
            raise HTTPException(status_code=403)

    def limit(self, bucket: Bucket, key: str) -> None:
        if self.serving.limits and not bucket.take(key):
            raise HTTPException(status_code=429)

    # ------------------------------------------------------------ answers

    def page(
        self, request: Req, person: Person, template: str, status: int = 200, **facts: Any
    ) -> Response[str]:
        facts.setdefault("here", request.url.path)
        language = self.language(request, person)
        body = self.pages.render(template, person, language, **facts)
        response = Response(body, media_type="text/html", status_code=status)
        response.headers["cache-control"] = "no-store"
        sealed = self.house.seal.seal("person", person.id)
        if request.cookies.get(COOKIE) != sealed:
            response.set_cookie(
                COOKIE,
                sealed,
                max_age=400 * 24 * 3600,
                httponly=True,
                samesite="lax",
                secure=request.url.scheme == "https",
            )
        return response

    def link(self, request: Req, path: str) -> str:
        base = f"{request.url.scheme}://{request.url.netloc}"
        if self.serving.address and request.url.hostname in ("localhost", "127.0.0.1", "::1"):
            base = self.serving.address
        return base + path

    async def seen(self, table_id: str, person: Person) -> Table:
        """A table that this person may look at."""
        table = await self.house.table(table_id)
        if table.game is not None and not table.plan.watching and person.id not in table.people:
            raise Refusal("illegal", "web.watch.no", "web.watch.no")
        return table

    # ------------------------------------------------------------ what is done at a table

    async def act(
        self, person: Person, language: str, table_id: str, act: str, form: dict[str, str]
    ) -> Table:
        """Let a person do something at a table, or refuse it. It is on the disk after that."""
        self.limit(self.acting, person.id)
        what = acts.ACTS.get(act)
        if what is None:
            raise HTTPException(status_code=404)
        seen = self.house.table(table_id) if act == "bring" else self.seen(table_id, person)
        table = await seen
        extra: list[Statement] = []
        if act in ("sit", "bring"):
            person = await self.keep(person, language)
            extra.append(sitting(person.id, table.id))
            self.house.names[person.id] = person.name
        self.house.present(table, person.id)
        asked = acts.Act(self.house, table, person.id, form)
        token = form.get("token") or None
        if token is not None and len(token) > 64:
            raise HTTPException(status_code=400)
        token = f"{person.id[:8]}:{token}" if token else None
        await self.house.change(table, lambda _: what(asked), token, extra)
        return table

    def refused(
        self, error: Refusal | HTTPException, language: str, at_table: bool
    ) -> tuple[int, dict[str, str]]:
        """What the script is told when something is refused, and with which status."""
        words = Words(language)
        if isinstance(error, Refusal):
            statuses = {"unknown": 404, "late": 409}
            status = statuses.get(error.code, 422 if at_table else 403)
            told = {"refused": words(error.text, **error.facts), "code": error.code}
            return status, told | {"clause": error.clause}
        key = f"web.lost.{error.status_code}"
        message = words(key if key in words else "web.lost.500")
        return error.status_code, {"refused": message, "code": str(error.status_code)}


def desk(request: Req) -> Desk:
    return cast(Desk, request.app.state.desk)


def scripted(request: Req) -> bool:
    """Whether the page's script asks, and not a plain form."""
    return request.headers.get("x-veillee") == "1"


@cache
def qr(link: str) -> Markup:
    import segno

    code = segno.make(link, error="m", micro=False)
    return Markup(  # noqa: S704 - drawn from the link by the library
        code.svg_inline(scale=5, border=2, dark="#1a1420", light="#ffffff", omitsize=True)
    )


# ---------------------------------------------------------------- home and setting a table


@get("/")
async def home(request: Req) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    words = Words(d.language(request, person))
    running: list[dict[str, Any]] = []
    finished: list[dict[str, Any]] = []
    if person.known:
        for state, items in (("playing", running), ("gathering", running), ("over", finished)):
            for table_id in await d.house.tables_of(person.id, state):
                with contextlib.suppress(Refusal):
                    items.append(_item(d, await d.house.glimpse(table_id), words, person))
    opened = []
    for table_id in await d.house.open_tables():
        with contextlib.suppress(Refusal):
            table = await d.house.table(table_id)
            if person.id not in table.people:
                opened.append(_item(d, table, words, person))
    return d.page(
        request,
        person,
        "home.html",
        shelf=[_on_shelf(name, words) for name in shelf()]
        + ([_marathon_on_shelf(words)] if has_marathon() else []),
        running=running,
        open=opened,
        finished=finished,
    )


def _on_shelf(name: str, words: Words) -> dict[str, Any]:
    contract = games()[name]
    key = f"{name}.about"
    about = words(key) if key in words else next(iter(summary(contract, words)), "")
    return {
        "name": name,
        "rules": name,
        "title": words(f"{name}.title"),
        "fewest": min(contract.seats),
        "most": max(contract.seats),
        "minutes": contract.minutes,
        "about": about,
    }


def _marathon_on_shelf(words: Words) -> dict[str, Any]:
    return {
        "name": MARATHON,
        "rules": "captain",
        "title": words("web.marathon"),
        "fewest": min(marathon_seats()),
        "most": max(marathon_seats()),
        "minutes": games()["captain"].minutes + games()["nomads"].minutes,
        "about": words("web.marathon.about"),
    }


def _item(d: Desk, table: Table, words: Words, person: Person) -> dict[str, Any]:
    names = d.house.names_at(table, words("web.someone"))
    return {
        "id": table.id,
        "game": table.plan.game,
        "names": ", ".join(n for n, s in zip(names, table.seats, strict=True) if not s.free),
        "free": sum(seat.free for seat in table.seats),
        "yours": table.deciding in table.seats_of(person.id),
    }


@post("/play", status_code=303)
async def play_now(request: Req) -> Response[Any]:
    """One click: a table with bots that begins at once, or one that waits for friends."""
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    d.limit(d.setting, _where(request))
    person = await d.keep(person, d.language(request, person))
    marathon = form.get("game") == MARATHON
    name = "captain" if marathon else form.get("game", "")
    seats = USUAL_SEATS.get(name, 0) or (max(games()[name].seats) if name in games() else 2)
    if marathon:
        seats = max(marathon_seats())
    with_bots = form.get("with") == "bots"
    table_id = d.house.seal.open("table", form.get("ticket", "")) or new_id()
    nonce = acts.nonce(form)
    mine = d.house.first_to_decide(table_id, name, seats, nonce) if with_bots else 0
    bots = [d.serving.level if with_bots and seat != mine else "" for seat in range(seats)]
    table = await d.house.set_table(
        person,
        name,
        bots,
        sit={mine: ""},
        nonce=nonce,
        table_id=table_id,
        pace=d.serving.pace,
        marathon=table_id if marathon else "",
    )
    return Redirect(f"/t/{table.id}", status_code=303)


@get("/new")
async def new_table(request: Req, game: str = "") -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    words = Words(d.language(request, person))
    return _setting_page(d, request, person, words, game, request.query_params.get("with", ""))


def _setting_page(
    d: Desk, request: Req, person: Person, words: Words, game: str, kind: str, said: str = ""
) -> Response[str]:
    name = "captain" if game == MARATHON else game
    if name not in games() or (game == MARATHON and not has_marathon()):
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    contract = games()[name]
    seats = marathon_seats() if game == MARATHON else list(contract.seats)
    other = {"screen": "screen", "friends": "friend"}.get(kind, f"bot:{d.serving.level}")
    usual = min(3, max(seats)) if kind == "screen" else USUAL_SEATS.get(name, min(seats))
    usual = max(min(seats), min(usual, max(seats)))
    rows = ["me", *[other] * (usual - 1), *["none"] * (max(seats) - usual)]
    options = []
    for option in contract.options:
        if option.shown:
            key = f"{name}.option.{option.name}"
            options.append(
                {
                    "name": option.name,
                    "flag": isinstance(option.default, bool),
                    "default": option.default,
                    "title": words(key) if key in words else option.name,
                    "about": words(f"{key}.about") if f"{key}.about" in words else "",
                    "choices": [
                        (msgspec.json.encode(v).decode(), _value(words, key, v))
                        for v in option.choices
                    ],
                }
            )
    options = [o for o in options if o["flag"] or o["choices"]]
    level_list = level_names(words)
    return d.page(
        request,
        person,
        "new.html",
        status=422 if said else 200,
        said=said,
        here=f"/new?game={game}",
        game=game,
        title=words("web.marathon") if game == MARATHON else words(f"{name}.title"),
        fewest=min(seats),
        most=max(seats),
        rows=rows,
        row_names=[
            (person.name or words("web.traveller")) if i == 0 else "" for i in range(len(rows))
        ],
        levels=level_list,
        options=options,
        timings=list(TIMINGS),
    )


def _value(words: Words, key: str, value: Any) -> str:
    return words(f"{key}.{value}") if f"{key}.{value}" in words else str(value)


@post("/new", status_code=303)
async def set_table(request: Req) -> Response[Any]:
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    d.limit(d.setting, _where(request))
    words = Words(d.language(request, person))
    game = form.get("game", "")
    marathon = game == MARATHON
    name = "captain" if marathon else game
    if name not in games() or (marathon and not has_marathon()):
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    bots: list[str] = []
    sit: dict[int, str] = {}
    for row in range(max(games()[name].seats)):
        who = form.get(f"seat{row}", "none")
        if who == "none":
            continue
        typed = tidy_name(form.get(f"name{row}", ""))
        if who == "me":
            if "" in sit.values():
                who = "screen"
            else:
                if typed and typed != person.name:
                    person = msgspec.structs.replace(person, name=typed)
                    person = await d.store_person(person)
                sit[len(bots)] = ""
        if who == "screen":
            sit[len(bots)] = typed or words("veillee.seat", n=len(bots) + 1)
        bots.append(who[4:] if who.startswith("bot:") else "")
    person = await d.keep(person, d.language(request, person))
    timing, amount = TIMINGS.get(form.get("timing", ""), TIMINGS["untimed"])
    pace = PACES.get(form.get("pace", ""), d.serving.pace)
    table_id = d.house.seal.open("table", form.get("ticket", "")) or new_id()
    try:
        if marathon and len(bots) not in marathon_seats():
            games()["nomads"].template(len(bots))
        table = await d.house.set_table(
            person,
            name,
            bots,
            _options(name, form),
            sit=sit,
            nonce=acts.nonce(form),
            table_id=table_id,
            listed=form.get("listed") == "1",
            watching=form.get("watching") == "1",
            timing=timing,
            amount=amount,
            pace=pace,
            marathon=table_id if marathon else "",
        )
    except Refusal as refusal:
        said = words(refusal.text, **refusal.facts)
        return _setting_page(d, request, person, words, game, "", said)
    return Redirect(f"/t/{table.id}", status_code=303)


def _options(name: str, form: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option in games()[name].options:
        given = form.get(f"option.{option.name}")
        if not option.shown:
            continue
        if isinstance(option.default, bool):
            value: Any = given == "true"
        elif given is None:
            continue
        else:
            try:
                value = msgspec.json.decode(given)
            except msgspec.DecodeError:
                value = given
        if value != option.default:
            found[option.name] = value
    return found


# ---------------------------------------------------------------- a table


@get("/t/{table_id:str}")
async def table_page(request: Req, table_id: str) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    table = await d.seen(table_id, person)
    d.house.present(table, person.id)
    return await _table_page(d, request, person, table)


async def _table_page(
    d: Desk, request: Req, person: Person, table: Table, said: str = "", status: int = 200
) -> Response[str]:
    look = _look(d, request, person)
    words = look.words
    names = d.house.names_at(table, words("web.someone"))
    mine = table.seats_of(person.id)
    shared: dict[str, Any] = {
        "table": table,
        "names": names,
        "mine": mine,
        "host": table.plan.host == person.id,
        "said": said,
        "status": status,
        "here": f"/t/{table.id}",
    }
    if table.game is None:
        link = d.link(request, f"/t/{table.id}")
        free = sum(seat.free for seat in table.seats)
        return d.page(
            request,
            person,
            "gather.html",
            **shared,
            link=link,
            qr=qr(link),
            local=urlsplit(link).hostname in ("localhost", "127.0.0.1", "::1"),
            free=free,
            taken=len(table.seats) - free,
            may_drop=len(table.seats) - free in table.contract.seats,
            host_name=d.house.names.get(table.plan.host) or words("web.someone"),
        )
    shows = request.query_params.get("look", "")
    seat = int(shows) if shows.isdigit() and int(shows) in mine else None
    own = seeing.mine(table, look, person.id, seat, names)
    gone = d.house.gone(table)
    game = table.game
    bits = 1 << own.seat if own.seat >= 0 else 0
    told = seeing.lines_of(table, words, names, bits, range(len(game.steps) + 1))
    picked = [
        (key[5:], value) for key, value in request.query_params.items() if key.startswith("pick.")
    ]
    return d.page(
        request,
        person,
        "table.html",
        **shared,
        own=own,
        shows=seat,
        tall=look.tall,
        top=Markup(d.pages.top(table, look, names, gone, own.status)),  # noqa: S704 - from our template
        panel=Markup(d.pages.panel(table, look, person.id, own, names, gone)) if mine else "",  # noqa: S704
        picture=Markup("".join(d.broadcast.public(table, look, names))),  # noqa: S704 - drawn by us
        overlay=Markup(own.overlay or ""),  # noqa: S704 - drawn by us
        lines=told,
        choices=own.choices,
        stage=stage(own.choices.all, picked) if own.choices else None,
        query=lambda picks: _query(picks, seat),
        single=_single,
        token=secrets.token_urlsafe(12),
        **(await _end(d, table, words, names) if game.over else {}),
    )


def _query(picks: list[tuple[str, str]], shows: int | None) -> str:
    shown = [("look", str(shows))] if shows is not None else []
    return urlencode([*shown, *((f"pick.{field}", value) for field, value in picks)])


def _single(now: Stage, value: str) -> Any:
    """The one action that a value leaves, if it is one."""
    assert now.field is not None
    left = [choice for choice in now.left if fits(choice, now.field, value)]
    return left[0] if len(left) == 1 else None


async def _end(d: Desk, table: Table, words: Words, names: list[str]) -> dict[str, Any]:
    game = table.game
    assert game is not None
    scores, places = game.scores, game.places
    order = sorted(range(game.players), key=lambda seat: places[seat])
    counted = lines([game.tally(seat) for seat in order])
    return {
        "podium": [
            {
                "place": places[seat],
                "name": names[seat],
                "score": signed(scores[seat]),
                "points": words("web.points", n=scores[seat]),
            }
            for seat in order
        ],
        "sheet": [(line[0].said(words), [row.counted() for row in line]) for line in counted],
        "clauses": [(key, words(key)) for key in dict.fromkeys(line[0].clause for line in counted)],
        "over": _carried(table, words, names),
        "standing": await standing(d.house, table, names),
    }


def _carried(table: Table, words: Words, names: list[str]) -> str:
    """What the first game of a Lumarathon brings into the second, in words."""
    if not table.plan.marathon or table.plan.game != CARRIED:
        return ""
    along = carried(table)
    return words(
        "lumarathon.first.over",
        name=names[along["first"]],
        coins=", ".join(names[seat] for seat in along["coins"]),
        keeper=names[along["keeper"]],
    )


def _look(d: Desk, request: Req, person: Person) -> Look:
    shape = request.query_params.get("tall") or request.cookies.get("shape", "")
    return d.look(d.language(request, person), shape, request.headers.get("user-agent", ""))


@post("/t/{table_id:str}/{act:str}", status_code=200)
async def act_at_table(request: Req, table_id: str, act: str) -> Response[Any]:
    """Everything that a person does at a table by form; the script's way is in `lane.py`."""
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    try:
        table = await d.act(person, d.language(request, person), table_id, act, form)
    except Refusal as refusal:
        return await _refused(d, request, person, table_id, refusal)
    if scripted(request):
        return Response({"ok": True, "number": table.number}, media_type="application/json")
    shows = f"?look={form['look']}" if form.get("look", "").isdigit() else ""
    return Redirect(f"/t/{table.id}{shows}", status_code=303)


async def _refused(
    d: Desk, request: Req, person: Person, table_id: str, refusal: Refusal
) -> Response[Any]:
    status, told = d.refused(refusal, d.language(request, person), at_table=True)
    if scripted(request):
        return Response(told, media_type="application/json", status_code=status)
    table = d.house.tables.get(table_id)
    if table is None:
        raise refusal
    return await _table_page(d, request, person, table, told["refused"], status)


@post("/t/{table_id:str}/hint", status_code=200)
async def hint(request: Req, table_id: str) -> Response[Any]:
    """What a bot would do in the person's place."""
    d = desk(request)
    person = await d.person(request)
    await d.form(request, person)
    d.limit(d.acting, person.id)
    table = await d.seen(table_id, person)
    game = table.game
    if game is None or table.deciding not in table.seats_of(person.id):
        return await _refused(d, request, person, table_id, acts.no("web.act.turn"))
    seat, moment = table.deciding, table.moment
    level = RANDOM if d.serving.level == RANDOM else levels()[-2]
    view = game.seen_by(seat)
    number = await d.house.thinkers.choose(table.contract, view, level)
    words = Words(d.language(request, person))
    said = table.contract.say(words, table.contract.twin(view), number)
    if scripted(request):
        return Response(
            {"action": table.contract.text(number), "say": said, "moment": moment},
            media_type="application/json",
        )
    return await _table_page(d, request, person, table, words("web.js.hint.says") + " " + said)


@get("/t/{table_id:str}/ghost")
async def ghost(request: Req, table_id: str, action: str, moment: int) -> Response[Any]:
    """What an action would do, drawn from what the seat may know."""
    d = desk(request)
    person = await d.person(request)
    d.limit(d.asking, person.id)
    table = await d.seen(table_id, person)
    game = table.game
    seat = table.deciding
    if game is None or table.moment != moment or seat not in table.seats_of(person.id):
        return Response("", status_code=204)
    try:
        number = game.number(action[:200])
    except Refusal:
        return Response("", status_code=204)
    drawn = seeing.ghost(
        table.contract, _look(d, request, person), seeing.views(game, (seat,)), number
    )
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-store"})


@get("/t/{table_id:str}/why")
async def why(request: Req, table_id: str) -> Response[Any]:
    """Why something that was tapped can't be chosen: the clause, in words."""
    d = desk(request)
    person = await d.person(request)
    d.limit(d.acting, person.id)
    table = await d.seen(table_id, person)
    words = Words(d.language(request, person))
    game = table.game
    if game is None or game.over or table.deciding not in table.seats_of(person.id):
        return Response({"why": words("web.act.turn")}, media_type="application/json")
    contract = table.contract
    seen = seeing.views(game, (table.deciding,))
    wanted = [(k[5:], v) for k, v in request.query_params.items() if k.startswith("pick.")]
    allowed = set(game._legal_numbers())
    clause = ""
    for number in range(contract.actions):
        if number not in allowed:
            parts = {k: _texts(v) for k, v in contract.describe(seen, number).items()}
            if all(v in parts.get(k, ()) for k, v in wanted):
                clause = contract.forbids(seen, number)
                break
    text = words(clause) if clause and clause in words else words("web.why.not")
    return Response({"why": text, "clause": clause}, media_type="application/json")


def _texts(value: Any) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list) else [str(value)]


@get("/t/{table_id:str}/since")
async def since(request: Req, table_id: str) -> Response[Any]:
    """What happened since the person's last decision: a picture and words for each step."""
    d = desk(request)
    person = await d.person(request)
    d.limit(d.acting, person.id)
    table = await d.seen(table_id, person)
    game = table.game
    if game is None:
        return Response([], media_type="application/json")
    look = _look(d, request, person)
    names = d.house.names_at(table, look.words("web.someone"))
    mine = table.seats_of(person.id)
    back = min((table.last_decision_of(seat) or MOST_FRAMES for seat in mine), default=8)
    first = max(0, len(game.steps) - min(back, MOST_FRAMES))
    frames: list[dict[str, Any]] = []
    before: list[str] = []
    bits = 1 << mine[0] if len(mine) == 1 else 0
    pieces = d.broadcast.pieces(table)
    for step in range(first, len(game.steps) + 1):
        s = seeing.views(game, (), seeing.state_after(game, step))
        parts = seeing.picture(table.contract, look, s, names, pieces.at(game, step))
        lines = seeing.lines_of(table, look.words, names, bits, [step]) if step > first else []
        changes = seeing.difference(before, parts)
        drawn = {"picture": parts} if changes is None else {"changes": changes}
        frames.append({**drawn, "lines": lines})
        before = parts
    return Response(frames, media_type="application/json")


@post("/t/{table_id:str}/next", status_code=303)
async def next_table(request: Req, table_id: str) -> Response[Any]:
    """The same people again: a rematch, or the Lumarathon's second game."""
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    d.limit(d.setting, _where(request))
    table = await d.seen(table_id, person)
    try:
        following = await d.house.follow_up(
            table, person, carried(table) if form.get("what") == "marathon" else None
        )
    except Refusal as refusal:
        return await _refused(d, request, person, table_id, refusal)
    return Redirect(f"/t/{following}", status_code=303)


@get("/t/{table_id:str}/verify")
async def verify(request: Req, table_id: str) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    d.limit(d.acting, person.id)
    table = await d.seen(table_id, person)
    over = table.state == "over"
    good = False
    names = d.house.names_at(table, Words(d.language(request, person))("web.someone"))
    if over:
        record = table.record(names)
        mixed = table.mixed_seed()
        with contextlib.suppress(Refusal):
            replayed = game_of(table.contract).replay(record)
            good = replayed.over and replayed.seed.hex == mixed.hex == record["seed"]
    return d.page(
        request,
        person,
        "verify.html",
        table=table,
        over=over,
        good=good,
        names=names,
        entries=table.moment,
        here=f"/t/{table.id}/verify",
    )


@get("/t/{table_id:str}/record")
async def record(request: Req, table_id: str) -> Response[Any]:
    """The finished game as a file."""
    d = desk(request)
    person = await d.person(request)
    table = await d.seen(table_id, person)
    if table.state != "over":
        raise Refusal("illegal", "web.verify.later", "web.verify.later")
    names = d.house.names_at(table, Words(d.language(request, person))("web.someone"))
    return Response(
        table.record(names),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="veillee-{table.id[:6]}.json"'},
    )


@get("/t/{table_id:str}/invite")
async def invite(request: Req, table_id: str) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    table = await d.seen(table_id, person)
    words = Words(d.language(request, person))
    link = d.link(request, f"/t/{table.id}")
    return d.page(
        request,
        person,
        "link.html",
        table=table,
        title=words("web.watch.link"),
        how=words("web.watch.how"),
        link=link,
        qr=qr(link),
        here=f"/t/{table.id}/invite",
    )


@get("/t/{table_id:str}/move")
async def move_page(request: Req, table_id: str) -> Response[str]:
    """On the old device: a link for the new one. On the new one: the button that moves the seat."""
    d = desk(request)
    person = await d.person(request)
    table = await d.house.table(table_id)
    words = Words(d.language(request, person))
    ticket = request.query_params.get("ticket", "")
    shared: dict[str, Any] = {"table": table, "title": words("web.move"), "here": f"/t/{table.id}"}
    if ticket:
        how = words("web.move.take")
        return d.page(request, person, "link.html", **shared, how=how, ticket=ticket)
    mine = table.seats_of(person.id)
    if not mine:
        raise Refusal("illegal", "web.act.watcher", "web.act.watcher")
    seat = table.deciding if table.deciding in mine else mine[0]
    sealed = d.house.seal.seal("move", f"{table.id}:{seat}:{person.id}:{table.seats[seat].moves}")
    link = d.link(request, f"/t/{table.id}/move?{urlencode({'ticket': sealed})}")
    return d.page(
        request, person, "link.html", **shared, how=words("web.move.how"), link=link, qr=qr(link)
    )


# ---------------------------------------------------------------- the rest


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
    look = _look(d, request, person)
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
    return "".join(seeing.picture(contract, look, seeing.views(game, ()), names, None))


@post("/settings", status_code=303)
async def settings(request: Req) -> Response[Any]:
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    d.limit(d.acting, person.id)
    old = person.settings
    only = form.get("only", "")
    chosen = Settings(
        language=form["language"] if form.get("language") in LANGUAGES else old.language,
        theme=form["theme"] if form.get("theme") in THEMES else old.theme,
        speed=form["speed"] if form.get("speed") in SPEEDS else old.speed,
        sound=old.sound if only else form.get("sound") == "1",
        alerts=old.alerts if only else form.get("alerts") == "1",
    )
    name = tidy_name(form["name"]) if "name" in form else person.name
    await d.store_person(msgspec.structs.replace(person, name=name, settings=chosen))
    back = form.get("back", "/")
    safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
    return Redirect(safe, status_code=303)


@get("/me")
async def me(request: Req) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    rows = await d.house.store.read("SELECT count(*) FROM sitting WHERE person = $1", person.id)
    return d.page(request, person, "me.html", count=int(rows[0][0]))


@post("/forget", status_code=303)
async def forget(request: Req) -> Response[Any]:
    d = desk(request)
    person = await d.person(request)
    await d.form(request, person)
    await d.house.forget(person.id)
    d.people.pop(person.id, None)
    response = Redirect("/", status_code=303)
    response.delete_cookie(COOKIE)
    return response


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


def _where(request: Req) -> str:
    return request.client.host if request.client else ""


# ---------------------------------------------------------------- when something is wrong


def _lost(request: Req, error: Exception) -> Response[Any]:
    """A page, or a line for the script, that says what to do; never what is inside."""
    d = desk(request)
    person_id = d.house.seal.open("person", request.cookies.get(COOKIE, "")) or new_id()
    person = d.people.get(person_id, Person(person_id))
    language = d.language(request, person)
    if not isinstance(error, Refusal | HTTPException):
        log.error("a request failed", exc_info=error)
        error = HTTPException(status_code=500)
    status, told = d.refused(error, language, at_table=False)
    if scripted(request):
        return Response(told, media_type="application/json", status_code=status)
    return d.page(
        request,
        person,
        "lost.html",
        status=status,
        title=Words(language)("web.lost"),
        message=told["refused"],
        here="/",
    )


HANDLERS = [
    home,
    play_now,
    new_table,
    set_table,
    table_page,
    hint,
    ghost,
    why,
    since,
    next_table,
    verify,
    record,
    invite,
    move_page,
    act_at_table,
    rules,
    settings,
    me,
    forget,
    health,
    static,
    favicon,
]


def make_app(serving: Serving) -> Lane:
    """The application, not yet listening."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.desk = d = Desk(serving)
        await d.open()
        try:
            yield
        finally:
            await d.close()

    app = Litestar(
        route_handlers=HANDLERS,
        lifespan=[lifespan],
        middleware=[Guard],
        exception_handlers={Refusal: _lost, HTTPException: _lost, Exception: _lost},
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, gzip_compress_level=4, exclude=["/static"]
        ),
        openapi_config=None,
        logging_config=None,
    )
    return Lane(app)
