"""Events as rows of small integers, which `apply` writes into a buffer if there is one.

Row 0 holds the number of rows that follow. A row is: kind, audience, then up to six values. The
audience is a set of seats (bit i for seat i) that see the event in full; `ALL` is everybody.
"""

from __future__ import annotations

from veillee.engine.jit.layout import Cells

ALL = -1
ROWS = 512
WIDTH = 8
UNSEEN = -99
"""Stands for a value that was redacted."""


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
    """Write an event. Without a buffer (None) this compiles to nothing."""
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
