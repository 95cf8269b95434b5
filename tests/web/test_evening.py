"""What surrounds the moves, in a real Chromium: alerts, settings, devices, languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.test_browser import act, decide, set_table

HEAR = """
    window.heard = {sounds: 0, notes: []};
    window.OscillatorNode = class extends OscillatorNode {
        constructor(...given) { super(...given); window.heard.sounds += 1; }
    };
    window.Notification = class {
        static permission = "granted";
        static async requestPermission() { sessionStorage.asked = "yes"; }
        constructor(title, more) { window.heard.notes.push(more.body); }
        close() {}
    };
    Object.defineProperty(document, "hidden", {get: () => window.looksAway ?? false});
"""


def choose(page: Page, **wishes: bool | str) -> None:
    """Change settings in the menu."""
    page.locator(".menu summary").click()
    for name, wish in wishes.items():
        field = page.locator(f".settings [name={name}]")
        if isinstance(wish, str):
            field.select_option(wish)
        else:
            field.set_checked(wish)
    page.locator(".settings button").click()
    page.locator(".menu:not([open])").wait_for()


def two_at_a_table(new_page: NewPage, game: str = "nomads") -> tuple[Page, Page]:
    """Two people in two browsers, and the game has begun. The first one hears."""
    one, other = new_page(), new_page()
    one.add_init_script(HEAR)
    set_table(one, game, "me", "friend")
    other.goto(one.url)
    other.get_by_role("button", name="Join the game").click()
    one.get_by_role("button", name="Start").click()
    for page in (one, other):
        page.locator("#board svg").first.wait_for()
    return one, other


def until_it_is_the_others_turn(one: Page, other: Page) -> None:
    turn = 0
    while one.locator(".end").count() == 0:
        if other.locator("#choices button").count():
            return
        turn += act(one, turn)
        one.wait_for_timeout(30)
    raise AssertionError("the other one is never awaited")


def test_title_and_icon_tell_whose_turn_it_is(new_page: NewPage) -> None:
    one, other = two_at_a_table(new_page)
    icon = "document.querySelector('link[rel=icon]').href"
    until_it_is_the_others_turn(one, other)
    expect(other).to_have_title(re.compile("● Your turn"))
    assert "fire-lit.svg" in other.evaluate(icon)
    expect(one).not_to_have_title(re.compile("Your turn"))
    assert "fire.svg" in one.evaluate(icon)
    assert other.request.get(other.evaluate(icon)).ok


@pytest.mark.parametrize("wanted", [False, True])
def test_sound_and_notification_only_for_who_wants_them(new_page: NewPage, wanted: bool) -> None:
    one, other = two_at_a_table(new_page)
    if wanted:
        choose(one, sound=True, alerts=True)
        assert one.evaluate("sessionStorage.asked") == "yes"
    until_it_is_the_others_turn(one, other)
    one.evaluate("looksAway = true; heard.sounds = 0")
    until_it_is_the_others_turn(other, one)
    heard = one.evaluate("heard")
    assert bool(heard["sounds"]) == wanted
    assert heard["notes"] == ["Your turn"] * wanted


def test_settings_are_kept(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    assert page.evaluate("document.documentElement.dataset.sound") is None
    choose(page, sound=True, alerts=True, speed="slow", theme="dark")
    kept = page.evaluate("({...document.documentElement.dataset})")
    assert kept.items() >= {"sound": "", "alerts": "", "speed": "slow", "theme": "dark"}.items()
    choose(page, sound=False)
    assert page.evaluate("document.documentElement.dataset.sound") is None
    assert page.evaluate("document.documentElement.dataset.alerts") == ""


def test_consent_to_an_undo(new_page: NewPage) -> None:
    one, other = two_at_a_table(new_page)
    for page, next_one in ((one, other), (other, one)):
        if page.locator("#choices button").count():
            first, second = page, next_one
    decide(first, 1)
    decide(second, 1)
    lines = first.locator("#log li").count()
    first.get_by_role("button", name="Undo").click()
    expect(first.locator("#own")).to_contain_text("Waiting for the others")
    second.get_by_role("button", name="Decline").click()
    expect(first.locator("#own")).not_to_contain_text("Waiting for the others")
    first.get_by_role("button", name="Undo").click()
    second.get_by_role("button", name="Agree").click()
    expect(first.locator("#log li")).not_to_have_count(lines)
    first.locator("#choices button").first.wait_for()


def test_pausing_and_going_on(new_page: NewPage) -> None:
    one, other = two_at_a_table(new_page)
    one.locator(".menu summary").click()
    one.get_by_role("button", name="Pause the game").click()
    expect(other.locator("#status")).to_have_text("The game is paused")
    expect(other.locator("#choices button")).to_have_count(0)
    one.get_by_role("button", name="Resume the game").first.click()
    expect(other.locator("#status")).not_to_have_text("The game is paused")


def test_before_the_game_the_host_moves_people_about(new_page: NewPage) -> None:
    one, other = new_page(), new_page()
    set_table(one, "nomads", "me", "friend", "friend", name0="Ada")
    other.goto(one.url)
    other.get_by_label("What should the others call you?").fill("Zoë")
    other.get_by_role("button", name="Join the game").click()
    places = one.locator(".place b")
    expect(places).to_have_text(["Ada", "Zoë", "Free seat"])
    one.get_by_role("button", name="Move up").first.click()
    expect(places).to_have_text(["Zoë", "Ada", "Free seat"])
    one.locator(".sure summary").first.click()
    expect(places).to_have_text(["Zoë", "Ada", "Free seat"])
    one.get_by_role("button", name="Remove").first.click()
    expect(places).to_have_text(["Free seat", "Ada", "Free seat"])
    expect(other.locator(".notice")).to_contain_text("The host removed you")
    one.get_by_role("button", name="Add a bot").first.click()
    expect(places.first).not_to_have_text("Free seat")


def test_a_seat_goes_on_at_another_device(new_page: NewPage) -> None:
    desk, phone = new_page(), new_page(viewport={"width": 390, "height": 844}, is_mobile=True)
    set_table(desk, "lumens", "me", "bot")
    desk.locator("#choices button").first.wait_for()
    desk.locator(".menu summary").click()
    desk.get_by_role("link", name="Continue on another device").click()
    expect(desk.locator(".qr svg")).to_have_count(1)
    phone.goto(desk.locator("#link").input_value())
    phone.get_by_role("button", name="Play here").click()
    phone.locator("#choices button").first.wait_for()
    decide(phone, 1)
    desk.get_by_role("link", name="Back to the game").click()
    desk.locator("#board svg").first.wait_for()
    expect(desk.locator("#choices button")).to_have_count(0)


def test_what_happened_since_my_turn_is_played_again(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot", "bot")
    decide(page, 5)
    page.locator("#choices button").first.wait_for()
    now = page.locator("#public").inner_html()
    page.get_by_role("button", name="Replay last turns").click()
    expect(page.locator("#alarm")).to_be_visible()
    page.wait_for_function(
        "before => document.getElementById('public').innerHTML === before", arg=now
    )


def test_after_the_end_the_others_are_told_of_the_next_game(new_page: NewPage) -> None:
    one, other = two_at_a_table(new_page, "lumens")
    clicks = """() => {
        let turn = 0;
        setInterval(() => {
            const options = document.querySelectorAll("#choices .options button");
            (document.querySelector("#choices button.commit:enabled")
                ?? options[turn++ % options.length])?.click();
        }, 5);
    }"""
    for page in (one, other):
        page.evaluate(clicks)
    for page in (one, other):
        page.locator(".end").wait_for(timeout=120_000)
    one.get_by_role("button", name="Play again").click()
    other.get_by_role("link", name="Go to the next game").click()
    for page in (one, other):
        page.locator("#board svg").first.wait_for()
    assert one.url == other.url


def test_my_data_can_be_deleted(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot", name0="Ophélie")
    page.goto("/me")
    expect(page.locator("main")).to_contain_text("Ophélie")
    page.locator(".sure summary").click()
    expect(page.locator("main")).to_contain_text("It can’t be undone")
    page.get_by_role("button", name="Yes, delete everything").click()
    expect(page.locator(".tables")).to_have_count(0)
    expect(page.locator("#name")).to_have_value("")


WATCH = """
    window.motions = [];
    window.faded = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        const { translate, scale, opacity } = frames;
        if (opacity?.[1] === 0) window.faded.push(this.getAttribute("class"));
        if (translate) window.motions.push([this.id, options.delay, Boolean(scale)]);
        return animate.call(this, frames, options);
    };
