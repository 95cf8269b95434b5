"""What is sent as changes adds up to what somebody sees who comes later."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from tests.web.test_secrecy import GAMES, set_up
from veillee.web import entries as e
from veillee.web.looks import WAITING, Look, Viewer


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
        for place, groups in shared.get("changes", []):
            before = re.split("(?=<g )", self.parts[place])
            self.parts[place] = "".join(g if isinstance(g, str) else before[g] for g in groups)
        self.own |= {key: own[key] for key in ("overlay", "panel") if key in own}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tall", [False, True])
def test_changes_add_up(game: str, tall: bool) -> None:
    broadcast, table = set_up(game, 2)
    started = table.game
    assert started is not None
    chance = Random(7)
    look = Look("fr", tall)
    viewers = [Viewer(f"p{seat}", look) for seat in range(started.players)]
    pages = [Page() for _ in viewers]
    for viewer, page in zip(viewers, pages, strict=True):
        page.read(broadcast.join(table, viewer))
    while not started.over:
        table.take(e.Play(started.seat, str(chance.choice(started.legal))), 0)
        broadcast.tell(table)
        for viewer, page in zip(viewers, pages, strict=True):
            page.read(b"".join(viewer.waiting))
            viewer.waiting.clear()
            late, fresh = Viewer(viewer.person, look), Page()
            fresh.read(broadcast.join(table, late))
            broadcast.leave(table, late)
            assert page.parts == fresh.parts
            assert page.own == fresh.own


def test_a_slow_reader_is_told_to_begin_anew() -> None:
    viewer = Viewer("p0", Look("en", False))
    for _ in range(WAITING):
        viewer.put(b"news")
    assert not viewer.ended
    viewer.put(b"more")
    assert viewer.ended
    assert not viewer.waiting
