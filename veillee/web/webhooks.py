"""Webhooks: addresses that are called when it is a person's turn, or their game is over.

A call is a row and a job: made once, tried again with growing pauses, taken over when a server
dies. It is signed as https://www.standardwebhooks.com says, for which there are libraries in many
languages. How addresses are called, and which are not, is in `outbound.py`.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from veillee.client import types
from veillee.client.webhooks import sign
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web import clock
from veillee.web.database import Store, api_queries
from veillee.web.database.api_queries import CallRow, WebhookRow
from veillee.web.delivery.table_data import table_data
from veillee.web.jobs import Jobs
from veillee.web.outbound import Forbidden, is_allowed, is_literal, is_public, post
from veillee.web.people import People, new_id
from veillee.web.refreshed import Refreshed
from veillee.web.tables.presence import Presence
from veillee.web.tables.turns import TurnEvent

log = logging.getLogger("veillee.webhooks")

WEBHOOK = "webhook"
"""The kind of job; the subject is the id of a call."""
MOST_WEBHOOKS = 10
PAUSES = (5, 30, 120, 600, 3600, 6 * 3600)
"""Seconds before each further attempt of a call."""
MOST_FAILURES = 20
"""Calls in a row that were given up, after which an address is called no more."""
KEPT = 24 * 3600_000
"""Milliseconds for which a call is remembered, so that it is not made twice."""
EVERY = 5.0
"""Seconds between two looks at who has webhooks, which another server may have changed."""


class Webhooks(Refreshed):
    """The webhooks of all people, and the calls."""

    def __init__(
        self, store: Store, jobs: Jobs, people: People, presence: Presence, *, private: bool
    ) -> None:
        super().__init__("webhooks", EVERY)
        self._store = store
        self._jobs = jobs
        self._people = people
        self._presence = presence
        self._private = private
        """Whether private addresses may be called, and without TLS."""
        self._owners: frozenset[str] = frozenset()

    async def refresh(self) -> None:
        self._owners = frozenset(await api_queries.webhook_people(self._store))

    # ------------------------------------------------------------ addresses

    async def of(self, person: str) -> Sequence[WebhookRow]:
        return await api_queries.webhooks_of(self._store, person)

    async def add(self, person: str, url: str, events: Sequence[str]) -> WebhookRow:
        """Have an address called."""
        self._check(url)
        if len(await self.of(person)) >= MOST_WEBHOOKS:
            raise Refusal("illegal", "web.token.many", n=MOST_WEBHOOKS)
        secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        chosen = " ".join(sorted(set(events)))
        hook = WebhookRow(new_id(), person, url, secret, chosen, 0, clock.now())
        await self._store.write(api_queries.insert_webhook(hook))
        self._owners |= {person}
        return hook

    async def delete(self, person: str, hook_id: str) -> bool:
        """Have an address called no more. Return whether it was called before."""
        return await self._store.write(api_queries.delete_webhook(person, hook_id))

    def _check(self, url: str) -> None:
        """Refuse an address that is not called, as far as that can be seen."""
        odd = not url.isprintable() or " " in url
        if odd or not is_allowed(url, private=self._private):
            raise Refusal("illegal", "web.hook.url")
        host = urlsplit(url).hostname or ""
        if not self._private and is_literal(host) and not is_public(host):
            raise Refusal("illegal", "web.hook.private")

    # ------------------------------------------------------------ calls

    def wants(self, person: str) -> bool:
        return person in self._owners

    async def tell(self, event: TurnEvent) -> None:
        """Make the calls of an event, unless they were made before."""
        person, table = await self._people.find(event.person), event.table
        words = Words(person.settings.language or "en")
        names = table.names(self._people.names, words("web.someone"))
        away = self._presence.away_seats(table)
        for hook in await self.of(person.id):
            if event.kind not in hook.events.split() or hook.failures >= MOST_FAILURES:
                continue
            data = table_data(table, person.id, names, away, words)
            body = msgspec.json.encode(types.AccountMessage(event.kind, data)).decode()
            call_id = f"{hook.id}:{table.id}:{table.moment}"
            scheduled = self._jobs.schedule(WEBHOOK, call_id, clock.now())
            call = CallRow(call_id, hook.id, body, 0, clock.now())
            if await self._store.write(api_queries.insert_call(call), scheduled.statement):
                self._jobs.begin(scheduled)

    async def call(self, call_id: str) -> None:
        """Do the job of a call: make it, and if it fails, schedule the next attempt."""
        call = await api_queries.call_by_id(self._store, call_id)
        if call is None or not call.body:
            return
        hook = await api_queries.webhook_by_id(self._store, call.webhook)
        if hook is None:
            await self._store.write(api_queries.finish_call(call_id))
        elif await self._post(hook, call):
            await self._store.write(api_queries.finish_call(call_id))
            await self._store.write(api_queries.clear_failures(hook.id))
            await self._store.write(api_queries.delete_old_calls(clock.now() - KEPT))
        elif call.attempts >= len(PAUSES):
            await self._store.write(api_queries.finish_call(call_id))
            await self._store.write(api_queries.count_failure(hook.id))
        else:
            due = clock.now() + PAUSES[call.attempts] * 1000
            scheduled = self._jobs.schedule(WEBHOOK, call_id, due)
            await self._store.write(api_queries.count_attempt(call_id), scheduled.statement)
            self._jobs.begin(scheduled)

    async def _post(self, hook: WebhookRow, call: CallRow) -> bool:
        """Call an address; return whether it answered that it took the message."""
        body = call.body.encode()
        headers = sign(hook.secret, _message_id(call), int(time.time()), body)
        headers |= {"content-type": "application/json"}
        try:
            status = await asyncio.to_thread(post, hook.url, body, headers, private=self._private)
        except (Forbidden, OSError, ValueError) as error:
            log.info("webhook %s could not be called: %s", hook.id, type(error).__name__)
            return False
        return 200 <= status < 300


def _message_id(call: CallRow) -> str:
    """The id of a message, the same at each attempt. It may not have a full stop."""
    return call.id.replace(":", "-")
