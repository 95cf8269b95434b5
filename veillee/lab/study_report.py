"""The report of a study: one page of HTML that needs nothing else, Markdown, and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from veillee.bots.characters import RANDOM
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import game as spec_named
from veillee.lab import charts
from veillee.lab.extras import require
from veillee.lab.findings import (
    FAIR,
    OF_ACTIONS,
    ORDINALS,
    PERCENT,
    SHARES,
    SINGLE,
    Estimate,
    Finding,
    Question,
    called,
    findings,
    label,
    level_name,
    rows,
    signed,
    title,
    worth,
)
from veillee.lab.gather import kinds
from veillee.lab.match import Z
from veillee.lab.study import Cell, Study
from veillee.lab.versions import versions

WEAK = (RANDOM, "greedy", "spark", "wanderer")
"""Players whose games say little about those of people."""
SHOWN_ACTIONS = 6
"""How many findings about single actions the summary has."""
NOTHING = "–"
"""In a table, what can't be said."""
VARIANT = "variant"
"""The column that says which variant a line is about."""
TEXTS = (VARIANT, "order", "role", "stronger", "weaker", "kind")
"""Columns that hold words; the others hold numbers."""


class Table(NamedTuple):
    """A table of a report, in words."""

    heads: list[str]
    texts: list[bool]
    """Which columns hold words."""
    lines: list[list[str]]


def _is_said_of_the_first(asked: Question) -> bool:
    """Tell whether a share follows from the first player's: with two, one wins what one loses."""
    return (asked.quantity, asked.cell.players, asked.name) == ("seats", 2, ORDINALS[1])


def of_shares(words: Words, interval: tuple[float, float]) -> str:
    """Return an interval of shares, which lie between 0 and 1, in words."""
    low, high = interval
    return f"{words.decimal(max(low, 0), 3)}–{words.decimal(min(high, 1), 3)}"


