"""The value of one decision, from what the seat that took it could know.

A decision is judged in two stages. A search finds the best action. If another one was taken, both
are searched again, each with a quarter of the iterations and nothing else to try: in the first
search the poorer action got few visits. The decision cost something only if the difference is
larger than twice its standard error; without that threshold, noise would add up to a cost that
nobody caused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from veillee.bots.bot import Bot
from veillee.bots.levels import LEVELS
from veillee.bots.reasons import because
from veillee.bots.thought import Estimate, Thought
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.jit.layout import States
from veillee.engine.registry import game as spec_named

WHOLE = 10_000
"""Chances are whole numbers of ten-thousandths, so that their sums are exact."""
CLEAR = 2.0
"""Standard errors by which two actions must differ to be told apart."""
LEAST = 100
"""Differences below this, in ten-thousandths, are not counted."""
PROMISING = 4
"""Number of the best actions that are kept."""

Row = tuple[int, ...]
"""The chance of every seat to win, in ten-thousandths; adds up to WHOLE."""


class Task(msgspec.Struct, frozen=True):
    """A decision to be judged, as sent to a worker: it sees the view and nothing else."""

    game: str
    rules: int
    view: bytes
    """The state as the seat that decides may know it."""
    action: int
    names: Mapping[str, Sequence[str]]
    """The names of the seats by language, for the reasons."""
    iterations: int
    seed: int


class Judgement(msgspec.Struct, frozen=True):
    """The judgement of a decision."""

    before: Row
    """The chances with the best action."""
    after: Row
    """The chances with the action taken; the same as `before` if it was not clearly worse."""
    best: int
    """The best action; the one taken if no other is clearly better."""
    error: int
    """Standard error of the difference, in ten-thousandths; 0 where nothing was compared."""
    promising: Sequence[tuple[int, int]]
    """The actions that the search visited most, each with the chance of the seat."""
    reasons: dict[str, str]
    """The reason for the best action, by language, if it can be said in a sentence."""


def judge(task: Task) -> Judgement:
    """Judge a decision. The same task always gives the same judgement."""
    spec = spec_named(task.game, task.rules)
    view: States = np.frombuffer(bytearray(task.view), spec.dtype)
    bot = searcher(spec, int(view[0]["players"]), task.iterations // 2, task.seed)
    thought = bot.think(view)
    order = np.argsort(-thought.preference, kind="stable")[:PROMISING]
    tried = [i for i in order if thought.visits[i]]
    promising = [
        (int(thought.actions[i]), chances(thought.results[i])[thought.seat]) for i in tried
    ]
    row = chances(thought.results[order[0]])
    if thought.best == task.action:
        return Judgement(row, row, task.action, 0, promising, {})
    best, taken = (
        bot.weigh(view, action, task.iterations // 4) for action in (thought.best, task.action)
    )
    error = round(WHOLE * float(np.hypot(best.error, taken.error)[thought.seat]))
    before, after = chances(best.mean), chances(taken.mean)
    if before[thought.seat] - after[thought.seat] < max(CLEAR * error, LEAST):
        return Judgement(after, after, task.action, error, promising, {})
    pair = compared(thought, [thought.best, task.action], [best, taken])
    reasons = {
        language: because(pair, view, Words(language), task.names[language]) or ""
        for language in LANGUAGES
    }
    return Judgement(before, after, thought.best, error, promising, reasons)


def searcher(spec: GameSpec, players: int, iterations: int, seed: int) -> Bot:
    """Return the strongest bot with a number of iterations in place of its time limit."""
    budget = LEVELS[-1].budget_for(spec)
    return Bot(spec, players, replace(budget, seconds=None, iterations=iterations), seed)


def compared(thought: Thought, actions: Sequence[int], found: Sequence[Estimate]) -> Thought:
    """Return a thought that knows some actions only, the best first, as `because` takes it."""
    return replace(
        thought,
        actions=np.array(actions, np.int16),
        visits=np.arange(len(actions), 0, -1),
        results=np.array([chances(each.mean) for each in found]) / WHOLE,
    )


def chances(results: Any) -> Row:
    """Return every seat's part of the results, in ten-thousandths that add up exactly."""
    parts = WHOLE * np.asarray(results, np.float64) / np.sum(results)
    whole = np.floor(parts).astype(int)
    # The largest remainders are rounded up.
    for seat in np.argsort(whole - parts, kind="stable")[: WHOLE - int(whole.sum())]:
        whole[seat] += 1
    return tuple(int(part) for part in whole)
