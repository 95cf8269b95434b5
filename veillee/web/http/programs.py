"""`/programs`: the tokens with which programs act for a person, and the person's bots."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from veillee.engine.refusal import Refusal
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    Caller,
    Form,
    limit,
    limit_key,
    meet,
    require_welcome,
)
from veillee.web.http.pages import Pages
from veillee.web.http.refusals import explain
from veillee.web.http.table import TablePage
from veillee.web.invitations import invite_bot
from veillee.web.people import Person
from veillee.web.tokens import SCOPES


async def _page(context: AppContext, pages: Pages, person: Person, **values: Any) -> Response[str]:
    bots = await context.tokens.bots_of(person.id)
    made = await context.tokens.made_by(person.id)
    return pages.render(
        "programs.html",
        person=person,
        tokens=[(token, bots.get(token.person, ""), token.scopes.split()) for token in made],
        scopes=SCOPES,
        here="/programs",
        **({"new": ""} | values),
    )


@get("/programs")
async def programs(
    context: AppContext, caller: Caller, pages: Pages, person: Person
) -> Response[str]:
    limit(context, context.limits.asking, caller.network)
    return await _page(context, pages, person)


@post("/programs", status_code=200)
async def make_token(
    context: AppContext, caller: Caller, pages: Pages, person: Person, language: str, form: Form
) -> Response[str]:
    """Make a token and show it, this once."""
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    person = await meet(context, caller, person)
    scopes = [scope for scope in SCOPES if form.get(scope) == "1"]
    handle = form.get("bot", "").strip().lower()
    try:
        text = await context.tokens.make(person, form.get("label", ""), scopes, handle)
    except Refusal as refused:
        told = explain(refused, language)
        return await _page(context, pages, person, said=told.body["refused"], status=told.status)
    return await _page(context, pages, person, new=text)


@post("/programs/revoke", status_code=303)
async def revoke_token(
    context: AppContext, caller: Caller, person: Person, form: Form
) -> Response[Any]:
    limit(context, context.limits.acting, limit_key(context, caller))
    await context.tokens.revoke(person.id, form.get("id", ""))
    return Redirect("/programs", status_code=303)


@post("/t/{table_id:str}/guest", status_code=303)
async def invite(
    context: AppContext, caller: Caller, person: Person, page: TablePage, form: Form
) -> Response[Any]:
    """The host invites a bot by its handle."""
    limit(context, context.limits.acting, limit_key(context, caller))
    require_welcome(context, caller, person)
    try:
        await invite_bot(context.store, context.bus, page.table, person.id, form.get("bot", ""))
    except Refusal as refused:
        return await page.refuse(refused)
    return Redirect(f"/t/{page.table.id}", status_code=303)


HANDLERS = [programs, make_token, revoke_token, invite]
