"""Two servers on one database: presence and names hold across them.

Moves, bots, kills and restarts are tested in `cluster`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.parts import Postgres, Redis
from tests.web.served import Served, sqlite_in
from veillee.engine.i18n import Words


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


def test_what_a_client_uses_at_one_server_counts_at_the_other(postgres: Postgres) -> None:
    """After a first burst at each, there is one allowance for both."""
    with (
        postgres.new_database() as database,
        Served(database) as one,
        Served(database) as other,
    ):

        def write(server: Served) -> int:
            return httpx.post(f"{server.address}/settings", data={"name": "x"}).status_code

        assert [write(one), write(other)] == [303, 303]
        time.sleep(2.5)  # both have told of the client
        assert {write(one) for _ in range(30)} == {303}
        statuses: list[int] = []
        while 429 not in statuses and len(statuses) < 30:
            statuses.append(write(other))
            time.sleep(0.3)
        assert 429 in statuses
        assert statuses.count(303) < 20


def test_people_are_told_when_postgresql_is_away_and_play_on_when_it_is_back() -> None:
    postgres = Postgres()
    with postgres.new_database() as database, two(database) as (one, other):
        host, friend, path = friends_at(one, other)
        with host.stream(path) as hosts, friend.stream(path) as friends:
            told = {host: next(hosts), friend: next(friends)}
            awaited = next(person for person, (_, own) in told.items() if own.get("yours"))
            shared, own = told[awaited]
            move = {"action": own["choices"]["all"][0]["action"], "moment": shared["moment"]}
            postgres.stop()
            answer = awaited.act(path, "play", token="once", **move)
            assert answer.status_code >= 500
            assert answer.json()["refused"] == Words("en")("web.lost.500")
            postgres.start()
            deadline = time.monotonic() + 30
            while awaited.act(path, "play", token="once", **move).status_code != 200:
                assert time.monotonic() < deadline, "it is still refused"
                time.sleep(0.2)
            for stream in (hosts, friends):
                moments = (shared["moment"] for shared, _ in stream)
                assert next(moment for moment in moments if moment) == 1
    postgres.close()


def test_a_dump_of_postgresql_is_restored_and_play_goes_on(
    postgres: Postgres, tmp_path: Path
) -> None:
    """With pg_dump and pg_restore, while the server runs."""
    dump = str(tmp_path / "veillee.dump")
    with postgres.new_database() as database, Served(database, "--no-limits") as server:
        guest = Guest(server.address)
        path = guest.set_table("nomads", "me screen")
        taken = guest.play_on(path, 5)
        postgres.program("pg_dump", "--format=custom", f"--file={dump}", f"--dbname={database}")
    with postgres.new_database() as database:
        postgres.program("pg_restore", "--exit-on-error", f"--dbname={database}", dump)
        with Served(database, "--no-limits") as server:
            guest.http.base_url = httpx.URL(server.address)
            assert guest.look(path)[0]["moment"] == taken
            assert guest.play_on(path, 5) == 5
