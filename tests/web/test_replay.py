"""Going through a game again: by link, keyboard and touch, with and without script."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served
from veillee.engine.game import game_class
from veillee.engine.registry import games

ALL = sorted(games())
SEATS = {name: max(2, min(spec.player_counts)) for name, spec in games().items()}


@pytest.fixture(scope="module")
def finished(served: Served) -> dict[str, str]:
    """A stored game of each kind: the ids of their tables."""
    guest = Guest(served.address)
    return {game: guest.import_golden(game, SEATS[game]).rpartition("/")[2] for game in ALL}


def current(page: Page) -> int:
    """The moment that is marked in the log, which the slider and the address agree on."""
    shown = int(page.locator("#slider").input_value())
    assert page.url.rpartition("/")[2].partition("?")[0] == str(shown)
    return shown


def goes_to(page: Page, number: int) -> None:
    expect(page.locator("#slider")).to_have_value(str(number))
    expect(page).to_have_url(re.compile(rf"/{number}(\?|$)"))


@pytest.mark.parametrize("game", ALL)
def test_a_link_opens_a_decision_and_keys_step(
    new_page: NewPage, finished: dict[str, str], game: str
) -> None:
    page = new_page()
    page.goto(f"/g/{finished[game]}/7")
    assert current(page) == 7
    expect(page.locator("#log [aria-current]").first).to_have_attribute("data-at", "7")
    page.keyboard.press("ArrowRight")
    goes_to(page, 8)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    goes_to(page, 6)
    page.keyboard.press("End")
    last = int(page.locator("#slider").get_attribute("max") or 0)
    goes_to(page, last)
    expect(page.locator("#status")).to_contain_text("win")
    page.keyboard.press("Home")
    goes_to(page, 0)
    page.keyboard.press("PageDown")
    expect(page.locator("#slider")).not_to_have_value("0")


@pytest.mark.parametrize("game", ALL)
def test_what_was_stepped_to_is_what_the_link_shows(
    new_page: NewPage, finished: dict[str, str], game: str
) -> None:
    """Over the border of two chunks, forwards and backwards, with pictures drawn by the server."""
    page, fresh = new_page(java_script_enabled=True), new_page(java_script_enabled=False)
    page.goto(f"/g/{finished[game]}/22?seen=watch")
    for key, number in [("ArrowRight", n) for n in (23, 24, 25, 26)] + [("ArrowLeft", 25)]:
        page.keyboard.press(key)
        goes_to(page, number)
    page.wait_for_timeout(200)
    fresh.goto(f"/g/{finished[game]}/25?seen=watch")
    expect(page.locator("#status")).to_have_text(fresh.locator("#status").inner_text())
    seen = [one.locator("#public").evaluate(DRAWN) for one in (page, fresh)]
    assert seen[0] == seen[1]


DRAWN = """(box) => [...box.querySelectorAll("*")].map((node) =>
    [node.tagName, node.id, node.getAttribute("transform"), node.getAttribute("href"),
     node.childElementCount ? "" : node.textContent].join(" ")).join("\\n")"""


def test_the_game_runs_by_itself_and_halts(new_page: NewPage, finished: dict[str, str]) -> None:
    page = new_page()
    page.goto(f"/g/{finished['nomads']}/3")
    page.locator("body").press(" ")
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "true")
    goes_to(page, 5)
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "false")
    halted = current(page)
    page.wait_for_timeout(1500)
    assert current(page) == halted


def test_by_touch(new_page: NewPage, finished: dict[str, str]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto(f"/g/{finished['lumens']}/10")
    page.locator("#next").tap()
    goes_to(page, 11)
    page.locator("#first").tap()
    goes_to(page, 0)
    swipe(page, -120)
    goes_to(page, 1)
    swipe(page, 120)
    goes_to(page, 0)
    for part in ("#board", "#run", "#slider"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 844, part
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def swipe(page: Page, way: int) -> None:
    """Move one finger sideways over the board."""
    client = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, int]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": 200, "y": 300})
    touch("touchMove", {"x": 200 + way, "y": 302})
    touch("touchEnd")


def test_without_script(new_page: NewPage, finished: dict[str, str]) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"/g/{finished['captain']}")
    page.locator("#next").click()
    page.locator("#next").click()
    assert current(page) == 2
    page.locator("#seen").select_option("1")
    page.locator(".seeing button").click()
    assert current(page) == 2
    assert "seen=1" in page.url
    page.locator("#log a").last.click()
    expect(page.locator("#status")).to_contain_text("win")


def test_a_hash_leads_to_a_moment(new_page: NewPage, finished: dict[str, str]) -> None:
    page = new_page()
    page.goto(f"/g/{finished['nomads']}#9")
    goes_to(page, 9)


def test_perspectives(new_page: NewPage, finished: dict[str, str], served: Served) -> None:
    page = new_page()
    page.goto(f"/g/{finished['captain']}/20")
    expect(page.locator("#seen")).to_have_value("open")
    page.locator("#seen").select_option("1")
    expect(page).to_have_url(re.compile(r"/20\?seen=1$"))
    expect(page.locator("#private svg")).to_have_count(1)
    page.keyboard.press("Tab")
    page.locator("#next").click()
    goes_to(page, 21)


def test_a_running_game_keeps_its_secrets(served: Served) -> None:
    host, watcher = Guest(served.address), Guest(served.address)
    path = host.set_table("captain", "me bot:random bot:random")
    host.play_on(path, 5)
    game = path.replace("/t/", "/g/")
    assert host.http.get(f"{game}/3?seen=0").status_code == 200
    for guest, seen in ((host, "1"), (host, "open"), (watcher, "0"), (watcher, "open")):
        for where in (f"{game}/3?seen={seen}", f"{game}/moments?first=0&seen={seen}"):
            answer = guest.http.get(where)
            assert answer.status_code == 403, where
            assert "moment" not in answer.text or "<html" in answer.text
    mine = host.http.get(f"{game}/moments?first=0").json()
    theirs = watcher.http.get(f"{game}/moments?first=0").json()
    assert any(moment.get("overlay") for moment in mine)
    assert not any(moment.get("overlay") for moment in theirs)


def test_odd_addresses(served: Served, finished: dict[str, str]) -> None:
    guest = Guest(served.address)
    game = f"/g/{finished['lumens']}"
    assert guest.http.get(f"{game}/99999").headers["location"].startswith(game)
    assert guest.http.get(f"{game}?at=5&seen=watch").headers["location"] == f"{game}/5?seen=watch"
    assert guest.http.get(f"{game}/moments?first=99999").json() == []
    assert guest.http.get("/g/none/3").status_code == 404
    waiting = guest.set_table("lumens", "me friend")
    answer = guest.http.get(waiting.replace("/t/", "/g/"))
    assert (answer.status_code, answer.headers["location"]) == (303, waiting)


def test_going_on_from_a_moment_with_a_hidden_hand(
    new_page: NewPage, finished: dict[str, str], served: Served
) -> None:
    """The new table shows the seat what it saw then; what it did not know is not handed on."""
    page = new_page()
    source = f"/g/{finished['captain']}/20"
    page.goto(f"{source}?seen=1")
    seen = page.locator("#private").inner_html()
    page.get_by_text("Go on from here").click()
    for seat in (0, 2):
        select = page.locator(f"[name=seat{seat}]")
        select.evaluate("(s) => s.append(new Option('any', 'bot:random'))")
        select.select_option("bot:random")
    page.get_by_role("button", name="Play on").click()
    page.wait_for_url(re.compile("/t/"))
    page.locator("#board svg").first.wait_for()
    table_id = page.url.rpartition("/")[2]
    with sqlite3.connect(served.database) as store:
        rows = store.execute(
            "SELECT data FROM entry WHERE table_id = ? ORDER BY number", (table_id,)
        ).fetchall()
    opened = json.loads(rows[0][0])
    position = opened["position"]
    assert position["seen_by"] == [1]
    assert opened["origin"] == f"{finished['captain']}/20"
    assert position == seen_then(served, finished["captain"], 20, 1)
    page.goto(page.url.replace("/t/", "/g/") + "/0")
    assert page.locator("#private").inner_html() == seen
    page.goto(f"/t/{table_id}")
    expect(page.get_by_role("link", name="Continues another game")).to_have_attribute(
        "href", source
    )


def seen_then(served: Served, table_id: str, moment: int, seat: int) -> dict[str, Any]:
    """What a seat knew at a moment, from the game's record."""
    record = httpx.get(f"{served.address}/t/{table_id}/record").json()
    game = game_class(games()[record["game"]]).replay(record)
    while len(game.steps) > moment:
        game.undo()
    return game.view(seat)


