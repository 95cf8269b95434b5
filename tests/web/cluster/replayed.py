"""What a table's log alone gives: the log is replayed and drawn in the test's own process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.web.cluster.people import Screen
from veillee.engine.drawing.picture import Shape
from veillee.web.bus import MemoryBus
from veillee.web.database import store_at
from veillee.web.delivery.broadcast import Broadcast, Viewer
from veillee.web.delivery.fragments import Fragments
from veillee.web.delivery.rendering import Layout
from veillee.web.people import People
from veillee.web.tables.messages import Messages
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.seeds import SeedSource

NOTHING: Any = None


@dataclass(eq=False)
class Nobody(Viewer):
    """A stranger whom nothing is sent but what `join` returns."""

    def put(self, *message: bytes) -> None: ...

    def end(self) -> None: ...


async def screen_of_the_log(database: str, path: str, shape: Shape = "wide") -> Screen:
    """Return what somebody who only watches is to see of a table."""
    store, bus, messages = store_at(database), MemoryBus(), Messages()
    await store.open()
    presence = Presence(messages, 60)
    tables = TableRegistry(store, bus, NOTHING, People(store, bus), presence, messages)
    broadcast = Broadcast(tables, presence, messages, Fragments(SeedSource("00" * 32)))
    table = await tables.get(path.rpartition("/")[2])
    message = broadcast.join(table, Nobody("", Layout("en", shape)))
    await store.close()
    screen = Screen()
    screen.take(json.loads(message.decode().split("\ndata: ")[1]))
    return screen


async def assert_shows_the_log(screen: Screen, database: str, path: str) -> None:
    """Fail unless a client's screen is what the log gives."""
    drawn = await screen_of_the_log(database, path)
    assert screen.number == drawn.number, f"{path}: entry {screen.number}, not {drawn.number}"
    assert screen.state == drawn.state, f"{path}: another state"
    assert screen.picture == drawn.picture, f"{path}: another picture"
    assert screen.lines == drawn.lines, f"{path}: other lines"
    assert not screen.disorder, f"{path}: not in order"
