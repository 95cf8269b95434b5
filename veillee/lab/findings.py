"""Findings of a study: estimates with intervals, and tests corrected for their number.

Two kinds of questions are asked of every cell: does each seat and each role win its fair share,
and does the variant differ from what it is compared with? All p values of a study are corrected
together (Holm's method), so that the chance of any false alarm in a whole report is 5%.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.registry import game as spec_named
from veillee.lab.gather import MIX, SCALES, Tally, kinds
from veillee.lab.match import Z
from veillee.lab.study import PRINTED, Cell, Study

ALPHA = 0.05
"""The chance of a false alarm in a whole report."""
NOTABLE = 0.01
"""Shares of the win closer than this are called even, however sure the difference is."""
FEWEST = 30
"""Observations below which nothing is tested."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
SINGLE = (
    *("length", "turns", "choices", "forced", "margin", "tie", "lead changes", "decided", "behind"),
)
"""Quantities with one number for a cell."""
PERCENT = ("forced", "tie", "decided", "behind")
FAIR = "fair"
"""The reference of a share of the win, if it is not another variant."""
SHARES = ("seats", "roles", "with", "without")
OF_ACTIONS = ("use", "with", "without")
"""Quantities with a row for each kind of action."""


@dataclass(frozen=True)
class Estimate:
    """The mean of a quantity, from sums."""

    n: float
    mean: float
    variance: float
    """Of a single observation."""

    @classmethod
    def of(cls, row: Sequence[float], scale: float = 1) -> Estimate:
        n, total, squares = (float(value) for value in row)
        if n == 0:
            return cls(0, 0, 0)
        mean = total / n
        return cls(n, mean / scale, max(squares / n - mean * mean, 0) / scale**2)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.n) if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return self.mean - Z * self.error, self.mean + Z * self.error


@dataclass(frozen=True)
class Question:
    """A comparison that is tested: with a fair share, or of two variants."""

    game: str
    cell: Cell
    quantity: str
    name: str
    """Which seat, role or kind of action; empty where there is only one."""
    value: Estimate
    reference: Estimate | float
    """A fair share, or the value in the other variant."""
    against: str
    """`fair`, or the name of the other variant."""

    @property
    def difference(self) -> float:
        other = self.reference
        return self.value.mean - (other if isinstance(other, float) else other.mean)

    @property
    def error(self) -> float:
        """The standard error of the difference if there is none in truth."""
        if isinstance(self.reference, float):
            return sqrt(self.reference * (1 - self.reference) / self.value.n)
        one, two = self.value, self.reference
        n = one.n + two.n
        mean = (one.n * one.mean + two.n * two.mean) / n
        squares = sum(each.n * (each.variance + (each.mean - mean) ** 2) for each in (one, two))
        return sqrt(squares / n * (1 / one.n + 1 / two.n))

    @property
    def p(self) -> float:
        """The chance of so great a difference if there is none in truth."""
        if self.error == 0:
            return 1.0
        return erfc(abs(self.difference) / self.error / sqrt(2))


@dataclass(frozen=True)
class Finding:
    """A question with its corrected p value."""

    question: Question
    p: float

    @property
    def sure(self) -> bool:
        return self.p < ALPHA

    @property
    def notable(self) -> bool:
        """Whether it is significant, and large enough to matter."""
        asked = self.question
        small = asked.quantity in SHARES and abs(asked.difference) < NOTABLE
        return self.sure and not small

    def sentence(self, words: Words) -> str:
        """Return the finding in words."""
        asked = self.question
        spec = spec_named(asked.game)
        facts: dict[str, Any] = {
            "name": label(words, spec, asked.quantity, asked.name),
            "other": called(words, asked.against),
            "table": words(
                "lab.find.table",
                players=words(f"lab.number.{asked.cell.players}"),
                level=level_name(words, asked.cell.level),
            ),
        }
        way = "more" if asked.difference > 0 else "less"
        key = f"lab.find.{asked.quantity}"
        if asked.quantity in SHARES:
            points = words.decimal(abs(asked.difference) * 100, 1)
            fair = ".fair" if asked.against == FAIR else ""
            return words(f"{key}.{way}{fair}", points=points, **facts)
        assert isinstance(asked.reference, Estimate)
        before = asked.reference.mean
        if asked.quantity == "use":
            if not asked.value.mean or not before:
                return words(f"{key}.{'new' if asked.value.mean else 'never'}", **facts)
            return words(key, ratio=words.decimal(asked.value.mean / before, 2), **facts)
        if asked.quantity == "scores":
            points = words.decimal(abs(asked.difference), 2)
            return words(f"{key}.{way}", points=points, **facts)
        shown = words.percent if asked.quantity in PERCENT else words.decimal
        what = title(words, asked.quantity)
        return words(
            "lab.find.single",
            what=what[0].upper() + what[1:],
            value=shown(asked.value.mean, 1),
            before=shown(before, 1),
            **facts,
        )


