"""The scheduler: what happens at a table by itself. Bots decide, clocks run out.

It is the handler of the tables' jobs (see `jobs.py`): one server at a time attends to a table, and
another takes over when it dies. If two should act all the same, the log lets one win.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from veillee.engine.game import Game
from veillee.engine.refusal import Refusal
from veillee.web.bot_pool import BotPool, Payer
from veillee.web.clock import now
from veillee.web.database import Store
from veillee.web.jobs import TABLE, Jobs
from veillee.web.tables import log
from veillee.web.tables.lessons import proposed
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import FULL, TableRegistry
from veillee.web.tables.table import Table

WAKING = 1000
"""Milliseconds between two looks whether a game is compiled."""


class Scheduler:
    """Attends to tables."""

    def __init__(
        self,
        tables: TableRegistry,
        store: Store,
        jobs: Jobs,
        presence: Presence,
        bots: BotPool,
        level: str,
    ) -> None:
        self._tables = tables
        self._store = store
        self._jobs = jobs
        self._presence = presence
        self._bots = bots
        self._level = level

    async def attend(self, table_id: str) -> None:
        """Do what is due at a table. What follows is scheduled by the change itself."""
        table = await self._tables.current(table_id)
        if table.state != "playing" or table.paused:
            return
        if table.bots_wake_up and proposed(table) is None:
            await self._postpone(table, now() + WAKING)
            return
        if table.seats[table.deciding].bot:
            if table.active or self._presence.is_watched(table_id):
                await self._play_bot(table)
            return
        deadline = table.deadline()
        if deadline is None:
            return
        if deadline <= now():
            await self._run_out(table)
        else:
            await self._postpone(table, deadline)

    async def wake(self, table: Table) -> None:
        """Let bots go on that rested because nobody was there."""
        if table.state == "playing" and table.seats[table.deciding].bot and not table.active:
            await self._postpone(table, now())

    async def _postpone(self, table: Table, due: int) -> None:
        scheduled = self._jobs.schedule(TABLE, table.id, due, table.payer)
        await self._store.write(scheduled.statement)
        self._jobs.begin(scheduled)

    async def _play_bot(self, table: Table) -> None:
        game = table.game
        assert game is not None
        seat, moment = table.deciding, table.moment
        payer = Payer(table.payer, table.plan.host)
        view, level = game.seen_by(seat), table.seats[seat].bot
        number = proposed(table)
        if number is None:
            number = await self._bots.choose(table.spec, view, level, payer)
        await asyncio.sleep(self._pause(table, game))
        action = table.spec.notation.text(number)

        def play(table: Table) -> Sequence[log.Entry]:
            awaited = table.moment == moment and bool(table.seats[seat].bot)
            if not awaited or table.paused:
                return []
            return [table.validated(log.Play(seat, action), number)]

        await self._tables.change(table, play)

    @staticmethod
    def _pause(table: Table, game: Game) -> float:
        """Seconds until a bot may act: its pace, from the last entry on.

        So a bot that another server takes over, or that was retried, does not wait twice.
        """
        pause = table.plan.pace * (1 + motion(game))
        return min(pause, table.at + pause - now()) / 1000

    async def _run_out(self, table: Table) -> None:
        """Let a bot play for a person whose time is up; pause the game if only bots wait."""
        seat = table.deciding

        def replace(table: Table) -> Sequence[log.Entry]:
            deadline = table.deadline()
            if table.deciding != seat or deadline is None or deadline > now():
                return []
            if table.against_bots:
                return [log.Pause(True)]
            return [log.Replace(seat, self._level, "time")]

        try:
            await self._tables.change(table, replace)
        except Refusal as refused:
            if refused.clause != FULL:
                raise
            # No room for a pause: the person may take their time.


def motion(game: Game) -> float:
    """Duration of the last step's animation in browsers, as a fraction of the bots' pace.

    A browser moves one piece after the other (`static/motion.js`): a bot waits until the last one
    has arrived, so that people can follow.
    """
    events = len(game.steps[-1].events) if game.steps else 0
    return min(events, MOST_SHOWN) * MOTION_PER_EVENT


MOST_SHOWN = 12
MOTION_PER_EVENT = 0.12
