"""Reports of `veillee lab study` that the host puts into a folder, read from their JSON files."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

MOST_REPORTS = 200
log = logging.getLogger("veillee.reports")


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


class Skill(msgspec.Struct, frozen=True):
    """A match of one player of a stronger level among weaker ones."""

    players: int
    challenger: str
    against: str
    variant: dict[str, str]
    share: float
    low: float
    high: float
    fair: float


class StudyReport(msgspec.Struct, frozen=True):
    """The part of a report that the pages show."""

    plan: StudyPlan
    summary: dict[str, list[str]]
    cells: list[StudiedCell]
    language: str = "en"
    summaries: dict[str, dict[str, list[str]]] = {}
    """The summary in every language; missing in reports of older versions."""
    cautions: dict[str, str] = {}
    """A warning of weak players in every language, or ""; missing in reports of older versions."""
    skill: list[Skill] = []

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
    for _, report in _files(folder):
        yield report


def report_of(folder: str, game: str, code: str) -> tuple[StudyReport, Path | None] | None:
    """Return the report of a variant by its hash, and the page that was written with it."""
    for path, report in _files(folder):
        if (report.plan.game, report.variant.hash) == (game, code):
            page = path.with_suffix(".html")
            return report, page if page.is_file() else None
    return None


def _files(folder: str) -> Iterator[tuple[Path, StudyReport]]:
    if not folder or not Path(folder).is_dir():
        return
    for path in sorted(Path(folder).glob("*.json"))[:MOST_REPORTS]:
        report = _read(path, path.stat().st_mtime_ns)
        if report is not None:
            yield path, report


@lru_cache(MOST_REPORTS)
def _read(path: Path, _changed: int) -> StudyReport | None:
    """Read a report; log, once for each version of the file, why it can't be."""
    try:
        report = _decoder.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        log.warning("%s is left out, because it is not the report of a study: %s", path, error)
        return None
    if not report.plan.variants:
        log.warning("%s is left out, because it has no variants", path)
        return None
    return report