"""


def motions(new_page: NewPage, game: str, *seats: str) -> Page:
    """A table whose motion is noted, after some decisions."""
    page: Page = new_page(reduced_motion="no-preference")
    page.add_init_script(WATCH)
    set_table(page, game, *seats)
    choose(page, speed="fast")
    return page


def until(page: Page, found: str) -> None:
    """Play until something was seen to move; `motions` are [id, delay, turned] in their order."""
    turn = 0
    while page.locator(".end").count() == 0:
        if page.evaluate(found):
            return
        turn += act(page, turn)
        page.wait_for_timeout(20)
    raise AssertionError(f"never seen: {found}")


def test_discs_are_sown_one_by_one_and_tiles_fly(new_page: NewPage) -> None:
    """Three that start one after the other: two discs, then a tile."""
    page = motions(new_page, "nomads", "me", "screen")
    until(
        page,
        """motions.some(([id, delay], i) => {
            const [first, second] = motions.slice(Math.max(0, i - 2), i);
            return second && id.startsWith("tile-") && delay > second[1] && second[1] > first[1]
                && first[0].startsWith("disc-") && second[0].startsWith("disc-");
        })""",
    )


def test_tiles_that_are_paid_fade(new_page: NewPage) -> None:
    page = motions(new_page, "nomads", "me", "screen")
    until(page, "faded.includes('piece kept')")
    expect(page.locator("#public .piece:not([id])")).to_have_count(0)


def test_tokens_come_from_their_bag(new_page: NewPage) -> None:
    page = motions(new_page, "lumens", "me", "bot")
    until(page, "motions.some(([id]) => id.startsWith('light-'))")


def test_cards_come_out_of_the_cave_and_turn(new_page: NewPage) -> None:
    page = motions(new_page, "captain", "me", "bot", "bot")
    until(page, "motions.some(([id]) => id.startsWith('found-'))")
    until(page, "motions.some(([id, _, turned]) => id.startsWith('card-') && turned)")
    until(page, "motions.some(([id]) => id.startsWith('down-'))")
