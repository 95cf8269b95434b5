"""The house: all tables in memory, and the one way in which something happens at one of them.

A change is checked against the table as it is, appended to its log, and, once that is on the disk,
added to the table and told to all who look. Nobody sees what could still be lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Collection, Sequence

from veillee.engine.contract import Contract
from veillee.engine.game import game_of
from veillee.engine.library import game as contract_named
from veillee.engine.library import games
from veillee.engine.options import chosen
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.web import entries as e
from veillee.web.bots import RANDOM, Thinkers, has_machine_code, levels
from veillee.web.people import Person, Seal, new_id, seal_of
from veillee.web.share import Share
from veillee.web.store import LINE, Statement, Store
from veillee.web.table import SWIFT, Table

log = logging.getLogger("veillee.web")

IDLE = 15 * 60
"""Seconds after which a table that nobody looks at leaves memory."""
AWAY = 60
"""Seconds without a sign of life after which the others may vote for a bot."""
MOST_ENTRIES = 20_000
CARRIED = "captain"
FOLLOWS = "nomads"


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


class House:
    """`await house.table(id)`, `await house.change(table, ...)`."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        level: str,
        pace: int = 1200,
        away: int = AWAY,
        share: Share | None = None,
    ) -> None:
        self.store = store
        self.share = share
        self.thinkers = thinkers
        self.level = level
        self.pace = pace
        self.away = away
        self.tables: dict[str, Table] = {}
        self.names: dict[str, str] = {}
        self.changed: Callable[[Table], None] = lambda _: None
        """Called after each change; the one who tells the viewers puts itself here."""
        self.renamed: Callable[[Table], None] = lambda _: None
        self.returned: Callable[[Table], None] = lambda _: None
        """Called when somebody who was away is back."""
        self.looked_at: Callable[[Table], bool] = lambda _: False
        self.looks: Callable[[Table, str], bool] = lambda _, __: False
        """Whether a person looks at a table now."""
        self.seen: dict[tuple[str, str], float] = {}
        """When a person last gave a sign of life at a table."""
        self._loading: dict[str, asyncio.Lock] = {}
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._used: dict[str, float] = {}
        self._closing = False
        self._opened = time.monotonic()

    seal: Seal

    async def open(self) -> None:
        """Bring the house up: its key, and the tables at which a bot or a clock goes on."""
        self.seal = await seal_of(self.store)
        self.thinkers.warm_up(list(games()), self.level)
        self._keeper = asyncio.create_task(self._keep())
        self._hurrier = asyncio.create_task(self._hurry())

    async def _hurry(self) -> None:
        """Let the rules run as machine code, where it is there. Bots that take any action need
        none, and who serves only them should not wait for it."""
        for contract in games().values() if self.level != RANDOM else ():
            if await asyncio.to_thread(has_machine_code, contract):
                SWIFT.add(contract.name)
                for table in self.tables.values():
                    if table.game is not None and table.plan.game == contract.name:
                        table.game.compiled = True

    async def _keep(self) -> None:
        """Wake the tables in play, then, now and then, put those that nobody uses away."""
        playing = await self.store.read("SELECT id FROM game_table WHERE state = 'playing'")
        for (table_id,) in playing:
            try:
                if self.owns(table_id):
                    await self.table(table_id)
            except Refusal:
                continue
            except Exception:
                log.exception("a table could not be brought back")
        while True:
            await asyncio.sleep(60)
            old = time.monotonic() - IDLE
            for table_id, table in list(self.tables.items()):
                timer = self._timers.get(table_id)
                busy = table.lock.locked() or (timer is not None and not timer.done())
                if self._used.get(table_id, 0) < old and not busy and not self.looked_at(table):
                    del self.tables[table_id]
                    self._used.pop(table_id, None)
                    self._timers.pop(table_id, None)
                    self._loading.pop(table_id, None)
            for key, at in list(self.seen.items()):
                if at < old:
                    del self.seen[key]

    async def close(self) -> None:
        self._closing = True
        for task in [self._keeper, self._hurrier, *self._timers.values()]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self.thinkers.close()
        await self.store.close()

    # ------------------------------------------------------------ tables

    def owns(self, table_id: str) -> bool:
        """Whether it is this process that keeps a table in memory."""
        return self.share is None or self.share.owns(table_id)

    async def table(self, table_id: str) -> Table:
        """A table by its id, from memory or replayed from its log. One that another process keeps
        is only to be looked at."""
        if not self.owns(table_id):
            return await self._replayed(table_id)
        self._used[table_id] = time.monotonic()
        table = self.tables.get(table_id)
        if table is not None:
            return table
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            table = self.tables.get(table_id)
            if table is None:
                table = await self._replayed(table_id)
                self.tables[table_id] = table
                self._set_timer(table)
        return table

    async def _replayed(self, table_id: str) -> Table:
        seeds = await self.store.read("SELECT seed FROM game_table WHERE id = $1", table_id)
        if not seeds:
            self._used.pop(table_id, None)
            raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
        table = Table(table_id, Seed(bytes.fromhex(str(seeds[0][0]))))
        rows = await self.store.read(
            "SELECT data, token, at FROM entry WHERE table_id = $1 ORDER BY number", table_id
        )
        for data, token, at in rows:
            table.take(e.read(data), at)
            if token:
                table.tokens.add(token)
        await self.learn_names(table.name_keys())
        return table

    async def learn_names(self, keys: Sequence[str]) -> None:
        for key in keys:
            if key and key not in self.names:
                rows = await self.store.read("SELECT name FROM person WHERE id = $1", key)
                self.names[key] = str(rows[0][0]) if rows else ""

    def names_at(self, table: Table, nobody: str) -> list[str]:
        return table.names(self.names, nobody)

    async def set_table(
        self,
        host: Person,
        game: str,
        bots: Sequence[str],
        options: dict[str, object] | None = None,
        *,
        sit: dict[int, str] | None = None,
        nonce: str = "",
        table_id: str = "",
        **plan: object,
    ) -> Table:
        """Set a table. `sit` seats the host's screen: a name for each further player on it, "" for
        the host. With every seat taken the game begins at once. A table that is there already stays
        as it is: who clicks twice gets one."""
        contract = contract_named(game)
        self._check_plan(contract, bots, options or {})
        table_id = table_id or new_id()
        table = Table(table_id, self.seal.secret(table_id))
        opened = e.Open(
            game,
            contract.version,
            host.id,
            list(bots),
            dict(options or {}),
            **plan,  # type: ignore[arg-type]
        )
        entries: list[e.Any_] = [opened]
        extra: list[Statement] = []
        for seat, name in (sit or {}).items():
            guest = ""
            if name:
                guest = "g" + new_id()
                self.names[guest] = name
                extra.append(_guest(guest, host.id, name))
            entries.append(e.Sit(seat, host.id, nonce or secrets.token_hex(16), guest))
        if len(sit or {}) + sum(map(bool, bots)) == len(bots):
            entries.append(e.Start())
        at = now()
        state = "playing" if isinstance(entries[-1], e.Start) else "gathering"
        written = await self.store.write(
            Statement(
                "INSERT INTO game_table (id, seed, state, listed, changed) "
                "VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                (table.id, table.secret.hex, state, int(opened.listed), at),
            ),
            *(self._line(table.id, n, None, at, entry) for n, entry in enumerate(entries)),
            sitting(host.id, table.id),
            *extra,
        )
        if not written:
            return await self.table(table.id)
        for entry in entries:
            table.take(entry, at)
        self._keep_in_memory(table)
        return table

    def _keep_in_memory(self, table: Table) -> None:
        """Here, or where it belongs."""
        if self.share is not None and not self.owns(table.id):
            self.share.tell_of_table(table.id)
            return
        self.tables[table.id] = table
        self._used[table.id] = time.monotonic()
        self._set_timer(table)

    def first_to_decide(self, table_id: str, game: str, seats: int, nonce: str) -> int:
        """The seat at which a game of one person with bots begins: who wants to play now sits
        there, and need not wait for others."""
        seed = self.seal.secret(table_id).mixed([bytes.fromhex(nonce)])
        return game_of(contract_named(game))(seats, seed, compiled=game in SWIFT).seat

    @staticmethod
    def _check_plan(contract: Contract, bots: Sequence[str], options: dict[str, object]) -> None:
        contract.template(len(bots), chosen(contract.name, contract.options, len(bots), options))
        for level in bots:
            check_level(level)

    # ------------------------------------------------------------ changes

    async def change(
        self,
        table: Table,
        make: Callable[[Table], Sequence[e.Any_]],
        token: str | None = None,
        extra: Sequence[Statement] = (),
    ) -> bool:
        """Let something happen. `make` looks at the table and says what, or refuses.

        A token that was used before does nothing, and False says so.
        """
        async with table.lock:
            if token and token in table.tokens:
                return False
            entries = make(table)
            if not entries:
                return False
            if table.number + len(entries) > MOST_ENTRIES:
                raise Refusal("illegal", "web.table.full", "web.table.full")
            at = now()
            before = table.state
            lines = [
                self._line(table.id, number, None, at, entry)
                for number, entry in enumerate(entries[1:], table.number + 1)
            ]
            first = self._line(table.id, table.number, token, at, entries[0])
            written = await self.store.write(first, *lines, *extra)
            if not written:  # another process was faster: what we had in memory is old
                self.tables.pop(table.id, None)
                raise Refusal("late", "web.late", "web.late")
            for entry in entries:
                table.take(entry, at)
            if token:
                table.tokens.add(token)
            if table.state != before:
                await self.store.write(
                    Statement(
                        "UPDATE game_table SET state = $2, changed = $3 WHERE id = $1",
                        (table.id, table.state, at),
                    )
                )
        self._set_timer(table)
        self.changed(table)
        return True

    @staticmethod
    def _line(table_id: str, number: int, token: str | None, at: int, entry: e.Entry) -> Statement:
        return Statement(LINE, (table_id, number, token, at, e.written(entry)))

    # ------------------------------------------------------------ bots and clocks

    def _set_timer(self, table: Table) -> None:
        """See to what must happen at a table without anybody asking for it."""
        timer = self._timers.pop(table.id, None)
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()
        if self._closing or table.state != "playing" or table.paused:
            return
        if table.seats[table.deciding].bot:
            self._timers[table.id] = asyncio.create_task(self._let_bot_play(table))
        elif table.deadline() is not None:
            self._timers[table.id] = asyncio.create_task(self._watch_clock(table))

    async def _let_bot_play(self, table: Table) -> None:
        game = table.game
        assert game is not None
        seat, moment = table.deciding, table.moment
        began = time.monotonic()
        try:
            number = await self.thinkers.choose(
                table.contract, game.seen_by(seat), table.seats[seat].bot
            )
            await asyncio.sleep(max(0.0, table.plan.pace / 1000 - (time.monotonic() - began)))
            action = table.contract.text(number)

            def play(table: Table) -> Sequence[e.Any_]:
                awaited = table.moment == moment and bool(table.seats[seat].bot)
                return [e.Play(seat, action)] if awaited and not table.paused else []

            await self.change(table, play)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a bot could not play at a table of %s", table.plan.game)

    async def _watch_clock(self, table: Table) -> None:
        deadline, seat = table.deadline(), table.deciding
        assert deadline is not None
        await asyncio.sleep(max(0.0, (deadline - now()) / 1000))

        def replace(table: Table) -> Sequence[e.Any_]:
            late = table.deadline()
            if table.deciding != seat or late is None or late > now():
                return []
            return [e.Replace(seat, self.level, "time")]

        try:
            await self.change(table, replace)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a clock could not run out at a table of %s", table.plan.game)

    # ------------------------------------------------------------ who is there

    def present(self, table: Table, person: str) -> None:
        back = self.is_gone(table, person) and person in table.people
        self.seen[table.id, person] = time.monotonic()
        if back:
            self.returned(table)

    def is_gone(self, table: Table, person: str) -> bool:
        """Whether a person gave no sign of life for so long that others may go on. Where there
        are days for a decision, nobody need be there meanwhile."""
        silent = time.monotonic() - self.seen.get((table.id, person), self._opened)
        if silent <= self.away or table.plan.timing == "days":
            return False
        return not self.looks(table, person)

    def gone(self, table: Table, here: Collection[str] = ()) -> tuple[bool, ...]:
        """At which seats a person is gone. Those who are `here` are not."""
        people = [seat.person for seat in table.seats]
        return tuple([bool(p) and p not in here and self.is_gone(table, p) for p in people])

    # ------------------------------------------------------------ lists

    async def tables_of(self, person: str, state: str, most: int = 24) -> list[str]:
        rows = await self.store.read(
            "SELECT game_table.id FROM sitting JOIN game_table ON game_table.id = sitting.table_id "
            "WHERE sitting.person = $1 AND game_table.state = $2 "
            "ORDER BY game_table.changed DESC LIMIT $3",
            person,
            state,
            most,
        )
        return [str(row[0]) for row in rows]

    async def open_tables(self, most: int = 12) -> list[str]:
        rows = await self.store.read(
            "SELECT id FROM game_table WHERE state = 'gathering' AND listed = 1 AND changed > $1 "
            "ORDER BY changed DESC LIMIT $2",
            now() - 24 * 3600 * 1000,
            most,
        )
        return [str(row[0]) for row in rows]

    async def glimpse(self, table_id: str) -> Table:
        """A table for a list: in memory if it is there, else without its game."""
        if table_id in self.tables:
            return self.tables[table_id]
        if not self.owns(table_id):
            return await self.table(table_id)
        table = Table(table_id, Seed(bytes(32)))
        rows = await self.store.read(
            "SELECT data, at FROM entry WHERE table_id = $1 AND number < 64 ORDER BY number",
            table_id,
        )
        for data, at in rows:
            entry = e.read(data)
            if isinstance(entry, e.Start):
                break
            table.take(entry, at)
        await self.learn_names(table.name_keys())
        return table

    async def follow_up(
        self, table: Table, person: Person, carried: dict[str, object] | None
    ) -> str:
        """Set the next table for the same people: a rematch, or with what is carried over."""
        if table.state != "over" or person.id not in table.people:
            raise Refusal("illegal", "web.act.now", "web.act.now")
        if table.next:
            return table.next
        plan = table.plan
        following_id = self.seal.next(table.id)
        following = Table(following_id, self.seal.secret(following_id))
        opened = e.Open(
            FOLLOWS if carried else plan.game,
            contract_named(FOLLOWS if carried else plan.game).version,
            plan.host if plan.host in table.people else person.id,
            [seat.level for seat in table.seats],
            carried or plan.options,
            False,
            plan.watching,
            plan.timing,
            plan.amount,
            plan.pace,
            table.id if carried else (following.id if plan.marathon == table.id else ""),
        )
        entries: list[e.Any_] = [opened]
        for number, seat in enumerate(table.seats):
            if seat.person:
                nonce = table.ready.get(seat.person) or secrets.token_hex(16)
                entries.append(e.Sit(number, seat.person, nonce, seat.guest))
        entries.append(e.Start())
        at = now()
        written = await self.change(
            table,
            lambda t: [] if t.next else [e.Next(following.id)],
            extra=[
                Statement(
                    "INSERT INTO game_table (id, seed, state, listed, changed) "
                    "VALUES ($1, $2, 'playing', 0, $3)",
                    (following.id, following.secret.hex, at),
                ),
                *(self._line(following.id, n, None, at, entry) for n, entry in enumerate(entries)),
                *(sitting(someone, following.id) for someone in sorted(table.people)),
            ],
        )
        if not written:
            return table.next
        for entry in entries:
            following.take(entry, at)
        self._keep_in_memory(following)
        return following.id

    async def forget(self, person: str) -> None:
        """Delete a person's name, settings and list of tables. The games stay, without the name."""
        guests = await self.store.read("SELECT id FROM person WHERE host = $1", person)
        for key in [person, *(str(row[0]) for row in guests)]:
            self.names[key] = ""
        await self.store.write(Statement("DELETE FROM person WHERE id = $1", (person,)))
        await self.store.write(Statement("DELETE FROM person WHERE host = $1", (person,)))
        await self.store.write(Statement("DELETE FROM sitting WHERE person = $1", (person,)))
        for table in self.tables.values():
            if person in table.people:
                self.renamed(table)
        if self.share is not None:
            self.share.tell_of_person(person)

    async def learn_anew(self, person: str) -> None:
        """A person has another name now, or none: so another process says."""
        self.names.pop(person, None)
        for table in list(self.tables.values()):
            if person in table.people:
                for key in table.name_keys():
                    self.names.pop(key, None)
                await self.learn_names(table.name_keys())
                self.renamed(table)


def check_level(level: str) -> None:
    if level and level != RANDOM and level not in levels():
        raise Refusal("option", "web.level.unknown", "web.level.unknown")


def _guest(key: str, host: str, name: str) -> Statement:
    return Statement(
        "INSERT INTO person (id, host, name, settings, made) VALUES ($1, $2, $3, '{}', $4)",
        (key, host, name, now()),
    )


def sitting(person: str, table_id: str) -> Statement:
    """A person's list of tables gets one more."""
    return Statement(
        "INSERT INTO sitting (person, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        (person, table_id),
    )
