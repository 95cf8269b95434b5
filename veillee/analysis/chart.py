"""The chart of an analysis: every seat's chance to win over the game, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veillee.analysis.analyse import Analysis
from veillee.analysis.decision import WHOLE
from veillee.engine.drawing.svg import at, esc, fit, num, panel, text
from veillee.engine.i18n import Words

COLOURS = ("#b3541e", "#3c6fb4", "#4c8a3f", "#9a5fb4", "#a07c12", "#3f8f93")
"""One for each seat: at least 3:1 against the panel of both themes."""
DASHES = ("", "9 4", "2 4", "12 4 2 4", "5 5", "16 5")
"""So that lines are told apart without colour."""
NOTABLE = 200
"""Decisions that cost more, in ten-thousandths, have a mark."""
WIDE, NARROW = 720, 380
"""Widths; the narrow one is for a phone or the side of a page."""
LEFT, RIGHT, TOP, PLOT = 48, 14, 16, 240
LEGEND, LEGEND_ROW = TOP + PLOT + 44, 24
COLUMNS = {WIDE: 3, NARROW: 2}
TICKS = {WIDE: 12, NARROW: 6}
INTERVALS = (5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000)
"""Decisions between two labels of the axis."""
SAMPLE = 34
"""Length of the piece of line beside a name."""


class Chart:
    """The chart of one analysis, in one language and width."""

    def __init__(
        self, analysis: Analysis, words: Words, names: Sequence[str], width: int = WIDE
    ) -> None:
        self.analysis, self.words, self.names, self.width = analysis, words, names, width
        self._rows = analysis.rows()

    def draw(self, moment: int | None = None) -> str:
        """Return the chart as an `<svg>` for a page, with a moment marked.

        `engine.drawing.picture.standalone` makes a file of it.
        """
        height = LEGEND + LEGEND_ROW * -(-len(self.names) // COLUMNS[self.width])
        title, about = self.words("analysis.chart"), self.about()
        head = (
            '<svg xmlns="http://www.w3.org/2000/svg" class="picture chart" id="analysis-chart" '
            f'viewBox="0 0 {self.width} {height}" role="img" '
            'aria-labelledby="analysis-chart-title analysis-chart-about" '
            f'data-left="{LEFT}" data-right="{self.width - RIGHT}" '
            f'data-steps="{self.analysis.steps}">'
            f'<title id="analysis-chart-title">{esc(title)}</title>'
            f'<desc id="analysis-chart-about">{esc(about)}</desc>'
        )
        parts = [
            head,
            panel(0.5, 0.5, self.width - 1, height - 1),
            *self._axes(),
            *(self._line(seat) for seat in range(len(self.names))),
            *self._marks(),
            *self._legend(),
            self._now(moment),
            "</svg>",
        ]
        return "".join(parts)

    def about(self) -> str:
        """Return what the chart shows, in words."""
        last = self._rows[max(0, len(self._rows) - 2)]
        end = ", ".join(
            self.words.labelled(name, percent(self.words, chance))
            for name, chance in zip(self.names, last, strict=True)
        )
        return self.words("analysis.chart.about", n=len(self.analysis.decisions), end=end)

    def _x(self, step: float) -> float:
        return LEFT + (self.width - LEFT - RIGHT) * step / max(self.analysis.steps, 1)

    def _axes(self) -> Iterator[str]:
        right, steps = self.width - RIGHT, self.analysis.steps
        for quarter in range(5):
            y = _y(WHOLE * quarter / 4)
            yield f'<path class="rule" d="M{LEFT} {num(y)}H{right}" stroke-width="0.8"/>'
            label = percent(self.words, WHOLE * quarter // 4)
            yield text(LEFT - 6, y + 4, label, "t-soft", 12, "e")
        every = next(n for n in INTERVALS if steps / n <= TICKS[self.width])
        for step in range(0, steps + 1, every):
            yield text(self._x(step), TOP + PLOT + 18, step, "t-soft", 12, "m")
        yield text(right, TOP + PLOT + 34, self.words("analysis.chart.decision"), "t-soft", 12, "e")

    def _line(self, seat: int) -> str:
        places = " ".join(
            f"{num(self._x(step))},{num(_y(row[seat]))}" for step, row in enumerate(self._rows)
        )
        return f'<polyline points="{places}" fill="none" {_stroke(seat)}/>'

    def _marks(self) -> Iterator[str]:
        """Yield a circle at every decision that cost something."""
        for decision in self.analysis.costly(NOTABLE):
            y = _y(decision.before[decision.seat])
            yield (
                f'<circle class="f-panel" cx="{num(self._x(decision.step))}" cy="{num(y)}" '
                f'r="4.5" stroke="{COLOURS[decision.seat]}" stroke-width="2"/>'
            )

    def _legend(self) -> Iterator[str]:
        columns = COLUMNS[self.width]
        width = (self.width - LEFT - RIGHT) / columns
        for seat, name in enumerate(self.names):
            row, column = divmod(seat, columns)
            x, y = LEFT + column * width, LEGEND + 4 + row * LEGEND_ROW
            yield f'<path d="M{num(x)} {num(y)}h{SAMPLE}" fill="none" {_stroke(seat)}/>'
            end = percent(self.words, self.analysis.result[seat])
            shown = f"{fit(name, width - SAMPLE - 60, 14)} {end}"
            yield text(x + SAMPLE + 8, y + 5, shown, "", 14)

    def _now(self, moment: int | None) -> str:
        """Return the line that marks a moment; the page's script moves it."""
        if moment is None:
            return ""
        return (
            f'<path class="l-ink" id="analysis-now" {at(self._x(moment), 0)} '
            f'd="M0 {TOP - 6}V{TOP + PLOT + 6}" stroke-width="1.6"/>'
        )


def percent(words: Words, chance: int) -> str:
    """Return ten-thousandths as a percentage."""
    return words.percent(chance / WHOLE)


def _y(chance: float) -> float:
    return TOP + PLOT * (1 - chance / WHOLE)


def _stroke(seat: int) -> str:
    dash = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
    return f'stroke="{COLOURS[seat]}" stroke-width="2.4" stroke-linejoin="round"{dash}'
