"""What happened, as rows of small integers that `apply` writes when somebody listens.

Row 0 counts the rows that follow. A row is: kind, audience, then up to six values. The audience is
a set of seats (bit i for seat i) that see the event in full; `ALL` is everybody. The others see it
with the values that the game declares secret blotted out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from veillee.engine.memory import remembered
from veillee.engine.record import Cells

ALL = -1
ROWS = 512
WIDTH = 8
UNSEEN = -99
"""Stands in a redacted event for a value that the seat may not know."""

Buffer = npt.NDArray[np.int16]


def emit(
    events: Cells | None,
    kind: int,
    audience: int,
    a: int,
    b: int,
    c: int,
    d: int,
    e: int,
) -> None:
    """Write an event. With no listener this is nothing, and compiles to nothing."""
    if events is not None:
        row = events[0, 0] + 1
        events[row, 0] = kind
        events[row, 1] = audience
        events[row, 2] = a
        events[row, 3] = b
        events[row, 4] = c
        events[row, 5] = d
        events[row, 6] = e
        events[0, 0] = row


def new_buffer() -> Buffer:
    return np.zeros((ROWS, WIDTH), np.int16)


@dataclass(frozen=True, eq=False)
class Kind:
    """How a game declares an event: its name, its values' names, and which of these are secret."""

    name: str
    fields: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()


class Event(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened, with values by name; None where the reader may not know.

    A long game has thousands of them, and most happen again and again: those are one and the same
    object, which nobody changes, and at which the collector of rubbish need not look.
    """

    name: str
    audience: int
    values: dict[str, int | None]
    secret: tuple[str, ...] = ()

    def seen_by(self, seats: int) -> Event:
        """The event as those seats together (bit i for seat i) may know it."""
        if self.audience == ALL or self.audience & seats or not self.secret:
            return self
        shown = {n: None if n in self.secret else v for n, v in self.values.items()}
        return Event(self.name, self.audience, shown, self.secret)


def read(buffer: Buffer, kinds: Sequence[Kind]) -> list[Event]:
    """The events in a buffer."""
    rows: list[list[int]] = buffer[1 : buffer[0, 0] + 1].tolist()
    return [_event(kinds[row[0]], *row[1:]) for row in rows]


@remembered
def _event(kind: Kind, audience: int, *values: int) -> Event:
    seen = [None if value == UNSEEN else value for value in values]
    return Event(kind.name, audience, dict(zip(kind.fields, seen, strict=False)), kind.secret)
