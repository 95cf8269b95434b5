"""The workshop: a variant is made, checked, played and shared; its report is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from veillee.engine.registry import games
from veillee.engine.variant import Variant, variant_in, variant_text
from veillee.lab.executor import workers
from veillee.lab.study import Plan, Study, printed, study
from veillee.lab.study_report import Report, write
from veillee.web.reports import reports

ALL = ("captain", "lumens", "nomads")
ONE_WILD = Variant("nomads", "One Wild", {"wilds": 1})
NO_WILD = Variant(
    "nomads",
    "No <b>Wild</b>",
    {"wilds": 0, "songs": {"cost": [4, 5, 6, 7], "points": [9, 9, 9, 9]}},
)
SMALL_BOARD = ".....\n.aa..\n.aab.\n..bb.\n.....\n"


def estimate(name: str, mean: float) -> dict[str, Any]:
    return {"name": name, "n": 400, "mean": mean, "error": 0.02}


def a_report() -> dict[str, Any]:
    """What `veillee lab study` writes, as far as the pages read it."""
    variants = [ONE_WILD, Variant("nomads", "printed", {})]
    return {
        "plan": {
            "game": "nomads",
            "variants": [
                {"game": v.game, "name": v.name, "values": v.values, "hash": v.hash}
                for v in variants
            ],
            "players": [3],
            "levels": ["random", "teller"],
        },
        "summary": {"teller": ["Ulrich wins 4.1 points more often than fair."], "random": []},
        "summaries": {
            "fr": {"teller": ["Ulrich gagne 4,1 points plus souvent que sa part."], "random": []}
        },
        "cells": [
            {
                "variant": v.name,
                "players": 3,
                "level": "teller",
                "games": 400,
                "estimates": {
                    "seats": [estimate(name, 1 / 3) for name in ("first", "second", "third")],
                    "roles": [estimate("ulrich", 0.374 - 0.05 * i)],
                    "length": [estimate("", 120 + i)],
                },
            }
            for i, v in enumerate(variants)
        ],
    }


def studied() -> Study:
    """A real study, small and quick."""
    variants = (NO_WILD, printed("nomads"))
    plan = Plan("nomads", variants, (3,), ("random+greedy", "random", "greedy"), 64, 12)
    with workers(1) as pool:
        return study(plan, pool=pool)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a folder of reports, one of which is no report."""
    folder: Path = tmp_path_factory.mktemp("reports")
    (folder / "one_wild.json").write_text(json.dumps(a_report()), "utf-8")
    (folder / "other.json").write_text("[1, 2]", "utf-8")
    write(Report(studied(), "fr"), folder / "no_wild.html")
    database = sqlite_in(tmp_path_factory.mktemp("served"))
    with Served(database, "--no-limits", "--reports", str(folder)) as server:
        yield server


def test_home_and_the_history_name_the_variant(served: Served) -> None:
    guest = Guest(served.address)
    small = Variant("lumens", "Small house", {"board": SMALL_BOARD, "tokens": [2, 0, 0]})
    path = guest.set_table("lumens", "me bot:random", variant=variant_text(small))
    assert f'<small class="part">{small.name}</small>' in guest.http.get("/").text
    assert "Small house" in guest.http.get("/history").text
    guest.play_on(path)
    assert "Small house" in guest.http.get("/history").text


# ------------------------------------------------------------ by forms alone


def test_a_link_plays_its_variant_and_the_record_names_it(served: Served) -> None:
    guest = Guest(served.address)
    text = variant_text(ONE_WILD)
    page = guest.http.get(f"/new?game=nomads&variant={text}").text
    assert "One Wild" in page
    path = guest.set_table("nomads", "me bot:random", variant=text)
    assert "One Wild" in guest.http.get(path).text
    shown = guest.http.get(f"{path}/variant")
    assert variant_in(shown.headers["location"].partition("variant=")[2]) == ONE_WILD
    guest.play_on(path)
    kept = guest.http.get(f"{path}/record").json()
    assert kept["variant"] == ONE_WILD.label
    assert kept["options"]["wilds"] == 1


@pytest.mark.parametrize("text", ["x", "A" * 4000, variant_text(Variant("captain", "x", {}))])
def test_a_wrong_link_is_refused_in_a_sentence(served: Served, text: str) -> None:
    guest = Guest(served.address)
    for path in ("/new?game=nomads&variant=", "/variants/nomads?variant="):
        answer = guest.http.get(path + text)
        assert 400 <= answer.status_code < 500
        assert "<main" in answer.text
    assert guest.form("/play", game="nomads", variant=text).status_code in range(400, 500)


