"""The end of a game, and sounds, in a real Chromium."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served
from tests.web.test_browser import decide, set_table

LISTEN = """
    window.heard = [];
    for (const name of ["OscillatorNode", "AudioBufferSourceNode"]) {
        window[name] = class extends window[name] {
            constructor(...given) { super(...given); heard.push(name); }
        };
    }
"""


def over(served: Served, game: str = "lumens", bots: int = 1) -> tuple[Guest, str]:
    ida = Guest(served.address)
    path = ida.set_table(game, " ".join(["me", *["bot:random"] * bots]))
    ida.play_on(path)
    return ida, path


def enter(page: Page, guest: Guest, path: str) -> None:
    value, url = guest.http.cookies["veillee"], str(guest.http.base_url)
    page.context.add_cookies([{"name": "veillee", "value": value, "url": url}])
    page.goto(path)


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_end_tells_my_place_and_the_decisive_moments(served: Served, language: str) -> None:
    ida, path = over(served)
    ida.http.headers["accept-language"] = language
    page = ida.http.get(path).text
    place = re.findall(r'data-place="(\d)"', page)[0]
    assert place in "12"
    assert 'class="verdict' in page
    moments = re.findall(r'<li><a href="(/g/[\w-]+/\d+)">', page)
    assert 1 <= len(moments) <= 3
    for moment in moments:
        assert ida.http.get(moment).status_code == 200
    assert not re.findall(r"web\.end\.\w+", page)
    watcher = Guest(served.address).http.get(path).text
    assert 'data-place="0"' in watcher
    assert 'class="verdict' not in watcher


def test_the_same_people_play_another_game(served: Served) -> None:
    ida, path = over(served)
    assert 'value="game:nomads"' in ida.http.get(path).text
    assert 'value="game:captain"' not in ida.http.get(path).text
    assert ida.form(f"{path}/next", what="game:captain").status_code >= 400
    answer = ida.form(f"{path}/next", what="game:nomads")
    assert answer.status_code == 303
    page = ida.http.get(answer.headers["location"]).text
    assert "<title>Nomads" in page
    assert 'value="game:nomads"' not in ida.http.get(path).text


def test_a_game_is_shared_or_its_link_copied(new_page: NewPage, served: Served) -> None:
    ida, path = over(served)
    page = new_page()
    page.add_init_script("""
        navigator.share = async (what) => { window.shared = what; };
    """)
    enter(page, ida, path)
    page.get_by_role("button", name="Share this game").click()
    assert page.evaluate("shared.url") == served.address + path.replace("/t/", "/g/")
    assert page.evaluate("shared.title").startswith("Lumens: ")
    other = new_page(permissions=["clipboard-read", "clipboard-write"])
    other.add_init_script("Object.defineProperty(navigator, 'share', {value: undefined});")
    enter(other, ida, path)
    other.get_by_role("button", name="Share this game").click()
    expect(other.locator("#alarm")).to_have_text("Copied.")
    assert other.evaluate("navigator.clipboard.readText()").endswith(path[3:])


def win(page: Page) -> None:
    """Let pages say that the person won."""

    def change(route: Any) -> None:
        answer = route.fetch()
        body = re.sub(r'data-place="\d"', 'data-place="1"', answer.text())
        route.fulfill(response=answer, body=body)

    page.route("**/t/*", change)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_sparks_rise_for_the_winner_where_motion_is_wanted(
    new_page: NewPage, served: Served, motion: str
) -> None:
    ida, path = over(served)
    page = new_page(reduced_motion=motion, service_workers="block")
    win(page)
    enter(page, ida, path)
    page.locator(".end").wait_for()
    page.wait_for_timeout(300)
    assert (page.locator(".sparks i").count() > 10) == (motion != "reduce")
    page.reload()
    page.locator(".end").wait_for()
    page.wait_for_timeout(300)
    assert not page.locator(".sparks").count()  # only once


def test_there_is_no_sound_until_the_speaker_is_clicked(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    page.add_init_script(LISTEN)
    set_table(page, "nomads", "me", "screen")
    decide(page, 2)
    assert page.evaluate("heard") == []
    speaker = page.get_by_role("button", name="Sounds")
    expect(speaker).to_have_attribute("aria-pressed", "false")
    speaker.click()
    expect(speaker).to_have_attribute("aria-pressed", "true")
    assert len(page.evaluate("heard")) == 2  # one clack of wood
    before = len(page.evaluate("heard"))
    decide(page, 2)
    page.wait_for_function(f"heard.length > {before}")
    page.reload()
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Sounds").click()
    page.reload()
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")
