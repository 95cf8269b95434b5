"""What people do at the table's page: choosing, cancelling, keys, the log, and playing blind."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.web.conftest import NewPage
from tests.web.sizes import SCREENS
from tests.web.test_browser import act, decide, hurry, set_table
from veillee.engine.registry import games

FOCUS = "document.activeElement?.matches('#choices button') ?? false"


def lines(page: Page) -> int:
    return page.locator("#log li").count()


def stage(page: Page, turn: int = 0) -> None:
    """Choose an action without sending it."""
    page.locator("#choices button").first.wait_for()
    while not page.locator("#choices button.commit").count():
        act(page, turn)


def why(page: Page, field: str, value: str) -> str:
    """Tap something that can't be chosen, and read what is said."""
    page.locator("#alarm").evaluate("(alarm) => { alarm.textContent = ''; }")
    page.locator(f'#board .spot[data-field="{field}"][data-value="{value}"]').first.dispatch_event(
        "click"
    )
    expect(page.locator("#alarm")).not_to_have_text("")
    return page.locator("#alarm").inner_text()


# ---------------------------------------------------------------- why not


def test_a_square_that_is_too_far_away_says_so(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "lumens", "me", "bot")
    decide(page, 1)
    page.locator("#choices button").first.wait_for()
    assert why(page, "square", "f6").startswith("Count exactly as many squares")
    expect(page.locator("#board .spot.why").first).to_be_attached()


