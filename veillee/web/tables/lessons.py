"""Guided first games: tables like any other, with a fixed deal and bots that follow a script."""

from __future__ import annotations

from veillee.bots.characters import RANDOM
from veillee.engine.game_spec import GameSpec
from veillee.engine.lesson import Lesson
from veillee.engine.seed import Seed
from veillee.web.bot_pool import levels
from veillee.web.tables.plans import TablePlan
from veillee.web.tables.table import Table

NONCE = "00" * 16
"""The learner's part in the seed: the deal is the same for everybody."""


def lesson_plan(spec: GameSpec, lesson: Lesson, level: str, pace: int) -> tuple[Seed, TablePlan]:
    """The seed and the plan of a guided table. Its bots are gentle once they leave the script."""
    gentle = RANDOM if level == RANDOM else levels()[0]
    bots = ["", *[gentle] * (lesson.players - 1)]
    plan = TablePlan(spec.name, bots, {0: ""}, NONCE, dict(lesson.options), pace=pace, guided=True)
    return Seed.of(lesson.seed), plan


def lesson_seed(lesson: Lesson) -> Seed:
    """The seed of the game at a guided table."""
    return Seed.of(lesson.seed).mixed([bytes.fromhex(NONCE)])


def lesson_of(table: Table) -> Lesson | None:
    """The lesson that a table follows."""
    return table.spec.lesson if table.plan.guided else None


def proposed(table: Table) -> int | None:
    """The action that the lesson proposes, for a bot the one that it takes."""
    lesson = lesson_of(table)
    return lesson.next_move(table.game) if lesson and table.game is not None else None
