"""Bots as guests: the example bots and ours play whole games at a real server."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.guest import Guest
from tests.web.http.api.program import Program, bot_name, make_token
from tests.web.served import Served
from tools.node import get as get_node
from veillee.engine.registry import games

EXAMPLES = Path(__file__).parents[4] / "examples"


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    """A bot in a process of its own, once it is ready."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert "is ready" in process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.wait()


def invite_to(host: Program, game: str, *bots: str) -> str:
    """A table at which the bots sit and the game has begun; its id."""
    fewest = min(games()[game].player_counts)
    seats = ["open"] * len(bots) + ["random"] * (fewest - len(bots))
    options = {"quick": True} if game == "nomads" else {}
    table_id = str(host.open(game, " ".join(seats), options=options)["id"])
    for bot in bots:
        host.post(f"/tables/{table_id}/invite", bot=bot)
    wait_for(host, table_id, lambda table: all(s["kind"] == "bot" for s in table["seats"]))
    host.post(f"/tables/{table_id}/start")
    return table_id


def wait_for(host: Program, table_id: str, done: object) -> dict[str, object]:
    assert callable(done)
    end = time.monotonic() + 120
    while time.monotonic() < end:
        table = host.get(f"/tables/{table_id}")
        if done(table):
            return dict(table)
        time.sleep(0.1)
    raise AssertionError(f"still waiting: {table}")


def test_the_example_bots_play_all_games_at_once(served: Served) -> None:
    """One in Python and one in JavaScript, at a table of each game."""
    guest, host = Guest(served.address), Program.of(served.address)
    python = (sys.executable, str(EXAMPLES / "guest_bot.py"))
    script = (*get_node().node, str(EXAMPLES / "guest_bot.mjs"))
    count = str(len(games()))
    monty, brendan = bot_name("monty"), bot_name("brendan")
    with (
        running(*python, served.address, make_token(guest, monty), count) as one,
        running(*script, served.address, make_token(guest, brendan), count) as other,
    ):
        tables = [invite_to(host, game, monty, brendan) for game in sorted(games())]
        for table_id in tables:
            over = wait_for(host, table_id, lambda table: table["state"] == "over")
            names = [seat["name"] for seat in over["seats"]]  # type: ignore[attr-defined]
            assert {f"BOT {monty}", f"BOT {brendan}"} <= set(names)
            assert f"BOT {monty}" in json.dumps(host.get(f"/tables/{table_id}/record"))
        assert one.wait(60) == 0
        assert other.wait(60) == 0


def test_our_bot_sits_down_anywhere(served: Served) -> None:
    guest, host = Guest(served.address), Program.of(served.address)
    ours = (sys.executable, "-m", "veillee", "bot", "--level", "spark", "--server", served.address)
    name = bot_name("spark")
    with running(*ours, "--token", make_token(guest, name), "--games", "1") as bot:
        table_id = invite_to(host, "lumens", name)
        wait_for(host, table_id, lambda table: table["state"] == "over")
        assert bot.wait(60) == 0


def test_examples_are_short() -> None:
    for name in ("guest_bot.py", "guest_bot.mjs"):
        lines = (EXAMPLES / name).read_text("utf-8").splitlines()
        code = [line for line in lines if line.strip() and not line.startswith("//")]
        assert len(code) <= 32


def test_a_bot_is_invited_on_the_page_and_marked_there(served: Served) -> None:
    guest = Guest(served.address)
    name = bot_name("deep-thought")
    bot = Program(served.address, make_token(guest, name))
    host = Guest(served.address)
    path = host.set_table("lumens", "me friend")
    assert host.form(f"{path}/guest", bot="nobody").status_code == 422
    assert guest.form(f"{path}/guest", bot=name).status_code == 422
    assert host.form(f"{path}/guest", bot=f" {name.title()} ").status_code == 303
    invited = bot.get("/invitations")
    assert [table["id"] for table in invited] == [path.rpartition("/")[2]]
    bot.post(f"/invitations/{invited[0]['id']}/accept")
    assert bot.get("/invitations") == []
    assert f"BOT {name}" in host.http.get(path).text
    host.form(f"{path}/start")
    seat = next(s for s in bot.get(f"/tables/{invited[0]['id']}")["seats"] if s["yours"])
    assert (seat["kind"], seat["level"]) == ("bot", "")


def test_an_invitation_can_be_refused(served: Served) -> None:
    name = bot_name("bartleby")
    host, bot = Program.of(served.address), Program.of(served.address, name)
    table_id = host.open("lumens", "me open")["id"]
    bot.post(f"/invitations/{table_id}/accept", 404)
    host.post(f"/tables/{table_id}/invite", bot=name)
    with bot.lines("/stream.ndjson?most=2") as messages:
        assert [message["event"] for message in messages] == ["hello", "invited"]
    assert bot.http.post(f"/invitations/{table_id}/refuse").status_code == 204
    assert bot.get("/invitations") == []
    host.post(f"/tables/{table_id}/invite", 422, bot="unheard-of")
