"""A person's own data: name, settings, games."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from veillee.engine.i18n import LANGUAGES
from veillee.web.database import notify_queries, queries
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import COOKIE, Caller, Form, limit, limit_key
from veillee.web.http.pages import Pages
from veillee.web.people import SPEEDS, THEMES, Person, Settings, tidy_name


@post("/settings", status_code=303)
async def settings(
    context: AppContext, caller: Caller, person: Person, form: Form
) -> Response[Any]:
    limit(context, context.limits.acting, limit_key(context, caller))
    if not person.known:
        limit(context, context.limits.meeting, caller.network)
    old = person.settings
    only = form.get("only", "")
    chosen = Settings(
        language=form["language"] if form.get("language") in LANGUAGES else old.language,
        theme=form["theme"] if form.get("theme") in THEMES else old.theme,
        speed=form["speed"] if form.get("speed") in SPEEDS else old.speed,
        sound=form.get("sound") == "1" if only in ("", "sound") else old.sound,
        alerts=old.alerts if only else form.get("alerts") == "1",
        confirm=old.confirm if only else form.get("confirm") == "1",
        keys=old.keys if only else form.get("keys") == "1",
    )
    name = tidy_name(form["name"]) if "name" in form else person.name
    await context.people.save(msgspec.structs.replace(person, name=name, settings=chosen))
    back = form.get("back", "/")
    safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
    return Redirect(safe, status_code=303)


@get("/me")
async def me(context: AppContext, pages: Pages, person: Person) -> Response[str]:
    mail = await notify_queries.mail_of(context.store, person.id)
    return pages.render(
        "me.html",
        count=await queries.count_tables_of(context.store, person.id),
        mail_offered=context.mailer.available,
        mail=mail.address if mail else "",
    )


@post("/forget", status_code=303)
async def forget(context: AppContext, caller: Caller, person: Person) -> Response[Any]:
    limit(context, context.limits.meeting, caller.network)
    await context.tokens.revoke_all(person.id)
    await context.people.forget(person.id)
    response = Redirect("/", status_code=303)
    response.delete_cookie(COOKIE)
    return response


HANDLERS = [settings, me, forget]
