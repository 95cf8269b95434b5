"""A table and its viewers without a server: only what is shown matters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from veillee.engine.registry import games
from veillee.engine.seed import Seed
from veillee.web.bus import MemoryBus
from veillee.web.delivery.broadcast import Broadcast, Viewer
from veillee.web.delivery.fragments import Fragments
from veillee.web.people import People
from veillee.web.tables import log
from veillee.web.tables.messages import Messages
from veillee.web.tables.presence import Presence
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.seeds import SeedSource
from veillee.web.tables.table import Table

GAMES = sorted(games())
NOTHING: Any = None


@dataclass(eq=False)
class Reader(Viewer):
    """A viewer that keeps what it is sent."""

    waiting: list[bytes] = field(default_factory=list)
    ended: bool = False

    def put(self, *message: bytes) -> None:
        self.waiting += message

    def end(self) -> None:
        self.ended = True


def set_up(game: str, seed: int, away: float = 60, **plan: Any) -> tuple[Broadcast, Table]:
    """A table at which a game has begun, with a person in every seat."""
    spec = games()[game]
    seats = sorted(spec.player_counts)[seed % len(spec.player_counts)]
    table = Table("t", Seed.of(seed))
    table.apply(log.Open(game, spec.version, "p0", [""] * seats, **plan), 0)
    for seat in range(seats):
        table.apply(log.Sit(seat, f"p{seat}", "00"), 0)
    table.apply(log.Start(), 0)
    people = People(NOTHING, MemoryBus())
    people.names = {f"p{seat}": f"Person {seat}" for seat in range(seats)}
    messages = Messages()
    presence = Presence(messages, away)
    tables = TableRegistry(NOTHING, MemoryBus(), NOTHING, people, presence, messages)
    return Broadcast(tables, presence, messages, Fragments(SeedSource("00" * 32))), table