def test_a_form_makes_a_variant_without_script(served: Served) -> None:
    guest = Guest(served.address)
    page = guest.http.get("/variants/nomads").text
    fields = dict(re.findall(r'name="(value\.[^"]+)" value="([^"]*)"', page))
    assert fields["value.wilds"] == "2"
    assert fields["value.songs.cost.1"] == "5"
    fields |= {"value.wilds": "1", "name": "One Wild"}
    made = guest.form("/variants/nomads", **fields).text
    text = re.search(r'name="variant" value="([^"]+)"', made)
    assert text
    assert variant_in(text[1]) == ONE_WILD
    fields["value.wilds"] = "7"
    refused = guest.form("/variants/nomads", **fields)
    assert refused.status_code == 422
    assert "wilds" in refused.text
    assert 'value="7"' in refused.text


@pytest.mark.parametrize(
    "pasted",
    [
        'game = "nomads"\nname = "One Wild"\n[values]\nwilds = 1\n',
        json.dumps({"game": "nomads", "name": "One Wild", "values": {"wilds": 1}}),
        f"https://example.org/variants/nomads?variant={variant_text(ONE_WILD)}",
    ],
)
def test_a_text_or_a_link_is_pasted(served: Served, pasted: str) -> None:
    answer = Guest(served.address).form("/variants/captain", text=pasted)
    assert answer.status_code == 303
    assert variant_in(answer.headers["location"].partition("variant=")[2]) == ONE_WILD


def test_a_wrong_text_is_refused_with_its_line(served: Served) -> None:
    wrong = 'game = "nomads"\nname = "x"\n[values]\nwilds = 9\n'
    answer = Guest(served.address).form("/variants/nomads", text=wrong)
    assert answer.status_code == 422
    assert "line 4" in answer.text


def test_a_report_stands_beside_the_printed_game(served: Served) -> None:
    guest = Guest(served.address)
    assert "One Wild" in guest.http.get("/variants").text
    page = guest.http.get(f"/variants/nomads/{ONE_WILD.hash}").text
    assert "Ulrich wins 4.1 points" in page
    assert re.search(r"wins of Ulrich</th><td>37.4 ± 3.9%</td><td>32.4 ± 3.9%", page)
    assert variant_text(ONE_WILD) in page
    assert guest.http.get("/variants/nomads/0000000000000000").status_code == 404
    french = Guest(served.address, "fr").http.get(f"/variants/nomads/{ONE_WILD.hash}").text
    assert "<td>37,4 ± 3,9\u00a0%</td>" in french
    assert '<ul lang="fr"><li>Ulrich gagne 4,1 points plus souvent' in french
    spanish = Guest(served.address, "es").http.get(f"/variants/nomads/{ONE_WILD.hash}").text
    assert '<ul lang="en"><li>Ulrich wins 4.1 points' in spanish
    assert re.search(r'<th scope="col">Imprimé<small>', french)


def test_a_real_study_is_shown_with_all_that_it_tells(served: Served) -> None:
    path = f"/variants/nomads/{NO_WILD.hash}"
    page = Guest(served.address).http.get(path).text
    assert "No &lt;b&gt;Wild&lt;/b&gt;" in page
    assert "The strongest level of play in this study is “greedy”" in page
    assert "<h3>Level of play: random + greedy</h3>" in page
    assert re.search(r"<th scope=\"row\">decisions without a choice</th><td>0\.\d", page)
    [songs] = re.findall(r"<tr><th scope=\"row\">(?:(?!</tr>).)*9, 9, 9, 9</td></tr>", page)
    assert songs.count("4, 5, 6, 7") == 1  # the printed points: the cost is no different
    row = r"<tr><td>3</td><td>Printed</td><td>greedy</td><td>random</td><td>\d+\.\d%</td>"
    assert re.search(row, page)
    french = Guest(served.address, "fr").http.get(path).text
    assert "Le niveau de jeu le plus fort de cette étude est «\u00a0glouton\u00a0»" in french
    assert f'<a href="{path}/report" hreflang="fr">Ce rapport avec' in french


def test_the_whole_report_is_served_so_that_it_shows_and_nothing_runs(
    served: Served, new_page: NewPage
) -> None:
    path = f"/variants/nomads/{NO_WILD.hash}/report"
    answer = Guest(served.address).http.get(path)
    policies = answer.headers.get_list("content-security-policy")
    assert len(policies) == 1
    assert "script" not in policies[0]
    assert "default-src 'none'" in policies[0]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-type"].startswith("text/html")
    page = new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.goto(served.address + path)
    expect(page.locator("h1")).to_contain_text("No <b>Wild</b>")
    assert page.locator("svg").count() > 10
    mark = page.locator("svg text").first
    assert mark.evaluate("mark => getComputedStyle(mark).fontSize") != "16px"  # its own style
    assert told == []
    without = f"/variants/nomads/{ONE_WILD.hash}/report"
    assert httpx.get(served.address + without).status_code == 404


def test_what_is_no_report_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "empty.json").write_text(json.dumps(a_report() | {"cells": 3}), "utf-8")
    (tmp_path / "good.json").write_text(json.dumps(a_report()), "utf-8")
    for _ in range(2):
        assert [report.variant.name for report in reports(str(tmp_path))] == ["One Wild"]
    [line] = caplog.messages
    assert "empty.json is left out" in line
    assert "cells" in line


