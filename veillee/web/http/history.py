"""A person's games: what was played with whom, how it ended, and statistics; archive and delete."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.score_sheet import signed
from veillee.web.database import queries
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, Form, limit, limit_key
from veillee.web.http.pages import Pages
from veillee.web.people import Person
from veillee.web.retention import delete_table
from veillee.web.tables import listing, log
from veillee.web.tables.commands import refuse
from veillee.web.tables.table import bot_name
from veillee.web.templating import date

PAGE = 25
MOST_OPPONENTS = 12
MOST_LATE = 5
"""Games of older versions whose results are worked out for one page."""
FOR_EVER = 2**62


def variant_name(opened: str | None) -> str:
    """The name of the variant that a table was opened with; "" for the printed game."""
    entry = log.decode(opened) if opened else None
    return str(entry.variant.get("name", "")) if isinstance(entry, log.Open) else ""


class History:
    """The games of one person."""

    def __init__(self, context: AppContext, person: Person, words: Words) -> None:
        self._context = context
        self._person = person
        self._words = words

    async def page(self, archived: bool, before: int, most: int = PAGE) -> list[dict[str, Any]]:
        """One page of games, the last first."""
        store = self._context.store
        tables = await queries.history_of(store, self._person.id, archived, before, most)
        results = await queries.results_at(store, [table.id for table in tables])
        await self._work_out(tables, results)
        keys = [row.name_key for rows in results.values() for row in rows]
        names = await queries.names_of(store, [*dict.fromkeys(key for key in keys if key)])
        opened = await queries.first_entries(store, [*results])
        items = []
        for table in tables:
            if rows := results.get(table.id):
                items.append(self._item(table, rows, names, variant_name(opened.get(table.id))))
            else:
                with contextlib.suppress(Refusal):
                    items.append(await self.glimpse(table))
        return items

    async def _work_out(
        self, tables: Sequence[queries.PastTable], results: dict[str, list[queries.Result]]
    ) -> None:
        """Store how games ended that were finished with an older version."""
        missing = [
            table.id for table in tables if table.state == "over" and table.id not in results
        ]
        for table_id in missing[:MOST_LATE]:
            with contextlib.suppress(Refusal):
                table = await self._context.tables.get(table_id)
                await self._context.store.write(*listing.results(table))
        results |= await queries.results_at(self._context.store, missing[:MOST_LATE])

    def _item(
        self,
        table: queries.PastTable,
        rows: Sequence[queries.Result],
        names: dict[str, str],
        variant: str,
    ) -> dict[str, Any]:
        own = next((row for row in rows if row.person == self._person.id and row.own), None)
        return {
            **self._facts(table, rows[0].game, rows[0].part, variant),
            "over": True,
            "waiting": "",
            "players": [
                {
                    "name": self._name(row, names),
                    "bot": bool(row.level),
                    "place": row.place,
                    "points": signed(row.points),
                    "own": row is own,
                }
                for row in rows
            ],
            "place": own.place if own else 0,
            "points": self._words("web.points", n=own.points) if own else "",
            "alone": {row.person for row in rows} <= {self._person.id, ""},
        }

    def _name(self, row: queries.Result, names: dict[str, str]) -> str:
        if row.level:
            return bot_name(row.game, row.level, row.seat)
        return names.get(row.name_key) or self._words("web.someone")

    def _facts(
        self, table: queries.PastTable, game: str, part: int, variant: str
    ) -> dict[str, Any]:
        return {
            "id": table.id,
            "game": game,
            "known": game in games(),
            "part": part,
            "variant": variant,
            "changed": table.changed,
            "iso": datetime.fromtimestamp(table.changed / 1000, UTC).date().isoformat(),
            "date": date(table.changed, self._words.language),
        }

    async def glimpse(self, past: queries.PastTable) -> dict[str, Any]:
        """A table that is not finished, or whose end is not worked out."""
        table = await self._context.tables.glimpse(past.id)
        names = self._context.tables.names_at(table, self._words("web.someone"))
        seated = [(name, seat) for name, seat in zip(names, table.seats, strict=True)]
        free = sum(seat.free for seat in table.seats) if past.state == "gathering" else 0
        return {
            **self._facts(past, table.plan.game, table.part, table.plan.variant.get("name", "")),
            "over": False,
            "waiting": self._words("web.status.gathering", n=free) if free else "",
            "players": [
                {"name": name, "bot": bool(seat.level), "own": False}
                for name, seat in seated
                if not seat.free
            ],
            "place": 0,
            "points": "",
            "alone": table.people == {self._person.id},
        }

    async def running(self) -> list[dict[str, Any]]:
        """The games in progress."""
        items = []
        for state in ("playing", "gathering"):
            for own in await queries.tables_of(self._context.store, self._person.id, state, PAGE):
                with contextlib.suppress(Refusal):
                    past = queries.PastTable(own.id, state, own.changed)
                    items.append(await self.glimpse(past))
        return items

    async def statistics(self) -> dict[str, Any]:
        """Return the person's statistics for each game and opponent."""
        store = self._context.store
        opponents = await queries.statistics_by_opponent(store, self._person.id, MOST_OPPONENTS)
        names = await queries.names_of(store, [each.name_key for each in opponents])
        return {
            "by_game": [
                each
                for each in await queries.statistics_by_game(store, self._person.id)
                if each.game in games()
            ],
            "by_opponent": [
                (names[each.name_key] or self._words("web.someone"), each) for each in opponents
            ],
        }


@get("/history")
async def history(
    context: AppContext, caller: Caller, pages: Pages, person: Person, words: Words
) -> Response[str]:
    limit(context, context.limits.asking, caller.network)
    archived = caller.asks("archived") == "1"
    asked = caller.asks("before")
    before = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else FOR_EVER
    own = History(context, person, words)
    items = await own.page(archived, before) if person.known else []
    first = before == FOR_EVER and not archived
    return pages.render(
        "history.html",
        items=items,
        archived=archived,
        running=await own.running() if first and person.known else [],
        statistics=await own.statistics() if first else None,
        older=items[-1]["changed"] if len(items) == PAGE else None,
    )


@post("/history/archive", status_code=303)
async def archive(context: AppContext, caller: Caller, person: Person, form: Form) -> Response[Any]:
    """Put a table away, or back."""
    limit(context, context.limits.acting, limit_key(context, caller))
    archived = form.get("archived") == "1"
    await context.store.write(queries.archive(person.id, form.get("table", ""), archived))
    return Redirect("/history" if archived else "/history?archived=1", status_code=303)


@post("/history/delete", status_code=303)
async def delete(context: AppContext, caller: Caller, person: Person, form: Form) -> Response[Any]:
    """Delete a table from one's list; the table itself if it is nobody else's."""
    limit(context, context.limits.acting, limit_key(context, caller))
    table_id = form.get("table", "")
    people = [key for key, _ in await queries.people_at(context.store, table_id)]
    if person.id not in people:
        raise refuse("web.table.unknown", "unknown")
    table = await context.tables.glimpse(table_id)
    if people == [person.id]:
        await delete_table(context.store, table_id)
        context.tables.forget(table_id)
    elif await queries.state_of(context.store, table_id) == "over":
        await context.store.write(*queries.delete_from_history(person.id, table.id))
    else:
        raise refuse("web.history.delete.no")
    return Redirect("/history", status_code=303)


HANDLERS = [history, archive, delete]
