"""The pages for programs in a real browser: tokens by keyboard, invitations."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import NewPage
from tests.web.http.api.program import Program, bot_name
from tests.web.served import Served
from veillee.engine.i18n import LANGUAGES, Words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_token_is_made_and_revoked_by_keyboard(
    new_page: NewPage, served: Served, language: str
) -> None:
    words = Words(language)
    page = new_page(locale=language, viewport={"width": 390, "height": 844})
    page.goto("/programs")
    expect(page.locator("h1")).to_have_text(words("web.programs"))
    page.locator("input[name=label]").focus()
    page.keyboard.type("laptop")
    page.keyboard.press("Tab")
    page.keyboard.type(f"robot-{language}")
    page.keyboard.press("Enter")
    token = page.locator("#token").input_value()
    account = Program(served.address, token).get("/account")
    assert (account["handle"], account["scopes"]) == (f"robot-{language}", ["read", "play"])
    page.goto("/programs")
    expect(page.locator(".tokens li")).to_contain_text("laptop")
    page.locator(".tokens button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tokens")).to_have_count(0)
    Program(served.address, token).get("/account", 401)
    page.get_by_role("link", name=words("web.programs.reference")).click()
    expect(page.locator("h1")).to_have_text(words("web.programs.reference"))
    expect(page.get_by_role("navigation", name=words("web.api.operations"))).to_be_visible()
    expect(page.get_by_role("link", name=words("web.programs.tokens"))).to_be_visible()
    expect(
        page.locator("#operation-play").locator("xpath=ancestor::*[@lang][1]")
    ).to_have_attribute("lang", "en")


def test_a_bot_is_invited_by_its_name(new_page: NewPage, served: Served) -> None:
    name = bot_name("hal")
    bot = Program.of(served.address, name)
    page = new_page()
    page.goto("/new?game=lumens&with=friends")
    page.locator("main form button.fire").last.click()
    page.locator(".guest summary").click()
    page.locator("input[name=bot]").fill(name)
    page.locator("input[name=bot]").press("Enter")
    page.wait_for_load_state()
    invited = bot.get("/invitations")
    bot.post(f"/invitations/{invited[0]['id']}/accept")
    expect(page.locator(".places")).to_contain_text(f"BOT {name}")


def test_the_reference_leads_from_an_operation_to_its_types(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/api#operation-play")
    page.locator("#operation-play").get_by_role("link", name="PlayRequest").click()
    expect(page.locator("#PlayRequest")).to_be_in_viewport()
    expect(page.locator("#PlayRequest")).to_contain_text("moment")