@pytest.mark.parametrize("path", ["/variants/chess", "/variants/nomads/x", "/t/none/variant"])
def test_what_is_not_there(served: Served, path: str) -> None:
    assert httpx.get(served.address + path).status_code == 404


# ------------------------------------------------------------ in the browser


@pytest.mark.parametrize("language", ["en", "fr", "es"])
@pytest.mark.parametrize("game", ALL)
def test_values_are_checked_as_one_goes(new_page: NewPage, game: str, language: str) -> None:
    page: Page = new_page(locale=language)
    page.goto(f"/variants/{game}")
    number = page.locator("#values input[type=number]").first
    before = number.input_value()
    number.fill("99")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("99")
    expect(page.locator("#made")).to_be_hidden()
    said = verdict.inner_text()
    number.fill(before)
    expect(verdict).not_to_have_text(said)
    expect(page.locator("#made")).to_be_visible()


def test_values_are_played_at_once(new_page: NewPage, served: Served) -> None:
    page: Page = new_page()
    page.goto("/variants/nomads")
    page.get_by_label("Name of the variant").fill("One Wild")
    page.locator("[name='value.wilds']").fill("1")
    expect(page.locator("#link")).to_have_value(re.compile(variant_text(ONE_WILD)))
    expect(page.get_by_role("link", name="See its report")).to_be_visible()
    page.get_by_role("button", name="Play against bots").click()
    page.locator("#choices button").first.wait_for()
    expect(page.locator("h1")).to_contain_text("One Wild")


def cell(page: Page, row: int, column: int) -> Any:
    return page.locator(".grid [role=row]").nth(row).locator("[role=gridcell]").nth(column)


def drawn(page: Page) -> str:
    return page.locator("[name='value.board']").input_value()


def paint_by_pointer(page: Page, touch: bool) -> None:
    for room, squares in (("a", [(1, 1), (1, 2), (2, 2), (2, 1)]), ("b", [(2, 3), (3, 3), (3, 2)])):
        page.locator(f".palette input[value={room}]").check(force=True)
        if touch:
            for row, column in squares:
                cell(page, row, column).tap()
            continue
        page.locator(".grid").scroll_into_view_if_needed()
        boxes = [cell(page, *square).bounding_box() for square in squares]
        middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        page.mouse.move(*middles[0])
        page.mouse.down()
        for x, y in middles[1:]:
            page.mouse.move(x, y, steps=3)
        page.mouse.up()


def paint_by_keys(page: Page) -> None:
    cell(page, 0, 0).focus()
    for row in SMALL_BOARD.splitlines():
        for letter in row:
            page.keyboard.press(letter)
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Home")


@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
def test_a_board_is_drawn_checked_played_and_shared(new_page: NewPage, way: str) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page: Page = new_page(**(phone if way == "touch" else {}))
    page.goto("/variants/lumens")
    page.locator("[data-side]").select_option("5")
    page.get_by_role("button", name="Clear").click()
    page.locator("[data-side]").select_option("5")
    cell(page, 2, 2).click()
    if way == "keys":
        paint_by_keys(page)
    else:
        paint_by_pointer(page, way == "touch")
    assert drawn(page) == SMALL_BOARD
    expect(page.locator("#verdict")).to_contain_text("Players: 2, 3, 4")
    # A start in a room: only those who start elsewhere can play; the central room must be there.
    cell(page, 0, 4).focus()
    page.keyboard.press("c")
    expect(page.locator("#verdict")).to_have_text(re.compile("Players: 2\\.$"))
    cell(page, 2, 2).focus()
    page.keyboard.press(".")
    expect(page.locator("#made")).to_be_hidden()
    expect(page.locator(".grid .wrong")).to_have_count(1)
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    assert drawn(page) == SMALL_BOARD
    expect(page.locator("#made")).to_be_visible()
    link = page.locator("#link").input_value()
    other: Page = new_page()
    other.goto(link)
    assert drawn(other) == SMALL_BOARD
    page.get_by_role("button", name="Play against bots").click()
    page.locator("#choices button").first.wait_for()
    other.goto(f"{page.url}/variant")
    assert drawn(other) == SMALL_BOARD


def test_the_printed_board_is_no_value(new_page: NewPage) -> None:
    page: Page = new_page()
    page.goto("/variants/lumens")
    cell(page, 1, 1).focus()
    page.keyboard.press("z")
    assert drawn(page)
    page.get_by_role("button", name="Printed board").click()
    assert drawn(page) == ""


def test_every_editable_value_has_a_field(served: Served) -> None:
    guest = Guest(served.address)
    for game in ALL:
        page = guest.http.get(f"/variants/{game}").text
        for option in games()[game].options.OPTIONS:
            if option.editable:
                assert f'"value.{option.name}' in page, option.name
