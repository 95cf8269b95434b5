"""Reviews: people look back on a game together, and see the moment that the leader chooses.

A review is a row of the database. The bus only wakes: servers at which somebody follows a review
read the row. Nothing is lost if a message is, because followers look again now and then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from veillee.web.bus import Bus, ReviewMoved
from veillee.web.clock import now
from veillee.web.database import Store, queries
from veillee.web.database.queries import Review
from veillee.web.people import new_id
from veillee.web.tables.messages import Message, Messages, ReviewChanged

KEPT = 7 * 86_400_000
"""Milliseconds for which a review that nobody moves is kept."""
LOOK_AGAIN = 20
"""Seconds after which followers look whether they missed something."""


class Reviews:
    """`review = await reviews.begin(table_id, person)`, then `move` and `follow`."""

    def __init__(self, store: Store, bus: Bus, messages: Messages) -> None:
        self._store = store
        self._bus = bus
        self._followers: dict[str, set[Callable[[Review | None], None]]] = {}
        self._reading: set[asyncio.Task[None]] = set()
        messages.subscribe(self._receive)

    async def begin(self, table_id: str, leader: str, moment: int) -> Review:
        """Begin a review, and forget those that nobody has moved for long."""
        review = Review(new_id(), table_id, leader, moment, 0)
        at = now()
        await self._store.write(
            queries.insert_review(review, at), queries.delete_reviews(at - KEPT)
        )
        return review

    async def find(self, review_id: str) -> Review | None:
        return await queries.review(self._store, review_id)

    async def move(self, review_id: str, leader: str, moment: int) -> None:
        """Show another moment; nothing happens if somebody else leads by now."""
        await self._store.write(queries.move_review(review_id, leader, moment, now()))
        await self._bus.tell(ReviewMoved(review_id))

    async def take_lead(self, review_id: str, leader: str) -> None:
        await self._store.write(queries.lead_review(review_id, leader, now()))
        await self._bus.tell(ReviewMoved(review_id))

    # ------------------------------------------------------------ following

    def follow(self, review_id: str, tell: Callable[[Review | None], None]) -> None:
        """Call `tell` with the review whenever it changes, and with None when the server stops."""
        self._followers.setdefault(review_id, set()).add(tell)

    def unfollow(self, review_id: str, tell: Callable[[Review | None], None]) -> None:
        left = self._followers.get(review_id, set())
        left.discard(tell)
        if not left:
            self._followers.pop(review_id, None)

    def end_streams(self) -> None:
        for followers in self._followers.values():
            for tell in followers:
                tell(None)

    def _receive(self, message: Message) -> None:
        match message:
            case ReviewChanged(review_id) if review_id in self._followers:
                task = asyncio.create_task(self._read(review_id))
                self._reading.add(task)
                task.add_done_callback(self._reading.discard)

    async def _read(self, review_id: str) -> None:
        review = await self.find(review_id)
        if review is not None:
            for tell in self._followers.get(review_id, ()):
                tell(review)
