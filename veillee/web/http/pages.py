"""Whole pages: a template in the person's language, with the cookie that says who they are."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from litestar import Response
from markupsafe import Markup

from veillee.engine.i18n import Words
from veillee.engine.registry import games
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import COOKIE, Caller
from veillee.web.people import Person, new_id
from veillee.web.templating import environment

COOKIE_AGE = 400 * 24 * 3600
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


class Pages:
    """Renders pages for one request."""

    def __init__(self, context: AppContext, caller: Caller, person: Person) -> None:
        self._context = context
        self._caller = caller
        self._person = person

    def render(
        self, template: str, status: int = 200, person: Person | None = None, **values: Any
    ) -> Response[str]:
        person = person or self._person
        language = self._caller.language(person)
        words = Words(language)
        values.setdefault("here", self._caller.scope["path"])
        body = (
            environment()
            .get_template(template)
            .render(
                t=words,
                titles={name: words(f"{name}.title") for name in games()},
                language=language,
                person=person,
                settings=person.settings,
                promise=self._promise,
                **values,
            )
        )
        response = Response(body, media_type="text/html", status_code=status)
        response.headers["cache-control"] = "no-store"
        if status < 400:  # nobody is given a new identity because something went wrong
            self._remember(response, person)
        return response

    def _remember(self, response: Response[str], person: Person) -> None:
        """Set the person's cookie, unless the browser has it."""
        signed = self._context.signer.sign_person(person.id)
        if self._caller.cookie(COOKIE) != signed:
            response.set_cookie(
                COOKIE,
                signed,
                max_age=COOKIE_AGE,
                httponly=True,
                samesite="lax",
                secure=self._caller.scope["scheme"] == "https",
            )

    def _promise(self) -> dict[str, str]:
        """A table that is yet to be opened: its ticket, and the commitment to its seed."""
        table_id = new_id()
        return {
            "id": table_id,
            "ticket": self._context.signer.sign_table(table_id),
            "commitment": self._context.seeds.seed(table_id).commitment,
        }

    def social(self, title: str, choice: str, path: str) -> dict[str, str]:
        """Return the link preview of a page (Open Graph): a title and a game's picture."""
        return {
            "title": title,
            "about": Words(self._caller.language(self._person))("web.join.preview"),
            "link": self.link(path),
            "picture": self.link(f"/picture/{choice}.png"),
        }

    def link(self, path: str) -> str:
        """An address that others can open."""
        host = self._caller.header(b"host")
        name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
        base = f"{self._caller.scope['scheme']}://{host}"
        if self._context.config.address and name.strip("[]") in LOCAL_NAMES:
            base = self._context.config.address
        return base + path


@lru_cache(256)
def qr_code(link: str) -> Markup:
    import segno

    code = segno.make(link, error="m", micro=False)
    return Markup(  # noqa: S704 - drawn from the link by the library
        code.svg_inline(scale=5, border=2, dark="#1a1420", light="#ffffff", omitsize=True)
    )


def provide_pages(context: AppContext, caller: Caller, person: Person) -> Pages:
    return Pages(context, caller, person)