def test_going_on_needs_a_finished_game(served: Served, finished: dict[str, str]) -> None:
    guest = Guest(served.address)
    running = guest.set_table("lumens", "me bot:random").replace("/t/", "/g/")
    chosen = {"seat0": "me", "seat1": "bot:random"}
    assert guest.form(f"{running}/go-on", moment=0, **chosen).status_code == 422
    over = f"/g/{finished['lumens']}"
    assert guest.form(f"{over}/go-on", moment=9999, **chosen).status_code == 422
    assert guest.form(f"{over}/go-on", moment=3, seat0="me", seat1="me").status_code == 422
    assert guest.form(f"{over}/go-on", moment="x", **chosen).status_code == 422
    assert guest.form(f"{over}/go-on", moment=3, **chosen).status_code == 303


def test_going_on_with_a_friend_to_the_end(served: Served, finished: dict[str, str]) -> None:
    host, friend = Guest(served.address), Guest(served.address)
    answer = host.form(f"/g/{finished['lumens']}/go-on", moment=40, seat0="friend", seat1="me")
    path = answer.headers["location"]
    assert "drop" not in host.http.get(path).text
    friend.form(f"{path}/sit", seat=0)
    host.form(f"{path}/start", free="drop")
    shared: dict[str, Any] = {"state": "playing"}
    while shared["state"] == "playing":
        for guest in (host, friend):
            shared, own = guest.look(path)
            if own.get("yours"):
                action = own["choices"]["all"][0]["action"]
                guest.act(path, "play", action=action, moment=shared["moment"])
    assert "All is well" in host.http.get(f"{path}/verify").text
    record = host.http.get(f"{path}/record").json()
    assert record["start"]["seats"]
    assert game_class(games()["lumens"]).replay(record).over


