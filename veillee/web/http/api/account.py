"""The account of a token, and invitations to tables."""

from __future__ import annotations

from veillee.client import types
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.database import api_queries
from veillee.web.http.actions import carry_out
from veillee.web.http.api.operations import TableId, reads, writes
from veillee.web.http.api.tables import shown
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller
from veillee.web.invitations import invite_bot
from veillee.web.people import Person, is_bot_name
from veillee.web.tables.table import Table
from veillee.web.tokens import SCOPES, Token

ACCOUNT, INVITATIONS = "Account", "Invitations"
MOST_INVITATIONS = 50


@reads("/account", ACCOUNT, operation_id="getAccount", summary="See who you are")
async def account(context: AppContext, person: Person, token: Token) -> types.Account:
    """The person or bot that the token acts for, and what it may do."""
    bot = is_bot_name(person.name)
    return types.Account(
        name=person.name,
        kind="bot" if bot else "person",
        handle=(await api_queries.handle_of(context.store, person.id) or "") if bot else "",
        scopes=[scope for scope in SCOPES if scope in token.scopes],
    )


@reads("/invitations", INVITATIONS, operation_id="listInvitations", summary="List invitations")
async def invitations(context: AppContext, person: Person, words: Words) -> list[types.Table]:
    """The tables to which you are invited and that have not begun."""
    ids = await api_queries.invitations_of(context.store, person.id, MOST_INVITATIONS)
    return [
        shown(context, await context.tables.current(table_id), person, words) for table_id in ids
    ]


@writes(
    "/tables/{table_id:str}/invite",
    INVITATIONS,
    operation_id="invite",
    summary="Invite a bot",
)
async def invite(
    context: AppContext,
    person: Person,
    words: Words,
    table: Table,
    data: types.InviteRequest,
) -> types.Table:
    """The host invites a bot to the table, which may accept."""
    await invite_bot(context.store, context.bus, table, person.id, data.bot)
    return shown(context, table, person, words)


@writes(
    "/invitations/{table_id:str}/accept",
    INVITATIONS,
    operation_id="accept",
    summary="Accept an invitation",
)
async def accept(
    context: AppContext,
    caller: Caller,
    person: Person,
    words: Words,
    table_id: TableId,
    data: types.SitRequest,
) -> types.Table:
    """Take a seat at a table to which you are invited."""
    await _require_invitation(context, person, table_id)
    form = {} if data.seat is None else {"seat": str(data.seat)}
    table = await carry_out(context, caller, person, table_id, "sit", form)
    await context.store.write(api_queries.delete_invitation(person.id, table_id))
    return shown(context, table, person, words)


@writes(
    "/invitations/{table_id:str}/refuse",
    INVITATIONS,
    operation_id="refuse",
    summary="Refuse an invitation",
    status=204,
)
async def refuse(context: AppContext, person: Person, table_id: TableId) -> None:
    """Refuse an invitation."""
    await _require_invitation(context, person, table_id)
    await context.store.write(api_queries.delete_invitation(person.id, table_id))


async def _require_invitation(context: AppContext, person: Person, table_id: str) -> None:
    if table_id not in await api_queries.invitations_of(context.store, person.id, MOST_INVITATIONS):
        raise Refusal("unknown", "web.invite.none")


HANDLERS = [account, invitations, invite, accept, refuse]
