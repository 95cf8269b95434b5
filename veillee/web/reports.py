"""Reports of `veillee lab study` that the host puts into a folder, read from their JSON files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

MOST_REPORTS = 200


class StudiedVariant(msgspec.Struct, frozen=True):
    game: str
    name: str
    values: dict[str, Any]
    hash: str


class StudyPlan(msgspec.Struct, frozen=True):
    game: str
    variants: list[StudiedVariant]
    players: list[int]
    levels: list[str]


class Estimate(msgspec.Struct, frozen=True):
    name: str
    n: int
    mean: float
    error: float


class StudiedCell(msgspec.Struct, frozen=True):
    """A variant, a number of players and a level, with what was measured there."""

    variant: str
    players: int
    level: str
    games: int
    estimates: dict[str, list[Estimate]]


class StudyReport(msgspec.Struct, frozen=True):
    """The part of a report that the pages show."""

    plan: StudyPlan
    summary: dict[str, list[str]]
    cells: list[StudiedCell]
    language: str = "en"
    summaries: dict[str, dict[str, list[str]]] = {}
    """The summary in every language; missing in reports of older versions."""

    @property
    def variant(self) -> StudiedVariant:
        return self.plan.variants[0]

    def told(self, language: str) -> tuple[str, dict[str, list[str]]]:
        """Return the summary for a reader, after the language it is in."""
        if language in self.summaries:
            return language, self.summaries[language]
        return self.language, self.summary

    @property
    def games(self) -> int:
        return sum(cell.games for cell in self.cells)

    def beside(self, players: int, level: str) -> list[StudiedCell]:
        """The variant, then what it is compared with, for a number of players and a level."""
        found = {
            cell.variant: cell
            for cell in self.cells
            if (cell.players, cell.level) == (players, level)
        }
        return [found[each.name] for each in self.plan.variants if each.name in found]


_decoder = msgspec.json.Decoder(StudyReport)


def reports(folder: str) -> Iterator[StudyReport]:
    """Yield the reports in a folder by name of their files; other files are passed over."""
    if not folder or not Path(folder).is_dir():
        return
    for path in sorted(Path(folder).glob("*.json"))[:MOST_REPORTS]:
        report = _read(path, path.stat().st_mtime_ns)
        if report is not None:
            yield report


@lru_cache(MOST_REPORTS)
def _read(path: Path, _changed: int) -> StudyReport | None:
    try:
        report = _decoder.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
    return report if report.plan.variants else None
