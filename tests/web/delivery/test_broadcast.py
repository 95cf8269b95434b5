"""What is sent as changes adds up to what somebody sees who comes later."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.web.delivery.scene import GAMES, Reader, set_up
from tests.web.loop import run
from veillee.engine.drawing.picture import SIZES, Shape
from veillee.engine.registry import games
from veillee.web.delivery.rendering import Layout
from veillee.web.tables import log
from veillee.web.tables.messages import Renamed


class Page:
    """A page that puts together what the stream tells, as its script does."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.own: dict[str, Any] = {}
        self.now: dict[str, Any] = {}
        """What every message tells anew, or leaves out."""

    def read(self, message: bytes) -> None:
        for told in message.decode().split("\n\n"):
            lines = [line[6:] for line in told.splitlines() if line.startswith("data: ")]
            if lines:
                self._take(json.loads(lines[0]), json.loads(lines[1]))

    def _take(self, shared: dict[str, Any], own: dict[str, Any]) -> None:
        self.parts = shared.get("picture", self.parts)
        for place, part in shared.get("changes", []):
            self.parts[place] = part
        self.own |= {key: own[key] for key in ("overlay", "panel") if key in own}
        self.now = {key: own.get(key) for key in ("seat", "yours", "status", "choices")}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("shape", SIZES)
def test_changes_add_up(game: str, shape: Shape) -> None:
    run(follow(game, Layout("fr", shape)))


async def follow(game: str, layout: Layout) -> None:
    """Everybody follows a game; at each step each page is as one that is opened then."""
    broadcast, table = set_up(game, 2)
    started = table.game
    assert started is not None
    chance = Random(7)
    people = [*(f"p{seat}" for seat in range(started.players)), "watcher"]
    viewers = [Reader(person, layout) for person in people]
    pages = [Page() for _ in viewers]
    for viewer, page in zip(viewers, pages, strict=True):
        page.read(broadcast.join(table, viewer))
    while not started.over:
        table.apply(log.Play(started.seat, str(chance.choice(started.legal))), 0)
        broadcast.send(table)
        for viewer, page in zip(viewers, pages, strict=True):
            page.read(b"".join(viewer.waiting))
            viewer.waiting.clear()
            late, fresh = Reader(viewer.person, layout), Page()
            fresh.read(broadcast.join(table, late))
            broadcast.leave(table, late)
            assert page.parts == fresh.parts
            assert page.own == fresh.own
            assert page.now == fresh.now


def test_who_comes_back_gets_the_whole_first_and_others_learn_of_it() -> None:
    async def story() -> None:
        broadcast, table = set_up("nomads", 2, away=-1)
        layout = Layout("en", "wide")
        other, back = Reader("p0", layout), Reader("p1", layout)
        broadcast.join(table, other)
        assert b'"whole":true' in broadcast.join(table, back)
        assert back.waiting == []
        assert len(other.waiting) == 2

    run(story())


def test_streams_end_only_if_a_name_that_is_shown_has_changed() -> None:
    broadcast, table = set_up("nomads", 0)
    reader = Reader("p0", Layout("en", "wide"))
    broadcast.join(table, reader)
    broadcast._receive(Renamed(table))
    assert not reader.ended
    broadcast._tables._people.names["p1"] = "Zoë"
    broadcast._receive(Renamed(table))
    assert reader.ended


def test_who_joins_between_two_changes_is_told_once() -> None:
    """A move that is not yet told is in what a new reader gets first, and not told again."""
    broadcast, table = set_up("nomads", 2)
    started = table.game
    assert started is not None
    layout = Layout("en", "wide")
    early, late = Reader("p0", layout), Reader("p1", layout)
    page, fresh = Page(), Page()
    page.read(broadcast.join(table, early))
    table.apply(log.Play(started.seat, str(started.legal[0])), 0)
    fresh.read(broadcast.join(table, late))
    broadcast.send(table)
    page.read(b"".join(early.waiting))
    assert not late.waiting
    assert page.parts == fresh.parts


@pytest.mark.parametrize("game", [name for name in GAMES if games()[name].private_keys])
def test_a_game_that_does_not_tell_what_private_layers_depend_on_shows_the_same(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[list[bytes]] = []
    for keys in (games()[game].private_keys, None):
        monkeypatch.setitem(vars(games()[game]), "private_keys", keys)
        broadcast, table = set_up(game, 1)
        started = table.game
        assert started is not None
        people = [*(f"p{seat}" for seat in range(started.players)), "watcher"]
        viewers, chance = [Reader(person, Layout("en", "tall")) for person in people], Random(4)
        for viewer in viewers:
            viewer.waiting.append(broadcast.join(table, viewer))
        while not started.over:
            table.apply(log.Play(started.seat, str(chance.choice(started.legal))), 0)
            broadcast.send(table)
        told.append([b"".join(viewer.waiting) for viewer in viewers])
    assert told[0] == told[1]


@pytest.mark.parametrize("game", GAMES)
def test_machine_code_shows_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table goes on in machine code as soon as that is there; nobody can tell."""
    layout = Layout("en", "wide")
    told: list[list[bytes]] = []
    for compiled in (set(), {games()[game]}):
        monkeypatch.setattr("veillee.web.tables.table.COMPILED", compiled)
        broadcast, table = set_up(game, 3)
        started = table.game
        assert started is not None
        assert started.compiled == bool(compiled)
        viewer, chance = Reader("p0", layout), Random(5)
        heard = [broadcast.join(table, viewer)]
        while not started.over:
            table.apply(log.Play(started.seat, str(chance.choice(started.legal))), 0)
            broadcast.send(table)
            heard += viewer.waiting
            viewer.waiting.clear()
        told.append(heard)
    assert told[0] == told[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_running_game_switches_to_machine_code(game: str) -> None:
    """As when compilation ends while people play: nobody can tell."""
    layout = Layout("en", "wide")
    told: list[list[bytes]] = []
    for switch in (False, True):
        broadcast, table = set_up(game, 3)
        started = table.game
        assert started is not None
        viewer, chance = Reader("p0", layout), Random(5)
        heard = [broadcast.join(table, viewer)]
        while not started.over:
            if switch and len(started.steps) == 10:
                started.run_compiled()
            table.apply(log.Play(started.seat, str(chance.choice(started.legal))), 0)
            broadcast.send(table)
            heard += viewer.waiting
            viewer.waiting.clear()
        assert started.compiled is switch
        told.append(heard)
    assert told[0] == told[1]
