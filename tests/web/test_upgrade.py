"""A store of version 0.1.0: its tables go on, and its people keep their seats.

`database/v0_1_0.sql` was written by that version: Ida and a friend in the middle of Nomads with a
bot, after talk and an undo; a finished game of Lumens; a table of Oh Captain! that lacks people.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in

DUMP = Path(__file__).parent / "database" / "v0_1_0.sql"
IDA = "Qr6zH9Dar5g1vYkwuQn43A.2b8cd53a0a29b9eb33e5fdcadddd33ab3fa5f8f6"
FRIEND = "SmCK6EEA2CmCsbodXqTlrg.6f7ff2ac45a5c1d1e3b2f7416c2d49a8770b5fcc"
NOMADS, LUMENS, CAPTAIN = (
    f"/t/{table_id}"
    for table_id in ("RkUob5fL7jbkQOS08XqYXA", "_UVqHOL0IMDzKbdA_rQw1Q", "US5Oo-5sUU6ebQ-9_-XxxA")
)


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Served]:
    database = sqlite_in(tmp_path)
    with sqlite3.connect(database) as store:
        store.executescript(DUMP.read_text("utf-8"))
    with Served(database, "--no-limits") as served:
        yield served


def returning(served: Served, cookie: str) -> Guest:
    """Somebody who comes back with the cookie that version 0.1.0 gave them."""
    guest = Guest(served.address)
    guest.http.cookies.clear()
    guest.http.headers["cookie"] = f"veillee={cookie}"
    return guest


def test_a_game_of_version_0_1_0_is_played_to_its_end(upgraded: Served) -> None:
    ida, friend = returning(upgraded, IDA), returning(upgraded, FRIEND)
    shared, _ = ida.look(NOMADS)
    assert shared["moment"] == 7
    assert "Ida" in shared["top"]
    while shared["state"] != "over":
        for person in (ida, friend):
            shared, own = person.look(NOMADS)
            if own.get("yours"):
                action = own["choices"]["all"][0]["action"]
                answer = person.act(NOMADS, "play", action=action, moment=shared["moment"])
                assert answer.status_code == 200
    assert "All is well" in ida.http.get(f"{NOMADS}/verify").text


def test_a_finished_game_of_version_0_1_0_is_verified(upgraded: Served) -> None:
    friend = returning(upgraded, FRIEND)
    assert "podium" in friend.http.get(LUMENS).text
    assert "All is well" in friend.http.get(f"{LUMENS}/verify").text


def test_a_table_of_version_0_1_0_still_waits_for_people(upgraded: Served) -> None:
    ida, other = returning(upgraded, IDA), Guest(upgraded.address)
    assert other.act(CAPTAIN, "sit").status_code == 200
    assert ida.act(CAPTAIN, "start").status_code == 200
    assert ida.look(CAPTAIN)[0]["state"] == "playing"
    assert CAPTAIN in ida.http.get("/").text
