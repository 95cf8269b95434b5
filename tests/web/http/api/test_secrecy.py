"""What a program gets over the wire is a function of what its seat may know: every byte of it."""

from __future__ import annotations

import json
import sqlite3
from random import Random

import msgspec
import pytest

from tests.web.delivery.scene import GAMES, set_up
from tests.web.delivery.worlds import compare_resampled_worlds, table_after
from tests.web.guest import Guest
from tests.web.http.api.program import Program
from tests.web.served import Served
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games
from veillee.engine.seed import Seed
from veillee.web.delivery.broadcast import Broadcast
from veillee.web.delivery.table_data import Teller, step_data
from veillee.web.tables import log
from veillee.web.tables.table import Table


def sent(table: Table, person: str, language: str, teller: Teller | None = None) -> bytes:
    """All that would go over the wire to a program that looks now, or back from now."""
    assert table.game is not None
    names = [f"Seat {seat}" for seat in range(table.game.players)]
    away = [False] * table.game.players
    message = (teller or Teller(table, person)).news(names, away, Words(language))
    moments = range(0, len(table.game.steps) + 1, 7)
    steps = [] if teller else [step_data(table, person, step) for step in moments]
    return msgspec.json.encode([message, steps])


@pytest.mark.parametrize("game", GAMES)
def test_resampled_worlds_look_the_same(game: str) -> None:
    def send(_: Broadcast, table: Table, person: str, chance: Random) -> bytes:
        return sent(table, person, chance.choice(LANGUAGES), Teller(table, person))

    compare_resampled_worlds(game, send)


@pytest.mark.parametrize("game", GAMES)
def test_each_seat_is_told_the_events_that_it_may_know(game: str) -> None:
    """And no action of another seat, which can be a secret by itself."""
    _, table = set_up(game, 2)
    started = table.game
    assert started is not None
    chance = Random(2)
    for _ in range(30):
        if started.over:
            break
        told = {}
        for seat in [None, *range(started.players)]:
            told[seat] = Teller(table, "watcher" if seat is None else f"p{seat}")
            sent(table, "", "en", told[seat])
        before, decider = started.seat, started.seat
        table.apply(log.Play(before, chance.choice(started.legal).text), 0)
        step = started.steps[-1]
        for seat, teller in told.items():
            message = json.loads(sent(table, "", "en", teller))[0]
            bits = 0 if seat is None else 1 << seat
            seen = [started.spec.relate(event.seen_by(bits)) for event in step.events]
            assert message["events"] == json.loads(msgspec.json.encode(seen))
            assert "action" not in message
            if not started.over and seat != decider:
                person = "watcher" if seat is None else f"p{seat}"
                assert step_data(table, person, len(started.steps)).action is None


@pytest.mark.parametrize("game", [name for name in GAMES if games()[name].hidden])
def test_seats_know_different_things(game: str) -> None:
    """The tests above would pass if nobody were told anything: see that somebody is."""
    _, table, players = table_after(game, 1, 20)
    views = {
        json.dumps(json.loads(sent(table, f"p{seat}", "en"))[0]["table"]["view"])
        for seat in range(players)
    }
    assert len(views) == players


def test_no_secret_in_any_answer(served: Served) -> None:
    """Neither the seed, nor a nonce, nor anybody's id comes out before the end."""
    host, friend = Guest(served.address), Program.of(served.address)
    watcher = Program.of(served.address)
    path = host.set_table("captain", "me friend bot:random")
    table_id = path.rpartition("/")[2]
    friend.post(f"/tables/{table_id}/sit")
    host.form(f"{path}/start")
    with sqlite3.connect(served.database) as store:
        seed = store.execute("SELECT seed FROM game_table WHERE id = ?", (table_id,)).fetchone()[0]
        sits = [
            json.loads(row[0])
            for row in store.execute(
                "SELECT data FROM entry WHERE table_id = ? AND data LIKE '%\"sit\"%'", (table_id,)
            )
        ]
        people = [row[0] for row in store.execute("SELECT id FROM person")]
    hidden = [seed, *(sit["nonce"] for sit in sits), *people]
    hidden += [Seed(bytes.fromhex(seed)).mixed(bytes.fromhex(s["nonce"]) for s in sits).hex]
    answers = []
    for program in (friend, watcher):
        paths = ("", "/steps/0", "/record", "/stream?most=1", "/stream.ndjson?most=1")
        answers += [program.http.get(f"/tables/{table_id}{part}").text for part in paths]
        answers += [program.http.get(part).text for part in ("/tables", "/account", "/tables/open")]
        answers.append(program.http.get("/stream.ndjson?most=1").text)
        move = {"action": "nonsense", "moment": 0}
        answers.append(program.http.post(f"/tables/{table_id}/play", json=move).text)
    everything = "\n".join(answers)
    for secret in hidden:
        assert secret not in everything


def test_watchers_get_no_actions(served: Served) -> None:
    host, watcher = Program.of(served.address), Program.of(served.address)
    table = host.open("lumens", "me random")
    seen = watcher.get(f"/tables/{table['id']}")
    assert seen["actions"] == []
    assert seen["seat"] is None
    assert not seen["yours"]
