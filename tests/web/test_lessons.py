"""Guided first games in a real Chromium: by touch on a phone, by keyboard at a desk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served
from tests.web.sizes import SCREENS, SMALLEST_TEXT
from veillee.engine.i18n import LANGUAGES
from veillee.engine.registry import games

TAUGHT = [name for name, spec in games().items() if spec.lesson]
PHONES = {"en": "390", "fr": "320", "es": "390"}
"""The phone on which a language is tried: French has the longest words."""
DESK = {"width": 1366, "height": 768}


def begin(page: Page, game: str) -> None:
    page.goto("/")
    page.locator(f".card button[name=game][value={game}]").first.click()
    page.wait_for_url(re.compile("/t/"))


def decisions(game: str) -> int:
    """How many decisions the learner takes."""
    lesson = games()[game].lesson
    assert lesson
    return len(lesson.moves)


WAITS_FOR = """() => document.querySelector(".end") ? "end"
    : document.querySelector("#guide .next:not([hidden])") ? ".guide .next"
    : document.querySelector("#choices .commit:enabled") ? "#choices .commit"
    : document.querySelector("#choices .hinted:enabled") ? "#choices .hinted" : "" """


def waits_for(page: Page) -> str:
    """What the learner is to do next: turn a page, choose, commit, or nothing at the end."""
    return str(page.wait_for_function(WAITS_FOR).json_value())


LOWEST = """(parts) => parts.map((part) => [part, Math.max(
    0, ...[...document.querySelectorAll(part)].filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect()).filter((box) => box.width && box.height)
        .map((box) => box.bottom))])"""


COVERED = """() => {
    const pointer = document.querySelector("#board .pointer").getBoundingClientRect();
    const said = document.querySelector("#mine").getBoundingClientRect();
    return said.left < pointer.right && said.right > pointer.left ? pointer.bottom - said.top : 0;
}"""
"""How much of what is pointed at is below the top of what is said over the board."""


def all_in_view(page: Page, height: int) -> bool:
    """What is said, what it points at and what can be done fit on the screen together.

    Return whether something is pointed at.
    """
    parts = ["#guide", "#board .pointer", "#choices .hinted"]
    lowest = {part: y for part, y in page.evaluate(LOWEST, parts) if y}
    assert all(y <= height + 1 for y in lowest.values()), lowest
    assert page.evaluate(COVERED) <= 1
    assert page.evaluate(SMALLEST_TEXT) >= 11
    return "#board .pointer" in lowest


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", TAUGHT)
def test_by_touch_on_a_phone(new_page: NewPage, game: str, language: str) -> None:
    screen = SCREENS[PHONES[language]]
    size = {"width": screen.width, "height": screen.height}
    page = new_page(viewport=size, is_mobile=True, has_touch=True, locale=language)
    begin(page, game)
    seen = 0
    for _ in range(8 * decisions(game)):
        what = waits_for(page)
        if what == "end":
            break
        seen += all_in_view(page, screen.height)
        page.locator(what).first.tap()
    assert seen > 4
    expect(page.locator(".podium li").first).to_have_class("place-1")
    expect(page.locator("#guide form[action='/play'] button")).to_be_visible()


def focus(page: Page, selector: str) -> None:
    """Go there by the tabulator key."""
    for _ in range(40):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator key does not reach {selector}")


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=[] if i == j else pytest.mark.screens)
        for i, game in enumerate(TAUGHT)
        for j, language in enumerate(LANGUAGES)
    ],
)
def test_by_keyboard_at_a_desk(new_page: NewPage, game: str, language: str) -> None:
    page = new_page(viewport=DESK, locale=language)
    begin(page, game)
    for _ in range(8 * decisions(game)):
        what = waits_for(page)
        if what == "end":
            break
        focus(page, what)
        page.keyboard.press("Enter")
    expect(page.locator(".podium li").first).to_have_class("place-1")


def test_left_and_taken_up_again(new_page: NewPage) -> None:
    page = new_page()
    begin(page, TAUGHT[0])
    table = page.url
    while (what := waits_for(page)) != "#choices .commit":
        page.locator(what).first.click()
    page.locator(what).click()
    expect(page.locator(".guide .next")).to_be_visible()
    said = page.locator("#guide").inner_text()
    page.goto("/")
    begin(page, TAUGHT[0])
    assert page.url == table
    expect(page.locator(".guide .next")).to_be_visible()
    assert page.locator("#guide").inner_text() == said


def test_playing_otherwise_is_allowed_with_a_word(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.form("/learn", game="lumens").headers["location"]
    shared, own = guest.look(path)
    assert "Try this:" in own["guide"]
    other = next(c for c in own["choices"]["all"] if c["action"] not in own["guide"])
    assert guest.act(path, "play", action=other["action"], moment=shared["moment"]).is_success
    with guest.stream(path) as messages:
        own = next(own for _, own in messages if own.get("yours"))
    assert "your own way" in own["guide"]
    assert "Try this:" not in own["guide"]
    assert guest.play_on(path) > 3
    assert "That was Lumens!" in guest.http.get(path).text


def test_other_tables_have_no_guide(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads")
    assert "guide" not in guest.look(path)[1]
    assert 'class="guide"' not in guest.http.get(path).text


def test_the_deal_is_fixed_and_can_be_verified(served: Served) -> None:
    one, other = Guest(served.address), Guest(served.address)
    paths = [guest.form("/learn", game="captain").headers["location"] for guest in (one, other)]
    assert paths[0] != paths[1]
    private = [g.look(p)[1]["overlay"] for g, p in zip((one, other), paths, strict=True)]
    assert private[0] == private[1]
    one.play_on(paths[0])
    assert "All is well" in one.http.get(f"{paths[0]}/verify").text
