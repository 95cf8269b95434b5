"""What a seat gets over the wire is a function of what it may know: every byte of it."""

from __future__ import annotations

import json
import sqlite3
from random import Random
from typing import Any

import pytest

from tests.web.guest import Guest
from tests.web.reader import Reader
from tests.web.served import Served
from veillee.engine.library import games
from veillee.engine.seed import Seed
from veillee.engine.words import LANGUAGES
from veillee.web import entries as e
from veillee.web import looks
from veillee.web.bots import Thinkers
from veillee.web.house import House
from veillee.web.looks import Broadcast, Look
from veillee.web.people import Seal
from veillee.web.table import Table

GAMES = sorted(games())


class Quiet(House):
    """A house without a store: only what is shown matters here."""

    def __init__(self) -> None:
        super().__init__(None, None, "random")  # type: ignore[arg-type]
        self.seal = Seal("00" * 32)


def set_up(game: str, seed: int) -> tuple[Broadcast, Table]:
    contract = games()[game]
    seats = sorted(contract.seats)[seed % len(contract.seats)]
    table = Table("t", Seed.of(seed))
    table.take(e.Open(game, contract.version, "p0", [""] * seats), 0)
    for seat in range(seats):
        table.take(e.Sit(seat, f"p{seat}", "00"), 0)
    table.take(e.Start(), 0)
    house = Quiet()
    house.names = {f"p{seat}": f"Person {seat}" for seat in range(seats)}
    return Broadcast(house), table


def sent(broadcast: Broadcast, table: Table, person: str, look: Look) -> bytes:
    """All that would go over the wire to a person who looks now: stream, ghosts, page parts."""
    viewer = Reader(person, look)
    stream = broadcast.join(table, viewer)
    broadcast.leave(table, viewer)
    game = table.game
    assert game is not None
    ghosts = []
    if table.deciding in table.seats_of(person):
        seen = looks.views(game, (table.deciding,))
        ghosts = [
            looks.ghost(table.contract, look, seen, number) for number in game._legal_numbers()[:12]
        ]
    return stream + json.dumps(ghosts).encode()


@pytest.mark.parametrize("game", GAMES)
def test_resampled_worlds_look_the_same(game: str) -> None:
    """Deal anew what a seat (or a watcher) may not know: it gets the very same bytes."""
    chance = Random(3)
    for seed in range(4):
        broadcast, table = set_up(game, seed)
        started = table.game
        assert started is not None
        stop = chance.randrange(60)
        checked = 0
        while not started.over and checked <= stop:
            if checked % 6 == stop % 6:
                look = Look(chance.choice(LANGUAGES), chance.random() < 0.5)
                for seat in [None, *range(started.players)]:
                    person = "watcher" if seat is None else f"p{seat}"
                    truth = sent(broadcast, table, person, look)
                    known = () if seat is None else (seat,)
                    table.game = started.resample(*known, seed=seed + 7)
                    assert sent(broadcast, table, person, look) == truth
                    table.game = started
            table.take(e.Play(started.seat, chance.choice(started.legal).text), 0)
            checked += 1


@pytest.mark.parametrize("game", [name for name in GAMES if games()[name].secrets])
def test_seats_know_different_things(game: str) -> None:
    """The test above would pass if nobody were shown anything: see that somebody is."""
    broadcast, table = set_up(game, 1)
    started = table.game
    assert started is not None
    chance = Random(1)
    for _ in range(20):
        table.take(e.Play(started.seat, chance.choice(started.legal).text), 0)
    look = Look("en", False)
    seen = {sent(broadcast, table, f"p{seat}", look) for seat in range(started.players)}
    assert len(seen) == started.players


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


def test_thinkers_are_given_views_only() -> None:
    """What goes to a bot's process is the seat's view, not the state."""
    assert "states" not in Thinkers.choose.__annotations__
