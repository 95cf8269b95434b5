"""The table at every size of screen: the layout, the smallest text and the board's share."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.sizes import SCREENS, SMALLEST_TEXT, Screen, resize
from tests.web.test_browser import ALL, act, decide, set_table

MEASURE = """() => {
    const svg = document.querySelector("#public svg");
    const box = svg.getBoundingClientRect();
    return { width: box.width, height: box.height,
             overflow: document.documentElement.scrollWidth - innerWidth };
}"""


def measure(page: Page, screen: Screen) -> dict[str, float]:
    resize(page, screen)
    measured: dict[str, float] = page.evaluate(MEASURE)
    return measured | {"text": page.evaluate(SMALLEST_TEXT)}


@pytest.fixture(scope="module", params=ALL)
def playing(request: pytest.FixtureRequest, new_shared_page: NewPage) -> Page:
    """A table of the game in mid-play, with a decision staged."""
    page = new_shared_page()
    set_table(page, request.param, "me", *["bot"] * 3)
    decide(page, 3)
    while not page.locator("#choices button.commit").count():
        act(page, 1)
    assert isinstance(page, Page)
    return page


def test_the_board_fills_the_window(playing: Page) -> None:
    for name, screen in SCREENS.items():
        measured = measure(playing, screen)
        share = measured["width"] * measured["height"] / (screen.width * screen.height)
        assert share >= screen.share, (name, measured)
        assert measured["text"] >= screen.text, (name, measured)
        assert measured["overflow"] <= 0, (name, measured)


@pytest.mark.parametrize("size", ["1366x768", "1920x1080"])
def test_on_a_desk_the_board_fills_the_height(playing: Page, size: str) -> None:
    screen = SCREENS[size]
    assert measure(playing, screen)["height"] >= 0.9 * screen.height


def test_zoom_does_not_shrink_the_board(playing: Page) -> None:
    plain = measure(playing, SCREENS["1366x768"])
    zoomed = measure(playing, SCREENS["zoom"])
    assert zoomed["width"] * 2 >= plain["width"]
    assert zoomed["height"] * 2 >= plain["height"]
    assert zoomed["text"] * 2 >= plain["text"] * 1.8


PANELS = """() => [...document.querySelectorAll("#public [data-at]")]
    .map((panel) => { const box = panel.getBoundingClientRect();
                      return [panel.dataset.panel, box.top, box.left]; })
    .sort((a, b) => a[1] - b[1] || a[2] - b[2]).map(([seat]) => seat)"""


def test_my_panel_comes_first_and_is_marked(new_page: NewPage) -> None:
    host, guest = new_page(), new_page()
    set_table(host, "nomads", "me", "friend", "bot")
    guest.goto(host.url)
    guest.get_by_role("button", name="Join the game").click()
    host.get_by_role("button", name="Start").click()
    for page, order in ((host, ["0", "1", "2"]), (guest, ["1", "2", "0"])):
        page.locator("#public svg").wait_for()
        expect(page.locator("#public .you:visible text, #public text.you:visible")).to_have_text(
            "You"
        )
        assert page.evaluate(PANELS) == order
        seats = page.locator(".seats .seat:has(.you:visible)")
        expect(seats).to_have_count(1)
        expect(seats).to_have_id(f"seat-{order[0]}")


MOVING = """() => document.getAnimations().filter((one) =>
    one.effect.target.closest?.("#public") && one.playState === "running"
    && one.effect.target.classList.contains("piece")).length"""


def test_pieces_stay_where_they_are_when_the_layout_changes(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    set_table(page, "nomads", "me", "screen")
    decide(page, 3)
    page.wait_for_timeout(800)
    moving = 0
    for size in (SCREENS["768x1024"], SCREENS["390"], SCREENS["1366x768"]):
        page.set_viewport_size({"width": size.width, "height": size.height})
        for _ in range(20):
            moving = max(moving, page.evaluate(MOVING))
            page.wait_for_timeout(30)
    assert moving == 0
