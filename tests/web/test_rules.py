"""The pages of the rules, and names on the board, in a real Chromium."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served
from tests.web.test_browser import set_table
from veillee import lumarathon
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games

PAGES = [*games(), "marathon"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games())
def test_the_rules_of_a_game(served: Served, game: str, language: str) -> None:
    page = Guest(served.address, language).http.get(f"/rules/{game}").text
    spec, words = games()[game], Words(language)
    assert spec.rulebook
    assert page.count('<figure class="diagram">') >= 3
    assert page.count("<li><p>") == len(spec.rulebook.step)
    for key in spec.clauses:
        assert f'<li id="{key}">' in page
    assert page.count(f'<span class="tag">{words("web.rules.ruling")}</span>') == len(spec.rulings)
    assert f"({words('web.rules.ruling')})" not in page
    repeated = [name for name, n in Counter(re.findall(r'\bid="([^"]+)"', page)).items() if n > 1]
    assert not repeated
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', page))
    assert used <= set(re.findall(r'\bid="([^"]+)"', page))


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "attacks you with"), ("fr", "vous attaque"), ("es", "te ataca con")],
)
def test_the_diagrams_speak_to_the_reader(served: Served, language: str, said: str) -> None:
    assert said in Guest(served.address, language).http.get("/rules/captain").text


def test_the_worked_example_adds_up(served: Served) -> None:
    page = Guest(served.address).http.get("/rules/nomads").text
    sheet = page[page.index('<table class="sheet">') :]
    cells = [
        [int(n.replace("−", "-").replace("–", "0")) for n in re.findall(r"<td>([−–\d]+)</td>", row)]
        for row in sheet.split("<tr>")[2:]
    ]
    *rows, total = cells
    assert [sum(row[seat] for row in rows) for seat in (0, 1)] == total


def test_the_lumarathon_has_rules_of_its_own(served: Served) -> None:
    guest = Guest(served.address)
    page = guest.http.get("/rules/marathon").text
    for key in lumarathon.CLAUSES:
        assert f'<li id="{key}">' in page
    assert 'href="/rules/nomads"' in page
    path = guest.form("/play", game="marathon", **{"with": "bots"}).headers["location"]
    assert f'href="/rules/marathon?back={path.removeprefix("/t/")}"' in guest.http.get(path).text


WIDER = """() => [...document.querySelectorAll(".pieces th")]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"""


@pytest.mark.parametrize("game", games())
def test_the_names_of_pieces_fit_their_column(new_page: NewPage, game: str) -> None:
    page = new_page(locale="es", viewport={"width": 1366, "height": 768})
    page.goto(f"/rules/{game}")
    assert page.evaluate(WIDER) == []


def test_the_rules_open_over_the_table(new_page: NewPage) -> None:
    page = new_page()
    set_table(page, "nomads", "me", "bot")
    page.locator("#choices button").first.wait_for()
    table = page.url
    page.get_by_role("link", name="Rules").first.click()
    dialog = page.get_by_role("dialog", name="Nomads")
    expect(dialog.get_by_role("heading", name="A turn, step by step")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Rules").first.click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    assert page.url == table


LAYERS = """(dialog) => [...dialog.querySelectorAll(".diagram svg + svg")].map((over) => {
    const [one, other] = [over, over.previousElementSibling]
        .map((svg) => svg.getBoundingClientRect());
    return Math.abs(one.left - other.left) + Math.abs(one.top - other.top)
        + Math.abs(one.width - other.width) + Math.abs(one.height - other.height);
})"""


def test_the_layers_of_a_diagram_lie_on_each_other(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    set_table(page, "captain", "me", "bot", "bot")
    page.locator("#choices button").first.wait_for()
    page.get_by_role("link", name="Rules").first.click()
    dialog = page.get_by_role("dialog", name="Oh Captain!")
    expect(dialog.locator(".diagram svg").first).to_be_visible()
    apart = dialog.evaluate(LAYERS)
    assert len(apart) >= 3
    assert max(apart) < 2


def test_the_rules_on_paper(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/rules/captain")
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator(".acts")).to_be_hidden()
    expect(page.locator("li[id='captain.turn.draw']")).to_be_visible()


# ------------------------------------------------------------ names on the board


def test_a_tap_tells_a_power(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto("/")
    page.locator("button[name=game][value=nomads]").first.click()
    page.locator("#nomads-seat-1 use").wait_for()
    page.locator("#nomads-seat-1 use").tap()
    expect(page.locator(".named")).to_contain_text("you may skip a space")
    page.keyboard.press("Escape")
    expect(page.locator(".named")).to_be_hidden()


def test_a_tap_tells_what_a_card_does(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator("button[name=game][value=captain]").first.click()
    page.locator("[data-part=cards] g use").nth(4).click()
    expect(page.locator(".named")).to_contain_text("It steals a coin")


@pytest.mark.parametrize("game", ["nomads", "captain"])
def test_powers_are_in_view_when_one_chooses(new_page: NewPage, game: str) -> None:
    page = new_page()
    set_table(page, game, "me", *["screen"] * 2)
    lift = page.locator("#curtain button")
    page.locator("#choices button, #curtain button").first.wait_for()
    if lift.count():
        lift.click()
    for role in page.locator("#choices .options button").all():
        expect(role).to_have_text(re.compile(r"^\w+: .{20,}"))


def test_points_below_zero_are_explained(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator("button[name=game][value=nomads]").first.click()
    while not page.locator("#choices .commit").count():
        page.locator(".guide .next:visible, #choices .hinted").first.click()
    page.locator("#choices .commit").click()
    expect(page.locator("#nomads-seat-0")).to_contain_text("−1 a tile")
