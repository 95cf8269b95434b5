"""Score sheets: where a seat's points come from, line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veillee.engine.words import Words


class Row(NamedTuple):
    """One line: the clause it follows from, the key of its words, how much of it there is (cards,
    coins, pips), and its points."""

    clause: str
    what: str
    n: int
    points: int
    facts: Mapping[str, str] = {}

    def said(self, words: Words) -> str:
        """What is counted, in words."""
        return words(self.what, None, **self.facts)

    def counted(self) -> str:
        """The points, and how many things they are for where that is not the same."""
        if not self.n and not self.points:
            return "–"
        points = signed(self.points)
        return points if self.n == abs(self.points) else f"{points} ({self.n})"


def lines(sheets: Sequence[Sequence[Row]]) -> list[tuple[Row, ...]]:
    """Several seats' sheets side by side, without the lines that count for nobody."""
    return [line for line in zip(*sheets, strict=True) if any(row.n for row in line)]


def signed(points: int) -> str:
    """A number of points, with the minus of print."""
    return str(points).replace("-", "−")
