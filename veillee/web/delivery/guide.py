"""Remarks of a guided first game, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.i18n import Words
from veillee.web.delivery.rendering import view_of
from veillee.web.tables.lessons import lesson_of, proposed
from veillee.web.tables.table import Table
from veillee.web.templating import environment


def guide(table: Table, words: Words, names: Sequence[str], person: str) -> str | None:
    """Return what is said now, with what it points at and the proposed action.

    None if the table is not a lesson, or not this person's.
    """
    lesson, game = lesson_of(table), table.game
    if lesson is None or game is None or not table.seats_of(person):
        return None
    seat = table.seats_of(person)[0]
    pages = [
        (words(f"{table.spec.name}.lesson.{remark.key}", other=names[1]), remark.at)
        for remark in lesson.remarks(game, seat)
    ]
    facts: dict[str, Any] = {"action": "", "say": ""}
    yours = table.deciding == seat
    number = proposed(table) if yours else None
    if number is not None:
        seen = view_of(game, (seat,))
        facts["action"] = table.spec.notation.text(number)
        facts["say"] = table.spec.text.say(words, seen, number, names)
    elif yours and _just_left(table, seat):
        pages.insert(0, (words("web.guide.own"), ""))
    return (
        environment()
        .get_template("part_guide.html")
        .render(t=words, pages=pages, over=game.over, yours=yours, game=table.spec.name, **facts)
    )


def _just_left(table: Table, seat: int) -> bool:
    """Tell whether the learner has just deviated from the proposed moves for the first time."""
    lesson, game = lesson_of(table), table.game
    assert lesson is not None
    assert game is not None
    left_at = lesson.own_way(game)
    if left_at is None:
        return False
    return all(step.seat != seat for step in game.steps[left_at + 1 :])
