"""The SQL of the HTTP API: tokens, bot accounts, invitations, webhooks.

As in `queries.py`, functions that return a `Statement` are for `Store.write`; the others read.
"""

from __future__ import annotations

from typing import NamedTuple

from veillee.web.database.store import Row, Statement, Store

# ------------------------------------------------------------ tokens


class TokenRow(NamedTuple):
    """A token as it is stored, without its digest."""

    id: str
    owner: str
    person: str
    label: str
    scopes: str
    made: int
    used: int


_TOKEN = "id, owner, person, label, scopes, made, used"  # noqa: S105 - names of columns


def insert_token(digest: str, token: TokenRow) -> Statement:
    return Statement(
        f"INSERT INTO api_token (digest, {_TOKEN}) "  # noqa: S608 - names of columns
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        (digest, *token),
    )


def note_use(digest: str, at: int) -> Statement:
    return Statement("UPDATE api_token SET used = $2 WHERE digest = $1", (digest, at))


def delete_token(owner: str, token_id: str) -> Statement:
    """Delete a token of its owner, and return its id if there was one."""
    return Statement(
        "DELETE FROM api_token WHERE owner = $1 AND id = $2 RETURNING id", (owner, token_id)
    )


def delete_tokens_of(person: str) -> Statement:
    """Delete the tokens of a person and of their bots, and return the ids."""
    return Statement(
        "DELETE FROM api_token WHERE owner = $1 OR person = $1 RETURNING id", (person,)
    )


async def token_by_digest(store: Store, digest: str) -> TokenRow | None:
    rows = await store.read(
        f"SELECT {_TOKEN} FROM api_token WHERE digest = $1",  # noqa: S608 - names of columns
        digest,
    )
    return TokenRow(*rows[0]) if rows else None


async def has_token(store: Store, token_id: str) -> bool:
    return bool(await store.read("SELECT 1 FROM api_token WHERE id = $1", token_id))


async def tokens_of(store: Store, owner: str) -> list[TokenRow]:
    """Return the tokens that a person made, the newest first."""
    rows = await store.read(
        f"SELECT {_TOKEN} FROM api_token WHERE owner = $1 ORDER BY made DESC, id",  # noqa: S608
        owner,
    )
    return [TokenRow(*row) for row in rows]


# ------------------------------------------------------------ bot accounts


def insert_bot(person: str, owner: str, handle: str) -> Statement:
    """Add a bot account, unless the handle is taken."""
    return Statement(
        "INSERT INTO bot_account (person, owner, handle) VALUES ($1, $2, $3) "
        "ON CONFLICT DO NOTHING",
        (person, owner, handle),
    )


async def bots_of(store: Store, owner: str) -> list[tuple[str, str]]:
    """Return person and handle of a person's bots."""
    rows = await store.read(
        "SELECT person, handle FROM bot_account WHERE owner = $1 ORDER BY handle", owner
    )
    return [(str(row[0]), str(row[1])) for row in rows]


async def bot_by_handle(store: Store, handle: str) -> str | None:
    return _first(await store.read("SELECT person FROM bot_account WHERE handle = $1", handle))


async def handle_of(store: Store, person: str) -> str | None:
    """Return a bot's handle, or None if the person is no bot."""
    return _first(await store.read("SELECT handle FROM bot_account WHERE person = $1", person))


# ------------------------------------------------------------ invitations


def insert_invitation(person: str, table_id: str, at: int) -> Statement:
    return Statement(
        "INSERT INTO invitation (person, table_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        (person, table_id, at),
    )


def delete_invitation(person: str, table_id: str) -> Statement:
    return Statement(
        "DELETE FROM invitation WHERE person = $1 AND table_id = $2", (person, table_id)
    )


async def invitations_of(store: Store, person: str, most: int) -> list[str]:
    """Return the tables to which a person is invited and that have not begun, the newest first."""
    return _texts(
        await store.read(
            "SELECT game_table.id FROM invitation "
            "JOIN game_table ON game_table.id = invitation.table_id "
            "WHERE invitation.person = $1 AND game_table.state = 'gathering' "
            "ORDER BY invitation.at DESC LIMIT $2",
            person,
            most,
        )
    )


