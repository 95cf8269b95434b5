"""What is sent as changes adds up to what somebody sees who comes later."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.web.loop import run
from tests.web.reader import Reader
from tests.web.test_secrecy import GAMES, set_up
from veillee.web import entries as e
from veillee.web.looks import Look


class Page:
    """A page that puts together what the stream tells, as its script does."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.own: dict[str, Any] = {}

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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tall", [False, True])
def test_changes_add_up(game: str, tall: bool) -> None:
    run(follow(game, Look("fr", tall)))


async def follow(game: str, look: Look) -> None:
    """Everybody follows a game; at each step each page is as one that is opened then."""
    broadcast, table = set_up(game, 2)
    started = table.game
    assert started is not None
    chance = Random(7)
    viewers = [Reader(f"p{seat}", look) for seat in range(started.players)]
    pages = [Page() for _ in viewers]
    for viewer, page in zip(viewers, pages, strict=True):
        page.read(broadcast.join(table, viewer))
    while not started.over:
        table.take(e.Play(started.seat, str(chance.choice(started.legal))), 0)
        broadcast.tell(table)
        for viewer, page in zip(viewers, pages, strict=True):
            page.read(b"".join(viewer.waiting))
            viewer.waiting.clear()
            late, fresh = Reader(viewer.person, look), Page()
            fresh.read(broadcast.join(table, late))
            broadcast.leave(table, late)
            assert page.parts == fresh.parts
            assert page.own == fresh.own


def test_who_joins_between_two_changes_is_told_once() -> None:
    """A move that is not yet told is in what a new reader gets first, and not told again."""
    broadcast, table = set_up("nomads", 2)
    started = table.game
    assert started is not None
    look = Look("en", False)
    early, late = Reader("p0", look), Reader("p1", look)
    page, fresh = Page(), Page()
    page.read(broadcast.join(table, early))
    table.take(e.Play(started.seat, str(started.legal[0])), 0)
    fresh.read(broadcast.join(table, late))
    broadcast.tell(table)
    page.read(b"".join(early.waiting))
    assert not late.waiting
    assert page.parts == fresh.parts


@pytest.mark.parametrize("game", GAMES)
def test_machine_code_shows_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table goes on in machine code as soon as that is there; nobody can tell."""
    look = Look("en", False)
    told: list[list[bytes]] = []
    for swift in (set(), {game}):
        monkeypatch.setattr("veillee.web.table.SWIFT", swift)
        broadcast, table = set_up(game, 3)
        started = table.game
        assert started is not None
        assert started.compiled == bool(swift)
        viewer, chance = Reader("p0", look), Random(5)
        heard = [broadcast.join(table, viewer)]
        while not started.over:
            table.take(e.Play(started.seat, str(chance.choice(started.legal))), 0)
            broadcast.tell(table)
            heard += viewer.waiting
            viewer.waiting.clear()
        told.append(heard)
    assert told[0] == told[1]
