"""The table in a real Chromium: games by clicking, by keyboard, by touch, and without script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.web.conftest import NewPage
from tests.web.guest import Guest, same_deal
from tests.web.served import Served, sqlite_in
from tools import node
from veillee.engine.registry import games
from veillee.web.templating import STATIC

ALL = sorted(games())
ROOT = Path(__file__).parents[2]


def set_table(page: Page, game: str, *seats: str, **fields: str) -> None:
    """Set a table and go there. Bots take any legal action; the deal is that of every run."""
    rows = {f"seat{row}": who.replace("bot", "bot:random") for row, who in enumerate(seats)}
    chosen: Any = {"game": game, "watching": "1", "pace": "none"} | same_deal() | rows | fields
    if not any(cookie.get("name") == "veillee" for cookie in page.context.cookies()):
        page.request.get("/import")  # any page: it makes somebody of a stranger
    answer = page.request.post("/new", form=chosen, max_redirects=0)
    page.goto(answer.headers["location"])


def set_table_by_form(page: Page, game: str, *seats: str) -> None:
    page.goto(f"/new?game={game}")
    rows = page.locator(".seating li")
    for row in range(rows.count()):
        select = rows.nth(row).locator("select")
        who = seats[row] if row < len(seats) else "none"
        if who.startswith("bot"):  # the bots of these tests take any legal action
            select.evaluate("(s, v) => s.append(new Option(v, v))", "bot:random")
            who = "bot:random"
        select.select_option(who)
    if any(who.startswith("bot") for who in seats):
        page.select_option("[name=pace]", "none")
    page.get_by_role("button", name="Create the game").click()
    page.wait_for_url(re.compile("/t/"))


def act(page: Page, turn: int = 0) -> bool:
    """Click one thing that can be clicked, if there is one; whether there was."""
    commit = page.locator("#choices button.commit")
    options = page.locator("#choices .options button")
    try:
        if commit.count():
            commit.click(timeout=1000)
        elif n := options.count():
            options.nth(turn % n).click(timeout=1000)
        else:
            return False
    except TookTooLong:  # it was replaced while we reached for it
        return False
    return True


CLICKS = """() => {
    let turn = 0;
    const click = () => {
        const options = document.querySelectorAll("#choices .options button");
        const next = document.querySelector("#choices button.commit:enabled")
            ?? options[turn++ % options.length];
        next?.click();
        setTimeout(click, 5);
    };
    click();
}"""


def play_to_the_end(page: Page) -> None:
    """Click whatever can be clicked, as soon as it can, until the end is shown."""
    page.evaluate(CLICKS)
    page.locator(".end").wait_for(timeout=60_000 * hurry())


def hurry() -> float:
    """How much slower this machine is now than one that has nothing else to do."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def decide(page: Page, decisions: int) -> None:
    """Take so many decisions by clicking."""
    for turn in range(decisions):
        while not page.locator("#choices button.commit").count():
            if not act(page, turn):
                page.wait_for_timeout(15)
        moment = page.locator("#log li").count()
        page.locator("#choices button.commit").click()
        expect(page.locator("#log li")).not_to_have_count(moment)


@pytest.mark.parametrize("game", ALL)
def test_a_whole_game_by_clicking(new_page: NewPage, game: str) -> None:
    page = new_page()
    bots = max(2, min(games()[game].player_counts)) - 1
    set_table_by_form(page, game, "me", *["bot"] * bots)
    play_to_the_end(page)
    expect(page.locator(".podium li")).to_have_count(bots + 1)
    page.get_by_role("link", name="Check the shuffle").click()
    expect(page.locator(".verdict")).to_contain_text("All is well")


