"""Games in and out: records by upload and drop, pages without a server, pictures, animations."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served
from veillee.cli.main import app
from veillee.engine.game import game_class
from veillee.engine.registry import games
from veillee.web.delivery import export

ALL = sorted(games())
GOLDEN = Path(__file__).parents[1] / "golden"


def record_of(name: str, seed: int = 4, undos: bool = True) -> dict[str, Any]:
    """The record of a random game in which something was taken back."""
    spec, chance = games()[name], Random(seed)
    players = min(spec.player_counts)
    game = game_class(spec)(players, seed, names=["Ada", "Bo", "Cy"][:players])
    while not game.over:
        game.play(int(chance.choice(game.legal)))
        if undos and len(game.steps) in (5, 9) and len(game.entries) < 14:
            game.undo(redeal=len(game.steps) == 9)
    return game.record()


@pytest.mark.parametrize("name", ALL)
def test_an_uploaded_record_is_replayed(served: Served, name: str) -> None:
    guest = Guest(served.address)
    record = record_of(name)
    answer = upload(guest, json.dumps(record))
    assert answer.status_code == 303, answer.text
    where = answer.headers["location"]
    page = guest.http.get(where).text
    assert all(player in page for player in record["players"])
    assert guest.http.get(where.replace("/g/", "/t/")).headers["location"] == where
    again = guest.http.get(where.replace("/g/", "/t/") + "/record").json()
    assert again == record
    assert guest.http.get("/history").status_code == 200


def upload(guest: Guest, text: str) -> Any:
    return guest.http.post("/import", files={"record": ("game.json", text, "application/json")})


def test_a_game_of_another_rules_version_is_replayed_as_it_was_played(served: Served) -> None:
    """Every golden game, whatever its version."""
    guest = Guest(served.address)
    records = [json.loads(file.read_text("utf-8")) for file in sorted(GOLDEN.rglob("*.json"))]
    games_of_records = [each for each in records if isinstance(each, dict) and "entries" in each]
    assert games_of_records
    for record in games_of_records[::5]:
        answer = upload(guest, json.dumps(record))
        assert answer.status_code == 303, answer.text
        stored = guest.http.get(answer.headers["location"].replace("/g/", "/t/") + "/record").json()
        assert stored["rules"] == record["rules"]
        assert stored["result"] == record["result"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"game": "chess"}',
        '{"format": "veillee.record/1", "game": "lumens", "rules": 99}',
        json.dumps(record_of("lumens") | {"entries": ["nonsense"]}),
        json.dumps(record_of("lumens") | {"entries": ["a"] * 2001}),
        json.dumps(record_of("lumens") | {"seed": None}),
        json.dumps(record_of("lumens") | {"result": {"scores": [9, 9], "places": [1, 1]}}),
    ],
)
def test_what_is_no_record_is_refused_in_words(served: Served, text: str) -> None:
    answer = upload(Guest(served.address), text)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_too_large_an_upload_is_refused(served: Served) -> None:
    assert upload(Guest(served.address), " " * 300_000).status_code == 413


def test_dropping_a_record(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/import")
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.json", {type: "application/json"}));
            document.body.dispatchEvent(
                new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        json.dumps(record_of("nomads")),
    )
    page.wait_for_url(re.compile("/g/"))
    expect(page.locator("#slider")).to_have_value("0")


@pytest.mark.parametrize("name", ALL)
def test_a_page_replays_without_a_server(browser: Browser, tmp_path: Path, name: str) -> None:
    """Opened from a file with the network off; the same picture as the server draws."""
    game = game_class(games()[name]).replay(record_of(name))
    file = tmp_path / "game.html"
    file.write_text(export.page(game, game.names, "en"), "utf-8")
    context = browser.new_context(offline=True, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda asked: errors.append(asked.url) if asked.url[:4] == "http" else None)
    page.goto(f"{file.as_uri()}#3")
    expect(page.locator("#slider")).to_have_value("3")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#slider")).to_have_value("4")
    expect(page.locator("#board svg").first).to_be_visible()
    if games()[name].hidden:
        page.locator("#seen").select_option("1")
        expect(page.locator("#private svg")).to_have_count(1)
        expect(page.locator("#log [aria-current]").first).to_have_attribute("data-at", "4")
    page.keyboard.press("End")
    expect(page.locator("#status")).to_contain_text("win")
    assert not errors
    context.close()


def test_the_page_of_a_finished_game_can_be_saved(served: Served) -> None:
    guest = Guest(served.address)
    where = upload(guest, json.dumps(record_of("lumens"))).headers["location"]
    saved = guest.http.get(f"{where}/game/html")
    assert "attachment" in saved.headers["content-disposition"]
    assert "http" not in re.sub(r"http://www.w3.org/\S+", "", saved.text.split("<script")[0])
    picture = guest.http.get(f"{where}/moment/png?at=7&seen=open")
    assert Image.open(io.BytesIO(picture.content)).size[0] > 600
    drawn = guest.http.get(f"{where}/moment/svg?at=7&seen=1")
    assert drawn.text.startswith("<svg")
    assert guest.http.get(f"{where}/moment/exe?at=7").status_code == 404
    running = guest.set_table("lumens", "me bot:random").replace("/t/", "/g/")
    assert guest.http.get(f"{running}/game/html").status_code == 422
    assert guest.http.get(f"{running}/moment/svg?seen=open").status_code == 403
    assert guest.http.get(f"{running}/moment/svg?seen=0").status_code == 200


def short_record() -> dict[str, Any]:
    """The first decisions of a game, so that an animation of it has few frames."""
    record = record_of("lumens", undos=False)
    return record | {"entries": record["entries"][:4], "result": None}


def test_an_animation_over_http(served: Served) -> None:
    guest = Guest(served.address)
    where = upload(guest, json.dumps(short_record())).headers["location"]
    answer = guest.http.get(f"{where}/game/apng?seen=open", timeout=120)
    assert answer.status_code == 200
    assert getattr(Image.open(io.BytesIO(answer.content)), "n_frames", 1) == 5


@pytest.mark.parametrize("suffix", ["html", "svg", "png", "apng", "gif"])
def test_the_command_writes_files(tmp_path: Path, suffix: str) -> None:
    source, made = tmp_path / "game.json", tmp_path / f"game.{suffix}"
    source.write_text(json.dumps(short_record()), "utf-8")
    done = CliRunner().invoke(app, ["replay", str(source), "-o", str(made), "--seen", "1"])
    assert done.exit_code == 0, done.output
    data = made.read_bytes()
    if suffix in ("html", "svg"):
        assert data.startswith(b"<!doctype" if suffix == "html" else b"<svg")
    else:
        frames = getattr(Image.open(io.BytesIO(data)), "n_frames", 1)
        assert frames == (1 if suffix == "png" else 5)


def test_the_command_refuses_other_formats(tmp_path: Path) -> None:
    source = tmp_path / "game.json"
    source.write_text(json.dumps(short_record()), "utf-8")
    for more in (["-o", str(tmp_path / "x.exe")], ["-o", str(tmp_path / "x.svg"), "--seen", "9"]):
        assert CliRunner().invoke(app, ["replay", str(source), *more]).exit_code != 0
