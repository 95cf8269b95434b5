"""`POST /t/{id}/{command}`: what a person does at a table.

The script's posts are answered by a plain ASGI callable ahead of the framework's router, because
they are the most frequent; forms go through Litestar. Both end in `act`.
"""

from __future__ import annotations

import msgspec
from litestar.exceptions import HTTPException

from veillee.web import metrics
from veillee.web.database import Statement, queries
from veillee.web.http.asgi import Receive, Send
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    Caller,
    Form,
    decode_form,
    limit,
    limit_key,
    meet,
    person_of,
    require_watching,
    require_welcome,
)
from veillee.web.http.refusals import explain
from veillee.web.http.security import respond
from veillee.web.http.signing import Signer
from veillee.web.people import Person, tidy_name
from veillee.web.tables.commands import COMMANDS, Command
from veillee.web.tables.table import Table

LONGEST_TOKEN = 64
JSON = b"application/json"
_json = msgspec.json.Encoder()


async def act(
    context: AppContext, caller: Caller, person: Person, table_id: str, name: str, form: Form
) -> Table:
    """Carry out a command of the page. When this returns it is durable."""
    limit(context, context.limits.acting, limit_key(context, caller))
    require_welcome(context, caller, person)
    return await carry_out(context, caller, person, table_id, name, form)


async def carry_out(
    context: AppContext, caller: Caller, person: Person, table_id: str, name: str, form: Form
) -> Table:
    """Carry out a command of somebody who may send commands."""
    run = COMMANDS.get(name)
    if run is None:
        raise HTTPException(status_code=404)
    token = _token(person, form)
    table = await context.tables.get(table_id)
    if name != "bring":
        require_watching(table, person)
    context.presence.note(table, person.id)
    if name in ("vote", "remove"):
        await context.presence.refresh(table)
    ticket = await context.read_signed(Signer.seat_of, form.get("ticket", ""))
    command = Command(table, person.id, form, context.config.level, context.presence, ticket)
    extra: list[Statement] = []
    if name in ("sit", "bring"):
        run(command)  # nobody is stored whose command is refused
        await meet(context, caller, _named(person, form))
        extra.append(queries.insert_sitting(person.id, table.id))
    await context.tables.change(table, lambda _: run(command), token, extra)
    metrics.COMMANDS.labels(name).inc()
    return table


def _named(person: Person, form: Form) -> Person:
    """The person with the name that they gave when they joined."""
    name = tidy_name(form.get("name", ""))
    if not name or name == person.name:
        return person
    return msgspec.structs.replace(person, name=name, known=False)


def _token(person: Person, form: Form) -> str | None:
    """The idempotency token of a command, which is the person's own."""
    token = form.get("token")
    if not token:
        return None
    if len(token) > LONGEST_TOKEN or not token.isprintable():
        raise HTTPException(status_code=400)
    return f"{person.id[:8]}:{token}"


async def answer_script(
    context: AppContext, caller: Caller, table_id: str, name: str, receive: Receive, send: Send
) -> None:
    """Answer a post of the page's script, whose body was read already."""
    person = await person_of(context, caller, cached=True)
    try:
        form = decode_form((await receive())["body"])
        with metrics.ACKNOWLEDGED.time():
            table = await act(context, caller, person, table_id, name, form)
    except Exception as error:  # noqa: BLE001 - whatever it is, the person must hear of it
        told = explain(error, caller.language(person))
        await respond(send, told.status, _json.encode(told.body), JSON)
    else:
        await respond(send, 200, b'{"ok":true,"number":%d}' % table.number, JSON)
