"""Dependencies injected into handlers: person, client address, language, layout, table.

The functions take an ASGI scope, so that plain ASGI endpoints and Litestar's handlers share them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast
from urllib.parse import parse_qs

import msgspec
from litestar import Request
from litestar.di import Provide
from litestar.exceptions import HTTPException

from veillee.engine.drawing.picture import SIZES, Shape
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.delivery.rendering import Layout
from veillee.web.http.context import AppContext
from veillee.web.http.rate_limit import RateLimiter, network_of
from veillee.web.http.signing import Signer
from veillee.web.people import Person, language_of, new_id
from veillee.web.tables.table import Table

COOKIE = "veillee"
SHAPE_COOKIE = "shape"
SCRIPT_HEADER = b"x-veillee"
"""The page's script sends it; plain forms don't."""
HttpRequest = Request[Any, Any, Any]
Form = dict[str, str]
_form = msgspec.json.Decoder(Form)


@dataclass(eq=False)
class Caller:
    """The client of a request, from its cookie and headers."""

    scope: Any

    @cached_property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.scope["headers"])

    def header(self, name: bytes) -> str:
        return self.headers.get(name, b"").decode("latin-1")

    def cookie(self, name: str) -> str:
        for part in self.header(b"cookie").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value
        return ""

    @cached_property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.scope["query_string"].decode("latin-1"))

    def asks(self, name: str) -> str:
        return self.query.get(name, [""])[0]

    @property
    def address(self) -> str:
        """The client's address, as the proxy tells it."""
        client = self.scope.get("client")
        return str(client[0]) if client else ""

    @property
    def network(self) -> str:
        """The key of the client's address in rate limits."""
        return network_of(self.address)

    @property
    def by_script(self) -> bool:
        return self.headers.get(SCRIPT_HEADER) == b"1"

    @property
    def sends_json(self) -> bool:
        """Whether the script sent this form as JSON."""
        kind = self.headers.get(b"content-type", b"")
        return self.by_script and kind.startswith(b"application/json")

    def language(self, person: Person) -> str:
        return language_of(person, self.header(b"accept-language"))

    def layout(self, person: Person) -> Layout:
        """The script tells the screen's shape, else the browser's name does."""
        asked = self.asks("shape") or self.cookie(SHAPE_COOKIE)
        usual: Shape = "tall" if "Mobi" in self.header(b"user-agent") else "wide"
        shape = next((shape for shape in SIZES if shape == asked), usual)
        return Layout(self.language(person), shape)


async def person_of(context: AppContext, caller: Caller, *, cached: bool = False) -> Person:
    """The person of the cookie; somebody new without a valid one."""
    person_id = await context.read_signed(Signer.person_of, caller.cookie(COOKIE))
    if person_id is None:
        return Person(new_id())
    return await context.people.find(person_id, cached=cached)


def limit(context: AppContext, limiter: RateLimiter, key: str) -> None:
    """Refuse a request if there were too many."""
    if context.config.limits and not limiter.take(key):
        raise HTTPException(status_code=429)


def require_welcome(context: AppContext, caller: Caller, person: Person) -> None:
    """Refuse those who are banned."""
    if context.bans.include(person.id, caller.address):
        raise HTTPException(status_code=403)


def limit_key(context: AppContext, caller: Caller) -> str:
    """The person if the cookie is valid, else the client's address."""
    return context.signer.person_of(caller.cookie(COOKIE)) or caller.network


def payer_of(context: AppContext, caller: Caller) -> str:
    """On whose account bots think: a digest of the client's network. No address is stored."""
    return context.signer.digest(caller.network)


def require_watching(table: Table, person: Person) -> Table:
    """Refuse a private table to those who don't play there."""
    if not table.may_watch(person.id):
        raise Refusal("hidden", "web.watch.no", "web.watch.no")
    return table


async def table_to_open(context: AppContext, form: Form) -> str:
    """The id of the table whose ticket a form carries, else a new one."""
    return await context.read_signed(Signer.table_of, form.get("ticket", "")) or new_id()


async def meet(context: AppContext, caller: Caller, person: Person) -> Person:
    """Have a person stored, not too many from one address."""
    if not person.known:
        limit(context, context.limits.meeting, caller.network)
    return await context.people.keep(person, caller.language(person))


def decode_form(body: bytes) -> Form:
    """A form that the script sent as JSON."""
    try:
        return _form.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise HTTPException(status_code=400) from None


# ------------------------------------------------------------ Litestar


def provide_context(request: HttpRequest) -> AppContext:
    return cast(AppContext, request.app.state.context)


def provide_caller(request: HttpRequest) -> Caller:
    return Caller(request.scope)


async def provide_person(context: AppContext, caller: Caller) -> Person:
    return await person_of(context, caller)


def provide_language(caller: Caller, person: Person) -> str:
    return caller.language(person)


def provide_words(language: str) -> Words:
    return Words(language)


def provide_layout(caller: Caller, person: Person) -> Layout:
    return caller.layout(person)


async def provide_table(context: AppContext, person: Person, table_id: str) -> Table:
    """A table that the person may watch."""
    table = require_watching(await context.tables.current(table_id), person)
    context.presence.note(table, person.id)
    await context.presence.try_refresh(table)
    return table


async def provide_form(request: HttpRequest, caller: Caller) -> Form:
    """Return the fields of a form, or of the script's JSON."""
    if caller.header(b"content-type").startswith("application/json"):
        return decode_form(await request.body())
    try:
        return {key: str(value) for key, value in (await request.form()).items()}
    except (LookupError, ValueError):  # an unknown charset, or bytes that are not in it
        raise HTTPException(status_code=400) from None


DEPENDENCIES = {
    "context": Provide(provide_context, sync_to_thread=False),
    "caller": Provide(provide_caller, sync_to_thread=False),
    "person": Provide(provide_person),
    "language": Provide(provide_language, sync_to_thread=False),
    "words": Provide(provide_words, sync_to_thread=False),
    "layout": Provide(provide_layout, sync_to_thread=False),
    "table": Provide(provide_table),
    "form": Provide(provide_form),
}
