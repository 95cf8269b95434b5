"""A table goes on with the rules it began with, also after the server was given newer ones."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.engine.test_versions import to_version_2
from tests.engine.written import games_in
from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from tests.web.test_exchange import upload
from veillee.cli.main import app
from veillee.cli.new import new_game


def test_a_table_is_shown_and_played_on_with_the_rules_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    new_game("moths", folder)
    monkeypatch.setenv("VEILLEE_GAMES", str(folder))
    with Served(sqlite_in(tmp_path)) as served:
        guest = Guest(served.address)
        path = guest.set_table("moths", seats="me bot:random")
        assert guest.play_on(path, decisions=2) == 2
        served.stop()
        with games_in(folder):
            to_version_2(folder)
        served.start()
        assert "of 21" in guest.look(path)[0]["picture"][0]
        choices = guest.look(path)[1]["choices"]["all"]
        assert all(choice["action"].startswith("add ") for choice in choices)
        assert guest.play_on(path) >= 1
        record = guest.http.get(f"{path}/record").json()
        assert record["rules"] == 1
        assert sum(int(entry.removeprefix("add ")) for entry in record["entries"]) == 21
        assert guest.http.get(f"{path}/verify").status_code == 200
        see_it_replayed(guest, path.replace("/t/", "/g/"), record)
        with games_in(folder):
            see_the_command_replay_it(record, tmp_path)

        new = guest.set_table("moths", seats="me bot:random")
        assert guest.play_on(new) >= 1
        record = guest.http.get(f"{new}/record").json()
        assert record["rules"] == 2
        assert sum(int(entry.removeprefix("plus ")) for entry in record["entries"]) == 15


def see_it_replayed(guest: Guest, replay: str, record: dict[str, Any]) -> None:
    """By address, from a file, as files, and gone on with: by the rules it was played with."""
    imported = upload(guest, json.dumps(record)).headers["location"]
    stored = guest.http.get(f"{imported.replace('/g/', '/t/')}/record").json()
    assert [stored[each] for each in ("rules", "entries")] == [1, record["entries"]]
    for where in (replay, imported):
        for moment in (0, 1, len(record["entries"])):
            assert "of 21" in guest.http.get(f"{where}/{moment}").text
        assert moments_in(guest.http.get(f"{where}/game/html").text) == len(record["entries"]) + 1
    went_on = guest.form(f"{replay}/go-on", moment=1, seat0="me", seat1="bot:random")
    assert guest.play_on(went_on.headers["location"]) >= 1
    continued = guest.http.get(f"{went_on.headers['location']}/record").json()
    assert continued["rules"] == 1
    assert all(entry.startswith("add ") for entry in continued["entries"])


def moments_in(page: str) -> int:
    """How many moments a page that needs no server holds, all by the old rules."""
    packed = re.findall(r'<script type="application/octet-stream"[^>]*>([^<]+)<', page)
    body = json.loads(gzip.decompress(base64.b64decode(packed[0])))
    assert "of 21" in json.dumps(body["moments"][0])
    return len(body["moments"])


def see_the_command_replay_it(record: dict[str, Any], folder: Path) -> None:
    file, page = folder / "old.json", folder / "old.html"
    file.write_text(json.dumps(record), "utf-8")
    shown = CliRunner().invoke(app, ["replay", str(file)])
    assert shown.exit_code == 0, shown.output
    assert "21" in shown.output
    written = CliRunner().invoke(app, ["replay", str(file), "-o", str(page)])
    assert written.exit_code == 0, written.output
    assert moments_in(page.read_text("utf-8")) == len(record["entries"]) + 1
    drawn = CliRunner().invoke(app, ["replay", str(file), "-o", str(folder / "old.svg")])
    assert drawn.exit_code == 2, "the game has no picture"
