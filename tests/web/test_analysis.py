"""The analysis of a finished game beside its replay: asked for, waited for, read."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from veillee.engine.registry import games

ALL = sorted(games())
SEATS = {name: max(2, min(spec.player_counts)) for name, spec in games().items()}
LONGEST = 120_000
"""Milliseconds that a quick analysis may take on a busy machine."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that analyses quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VEILLEE_ANALYSIS_ITERATIONS", "1")
        with Served(sqlite_in(tmp_path_factory.mktemp("served")), "--no-limits") as server:
            yield server


@pytest.fixture(scope="module")
def finished(served: Served) -> dict[str, str]:
    """A finished game of each kind: the ids of their tables."""
    return {game: played(served, game) for game in ALL}


def played(served: Served, game: str) -> str:
    """A stored game: the id of its table."""
    return Guest(served.address).import_golden(game, SEATS[game]).rpartition("/")[2]


def analysed(page: Page) -> None:
    """Have the game of the page analysed, if it is not yet."""
    panel = page.locator("#analysis")
    if panel.locator("#analysis-chart").count() == 0:
        panel.locator("summary").click()
        panel.get_by_role("button").click()
        expect(panel.locator("progress, #analysis-chart").first).to_be_visible()
    expect(panel.locator("#analysis-chart")).to_be_visible(timeout=LONGEST)


@pytest.mark.parametrize("game", ALL)
def test_a_game_is_analysed_beside_its_replay(
    new_page: NewPage, finished: dict[str, str], game: str
) -> None:
    page = new_page()
    page.goto(f"/g/{finished[game]}/0")
    analysed(page)
    last = int(page.locator("#slider").get_attribute("max") or 0)
    lines = page.locator("#analysis-chart polyline")
    expect(lines).to_have_count(SEATS[game])
    assert len((lines.first.get_attribute("points") or "").split()) == last + 1
    expect(page.locator("#analysis .sums tbody tr")).to_have_count(SEATS[game])
    titles = page.locator("#analysis h3").all_inner_texts()
    assert ("Announcements and the truth" in titles) == bool(games()[game].post_mortem)
    assert "Costly decisions" in titles


def test_the_chart_marks_the_moment_and_links_lead_to_moments(
    new_page: NewPage, finished: dict[str, str]
) -> None:
    page = new_page()
    page.goto(f"/g/{finished['nomads']}/0")
    analysed(page)
    mark = page.locator("#analysis-now")
    expect(mark).to_have_attribute("transform", "translate(48.0 0)")
    page.locator("body").press("End")
    expect(mark).to_have_attribute("transform", "translate(366.0 0)")
    link = page.locator("#analysis a.moment").first
    number = link.get_attribute("data-moment") or ""
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#slider")).to_have_value(number)
    expect(mark).not_to_have_attribute("transform", "translate(366.0 0)")


def test_it_is_kept_with_the_game(new_page: NewPage, finished: dict[str, str]) -> None:
    first = new_page()
    first.goto(f"/g/{finished['lumens']}/3")
    analysed(first)
    other = new_page()
    other.goto(f"/g/{finished['lumens']}/5")
    expect(other.locator("#analysis-chart")).to_be_visible()


def test_without_script(new_page: NewPage, served: Served) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"/g/{played(served, 'lumens')}")
    page.locator("#analysis summary").click()
    page.get_by_role("button", name="Analyse this game").click()
    end = time.monotonic() + LONGEST / 1000
    while not page.locator("#analysis-chart").count() and time.monotonic() < end:
        time.sleep(0.5)
        page.reload()
    expect(page.locator("#analysis-chart")).to_be_visible()
    page.locator("#analysis a.moment").first.click()
    expect(page).to_have_url(re.compile(r"/g/[\w-]+/\d+$"))


def test_a_game_in_play_is_not_analysed(served: Served) -> None:
    """It would tell those who play what the others could know."""
    guest = Guest(served.address)
    path = guest.set_table("captain", "me bot:random bot:random")
    table = path.rpartition("/")[2]
    page = httpx.get(f"{served.address}/g/{table}", follow_redirects=True)
    assert 'id="analysis"' not in page.text
    answer = httpx.post(f"{served.address}/g/{table}/analysis", headers={"x-veillee": "1"})
    assert answer.status_code == 422
    assert "finished" in answer.text


@pytest.mark.parametrize("language", ["fr", "es"])
def test_in_other_languages(
    new_page: NewPage, finished: dict[str, str], served: Served, language: str
) -> None:
    analysed_page = new_page()
    analysed_page.goto(f"/g/{finished['captain']}")
    analysed(analysed_page)
    page = httpx.get(
        f"{served.address}/g/{finished['captain']}/0", headers={"accept-language": language}
    ).text
    words = {"fr": ("Chances de gagner", "Tendances"), "es": ("Suerte", "Tendencias")}
    for word in words[language]:
        assert word in page
    assert "Costly" not in page


def test_an_analysis_is_deleted_with_its_table(
    new_page: NewPage, served: Served, finished: dict[str, str]
) -> None:
    page = new_page()
    page.goto(f"/g/{finished['lumens']}")
    analysed(page)
    from veillee.web.database import queries

    with sqlite3.connect(served.database) as connection:
        rows = connection.execute("SELECT table_id FROM analysis").fetchall()
        assert (finished["lumens"],) in rows
    told = [statement.sql for statement in queries.empty_table(finished["lumens"], 1, 1)]
    assert "DELETE FROM analysis WHERE table_id = $1" in told
