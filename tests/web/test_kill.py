"""Kill -9 under load: no answered action is lost, none is counted twice, no table is broken.

`VEILLEE_KILLS=100` kills a hundred times.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from veillee.web import entries as e

KILLS = int(os.environ.get("VEILLEE_KILLS", "4"))
TABLES = 6


class Player(threading.Thread):
    """Plays both seats of a table as fast as it goes, and remembers what was answered."""

    def __init__(self, served: Served, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.guest = Guest(served.address)
        self.chance = chance
        self.path = self.guest.set_table("nomads", "me screen")
        self.answered: list[tuple[int, str]] = []
        self.stop = threading.Event()
        self.wrong: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stop.is_set():
                self._decide()
        except Exception as error:  # noqa: BLE001 - told in the test
            self.wrong = error

    def _decide(self) -> None:
        try:
            shared, own = self.guest.look(self.path)
            if shared["state"] == "over":
                self.path = self.guest.set_table("nomads", "me screen")
                return
        except (httpx.HTTPError, StopIteration, RuntimeError):
            time.sleep(0.05)
            return
        action = self.chance.choice(own["choices"]["all"])["action"]
        moment = shared["moment"]
        while not self.stop.is_set():  # the same post again and again, until it is answered
            try:
                answer = self.guest.act(
                    self.path, "play", action=action, moment=moment, token=f"m{moment}"
                )
            except httpx.HTTPError:
                time.sleep(0.05)
                continue
            assert answer.status_code == 200, answer.text
            self.answered.append((moment, f"{self.path} {action}"))
            return


@pytest.mark.parametrize("processes", ["1", "2"])
def test_kill_minus_nine(tmp_path: Path, processes: str) -> None:
    database = sqlite_in(tmp_path)
    chance = random.Random(9)
    with Served(database, "--no-limits", "--processes", processes) as served:
        players = [Player(served, random.Random(n)) for n in range(TABLES)]
        for player in players:
            player.start()
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.3, 1.5))
            served.kill()
            served.start()
        time.sleep(1)
        for player in players:
            player.stop.set()
        for player in players:
            player.join(30)
            assert player.wrong is None
        for player in players:
            assert player.guest.http.get(player.path).status_code == 200
    stored: dict[str, list[str]] = {}
    rows = sqlite3.connect(database).execute(
        "SELECT table_id, data FROM entry ORDER BY table_id, number"
    )
    for table_id, data in rows:
        entry = e.read(data)
        if isinstance(entry, e.Play):
            stored.setdefault(table_id, []).append(entry.action)
    answered = 0
    for player in players:
        for moment, what in player.answered:
            path, _, action = what.partition(" ")
            assert stored[path.rpartition("/")[2]][moment] == action
            answered += 1
    assert answered > KILLS
