"""A person's games: dates, places, points, opponents; statistics; archive and delete."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.web.guest import Guest
from tests.web.loop import run
from tests.web.served import Served, sqlite_in
from tests.web.tables.test_listing import two_friends
from tests.web.tables.test_registry import play, two_servers
from tests.web.test_upgrade import FRIEND, LUMENS, returning
from tests.web.test_upgrade import upgraded as upgraded  # a fixture
from veillee.engine.i18n import Words
from veillee.web.database import queries
from veillee.web.http.history import FOR_EVER, History
from veillee.web.people import Person
from veillee.web.tables.plans import TablePlan, open_table

THIS_YEAR = r"20\d\d"


def played(served: Served, name: str = "Ida", seats: str = "me bot:random") -> tuple[Guest, str]:
    ida = Guest(served.address)
    ida.form("/settings", name=name, back="/")
    path = ida.set_table("lumens", seats)
    ida.play_on(path)
    return ida, path


def test_a_game_is_listed_with_date_place_points_opponents_and_replay(served: Served) -> None:
    ida, path = played(served)
    page = ida.http.get("/history").text
    listed = re.findall(r'<li class="past.*?</ol>.*?</span>', page, re.DOTALL)
    assert len(listed) == 1
    assert "Lumens" in listed[0]
    assert re.search(rf"<time datetime=\"{THIS_YEAR}-\d\d-\d\d\">\w+ \d+, {THIS_YEAR}", listed[0])
    assert re.search(r"Won|Place 2 of 2", listed[0])
    assert re.search(r"\d+ points?<", listed[0])
    assert "Basile" in listed[0]
    assert f'href="{path.replace("/t/", "/g/")}"' in listed[0]
    assert ida.http.get(path.replace("/t/", "/g/"), follow_redirects=True).status_code == 200
    assert re.search(r"Won|Place 2 of 2", ida.http.get("/").text)


def test_a_mean_has_the_decimal_sign_of_the_language(served: Served) -> None:
    ida, _ = played(served)
    assert re.search(r"<td>\d+\.\d</td>", ida.http.get("/history").text)
    ida.form("/settings", only="language", language="fr")
    assert re.search(r"<td>\d+,\d</td>", ida.http.get("/history").text)


def test_a_stranger_has_no_history(served: Served) -> None:
    assert "haven’t finished a game" in Guest(served.address).http.get("/history").text


def test_statistics_of_games_and_of_people(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, other):
            table = await two_friends(one)
            while table.state != "over":
                await one.tables.change(table, play)
            assert table.game is not None
            own = table.seats_of("ida")[0]
            won, points = table.game.places[own] == 1, table.game.scores[own]
            (game,) = await queries.statistics_by_game(other.store, "ida")
            assert game == ("lumens", 1, int(won), points, float(points))
            (person,) = await queries.statistics_by_opponent(other.store, "ida", 5)
            ahead = table.game.places[own] < table.game.places[1 - own]
            behind = table.game.places[own] > table.game.places[1 - own]
            assert person == ("bo", 1, ahead, behind)
            ida = History(other, Person("ida", "Ida", known=True), Words("en"))
            (item,) = await ida.page(False, FOR_EVER)
            assert {each["name"] for each in item["players"]} == {"Ida", "Bo"}
            assert not item["alone"]
            statistics = await ida.statistics()
            assert statistics["by_opponent"][0][0] == "Bo"
            await other.people.forget("ida")
            assert await queries.statistics_by_game(other.store, "ida") == []

    run(story())


@pytest.mark.parametrize("uncounted", [{"guided": True}, {"origin": "t0/4"}])
def test_guided_games_and_those_that_go_on_from_another_are_in_no_statistics(
    uncounted: dict[str, Any], database: str
) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.people.save(Person("ida", "Ida"))
            plan = TablePlan("lumens", ["", ""], {0: "", 1: "Bo"}, "00" * 16, **uncounted)
            table = await open_table(one.tables, "t", one.seeds.seed("t"), "ida", plan)
            while table.state != "over":
                await one.tables.change(table, play)
            assert await queries.statistics_by_game(one.store, "ida") == []
            ida = History(one, Person("ida", "Ida", known=True), Words("en"))
            (item,) = await ida.page(False, FOR_EVER)
            assert item["place"]

    run(story())


def test_pages_go_back_in_time(database: str) -> None:
    async def story() -> None:
        async with two_servers(database) as (one, _):
            for number in range(5):
                table_id = f"t{number}"
                await one.store.write(
                    queries.insert_table(table_id, "00", "over", False, 1000 + number)
                )
                await one.store.write(queries.insert_sitting("ida", table_id))
            first = await queries.history_of(one.store, "ida", False, FOR_EVER, 3)
            assert [each.id for each in first] == ["t4", "t3", "t2"]
            rest = await queries.history_of(one.store, "ida", False, first[-1].changed, 3)
            assert [each.id for each in rest] == ["t1", "t0"]

    run(story())


def test_a_game_is_archived_and_restored(served: Served) -> None:
    ida, path = played(served)
    table = path.removeprefix("/t/")
    ida.form("/history/archive", table=table, archived=1)
    assert path not in ida.http.get("/history").text
    assert path not in ida.http.get("/").text
    assert path in ida.http.get("/history?archived=1").text
    ida.form("/history/archive", table=table, archived=0)
    assert path in ida.http.get("/history").text


def test_a_running_game_can_be_put_away(served: Served) -> None:
    ida = Guest(served.address)
    path = ida.set_table("lumens", "me screen")
    assert path in ida.http.get("/history").text
    ida.form("/history/archive", table=path.removeprefix("/t/"), archived=1)
    assert path not in ida.http.get("/").text
    assert path in ida.http.get("/history?archived=1").text


def test_deleting_a_game_of_ones_own_deletes_it(served: Served) -> None:
    ida, path = played(served)
    stranger = Guest(served.address)
    table = path.removeprefix("/t/")
    assert stranger.form("/history/delete", table=table).status_code == 404
    assert ida.form("/history/delete", table=table).status_code == 303
    assert path not in ida.http.get("/history").text
    assert ida.http.get(path).status_code == 404


def test_deleting_a_game_with_others_leaves_it_to_them(served: Served) -> None:
    ida, bo = Guest(served.address), Guest(served.address)
    path = ida.set_table("lumens", "me friend")
    bo.act(path, "sit", name="Bo")
    ida.act(path, "start")
    table = path.removeprefix("/t/")
    assert "Others are still playing" in ida.form("/history/delete", table=table).text
    ida.act(path, "leave")
    bo.play_on(path)
    assert ida.form("/history/delete", table=table).status_code == 303
    assert path not in ida.http.get("/history").text
    assert path in bo.http.get("/history").text
    assert "Game over" in bo.http.get(path).text


def test_games_of_older_versions_are_in_the_history(upgraded: Served) -> None:
    ida = returning(upgraded, FRIEND)
    page = ida.http.get("/history").text
    assert LUMENS in page
    assert re.search(r"Won|Place \d of \d", page)


@pytest.mark.parametrize(("language", "title"), [("fr", "Mes parties"), ("es", "Mis partidas")])
def test_the_history_is_in_three_languages(served: Served, language: str, title: str) -> None:
    ida, path = played(served)
    ida.http.headers["accept-language"] = language
    page = ida.http.get("/history").text
    assert title in page
    assert path in page
    assert not re.findall(r"web\.history\.\w+", page)


def test_the_queries_of_a_history_use_indexes(tmp_path: Path) -> None:
    database = sqlite_in(tmp_path)

    async def story() -> None:
        async with two_servers(database) as (one, _):
            await one.store.read("SELECT 1")

    run(story())
    with sqlite3.connect(database) as store:
        for sql in (
            "SELECT game, count(*) FROM result WHERE person = 'p' AND own = 1 GROUP BY game",
            "SELECT b.seat FROM result a JOIN result b USING (table_id) WHERE a.person = 'p'",
            "SELECT id FROM sitting JOIN game_table ON id = table_id WHERE person = 'p'",
        ):
            plan = str(store.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall())
            assert "SCAN" not in plan, plan
