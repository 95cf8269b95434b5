"""Score sheets: where a seat's points come from, line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veillee.engine.i18n import Words


class Row(NamedTuple):
    """One row: its clause, the key of its text, a count (of cards, coins, pips) and its points."""

    clause: str
    what: str
    n: int
    points: int
    facts: Mapping[str, str] = {}

    def said(self, words: Words) -> str:
        """Return what is counted, in words."""
        return words(self.what, None, **self.facts)

    def counted(self) -> str:
        """Return the points, with the count where it differs from them."""
        if not self.n and not self.points:
            return "–"
        points = signed(self.points)
        return points if self.n == abs(self.points) else f"{points} ({self.n})"


def lines(sheets: Sequence[Sequence[Row]]) -> list[tuple[Row, ...]]:
    """Return the rows of several seats' sheets side by side, without those that are 0 for all."""
    return [line for line in zip(*sheets, strict=True) if any(row.n for row in line)]


def signed(points: int) -> str:
    """A number of points, with the minus of print."""
    return str(points).replace("-", "−")


def added(one: int, other: int) -> str:
    """Return a sum of points as people write it: "10 + 8", "10 − 8"."""
    return f"{signed(one)} {'−' if other < 0 else '+'} {abs(other)}"
