"""Tells people that it is their turn while no window of theirs is open.

At tables with days for each decision, the entry that makes it somebody's turn also writes a job
(see `tables/listing.py`), so one server does it, and another takes over if that one dies, which may
happen after the message was sent. Push messages go to the push service of the person's browser, if
they allowed it; e-mail goes through the host's server, if there is one and the person confirmed an
address.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import NamedTuple

import msgspec

from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web import metrics
from veillee.web.database import Store, notify_queries
from veillee.web.database.notify_queries import Subscription
from veillee.web.mail import Mailer
from veillee.web.outbound import Forbidden, post
from veillee.web.people import People
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.table import Table
from veillee.web.web_push import PushSigner, encrypt

log = logging.getLogger("veillee.notifications")

ATTEMPTS = 3
PAUSE = 2.0
"""Seconds before the second attempt; twice as many before each further one."""
LIVES = 24 * 3600
"""Seconds for which a push service keeps a message for a device that is off."""
GONE = (404, 410)
"""Answers of push services for subscriptions that have ended."""
_json = msgspec.json.Encoder()


class Notice(NamedTuple):
    """A message to a person."""

    title: str
    body: str
    path: str


class Notifier:
    """`attend` is the handler of the jobs."""

    def __init__(
        self,
        store: Store,
        tables: TableRegistry,
        people: People,
        presence: Presence,
        mailer: Mailer,
        address: str,
        *,
        private: bool = False,
    ) -> None:
        self._store = store
        self._tables = tables
        self._people = people
        self._presence = presence
        self._mailer = mailer
        self._address = address
        self._private = private

    signer: PushSigner

    async def attend(self, table_id: str) -> None:
        """Tell the person whose turn it is at a table, unless they are there."""
        try:
            table = await self._tables.current(table_id)
        except Refusal:  # it was deleted
            return
        person = table.awaited
        if table.state != "playing" or table.paused or not person:
            return
        await self._presence.refresh(table)
        if not self._presence.is_here(table, person):
            await self.tell(person, table)

    async def tell(self, person: str, table: Table) -> None:
        """Send word to all the person's devices and their mailbox."""
        chosen = (await self._people.find(person)).settings.language
        subscriptions = await notify_queries.subscriptions_of(self._store, person)
        await asyncio.gather(
            *(
                self._push(each, self._notice(table, chosen or each.language), table)
                for each in subscriptions
            )
        )
        mailbox = await notify_queries.mail_of(self._store, person)
        if mailbox is not None and self._mailer.available:
            words = Words(chosen or mailbox.language)
            notice = self._notice(table, words.language)
            text = words("web.mail.turn", link=self._address + notice.path)
            text += "\n\n" + words("web.mail.stop", link=f"{self._address}/me")
            await self._mail(mailbox.address, f"{notice.title} – {notice.body}", text)

    def _notice(self, table: Table, language: str) -> Notice:
        words = Words(language)
        names = self._tables.names_at(table, words("web.someone"))
        others = [
            name
            for name, seat in zip(names, table.seats, strict=True)
            if seat.person != table.awaited
        ]
        title = words(f"{table.plan.game}.title")
        body = words("web.yours")
        if others:
            body = words("web.push.turn", names=words.listed(others))
        return Notice(title, body, f"/t/{table.id}")

    async def _push(self, to: Subscription, notice: Notice, table: Table) -> None:
        tag = hashlib.sha256(table.id.encode()).hexdigest()[:32]
        message = _json.encode({**notice._asdict(), "tag": tag})
        headers = {
            "authorization": self.signer.authorization(to.endpoint),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(LIVES),
            "urgency": "normal",
            "topic": tag,  # a newer message about the same table replaces one not yet delivered
        }
        body = encrypt(message, to.p256dh, to.auth)
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(PAUSE * 2 ** (attempt - 1))
            try:
                status = await asyncio.to_thread(
                    post, to.endpoint, body, headers, private=self._private
                )
            except Forbidden:
                status = 410
            except OSError as error:
                log.warning("a push service does not answer: %s", error)
                continue
            if status in GONE:
                await self._store.write(notify_queries.unsubscribe(to.endpoint))
            if status < 500 and status != 429:
                metrics.NOTIFICATIONS.labels("push", "sent" if status < 300 else "refused").inc()
                return
        metrics.NOTIFICATIONS.labels("push", "failed").inc()

    async def _mail(self, to: str, subject: str, text: str) -> None:
        try:
            await asyncio.to_thread(self._mailer.send, to, subject, text)
        except OSError as error:
            log.warning("the mail server does not take a message: %s", error)
            metrics.NOTIFICATIONS.labels("mail", "failed").inc()
        else:
            metrics.NOTIFICATIONS.labels("mail", "sent").inc()
