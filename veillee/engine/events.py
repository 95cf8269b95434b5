"""Events of a game, with named values, and their redaction.

The rules write events as rows of integers (`jit/events.py`); here they get names. Seats outside an
event's audience see it without the values that the game declares secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec
import numpy as np
import numpy.typing as npt

from veillee.engine.jit.events import ALL, ROWS, UNSEEN, WIDTH

Buffer = npt.NDArray[np.int16]


def new_buffer() -> Buffer:
    """Return a buffer without events."""
    return np.zeros((ROWS, WIDTH), np.int16)


@dataclass(frozen=True, eq=False)
class EventKind:
    """A game's declaration of an event: its name, its values' names, and which are secret.

    `usual` has values that go without saying: an event that has one of them does not name it.
    """

    name: str
    fields: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    usual: Mapping[str, int] = field(default_factory=dict)


class Event(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened, with values by name; None stands for a redacted value.

    Events are immutable and interned; `gc=False` keeps them out of garbage collection.
    """

    name: str
    audience: int
    values: dict[str, int | None]
    secret: tuple[str, ...] = ()

    def seen_by(self, seats: int) -> Event:
        """Return the event as those seats together (bit i for seat i) may know it."""
        if self.audience == ALL or self.audience & seats or not self.secret:
            return self
        shown = {n: None if n in self.secret else v for n, v in self.values.items()}
        return Event(self.name, self.audience, shown, self.secret)


def read(buffer: Buffer, kinds: Sequence[EventKind]) -> list[Event]:
    """Return the events in a buffer."""
    rows: list[list[int]] = buffer[1 : buffer[0, 0] + 1].tolist()
    return [_event(kinds[row[0]], *row[1:]) for row in rows]


@lru_cache(8192)
def _event(kind: EventKind, audience: int, *values: int) -> Event:
    assert not any(values[len(kind.fields) :]), f"{kind.name} has values without a name"
    seen = {
        name: None if value == UNSEEN else value
        for name, value in zip(kind.fields, values, strict=False)
        if kind.usual.get(name) != value
    }
    return Event(kind.name, audience, seen, kind.secret)
