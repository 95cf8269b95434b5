"""The puzzle of the day and the trainer, in a browser."""

from __future__ import annotations

import re
from datetime import date, timedelta

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.conftest import NewPage
from tests.web.served import Served
from veillee.analysis.puzzles import puzzles
from veillee.engine.registry import games
from veillee.web.http.puzzles import daily

ALL = sorted(games())


def test_every_day_has_a_puzzle_and_games_take_turns() -> None:
    days = [daily(date(2030, 1, 1) + timedelta(days=n)) for n in range(60)]
    assert len(set(days)) == 60
    assert {name for name, _ in days[:3]} == set(games())


def test_the_puzzle_of_the_day_is_answered(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/puzzles")
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle of the day")
    page.locator(".asking form button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator(".outcomes .best")).to_have_count(1)


@pytest.mark.parametrize("game", ALL)
def test_right_and_wrong_answers(new_page: NewPage, game: str) -> None:
    puzzle = puzzles(games()[game])[0]
    wrong = next(each for each in puzzle.choices if each != puzzle.answer)
    page = new_page()
    page.goto(f"/puzzles/{game}/1")
    expect(page.locator(".position svg.board")).to_be_visible()
    page.locator(f'button[value="{wrong}"]').click()
    expect(page.locator(".verdict")).to_have_class(re.compile("wrong"))
    expect(page.locator(".asking")).to_contain_text(puzzle.reasons["en"])
    page.get_by_role("link", name="Try again").click()
    page.locator(f'button[value="{puzzle.answer}"]').click()
    expect(page.locator(".verdict")).to_have_class(re.compile("right"))
    page.get_by_role("link", name="Next puzzle").click()
    expect(page).to_have_url(re.compile(rf"/puzzles/{game}/2$"))


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_puzzle_is_shown_in_every_language(served: Served, language: str) -> None:
    titles = set()
    with httpx.Client(headers={"accept-language": language}) as client:
        for game in ALL:
            for number in range(1, len(puzzles(games()[game])) + 1):
                page = client.get(f"{served.address}/puzzles/{game}/{number}")
                assert page.status_code == 200
                assert page.text.count('name="answer"') > 1
                titles.add(page.text.partition("<title>")[2].partition("</title>")[0])
    assert len(titles) == sum(len(puzzles(spec)) for spec in games().values())


def test_a_puzzle_tells_nothing_that_the_seat_does_not_know(served: Served) -> None:
    """The answer is told only to those who have answered, and no chance before."""
    for game in ALL:
        puzzle = puzzles(games()[game])[0]
        page = httpx.get(f"{served.address}/puzzles/{game}/1").text
        assert puzzle.reasons["en"] not in page
        assert "chance to win" not in page


@pytest.mark.parametrize("path", ["/puzzles/chess/1", "/puzzles/lumens/0", "/puzzles/lumens/999"])
def test_other_addresses_are_not_found(served: Served, path: str) -> None:
    assert httpx.get(served.address + path).status_code == 404