async def count_invited_to(store: Store, table_id: str) -> int:
    rows = await store.read("SELECT count(*) FROM invitation WHERE table_id = $1", table_id)
    return int(rows[0][0])


# ------------------------------------------------------------ webhooks


class WebhookRow(NamedTuple):
    """A webhook as it is stored."""

    id: str
    person: str
    url: str
    secret: str
    events: str
    failures: int
    made: int


_WEBHOOK = "id, person, url, secret, events, failures, made"


def insert_webhook(hook: WebhookRow) -> Statement:
    return Statement(
        f"INSERT INTO webhook ({_WEBHOOK}) "  # noqa: S608 - names of columns
        "VALUES ($1, $2, $3, $4, $5, $6, $7)",
        tuple(hook),
    )


def delete_webhook(person: str, hook_id: str) -> Statement:
    return Statement("DELETE FROM webhook WHERE person = $1 AND id = $2", (person, hook_id))


def count_failure(hook_id: str) -> Statement:
    return Statement("UPDATE webhook SET failures = failures + 1 WHERE id = $1", (hook_id,))


def clear_failures(hook_id: str) -> Statement:
    return Statement("UPDATE webhook SET failures = 0 WHERE id = $1", (hook_id,))


async def webhooks_of(store: Store, person: str) -> list[WebhookRow]:
    rows = await store.read(
        f"SELECT {_WEBHOOK} FROM webhook WHERE person = $1 ORDER BY made, id",  # noqa: S608
        person,
    )
    return [WebhookRow(*row) for row in rows]


async def webhook_people(store: Store) -> list[str]:
    """Return the people who have a webhook."""
    return _texts(await store.read("SELECT DISTINCT person FROM webhook"))


async def webhook_by_id(store: Store, hook_id: str) -> WebhookRow | None:
    rows = await store.read(f"SELECT {_WEBHOOK} FROM webhook WHERE id = $1", hook_id)  # noqa: S608
    return WebhookRow(*rows[0]) if rows else None


class CallRow(NamedTuple):
    """A pending call of a webhook."""

    id: str
    webhook: str
    body: str
    attempts: int
    at: int


def insert_call(call: CallRow) -> Statement:
    """Add a call, unless it was added before."""
    return Statement(
        "INSERT INTO webhook_call (id, webhook, body, attempts, at) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT DO NOTHING",
        tuple(call),
    )


def count_attempt(call_id: str) -> Statement:
    return Statement("UPDATE webhook_call SET attempts = attempts + 1 WHERE id = $1", (call_id,))


def finish_call(call_id: str) -> Statement:
    """Remember a call only so that it is not made again."""
    return Statement("UPDATE webhook_call SET body = '' WHERE id = $1", (call_id,))


def delete_old_calls(before: int) -> Statement:
    return Statement("DELETE FROM webhook_call WHERE body = '' AND at < $1", (before,))


async def call_by_id(store: Store, call_id: str) -> CallRow | None:
    rows = await store.read(
        "SELECT id, webhook, body, attempts, at FROM webhook_call WHERE id = $1", call_id
    )
    return CallRow(*rows[0]) if rows else None


# ------------------------------------------------------------ forgetting


def delete_programs(owner: str) -> list[Statement]:
    """Delete all that lets programs act for a person: tokens, bots, webhooks, invitations."""
    bots = "(SELECT person FROM bot_account WHERE owner = $1)"
    return [
        Statement("DELETE FROM api_token WHERE owner = $1 OR person = $1", (owner,)),
        Statement(f"DELETE FROM webhook WHERE person = $1 OR person IN {bots}", (owner,)),  # noqa: S608
        Statement(f"DELETE FROM invitation WHERE person = $1 OR person IN {bots}", (owner,)),  # noqa: S608
        Statement(f"DELETE FROM person WHERE id IN {bots}", (owner,)),  # noqa: S608
        Statement("DELETE FROM bot_account WHERE owner = $1", (owner,)),
    ]


def _first(rows: list[Row]) -> str | None:
    return str(rows[0][0]) if rows else None


def _texts(rows: list[Row]) -> list[str]:
    return [str(row[0]) for row in rows]