def called(words: Words, variant: str) -> str:
    """Return the name of a variant; the printed game has one in every language."""
    return words("lab.printed") if variant == PRINTED else variant


def title(words: Words, quantity: str) -> str:
    """Return what a quantity with one number is, in words."""
    return words(f"lab.quantity.{quantity.replace(' ', '_')}")


def level_name(words: Words, level: str) -> str:
    """Return the name of a level in words; of a mixed table, those of its players."""
    if MIX in level:
        return f" {MIX} ".join(level_name(words, each) for each in level.split(MIX))
    keys = (f"lab.level.{level}", f"bots.level.{level}")
    return next((words(key) for key in keys if key in words), level)


def label(words: Words, spec: GameSpec, quantity: str, name: str) -> str:
    """Return the name of a row in words: a seat, a role, or a kind of action."""
    if quantity in ("seats", "scores"):
        return words(f"lab.ordinal.{ORDINALS.index(name) + 1}")
    if quantity in OF_ACTIONS:
        return spec.kind_words(words, name)
    keys = (option.among.get(name) for option in spec.options.OPTIONS if quantity == "roles")
    return next((words(key) for key in keys if key), name)


def signed(words: Words, value: float, digits: int) -> str:
    """Return a difference with its sign; none if it is 0 as shown."""
    plus = "+" if round(value, digits) > 0 else ""
    return plus + words.decimal(round(value, digits) + 0.0, digits)


def findings(study: Study) -> list[Finding]:
    """Ask everything of a study, and correct the p values for the number of questions."""
    asked = [*questions(study)]
    return [
        Finding(question, p)
        for question, p in zip(asked, holm([question.p for question in asked]), strict=True)
    ]


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected by Holm's step-down method."""
    corrected = [0.0] * len(values)
    largest = 0.0
    for rank, i in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        largest = max(largest, min(1.0, values[i] * (len(values) - rank)))
        corrected[i] = largest
    return corrected


def questions(study: Study) -> Iterator[Question]:
    """Yield what is asked of a study: fairness of the variant, and differences to the other."""
    spec = spec_named(study.plan.game)
    variant, *others = study.plan.variants
    for cell, tally in study.cells.items():
        if cell.variant != variant.name:
            continue
        fair = 1 / cell.players
        for quantity in ("seats", "roles"):
            for name, value in rows(spec, tally, quantity):
                if value.n >= FEWEST:
                    yield Question(spec.name, cell, quantity, name, value, fair, FAIR)
        for other in others:
            compared = study.cells[Cell(other.name, cell.players, cell.level)]
            yield from differences(spec, cell, tally, other.name, compared)


def differences(
    spec: GameSpec, cell: Cell, tally: Tally, other: str, compared: Tally
) -> Iterator[Question]:
    for quantity in tally.moments:
        pairs = zip(rows(spec, tally, quantity), rows(spec, compared, quantity), strict=True)
        for (name, value), (_, reference) in pairs:
            if min(value.n, reference.n) >= FEWEST:
                yield Question(spec.name, cell, quantity, name, value, reference, other)


def worth(spec: GameSpec, tally: Tally, kind: int) -> Estimate:
    """Return the win share of those who play a kind of action, minus that of those who don't.

    Of nothing, if there are too few of either.
    """
    with_it = rows(spec, tally, "with")[kind][1]
    without = rows(spec, tally, "without")[kind][1]
    if min(with_it.n, without.n) < FEWEST:
        return Estimate(0, 0, 0)
    return Estimate(1, with_it.mean - without.mean, with_it.error**2 + without.error**2)


def rows(spec: GameSpec, tally: Tally, quantity: str) -> list[tuple[str, Estimate]]:
    """Return the estimates of a quantity with the names of its rows."""
    moments: Any = tally.moments.get(quantity, ())
    names: Sequence[str] = {
        "seats": ORDINALS,
        "scores": ORDINALS,
        "roles": spec.roles,
        **dict.fromkeys(OF_ACTIONS, kinds(spec)[0]),
    }.get(quantity, ("",))
    scale = SCALES.get(quantity, 1)
    return [
        (name, Estimate.of(row, scale))
        for name, row in zip(names[: len(moments)], moments, strict=True)
    ]
