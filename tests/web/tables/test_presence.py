"""Presence on two servers: only changes are told, and a server that dies is missed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.web.delivery.scene import set_up
from tests.web.loop import run
from veillee.web import shared_keys
from veillee.web.shared_keys import MemoryKeys, SharedKeys
from veillee.web.tables import presence
from veillee.web.tables.messages import Messages
from veillee.web.tables.presence import INTERVAL, Presence
from veillee.web.tables.table import Table

AWAY = 60.0


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class CountedKeys:
    """Keys that two servers share, and the rows that they wrote and asked for."""

    def __init__(self) -> None:
        self._keys = MemoryKeys()
        self.written = self.asked = 0

    async def arrive(self, people: Sequence[tuple[str, str]], seconds: float) -> None:
        self.written += len(people)
        await self._keys.arrive(people, seconds)

    async def present(self, table_ids: Sequence[str]) -> dict[str, set[str]]:
        self.asked += len(table_ids)
        return await self._keys.present(table_ids)

    async def sweep(self) -> None:
        await self._keys.sweep()


class Servers:
    """Two servers, and a table."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = Clock()
        monkeypatch.setattr(presence, "time", self.clock)
        monkeypatch.setattr(shared_keys, "time", self.clock)
        self.keys = CountedKeys()
        self.one, self.other = (self._server(self.keys) for _ in range(2))  # type: ignore[arg-type]
        self.table: Table = set_up("nomads", 2)[1]

    @staticmethod
    def _server(keys: SharedKeys) -> Presence:
        return Presence(Messages(), AWAY, keys)

    async def let_pass(self, seconds: float, *servers: Presence) -> None:
        """Let time pass, in which servers exchange."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now += INTERVAL
            for server in servers or (self.one, self.other):
                await server.exchange()


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    return Servers(monkeypatch)


def test_of_an_open_window_others_are_told_now_and_then(servers: Servers) -> None:
    async def story() -> None:
        people = servers.table.people
        for person in (*people, "spectator"):
            servers.one.enter(servers.table, person)
        await servers.let_pass(INTERVAL)
        assert servers.keys.written == len(people), "of those who only watch nobody need know"
        servers.one.note(servers.table, "p0")  # takes a decision
        await servers.let_pass(10 * AWAY)
        assert servers.keys.written <= len(people) * (1 + 3 * 10)
        assert servers.keys.asked == 0, "everybody is here"
        assert await servers.keys.present([servers.table.id]) == {servers.table.id: people}

    run(story())


def test_who_moves_to_another_server_is_seen_there_and_here(servers: Servers) -> None:
    async def story() -> None:
        one, other, table = servers.one, servers.other, servers.table
        one.enter(table, "p0")
        one.enter(table, "p1")
        await servers.let_pass(AWAY)
        one.leave(table, "p1")
        other.enter(table, "p1")
        await servers.let_pass(INTERVAL)
        await servers.let_pass(3 * AWAY)
        assert not one.is_away(table, "p1")
        assert not other.is_away(table, "p0")

    run(story())


def test_who_leaves_is_away_in_time_on_both_servers(servers: Servers) -> None:
    async def story() -> None:
        one, other, table = servers.one, servers.other, servers.table
        one.enter(table, "p0")
        other.enter(table, "p1")
        await servers.let_pass(AWAY)
        other.leave(table, "p1")
        await servers.let_pass(AWAY - 2 * INTERVAL)
        assert not one.is_away(table, "p1")
        await servers.let_pass(5 * INTERVAL)
        assert one.is_away(table, "p1")
        assert other.is_away(table, "p1")

    run(story())


def test_the_people_of_a_dead_server_are_away_some_time_later(servers: Servers) -> None:
    async def story() -> None:
        one, other, table = servers.one, servers.other, servers.table
        one.enter(table, "p0")
        other.enter(table, "p1")
        await servers.let_pass(AWAY)
        await servers.let_pass(AWAY - INTERVAL, one)
        assert not one.is_away(table, "p1")
        await servers.let_pass(AWAY, one)
        assert one.is_away(table, "p1")

    run(story())


def test_what_could_not_be_told_is_told_later(servers: Servers) -> None:
    async def story() -> None:
        one, table = servers.one, servers.table
        one.note(table, "p0")
        arrive = servers.keys.arrive

        async def fail(people: Sequence[tuple[str, str]], seconds: float) -> None:
            raise OSError("the store is away")

        servers.keys.arrive = fail  # type: ignore[method-assign]
        with pytest.raises(OSError, match="away"):
            await one.exchange()
        servers.keys.arrive = arrive  # type: ignore[method-assign]
        await one.exchange()
        assert await servers.keys.present([table.id]) == {table.id: {"p0"}}

    run(story())