def test_play_now_is_one_click_away(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator(".card").first.get_by_role("button", name="Play now").click()
    page.locator("#board svg").wait_for()
    page.locator("#status").wait_for()
    page.locator("#choices button").first.wait_for()


def test_two_browsers_play_each_other(new_page: NewPage) -> None:
    one, other = new_page(), new_page()
    set_table(one, "lumens", "me", "friend")
    other.goto(one.url)
    other.get_by_role("button", name="Join the game").click()
    one.get_by_role("button", name="Start").click()
    other.locator("#board svg, #board pre").first.wait_for()
    taken = 0
    end = time.monotonic() + 30
    while taken < 24 and time.monotonic() < end:
        taken += act(one, taken) + act(other, taken)
    assert taken >= 24
    page_text = "document.getElementById('public').textContent"
    one.wait_for_function(f"{page_text} === {json.dumps(other.evaluate(page_text))}")


def test_around_one_screen_there_is_a_curtain_where_there_are_secrets(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "lumens", "me", "screen", name0="Ada", name1="Bo")
    for turn in range(4):
        lift = page.locator("#curtain button")
        lift.wait_for()
        assert not page.locator("#private svg").count()
        assert not page.locator("#choices button").count()
        lift.click()
        expect(page.locator("#private svg")).to_have_count(1)
        page.locator("#choices button").first.wait_for()
        while not page.locator("#choices button.commit").count():
            act(page, turn)
        page.locator("#choices button.commit").click()
        page.locator("#curtain").wait_for()


def test_around_one_screen_there_is_none_where_nothing_is_secret(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "screen")
    decide(page, 6)
    assert not page.locator("#curtain").count()


def test_watching(new_page: NewPage) -> None:
    player, watcher = new_page(), new_page()
    set_table(player, "nomads", "me", "screen")
    watcher.goto(player.url)
    before = watcher.locator("#log li").count()
    decide(player, 2)
    expect(watcher.locator("#log li")).to_have_count(before + 2)
    assert not watcher.locator("#choices button").count()


def test_changing_language_in_mid_game(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "screen")
    decide(page, 2)
    page.locator(".menu summary").click()
    page.select_option(".settings [name=language]", "fr")
    page.locator(".settings button").click()
    expect(page.locator("#log-title")).to_have_text("Ce qui s’est passé")
    decide(page, 2)


def test_the_server_is_killed_in_mid_game(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Served(sqlite_in(tmp_path_factory.mktemp("killed"))) as server:
        page = browser.new_context(base_url=server.address, reduced_motion="reduce").new_page()
        set_table(page, "nomads", "me", "screen")
        decide(page, 4)
        lines = page.locator("#log li").count()
        server.kill()
        server.start()
        expect(page.locator("#alarm")).to_contain_text("back online")
        expect(page.locator("#log li")).to_have_count(lines)
        decide(page, 3)
        page.context.close()


def test_by_keyboard_alone(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "bots":
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    for _ in range(6):
        page.locator("#choices button").first.wait_for()
        for _ in range(60):
            if page.evaluate("document.activeElement.closest('#choices') !== null"):
                break
            page.keyboard.press("Tab")
        for _ in range(8):
            commits = page.evaluate("document.activeElement.classList.contains('commit')")
            before = page.locator("#log li").count()
            page.keyboard.press("Enter")
            if commits:
                break
        expect(page.locator("#log li")).not_to_have_count(before)


def test_without_script(new_page: NewPage) -> None:
    """A few turns here; a whole game by forms alone is in `test_forms.py`."""
    page = new_page(java_script_enabled=False)
    page.goto("/new?game=lumens")
    page.locator("[name=seat0]").select_option("me")
    page.locator("[name=seat1]").select_option("screen")
    for row in (2, 3):
        page.locator(f"[name=seat{row}]").select_option("none")
    page.get_by_role("button", name="Create the game").click()
    for _ in range(24):
        page.locator("#curtain a, #choices form button, #choices .options a").first.click()
    assert page.locator("#log li").count() > 5


def test_on_a_phone_by_touch(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    set_table(page, "nomads", "me", "screen")
    for _ in range(10):
        page.locator("#choices button").first.wait_for()
        if page.locator("#board .spot.legal > .halo").count():
            touch(page.locator("#board .spot.legal").last)
        while not page.locator("#choices button.commit").count():
            page.locator("#choices .options button").first.tap()
        before = page.locator("#log li").count()
        page.locator("#choices button.commit").tap()
        expect(page.locator("#log li")).not_to_have_count(before)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def touch(spot: Locator) -> None:
    spot.locator(".halo").first.dispatch_event("click")


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)], ids=["phone", "desk"])
@pytest.mark.parametrize("game", ALL)
def test_all_that_matters_is_seen_without_scrolling(
    new_page: NewPage, game: str, size: tuple[int, int]
) -> None:
    phone = size[0] < 500
    page = new_page(viewport={"width": size[0], "height": size[1]}, is_mobile=phone)
    set_table(page, game, "me", *["bot"] * 2)
    page.locator("#choices button").first.wait_for()
    for part in ("#status", "#seat-0", "#board", "#choices button"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1] + 1, part


DRAWN = """() => [...document.querySelectorAll("#public *")].map((node) =>
    [node.tagName, node.id, node.getAttribute("transform"), node.getAttribute("href"),
     node.childElementCount ? "" : node.textContent].join(" ")).join("\\n")"""


@pytest.mark.parametrize("game", ALL)
def test_a_picture_that_was_followed_is_the_one_that_is_there(new_page: NewPage, game: str) -> None:
    page = new_page()
    seats = min(games()[game].player_counts)
    set_table(page, game, "me", *["bot"] * (seats - 1))
    decide(page, 7)
    page.locator("#choices button").first.wait_for()
    followed = page.evaluate(DRAWN)
    page.reload()
    page.locator("#choices button").first.wait_for()
    assert page.evaluate(DRAWN) == followed


def test_the_rules_are_illustrated(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    for game in ALL:
        page.goto(f"/rules/{game}")
        box = page.locator(".diagram svg").first.bounding_box()
        assert box is not None
        assert box["height"] > 200


def test_what_cannot_be_chosen_says_why(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "screen")
    page.locator("#choices button").first.wait_for()
    page.locator("#board .spot:not(.legal):has(> .halo)").first.dispatch_event("click")
    expect(page.locator("#alarm")).to_be_visible()
    assert len(page.locator("#alarm").inner_text()) > 10


def test_a_ghost_shows_what_would_happen(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "lumens", "me", "bot")
    page.locator("#choices button").first.wait_for()
    while not page.locator("#choices button.commit").count():
        act(page)
    expect(page.locator("#ghost svg")).to_have_count(1)
    drawn = page.locator("#ghost").inner_html()
    page.get_by_role("button", name="Cancel").click()
    page.locator("#choices .options button").last.focus()
    expect(page.locator("#ghost")).not_to_have_text(drawn)


def test_a_hint_asks_a_bot(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    page.locator("#choices button").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice")).to_contain_text("A bot would play")
    before = page.locator("#log li").count()
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#log li")).not_to_have_count(before)
    expect(page.locator("#advice")).to_be_empty()


def test_the_script_and_styles_are_small(served: Served) -> None:
    guest = Guest(served.address)
    page = guest.http.get(guest.set_table("nomads", "me screen")).text
    version = re.findall(r"/static/(\w+)/", page)[0]
    linked = set(re.findall(rf"/static/{version}/([\w.]+\.(?:js|css))", page))
    names: set[str] = set()
    while linked - names:
        name = (linked - names).pop()
        names.add(name)
        text = (STATIC / name).read_text() if (STATIC / name).exists() else ""
        linked |= set(re.findall(r'(?:from|import\()\s*"\./([\w.]+)"', text))
    assert {"table.js", "picture.css"} <= names
    size = 0
    for name in names:
        with guest.http.stream("GET", f"/static/{version}/{name}") as answer:
            size += int(answer.headers["content-length"])
    assert size < 40_000


def test_the_script_passes_its_type_checks() -> None:
    tsc = node.packages() / "typescript" / "bin" / "tsc"
    done = subprocess.run(
        [*node.get().node, str(tsc), "-p", "veillee/web"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_a_name_is_shown_as_written(new_page: NewPage, served: Served) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot", name0="<b>&\"'Zoë")
    expect(page.locator("#seat-0 .who")).to_have_text("<b>&\"'Zoë")
    assert Guest(served.address).http.get(page.url).status_code == 200
