"""Analyses of finished games: jobs in the background, kept with the game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple

import msgspec

from veillee.analysis import Analysis
from veillee.analysis.analyse import assembled, post_mortem, post_mortem_task, tasks
from veillee.analysis.decision import Judgement, Task, judge
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal
from veillee.web import clock
from veillee.web.bot_pool import BotPool, Payer
from veillee.web.database import Store, queries
from veillee.web.jobs import Jobs
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.table import Table

ANALYSIS = "analysis"
"""The kind of job; the subject is the id of the table."""
INTERVAL = 0.5
"""Seconds between two writes of how far an analysis is."""


class Progress(NamedTuple):
    """An analysis that is done or under way."""

    done: int
    total: int
    """0 before it has begun."""
    analysis: Analysis | None


class Analyses:
    """Has games analysed by the processes in which bots think, and keeps the results."""

    def __init__(
        self, store: Store, jobs: Jobs, tables: TableRegistry, pool: BotPool, iterations: int
    ) -> None:
        self._iterations = iterations
        self._store = store
        self._jobs = jobs
        self._tables = tables
        self._pool = pool

    async def of(self, table: Table) -> Progress | None:
        """Return the analysis of a table's game; None if nobody asked for it."""
        row = await queries.analysis_of(self._store, table.id)
        if row is None or table.game is None:
            return None
        done, total, data = row
        found = msgspec.json.decode(data, type=Analysis) if data else None
        if found is not None and found.steps != len(table.game.steps):
            return None  # the game went on after an undo
        return Progress(done, total, found)

    async def request(self, table: Table) -> None:
        """Have a game analysed, unless it is already.

        Raises:
            Refusal: If the game is not over.
        """
        if not table.finished:
            raise Refusal("illegal", "analysis.unfinished")
        if await self.of(table) is None:
            scheduled = self._jobs.schedule(ANALYSIS, table.id, clock.now())
            await self._store.write(queries.insert_analysis(table.id), scheduled.statement)
            self._jobs.begin(scheduled)

    async def run(self, table_id: str) -> None:
        """Do the job."""
        table = await self._tables.current(table_id)
        game = table.game
        found = await self.of(table)
        if game is None or not table.finished or found is None or found.analysis is not None:
            return
        names = {
            language: self._tables.names_at(table, Words(language)("web.someone"))
            for language in LANGUAGES
        }
        work = tasks(game, self._iterations, names=names)
        judged = await self._judge(table_id, work)
        told = await self._pool.run(
            partial(post_mortem, *post_mortem_task(game)), Payer(ANALYSIS, table_id)
        )
        analysis = assembled(game, work, judged, 1, told)
        data = msgspec.json.encode(analysis).decode()
        await self._store.write(queries.finish_analysis(table_id, data))

    async def _judge(self, table_id: str, work: list[Task]) -> list[Judgement]:
        """Judge all decisions, and write now and then how far it is."""
        running = [
            asyncio.ensure_future(self._pool.run(partial(judge, task), Payer(ANALYSIS, table_id)))
            for task in work
        ]
        try:
            waiting: set[asyncio.Future[Judgement]] = set(running)
            while waiting:
                done = len(work) - len(waiting)
                await self._store.write(queries.update_analysis(table_id, done, len(work)))
                ended, waiting = await asyncio.wait(
                    waiting, timeout=INTERVAL, return_when=asyncio.FIRST_EXCEPTION
                )
                for each in ended:
                    each.result()
            return [each.result() for each in running]
        finally:
            for each in running:
                each.cancel()
