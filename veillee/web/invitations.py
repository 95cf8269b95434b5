"""Invitations of bots to tables: rows that a bot's stream tells of, until it answers."""

from __future__ import annotations

from veillee.engine.refusal import Refusal
from veillee.web.bus import Bus, ListsChanged
from veillee.web.clock import now
from veillee.web.database import Store, api_queries
from veillee.web.tables.table import Table
from veillee.web.tokens import HANDLE

MOST_INVITED = 20
"""Invitations to one table."""


async def invite_bot(store: Store, bus: Bus, table: Table, host: str, handle: str) -> None:
    """Invite the bot with a handle to a table that has not begun."""
    if host != table.plan.host:
        raise Refusal("illegal", "web.act.host")
    if table.state != "gathering":
        raise Refusal("illegal", "web.act.now")
    handle = handle.strip().lower()
    bot = await api_queries.bot_by_handle(store, handle) if HANDLE.fullmatch(handle) else None
    if bot is None:
        raise Refusal("illegal", "web.invite.unknown")
    if table.seats_of(bot) or bot in table.removed:
        raise Refusal("illegal", "web.act.sitting")
    if await api_queries.count_invited_to(store, table.id) >= MOST_INVITED:
        raise Refusal("illegal", "web.invite.many")
    await store.write(api_queries.insert_invitation(bot, table.id, now()))
    await bus.tell(ListsChanged([bot]))