def watching_together(new_page: NewPage, table_id: str) -> tuple[Any, Any]:
    """Two browsers at moment 5 of a game, of which the first leads."""
    leader, follower = new_page(), new_page()
    leader.goto(f"/g/{table_id}/5")
    leader.get_by_text("Watch it together").click()
    leader.get_by_role("button", name="Start together").click()
    expect(leader.locator("#leading")).to_contain_text("You lead")
    follower.goto(leader.locator("#link").input_value())
    expect(follower.locator("#slider")).to_have_value("5")
    return leader, follower


def test_two_browsers_see_the_same_moment(new_page: NewPage, finished: dict[str, str]) -> None:
    leader, follower = watching_together(new_page, finished["captain"])
    expect(follower.locator("#leading")).to_contain_text("Someone else leads")
    for _ in range(3):
        leader.locator("#next").click()
    expect(follower.locator("#slider")).to_have_value("8")
    follower.get_by_role("button", name="Take the lead").click()
    expect(follower.locator("#leading")).to_contain_text("You lead")
    expect(leader.locator("#leading")).to_contain_text("Someone else leads")
    follower.locator("#last").click()
    last = follower.locator("#slider").get_attribute("max") or ""
    expect(leader.locator("#slider")).to_have_value(last)


def test_a_leader_who_follows_a_link_takes_the_others_along(
    new_page: NewPage, finished: dict[str, str]
) -> None:
    """The buttons are links until the script has run."""
    leader, follower = watching_together(new_page, finished["captain"])
    leader.goto(leader.url.replace("/5?", "/30?"))
    expect(follower.locator("#slider")).to_have_value("30")


def test_only_the_leader_moves_a_review(served: Served, finished: dict[str, str]) -> None:
    leader, other = Guest(served.address), Guest(served.address)
    where = leader.form(f"/g/{finished['lumens']}/review", moment=4).headers["location"]
    assert other.act(where, "move", moment=9).status_code == 422
    assert leader.act(where, "move", moment=9).status_code == 200
    assert "/9?review=" in other.http.get(where).headers["location"]
    elsewhere = where.replace(finished["lumens"], finished["nomads"])
    assert other.http.get(elsewhere).status_code == 404
    assert other.http.get(f"{where}x").status_code == 404
    with leader.http.stream("GET", f"{where}/live") as answer:
        lines = (line for line in answer.iter_lines() if line.startswith("data: "))
        assert json.loads(next(lines)[6:]) == {"moment": 9, "leads": True}


@pytest.mark.parametrize("language", ["fr", "es"])
def test_in_other_languages(served: Served, finished: dict[str, str], language: str) -> None:
    answer = httpx.get(
        f"{served.address}/g/{finished['captain']}/9", headers={"accept-language": language}
    )
    assert answer.status_code == 200
    assert {"fr": "Point de vue", "es": "Punto de vista"}[language] in answer.text