def test_a_pile_without_my_disc_says_so(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    page.locator("#choices button").first.wait_for()
    while page.locator("#choices .options button", has_text="Sow a pile").count() == 0:
        act(page)
        page.wait_for_timeout(20)
    assert "Sow a pile" in page.locator("#choices").inner_text()
    mine = set(
        page.locator("#board .spot.legal[data-field=space]").evaluate_all(
            "(spots) => spots.map((spot) => spot.dataset.value)"
        )
    )
    other = next(str(n) for n in range(1, 9) if str(n) not in mine)
    assert "one of your discs" in why(page, "space", other)
    pointed = page.locator("#board .spot.why").evaluate_all(
        "(spots) => spots.map((spot) => spot.dataset.value)"
    )
    assert set(pointed) <= mine


# ---------------------------------------------------------------- focus, Esc, menu


def test_the_focus_stays_at_the_choices(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    for _ in range(3):
        stage(page)
        page.locator("#choices button.commit").focus()
        before = lines(page)
        page.keyboard.press("Enter")
        expect(page.locator("#log li")).not_to_have_count(before)
        page.locator("#choices button:enabled").first.wait_for()
        assert page.evaluate(FOCUS)


def test_escape_cancels_a_choice_and_closes_the_menu(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "lumens", "me", "bot")
    stage(page)
    page.keyboard.press("Escape")
    expect(page.locator("#choices button.commit")).to_have_count(0)
    menu = page.locator("details.menu")
    page.locator(".menu summary").click()
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    page.locator(".menu summary").click()
    page.mouse.click(200, 500)
    expect(menu).not_to_have_attribute("open", "")


# ---------------------------------------------------------------- fewer clicks


def test_the_button_that_commits_is_where_the_click_was(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    option = page.locator("#choices .options button").nth(1)
    option.wait_for()
    box = option.bounding_box()
    assert box is not None
    before = lines(page)
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#log li")).not_to_have_count(before)


def test_a_double_click_on_the_board_commits(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    page.locator("#choices button").first.wait_for()
    before = lines(page)
    page.locator("#board .spot.legal[data-field=adventurer]").first.dblclick()
    expect(page.locator("#log li")).not_to_have_count(before)


def test_without_confirmation_one_click_plays(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    page.locator(".menu summary").click()
    page.get_by_label("Confirm each move").uncheck()
    page.locator(".settings button").click()
    page.locator("#choices .options button").first.wait_for()
    before = lines(page)
    page.locator("#choices .options button").first.click()
    expect(page.locator("#log li")).not_to_have_count(before)


def test_shortcuts_and_their_help(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    page.locator("#choices .options button").first.wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    before = lines(page)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator("#log li")).not_to_have_count(before)
    page.locator("#choices button:enabled").first.wait_for()
    page.keyboard.press("u")
    expect(page.locator("#log .note")).to_contain_text("undid a move")


# ---------------------------------------------------------------- phones


def test_an_undo_request_is_seen_on_a_phone(new_page: NewPage) -> None:
    phone = {"viewport": {"width": 390, "height": 664}, "is_mobile": True}
    one, other = new_page(**phone), new_page(**phone)
    set_table(one, "nomads", "me", "friend")
    other.goto(one.url)
    other.get_by_role("button", name="Join the game").click()
    one.get_by_role("button", name="Start").click()
    for _ in range(16):
        for page in (one, other):
            act(page)
            page.wait_for_timeout(60)
    one.wait_for_timeout(300)
    asker, asked = (one, other) if other.locator("#choices button").count() else (other, one)
    asker.get_by_role("button", name="Undo").click()
    notice = asked.locator(".notice", has_text="undo")
    notice.wait_for()
    box = notice.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 664


@pytest.mark.parametrize("size", ["320", "390"])
def test_a_hint_can_be_played_without_scrolling(new_page: NewPage, size: str) -> None:
    screen = SCREENS[size]
    page = new_page(viewport={"width": screen.width, "height": screen.height}, is_mobile=True)
    set_table(page, "nomads", "me", "bot")
    decide(page, 2)
    page.get_by_role("button", name="Hint").click()
    play = page.get_by_role("button", name="Play it")
    play.wait_for()
    box = play.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert 0 <= box["y"] <= screen.height - box["height"]
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#choices button").first).to_be_visible()


COVERED = """() => {
    const toast = document.getElementById("alarm").getBoundingClientRect();
    return [...document.querySelectorAll("#board .spot.legal .halo, #choices button")]
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.width && box.left < toast.right && box.right > toast.left
            && box.top < toast.bottom && box.bottom > toast.top).length;
}"""


@pytest.mark.parametrize("size", ["390", "768x1024", "1366x768"])
def test_a_toast_covers_nothing_that_can_be_chosen(new_page: NewPage, size: str) -> None:
    """A pile is chosen, and its directions are asked for on the board."""
    screen = SCREENS[size]
    page = new_page(viewport={"width": screen.width, "height": screen.height})
    set_table(page, "nomads", "me", "bot")
    page.locator("#choices button").first.wait_for()
    while page.locator("#choices .options button", has_text="Sow a pile").count() == 0:
        act(page)
        page.wait_for_timeout(20)
    page.locator("#choices .options button", has_text="Sow a pile").click()
    page.locator("#board .spot.legal[data-field=space]").last.dispatch_event("click")
    page.locator("#board .spot.legal[data-field=direction]").first.wait_for()
    taken = "#board .spot:not(.legal):not(.chosen)[data-field=space]"
    page.locator(taken).first.dispatch_event("click")
    expect(page.locator("#alarm")).to_be_visible()
    assert page.evaluate("document.getElementById('alarm').textContent.length") > 20
    assert page.evaluate(COVERED) == 0


HALOS = """() => [...document.querySelectorAll("#board .spot.legal")]
    .map((spot) => spot.matches(".halo") ? spot : spot.querySelector(":scope > .halo"))
    .filter(Boolean).map((halo) => {
        const { width, height } = halo.getBBox();
        const { a, b } = halo.getScreenCTM();
        return [halo.outerHTML, Math.hypot(a, b) * Math.min(width, height)]; })"""
"""What can be touched on the board, with its lesser side in pixels."""
CONTROLS = """() => [...document.querySelectorAll("button, a, summary, select, input")]
    .filter((one) => one.checkVisibility() && !one.closest(".skip"))
    .map((one) => { const { width, height } = one.getBoundingClientRect();
                    return [one.outerHTML, Math.min(width, height)]; })"""


@pytest.mark.parametrize("game", ["nomads", "captain", "lumens"])
def test_touch_targets_are_large_enough(new_page: NewPage, game: str) -> None:
    """24 pixels, and 44 for what takes a decision."""
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    set_table(page, game, "me", *["bot"] * 3)
    for turn in range(4):
        page.locator("#choices button").first.wait_for()
        targets = page.evaluate(HALOS)
        stage(page, turn)
        targets += page.evaluate(HALOS) + page.evaluate(CONTROLS)
        assert not [(one, size) for one, size in targets if round(size, 1) < 24]
        box = page.locator("#choices button.commit").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        page.locator("#choices button.commit").click()
        page.wait_for_timeout(100)


def test_a_touch_just_beside_a_small_target_is_meant_for_it(new_page: NewPage) -> None:
    """On the smallest phones a square is less than 24 pixels wide, but reaches as far."""
    page = new_page(viewport={"width": 320, "height": 640}, is_mobile=True, has_touch=True)
    set_table(page, "lumens", "me", *["bot"] * 3)
    decide(page, 1)
    spot = page.locator("#board .spot.halo.legal").first
    spot.wait_for()
    (_, size), *_ = page.evaluate(HALOS)
    assert size < 24
    box = spot.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.touchscreen.tap(box["x"] + box["width"] / 2, middle - 11)
    expect(page.locator("#board .spot.halo.chosen")).to_have_count(1)
    assert page.locator("#alarm").is_hidden()


# ---------------------------------------------------------------- offline


def test_a_move_made_offline_is_sent_when_the_connection_is_back(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "screen")
    stage(page)
    before = lines(page)
    sent: list[str] = []

    def note(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "{}")["token"])
        route.continue_() if len(sent) > 6 else route.abort("connectionrefused")

    page.route(re.compile("/play$"), note)
    page.locator("#choices button.commit").click()
    expect(page.locator("#alarm")).to_contain_text("will be sent")
    for _ in range(8):
        page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(150)
    expect(page.locator("#log li")).not_to_have_count(before, timeout=20_000)
    assert len(sent) > 6
    assert len(set(sent)) == 1


# ---------------------------------------------------------------- the log


def test_the_log_is_read_by_turn(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "screen", name0="Ada", name1="Bo")
    decide(page, 9)
    told = page.locator("#log .turn h3").all_inner_texts()
    assert set(told) == {"Ada’s turn", "Bo’s turn"}
    assert all(one != other for one, other in pairwise(told))
    expect(page.locator("#log .turn h3 svg use").first).to_be_attached()
    page.reload()
    page.locator("#choices button").first.wait_for()
    assert page.locator("#log .turn h3").all_inner_texts() == told


def test_what_was_said_leaves_a_line_and_no_old_bubble(new_page: NewPage) -> None:
    page, watcher = new_page(), new_page()
    set_table(page, "nomads", "me", "screen", name0="Ada")
    page.locator(".talk summary").click()
    page.locator(".phrases button").first.click()
    expect(page.locator("#log .note")).to_have_count(1)
    expect(page.locator("#log .note")).to_have_text(re.compile(r"^(Ada|Player 2): “"))
    page.wait_for_timeout(8500)
    watcher.goto(page.url)
    expect(watcher.locator("#log .note")).to_have_count(1)
    expect(watcher.locator(".bubble")).to_have_count(0)


# ---------------------------------------------------------------- blind


@pytest.mark.parametrize("game", ["nomads", "captain", "lumens"])
def test_a_whole_game_by_the_accessibility_tree_alone(new_page: NewPage, game: str) -> None:
    """No pixels, no ids: roles and names only, as a screen reader finds them."""
    page = new_page()
    bots = max(2, min(games()[game].player_counts)) - 1
    set_table(page, game, "me", *["bot"] * bots)
    page.get_by_role("group").filter(has_text="The board in words").locator("summary").click()
    expect(page.get_by_role("heading", name=re.compile("^You"))).to_be_visible()
    choices = page.get_by_role("group", name=re.compile("Your turn"))
    described: set[str] = set()
    end = page.get_by_role("heading", name=re.compile("The end|over", re.IGNORECASE))
    buttons = choices.get_by_role("button", disabled=False).filter(has_not_text="Cancel")
    for turn in range(2000):
        try:
            names = buttons.all_inner_texts()
            if not names:
                if end.count():
                    break
                page.wait_for_timeout(15)
                continue
            assert all(names)
            sure = [n for n, name in enumerate(names) if name.startswith("✓")]
            buttons.nth((sure or [turn % len(names)])[0]).click(timeout=500)
        except Error:  # the game went on, or the page went to its end
            continue
        if turn % 10 == 0:
            described.add(page.locator("details section").first.inner_text())
    end.wait_for(timeout=20_000 * hurry())
    assert len(described) > 1
