"""What a person keeps here: name, settings, games."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from veillee.engine.words import LANGUAGES
from veillee.web.desk import Req, desk
from veillee.web.people import COOKIE, SPEEDS, THEMES, Settings, tidy_name


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
