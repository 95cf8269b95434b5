"""SQL about where people want to hear that it is their turn."""

from __future__ import annotations

from typing import NamedTuple

from veillee.web.database.store import Statement, Store

MOST_SUBSCRIPTIONS = 8
"""Devices of one person; the oldest gives way."""


class Subscription(NamedTuple):
    """A browser that wants messages: where to send them, and the keys to encrypt them with."""

    endpoint: str
    person: str
    p256dh: str
    auth: str
    language: str


def subscribe(given: Subscription, at: int) -> list[Statement]:
    """Add a browser, or say that it is another person's now."""
    return [
        Statement(
            "INSERT INTO push_subscription (endpoint, person, p256dh, auth, language, made) "
            "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (endpoint) DO UPDATE SET "
            "person = excluded.person, p256dh = excluded.p256dh, auth = excluded.auth, "
            "language = excluded.language, made = excluded.made",
            (*given, at),
        ),
        Statement(
            "DELETE FROM push_subscription WHERE person = $1 AND endpoint NOT IN (SELECT endpoint "
            "FROM push_subscription WHERE person = $1 ORDER BY made DESC LIMIT $2)",
            (given.person, MOST_SUBSCRIPTIONS),
        ),
    ]


def unsubscribe(endpoint: str) -> Statement:
    return Statement("DELETE FROM push_subscription WHERE endpoint = $1", (endpoint,))


async def subscriptions_of(store: Store, person: str) -> list[Subscription]:
    rows = await store.read(
        "SELECT endpoint, person, p256dh, auth, language FROM push_subscription WHERE person = $1",
        person,
    )
    return [Subscription(*row) for row in rows]


class MailAddress(NamedTuple):
    """A confirmed address, and the language of the messages."""

    address: str
    language: str


def set_mail(person: str, address: str, language: str, at: int) -> Statement:
    return Statement(
        "INSERT INTO mail_address (person, address, language, made) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (person) DO UPDATE SET address = excluded.address, "
        "language = excluded.language, made = excluded.made",
        (person, address, language, at),
    )


def forget_mail(person: str) -> Statement:
    return Statement("DELETE FROM mail_address WHERE person = $1", (person,))


async def mail_of(store: Store, person: str) -> MailAddress | None:
    rows = await store.read("SELECT address, language FROM mail_address WHERE person = $1", person)
    return MailAddress(*rows[0]) if rows else None


async def vapid_key(store: Store, new: str) -> str:
    """Return the key that signs push messages; `new` becomes it if there is none."""
    await store.write(
        Statement(
            "INSERT INTO setting (key, value) VALUES ('vapid', $1) ON CONFLICT DO NOTHING", (new,)
        )
    )
    rows = await store.read("SELECT value FROM setting WHERE key = 'vapid'")
    return str(rows[0][0])
