"""Settings for turn notifications: web push subscriptions and e-mail addresses."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.response import Redirect

from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.clock import now
from veillee.web.database import notify_queries
from veillee.web.database.notify_queries import Subscription
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, Form, limit, limit_key, meet, require_welcome
from veillee.web.http.pages import Pages
from veillee.web.http.signing import Signer
from veillee.web.mail import is_address
from veillee.web.outbound import is_allowed
from veillee.web.people import Person
from veillee.web.tables.commands import refuse
from veillee.web.web_push import is_valid

LONGEST_ENDPOINT = 1000
JSON = "application/json"


@get("/push/key")
async def push_key(context: AppContext) -> Response[Any]:
    """The public key that a browser needs to subscribe."""
    return Response({"key": context.notifier.signer.public}, media_type=JSON)


@post("/push", status_code=200)
async def subscribe(
    context: AppContext, caller: Caller, person: Person, form: Form
) -> Response[Any]:
    """A browser wants messages."""
    limit(context, context.limits.acting, limit_key(context, caller))
    require_welcome(context, caller, person)
    endpoint, p256dh, auth = (form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    private = context.config.private_endpoints
    if len(endpoint) > LONGEST_ENDPOINT or not is_allowed(endpoint, private=private):
        raise HTTPException(status_code=400)
    if not is_valid(p256dh, auth):
        raise HTTPException(status_code=400)
    person = await meet(context, caller, person)
    given = Subscription(endpoint, person.id, p256dh, auth, caller.language(person))
    await context.store.write(*notify_queries.subscribe(given, now()))
    return Response({"ok": True}, media_type=JSON)


@post("/push/forget", status_code=200)
async def unsubscribe(context: AppContext, caller: Caller, form: Form) -> Response[Any]:
    limit(context, context.limits.acting, limit_key(context, caller))
    await context.store.write(notify_queries.unsubscribe(form.get("endpoint", "")))
    return Response({"ok": True}, media_type=JSON)


@post("/mail", status_code=200)
async def ask_for_mail(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    words: Words,
    form: Form,
) -> Response[Any]:
    """Send a link to an address, to learn whether the person reads the mail there."""
    limit(context, context.limits.mailing, caller.network)
    require_welcome(context, caller, person)
    if not context.mailer.available:
        raise HTTPException(status_code=404)
    address = form.get("address", "").strip()
    if not is_address(address):
        raise refuse("web.mail.wrong")
    person = await meet(context, caller, person)
    ticket = urlencode({"ticket": context.signer.sign_mail(person.id, address)})
    text = f"{words('web.mail.text')}\n\n{context.config.address}/mail/confirm?{ticket}"
    try:
        subject = words("web.mail.subject")
        await asyncio.to_thread(context.mailer.send, address, subject, text)
    except OSError:
        raise Refusal("failed", "web.mail.failed", "web.mail.failed") from None
    said = words("web.mail.asked", address=address)
    return pages.render("lost.html", title=words("web.mail"), message=said, here="/")


@get("/mail/confirm")
async def confirm_page(
    context: AppContext, caller: Caller, pages: Pages, words: Words
) -> Response[str]:
    """The page behind that link. It takes a click: programs that look at links confirm nothing."""
    ticket = caller.asks("ticket")
    found = await context.read_signed(Signer.mail_of, ticket)
    if found is None:
        raise refuse("web.mail.ticket")
    asked = words("web.mail.confirm", address=found[1])
    return pages.render("mail.html", asked=asked, ticket=ticket, here="/me")


@post("/mail/confirm", status_code=303)
async def confirm(context: AppContext, caller: Caller, person: Person, form: Form) -> Response[Any]:
    limit(context, context.limits.acting, limit_key(context, caller))
    found = await context.read_signed(Signer.mail_of, form.get("ticket", ""))
    if found is None:
        raise refuse("web.mail.ticket")
    owner, address = found
    language = caller.language(person)
    await context.store.write(notify_queries.set_mail(owner, address, language, now()))
    return Redirect("/me", status_code=303)


@post("/mail/forget", status_code=303)
async def stop_mail(context: AppContext, person: Person) -> Response[Any]:
    await context.store.write(notify_queries.forget_mail(person.id))
    return Redirect("/me", status_code=303)


HANDLERS = [push_key, subscribe, unsubscribe, ask_for_mail, confirm_page, confirm, stop_mail]
