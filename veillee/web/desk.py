"""What every request needs: who asks, which table, and how to answer."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from markupsafe import Markup

from veillee.engine.refusal import Refusal
from veillee.engine.words import Words
from veillee.web import acts
from veillee.web.bots import Thinkers
from veillee.web.guard import Bucket
from veillee.web.house import AWAY, House, now, sitting
from veillee.web.looks import Broadcast, Look
from veillee.web.people import COOKIE, Person, find_person, keep_person, language_of, new_id
from veillee.web.share import Share
from veillee.web.store import Statement, store_at
from veillee.web.table import Table

Req = Request[Any, Any, Any]


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

    def __init__(self, serving: Serving, share: Share | None = None) -> None:
        self.serving = serving
        self.share = share
        self.house = House(
            store_at(serving.database),
            Thinkers(serving.workers),
            serving.level,
            serving.pace,
            serving.away,
            share,
        )
        if share is not None:
            share.person_changed = self._person_changed
            share.table_begun = lambda table_id: self.do(self.house.table(table_id))
        self._doing: set[asyncio.Task[Any]] = set()
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

    def do(self, story: Coroutine[Any, Any, Any]) -> None:
        """Let something happen for which nobody waits."""
        task = asyncio.get_running_loop().create_task(story)
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

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
        if self.share is not None:
            self.share.tell_of_person(known.id)
        return known

    def _person_changed(self, person: str) -> None:
        """Another process says so."""
        self.people.pop(person, None)
        self.do(self.house.learn_anew(person))

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
        if token is not None and (len(token) > 64 or not token.isprintable()):
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


async def setting(request: Req) -> tuple[Desk, Person, dict[str, str]]:
    """Who sets a table, not too often from one place, and what their form says."""
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    d.limit(d.setting, request.client.host if request.client else "")
    return d, person, form


def look_of(d: Desk, request: Req, person: Person) -> Look:
    shape = request.query_params.get("tall") or request.cookies.get("shape", "")
    return d.look(d.language(request, person), shape, request.headers.get("user-agent", ""))