class Report:
    """The contents of a study report, for the templates."""

    def __init__(self, study: Study, language: str = "en") -> None:
        self.study = study
        self.words = Words(language)
        self.plan = study.plan
        self.spec: GameSpec = spec_named(study.plan.game)
        self.title = self.words(f"{self.spec.name}.title")
        self.findings = findings(study)
        self.versions = versions(self.spec)
        self.names = [variant.name for variant in self.plan.variants]

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self.study.cells.values())

    @property
    def caution(self) -> str:
        """A warning where the strongest players are weak."""
        return self.caution_in(self.words)

    def caution_in(self, words: Words) -> str:
        strongest = self.plan.levels[-1]
        if strongest not in WEAK:
            return ""
        return words("lab.report.caution", level=level_name(words, strongest))

    def level(self, level: str) -> str:
        """Return the name of a level in words."""
        return level_name(self.words, level)

    def summary(self, level: str) -> list[Finding]:
        """Return the notable findings at a level, the most telling first.

        Who wins more or less than in the other variant, who wins more or less than is fair, other
        differences, and single actions.
        """
        found = [f for f in self.findings if f.notable and f.question.cell.level == level]
        fair = [f for f in found if f.question.against == FAIR]
        actions = [f for f in found if f.question.quantity in OF_ACTIONS]
        others = [f for f in found if f not in fair and f not in actions]
        changed = [f for f in others if f.question.quantity in SHARES]
        general = [f for f in others if f.question.quantity not in SHARES]
        fair = [f for f in fair if not _is_said_of_the_first(f.question)]
        for shares in (changed, fair):
            shares.sort(key=lambda f: -abs(f.question.difference))
        actions.sort(key=lambda f: -abs(f.question.difference) / f.question.error)
        return [*changed, *fair, *general, *actions[:SHOWN_ACTIONS]]

    def sentences(self, level: str, language: str = "") -> list[str]:
        """Return the summary in words, by default in the language of the report."""
        words = Words(language) if language else self.words
        said = [finding.sentence(words) for finding in self.summary(level)]
        tested = [f for f in self.findings if f.question.cell.level == level]
        return said or [words("lab.find.nothing", n=len(tested))]

    def called(self, variant: str) -> str:
        """Return the name of a variant in words."""
        return called(self.words, variant)

    @property
    def beside(self) -> str:
        """The names of the variants."""
        one, *others = (called(self.words, name) for name in self.names)
        return self.words("lab.report.beside", one=one, other=others[0]) if others else one

    @property
    def played(self) -> str:
        return self.words(
            "lab.report.played",
            games=self.words.whole(self.games),
            time=self.time,
            levels=self.words.listed([self.level(level) for level in self.plan.levels]),
        )

    @property
    def time(self) -> str:
        """The processor time in words: in seconds, minutes or hours, whichever reads well."""
        seconds = self.study.seconds
        for unit, size in (("hours", 3600), ("minutes", 60)):
            if seconds >= 2 * size:
                number = self.words.decimal(seconds / size, 1)
                return self.words(f"lab.report.{unit}", number=number)
        return self.words("lab.report.seconds", number=self.words.decimal(seconds, 1))

    def table(self, columns: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
        """Return a table with the heads of its columns in words; others stand as they are.

        A report of one variant has no column for variants.
        """
        shown = [column != VARIANT or len(self.names) > 1 for column in columns]
        columns = [*compress(columns, shown)]
        known = [(f"lab.head.{name}", name) for name in columns]
        return Table(
            [self.words(key) if key in self.words else name for key, name in known],
            [name in TEXTS for name in columns],
            [[*compress(line, shown)] for line in lines],
        )

    def tables(self, level: str) -> dict[int, charts.Tallies]:
        """Return the tallies of a level: by number of players, then by variant."""
        return {
            players: {
                called(self.words, name): self.study.cells[Cell(name, players, level)]
                for name in self.names
            }
            for players in self.plan.players
        }

    @property
    def usual(self) -> int:
        """The number of players whose actions are shown."""
        usual = self.spec.usual_players
        return usual if usual in self.plan.players else self.plan.players[0]

    def charts(self, level: str) -> list[tuple[str, str]]:
        """Return the charts of a level with their titles."""
        tables = self.tables(level)
        words = self.words
        drawn = ["seats", "roles"] if self.spec.roles else ["seats"]
        found = [
            (words(f"lab.chart.{quantity}"), charts.dots(self.spec, tables, quantity, words))
            for quantity in drawn
        ]
        found.append((words("lab.chart.scores"), charts.distributions(tables, "score", words)))
        found.append((words("lab.chart.length"), charts.distributions(tables, "length", words)))
        title = words("lab.chart.kinds", n=self.usual)
        found.append((title, charts.kinds_chart(self.spec, tables[self.usual], words)))
        return found

    def strength(self) -> str:
        """Return the chart of roles by strength of play, if there are several of each."""
        if len(self.plan.levels) < 2 or not self.spec.roles:
            return ""
        by_level = {
            level: self.study.cells[Cell(self.names[0], self.usual, level)]
            for level in self.plan.levels
        }
        return charts.strength_chart(self.spec, by_level, self.usual, self.words)

    def single(self, level: str) -> list[list[str]]:
        """Return a table of the quantities that are one number: a row for each cell."""
        table = []
        for players, tallies in self.tables(level).items():
            for name, tally in tallies.items():
                cells = [str(players), name, self.words.whole(tally.games)]
                for quantity in SINGLE:
                    value = rows(self.spec, tally, quantity)[0][1].mean
                    percent = quantity in PERCENT
                    shown = self.words.percent if percent else self.words.decimal
                    cells.append(shown(value, 1))
                table.append(cells)
        return table

    def shares(self, level: str, quantity: str) -> list[list[str]]:
        """Return a table of shares of the win with their intervals."""
        return [
            [
                str(players),
                variant,
                label(self.words, self.spec, quantity, name),
                self.words.decimal(value.mean, 3),
                of_shares(self.words, value.interval),
                self.words.decimal(1 / players, 3),
            ]
            for players, tallies in self.tables(level).items()
            for variant, tally in tallies.items()
            for name, value in rows(self.spec, tally, quantity)
            if value.n
        ]

    def uses(self, level: str) -> list[list[str]]:
        """Return a table of what is played, for the usual number of players, most used first.

        How often a player does it in a game, the shares of wins with it and without it, and their
        difference, in points, with half of its interval.
        """
        tallies = self.tables(level)[self.usual]
        names = kinds(self.spec)[0]
        found = {
            name: [dict(rows(self.spec, tally, quantity)) for quantity in OF_ACTIONS]
            for name, tally in tallies.items()
        }
        most = sorted(names, key=lambda kind: -max(use[kind].mean for use, *_ in found.values()))
        table = []
        for kind in most:
            for variant, (use, with_it, without) in found.items():
                if not use[kind].mean:
                    continue
                table.append(
                    [
                        label(self.words, self.spec, "use", kind),
                        variant,
                        self.words.decimal(use[kind].mean, 2),
                        self._share(with_it[kind]),
                        self._share(without[kind]),
                        self._points(worth(self.spec, tallies[variant], names.index(kind))),
                    ]
                )
        return table

    def _share(self, share: Estimate) -> str:
        return self.words.decimal(share.mean, 3) if share.n else NOTHING

    def _points(self, difference: Estimate) -> str:
        if not difference.n:
            return NOTHING
        mean, error = difference.mean * 100, difference.error * Z * 100
        return f"{signed(self.words, mean, 1)} ± {self.words.decimal(error, 1)}"

    def skill(self) -> list[list[str]]:
        """Return a table of what a stronger level wins: the rest is luck and equal play."""
        return [
            [
                str(players),
                called(self.words, variant),
                self.level(stronger),
                self.level(weaker),
                self.words.whole(len(result.shares) * players),
                self.words.decimal(result.mean, 3),
                of_shares(self.words, result.interval),
                self.words.decimal(1 / players, 3),
            ]
            for (variant, players, stronger, weaker), result in self.study.skill.items()
        ]

    @property
    def single_columns(self) -> list[str]:
        quantities = [title(self.words, quantity) for quantity in SINGLE]
        return ["players", VARIANT, "games", *quantities]

    def data(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        return {
            "plan": asdict(self.plan)
            | {"variants": [{**asdict(v), "hash": v.hash} for v in self.plan.variants]},
            "versions": self.versions,
            "seconds": round(self.study.seconds, 1),
            "language": self.words.language,
            "summary": {level: self.sentences(level) for level in self.plan.levels},
            "summaries": {
                language: {level: self.sentences(level, language) for level in self.plan.levels}
                for language in LANGUAGES
            },
            "cautions": {language: self.caution_in(Words(language)) for language in LANGUAGES},
            "cells": [
                asdict(cell)
                | {"games": tally.games, "estimates": self._estimates(tally), **tally.data()}
                for cell, tally in self.study.cells.items()
            ],
            "findings": [
                {
                    **asdict(f.question.cell),
                    "quantity": f.question.quantity,
                    "name": f.question.name,
                    "value": f.question.value.mean,
                    "difference": f.question.difference,
                    "against": f.question.against,
                    "p": f.question.p,
                    "corrected p": f.p,
                    "notable": f.notable,
                }
                for f in self.findings
            ],
            "skill": [result.data() for result in self.study.skill.values()],
        }

    def _estimates(self, tally: Any) -> dict[str, Any]:
        return {
            quantity: [
                {"name": name, "n": int(value.n), "mean": value.mean, "error": value.error}
                for name, value in rows(self.spec, tally, quantity)
            ]
            for quantity in tally.moments
        }

    def html(self) -> str:
        return self._rendered("study.html", escaped=True)

    def markdown(self, beside: str) -> str:
        """Return the tables and sentences as Markdown, with a link to the HTML file beside it."""
        return self._rendered("study.md", escaped=False, beside=beside)

    def _rendered(self, name: str, *, escaped: bool, beside: str = "") -> str:
        jinja = require("jinja2")
        loader = jinja.PackageLoader("veillee.lab")
        environment = jinja.Environment(
            loader=loader, autoescape=escaped, trim_blocks=True, lstrip_blocks=True
        )
        text: str = environment.get_template(name).render(report=self, t=self.words, beside=beside)
        return text


def write(report: Report, path: Path) -> list[Path]:
    """Write the report beside each other as HTML, Markdown and JSON; return the files."""
    files = [path.with_suffix(suffix) for suffix in (".html", ".md", ".json")]
    data = json.dumps(report.data(), indent=1, ensure_ascii=False) + "\n"
    texts = report.html(), report.markdown(quote(files[0].name)), data
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
    return files
