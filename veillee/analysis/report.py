"""An analysis in words: tables for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veillee.analysis.analyse import Analysis, Decision
from veillee.analysis.chart import percent
from veillee.engine.game import Game
from veillee.engine.game_spec import Names, ReportRow, ReportTable
from veillee.engine.i18n import MINUS, Words

SHOWN = 12
"""How many of the costly decisions are listed."""


def tables(analysis: Analysis, game: Game, words: Words, names: Names) -> list[ReportTable]:
    """Return all tables of an analysis.

    Args:
        analysis: The analysis.
        game: The game that was analysed.
        words: The reader's language.
        names: The players' names.
    """
    found = [sums_table(analysis, words, names), costly_table(analysis, game, words, names)]
    told = game.spec.post_mortem
    if told is not None and analysis.post_mortem is not None:
        found += told.tell(words, analysis.post_mortem, names)
    return found


def sums_table(analysis: Analysis, words: Words, names: Names) -> ReportTable:
    """Return where each seat's result came from."""
    heads = ("player", "start", "own", "others", "luck", "result")
    rows = []
    for seat, name in enumerate(names):
        sums = analysis.sums(seat)
        changes = [signed(words, change) for change in (sums.own, sums.others, sums.luck)]
        ends = [percent(words, sums.start), percent(words, sums.result)]
        rows.append(ReportRow([name, ends[0], *changes, ends[1]]))
    return ReportTable(
        words("analysis.sums"), [words(f"analysis.sums.{head}") for head in heads], rows
    )


def costly_table(analysis: Analysis, game: Game, words: Words, names: Names) -> ReportTable:
    """Return the decisions that cost most."""
    heads = ("moment", "player", "played", "better", "cost", "why")
    rows = [
        ReportRow(
            [
                str(decision.step),
                names[decision.seat],
                said(game, decision, decision.action, words, names),
                said(game, decision, decision.best, words, names),
                percent(words, decision.cost),
                decision.reasons.get(words.language, ""),
            ],
            decision.step,
        )
        for decision in analysis.costly()[:SHOWN]
    ]
    return ReportTable(
        words("analysis.costly"), [words(f"analysis.costly.{head}") for head in heads], rows
    )


def said(game: Game, decision: Decision, action: str, words: Words, names: Sequence[str]) -> str:
    """Return an action at a decision of the game in words."""
    spec = game.spec
    before = np.frombuffer(bytearray(game.steps[decision.step].before), spec.dtype)
    number = spec.notation.parse(action)
    return spec.text.say(words, spec.twin(before), number, names).rstrip(".")


def signed(words: Words, change: int) -> str:
    """Return a change of chances as a percentage with its sign."""
    said = percent(words, abs(change))
    sign = "" if said == percent(words, 0) else "+" if change > 0 else MINUS
    return f"{sign}{said}"
