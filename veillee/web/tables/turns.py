"""Notifications of turns and finished games, each sent once to its subscribers.

A job is written in the transaction of the entries that bring it about, if anybody at the table is
to be told. It tells what holds when it runs: a turn that was taken meanwhile is nobody's news.
Listeners are told again when a server dies in between, so they note what they have done by person,
table and moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from veillee.web.jobs import Jobs, Scheduled
from veillee.web.tables import log
from veillee.web.tables.table import Table

TURN = "turn"
"""The kind of job; the subject is the table's id."""
CHANGING = (log.Start, log.Play, log.Undo, log.Pause, log.Replace, log.Return, log.Transfer)
"""Entries after which it may be somebody else's turn."""


class TurnEvent(NamedTuple):
    """It is a person's turn, or their game is over."""

    kind: Literal["turn", "over"]
    person: str
    table: Table


class TurnListener(Protocol):
    """Somebody who tells people: by webhooks, messages, …"""

    def wants(self, person: str) -> bool:
        """Tell whether a person wants notifications. Called at every move."""

    async def tell(self, event: TurnEvent) -> None:
        """Notify a person. An exception means: try again later."""


class Turns:
    """Schedules and does the jobs."""

    def __init__(self, jobs: Jobs, listeners: Sequence[TurnListener]) -> None:
        self._jobs = jobs
        self._listeners = listeners

    def schedule(self, table: Table, entries: Sequence[log.Entry], at: int) -> list[Scheduled]:
        """Return the job that entries cause, if anybody has to be notified."""
        if not any(isinstance(entry, CHANGING) for entry in entries):
            return []
        if not any(listener.wants(p) for listener in self._listeners for p in table.people):
            return []
        return [self._jobs.schedule(TURN, table.id, at)]

    async def attend(self, table: Table) -> None:
        """Send the pending notifications of a table."""
        for event in events_at(table):
            for listener in self._listeners:
                if listener.wants(event.person):
                    await listener.tell(event)


def events_at(table: Table) -> list[TurnEvent]:
    """Return the pending notifications of a table."""
    if table.state == "over":
        return [TurnEvent("over", person, table) for person in sorted(table.people)]
    if table.state != "playing" or table.paused:
        return []
    seat = table.seats[table.deciding]
    return [TurnEvent("turn", seat.person, table)] if seat.person and not seat.bot else []
