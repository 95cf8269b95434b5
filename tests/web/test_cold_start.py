"""A server whose games are not compiled yet."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.cluster.servers import Server
from tests.web.guest import Guest
from tests.web.processes import children_of, command_of
from tests.web.served import Served, sqlite_in

WAKING = {
    "en": "The bots are waking up: about a minute, only this once…",
    "fr": "Les robots se réveillent : environ une minute, cette fois seulement…",
}


def test_tables_are_played_while_the_games_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People decide at once; where a bot is awaited, the page says that it is waking up."""
    monkeypatch.setenv("VEILLEE_CACHE", str(tmp_path / "cache"))
    with Served(sqlite_in(tmp_path), "--no-limits", level="wanderer") as server:
        guest, friend = Guest(server.address), Guest(server.address, "fr")
        path = guest.set_table("nomads", "me screen")
        assert guest.play_on(path, 4) == 4
        path = guest.set_table("nomads", "me bot:wanderer bot:wanderer bot:wanderer")
        while guest.look(path)[1].get("yours"):
            assert guest.play_on(path, 1) == 1
        assert guest.look(path)[0]["status"] == WAKING["en"]
        assert friend.look(path)[0]["status"] == WAKING["fr"]
        assert guest.act(path, "pause").status_code == 200


@pytest.mark.parametrize("kill", [False, True])
def test_a_server_that_stops_leaves_no_compiler_behind(
    kill: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VEILLEE_CACHE", str(tmp_path / "cache"))
    with Server(sqlite_in(tmp_path), "--level", "wanderer") as server:
        assert eventually(lambda: compilers_of(server.pid))
        started = compilers_of(server.pid)
        os.kill(server.pid, signal.SIGKILL if kill else signal.SIGTERM)
        assert eventually(lambda: not any(COMPILER in command_of(pid) for pid in started))


def eventually(happens: Callable[[], object]) -> bool:
    """Wait until something is so, for 20 seconds at most."""
    for _ in range(200):
        if happens():
            return True
        time.sleep(0.1)
    return False


def compilers_of(pid: int) -> list[int]:
    """The processes that compile games for a server."""
    return [child for child, command in children_of(pid).items() if COMPILER in command]


COMPILER = "veillee.engine.precompile"
