"""Index rows for lists of tables, written in the transaction of a table's log entries.

So a list is right on every server, also for tables that none has in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from veillee.engine.jit.layout import OVER
from veillee.web.database import Statement, queries
from veillee.web.jobs import NOTIFY
from veillee.web.tables import log
from veillee.web.tables.table import Seat, Table

NOTIFY_AFTER = 20_000
"""Milliseconds after which a person who is not there is told that it is their turn."""
CHANGING = (log.Start, log.Play, log.Undo, log.Replace, log.Return, log.Transfer)
"""Entries after which a table may be in another state or await another person."""


def changes(table: Table, entries: Sequence[log.Entry], at: int) -> list[Statement]:
    """Return the statements that belong to entries which are about to be appended."""
    if not any(isinstance(entry, CHANGING) for entry in entries):
        return []
    before = (table.state, table.awaited)
    if len(entries) == 1 and isinstance(entries[0], log.Play):
        seat = table.seat_after(entries[0])
        if seat != OVER:
            return _update(table, before, ("playing", table.awaited_at(seat)), at)
    after = table.trial(entries, at)
    statements = _update(table, before, (after.state, after.awaited), at)
    return statements + (results(after) if after.state == "over" != table.state else [])


def _update(
    table: Table, before: tuple[str, str], after: tuple[str, str], at: int
) -> list[Statement]:
    if before == after:
        return []
    return [queries.update_table(table.id, *after, at), *notify(table, after[1], at)]


def notify(table: Table, awaited: str, at: int) -> list[Statement]:
    """Return the job that tells the person who is awaited, where one may take days."""
    if table.plan.timing != "days":
        return []
    return [queries.owe(NOTIFY, table.id, at + NOTIFY_AFTER if awaited else None)]


def results(table: Table) -> list[Statement]:
    """Return the statements that store how a finished game ended."""
    game = table.game
    assert game is not None
    points, places = game.scores, game.places
    counts = not (table.plan.guided or table.plan.origin)
    return [
        queries.insert_result(
            queries.Result(
                table.id,
                number,
                seat.person,
                _own(seat, counts),
                seat.guest or seat.person,
                seat.level,
                table.plan.game,
                table.part,
                places[number],
                points[number],
            )
        )
        for number, seat in enumerate(table.seats)
    ]


def _own(seat: Seat, counts: bool) -> queries.Own:
    if not seat.person or (seat.guest and not seat.transfers):
        return queries.Own.NO
    return queries.Own.YES if counts else queries.Own.UNCOUNTED
