"""Two servers on one database: presence and names hold across them.

Moves, bots, kills and restarts are tested in `cluster`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.parts import Postgres, Redis
from tests.web.served import Served, sqlite_in


@contextmanager
def two(database: str, *options: str, pace: int = 0) -> Iterator[tuple[Served, Served]]:
    with (
        Served(database, "--no-limits", *options, pace=pace) as one,
        Served(database, "--no-limits", *options, pace=pace) as other,
    ):
        yield one, other


@pytest.fixture(params=["postgresql", "redis"])
def servers(request: pytest.FixtureRequest, postgres: Postgres) -> Iterator[tuple[Served, Served]]:
    """Two servers on one PostgreSQL that hear of each other by NOTIFY, or by Redis."""
    with postgres.new_database() as database:
        if request.param == "postgresql":
            with two(database) as both:
                yield both
            return
        with Redis() as redis, two(database, "--bus", redis.url) as both:
            yield both


def friends_at(one: Served, other: Served, game: str = "nomads") -> tuple[Guest, Guest, str]:
    """A table of two people, each at a server of their own."""
    host, friend = Guest(one.address), Guest(other.address)
    path = host.set_table(game, "me friend")
    assert friend.form(f"{path}/sit").status_code == 303
    assert host.form(f"{path}/start").status_code == 303
    return host, friend, path


def test_who_watches_at_another_server_is_not_away(postgres: Postgres) -> None:
    with postgres.new_database() as database, two(database, "--away", "1") as (one, other):
        host, friend, path = friends_at(one, other)
        with friend.stream(path) as told:
            next(told)
            time.sleep(3)
            assert host.act(path, "vote", seat=1).json()["clause"] == "web.act.there"
        deadline = time.monotonic() + 20
        while host.act(path, "vote", seat=1).status_code != 200:
            assert time.monotonic() < deadline, "who has left does not count as away"
            time.sleep(0.2)


def test_a_new_name_is_seen_at_the_other_server(servers: tuple[Served, Served]) -> None:
    host, friend, path = friends_at(*servers)
    with host.stream(path) as told:
        next(told)
        friend.form("/settings", name="Zoë", language="en")
        assert list(told) == [], "the stream ends, and the browser comes back"
    assert "Zoë" in host.look(path)[0]["top"]


def test_people_go_on_playing_while_redis_is_away(tmp_path: Path) -> None:
    with Redis() as redis, Served(sqlite_in(tmp_path), "--bus", redis.url) as served:
        guest = Guest(served.address)
        path = guest.set_table("nomads", "me bot:random")
        assert guest.play_on(path, 2) == 2
        redis.stop()
        assert guest.http.get(path).status_code == 200
        assert guest.play_on(path, 2) == 2
