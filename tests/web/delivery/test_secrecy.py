"""What a seat gets over the wire is a function of what it may know: every byte of it."""

from __future__ import annotations

import json
import sqlite3
from random import Random
from typing import Any

import pytest

from tests.web.delivery.scene import GAMES, Reader
from tests.web.delivery.worlds import compare_resampled_worlds, table_after
from tests.web.guest import Guest
from tests.web.served import Served
from veillee.engine.drawing.picture import SIZES
from veillee.engine.i18n import LANGUAGES
from veillee.engine.registry import games
from veillee.engine.seed import Seed
from veillee.web.bot_pool import BotPool
from veillee.web.delivery import rendering
from veillee.web.delivery.broadcast import Broadcast
from veillee.web.delivery.rendering import Layout
from veillee.web.tables.table import Table


def sent(broadcast: Broadcast, table: Table, person: str, layout: Layout) -> bytes:
    """All that would go over the wire to a person who looks now: stream, ghosts, page parts."""
    viewer = Reader(person, layout)
    stream = broadcast.join(table, viewer)
    broadcast.leave(table, viewer)
    game = table.game
    assert game is not None
    ghosts = []
    if table.deciding in table.seats_of(person):
        seen = rendering.view_of(game, (table.deciding,))
        ghosts = [
            rendering.preview(table.spec, layout, seen, number, table.deciding)
            for number in game.legal_numbers()[:12]
        ]
    return stream + json.dumps(ghosts).encode()


@pytest.mark.parametrize("game", GAMES)
def test_resampled_worlds_look_the_same(game: str) -> None:
    def send(broadcast: Broadcast, table: Table, person: str, chance: Random) -> bytes:
        layout = Layout(chance.choice(LANGUAGES), chance.choice(list(SIZES)))
        return sent(broadcast, table, person, layout)

    compare_resampled_worlds(game, send)


@pytest.mark.parametrize("game", [name for name in GAMES if games()[name].hidden])
def test_seats_know_different_things(game: str) -> None:
    """The test above would pass if nobody were shown anything: see that somebody is."""
    broadcast, table, players = table_after(game, 1, 20)
    layout = Layout("en", "wide")
    seen = {sent(broadcast, table, f"p{seat}", layout) for seat in range(players)}
    assert len(seen) == players


def test_no_secret_in_any_answer(served: Served) -> None:
    """Neither the seed, nor a nonce, nor another person's id comes out before the end."""
    host, friend, watcher = (Guest(served.address) for _ in range(3))
    path = host.set_table("lumens", "me friend bot:random")
    friend.form(f"{path}/sit")
    host.form(f"{path}/start")
    with sqlite3.connect(served.database) as store:
        table_id = path.rpartition("/")[2]
        seed = store.execute("SELECT seed FROM game_table WHERE id = ?", (table_id,)).fetchone()[0]
        sits = [
            json.loads(row[0])
            for row in store.execute(
                "SELECT data FROM entry WHERE table_id = ? AND data LIKE '%\"sit\"%'", (table_id,)
            )
        ]
        seal = store.execute("SELECT value FROM setting WHERE key = 'seal'").fetchone()[0]
    hidden = [seed, seal, *(sit["nonce"] for sit in sits)]
    hidden += [Seed(bytes.fromhex(seed)).mixed(bytes.fromhex(s["nonce"]) for s in sits).hex]
    people = [sit["person"] for sit in sits]
    assert len(people) == 2
    answers = []
    for guest in (host, friend, watcher):
        parts = ("", "/verify", "/record", "/since", "/invite", "/why?pick.square=a1")
        answers += [guest.http.get(path + part).text for part in parts]
        answers.append(json.dumps(guest.look(path)))
        answers.append(guest.act(path, "play", action="nonsense", moment=0).text)
    everything = "\n".join(answers)
    for secret in hidden:
        assert secret not in everything
    for person in people:
        assert person not in everything.replace("\\", "")


def test_watchers_get_no_choices(served: Served) -> None:
    host, watcher = Guest(served.address), Guest(served.address)
    path = host.set_table("lumens", "me bot:random")
    own: dict[str, Any] = watcher.look(path)[1]
    assert not own.get("choices")
    assert not own.get("overlay")
    assert own.get("seat", -1) == -1


def test_bots_are_given_views_only() -> None:
    """What goes to a bot's process is the seat's view, not the state."""
    assert "states" not in BotPool.choose.__annotations__
