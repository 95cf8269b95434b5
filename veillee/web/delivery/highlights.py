"""The decisive moments of a finished game: who took the lead for good, and the largest gains."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from veillee.engine.game import Game

Scores = npt.NDArray[np.int64]
"""Points by step and seat."""
LEAST_GAIN = 2
"""Points that are worth a mention."""


class Highlight(NamedTuple):
    """A highlight of a step: a seat took the lead for good, or gained points."""

    step: int
    kind: Literal["lead", "gain"]
    seat: int
    points: int


def highlights(game: Game, seat: int | None = None) -> list[Highlight]:
    """Return the decisive moments in their order, with a seat's own best one."""
    history = _history(game)
    gains = np.diff(history, axis=0)
    if not gains.size:
        return []
    found: dict[int, Highlight] = {}
    for one in (seat, None):
        if (best := _largest_gain(gains, one)) is not None:
            found[best.step] = best
    if (lead := _lead(game, history)) is not None:
        found[lead.step] = lead
    return [found[step] for step in sorted(found)]


def _history(game: Game) -> Scores:
    """The points of each seat after each step, from the set-up on."""
    rows = [
        game.scores_of(np.frombuffer(bytearray(step.before), game.spec.dtype))
        for step in game.steps
    ]
    return np.array([*rows, game.scores], np.int64)


def _largest_gain(gains: Scores, seat: int | None) -> Highlight | None:
    shown = gains if seat is None else gains[:, [seat]]
    step, column = np.unravel_index(int(np.argmax(shown)), shown.shape)
    points = int(shown[step, column])
    who = int(column) if seat is None else seat
    return Highlight(int(step) + 1, "gain", who, points) if points >= LEAST_GAIN else None


def _lead(game: Game, history: Scores) -> Highlight | None:
    """When the winner, if there is one, took the lead and kept it."""
    if len(game.winners) != 1:
        return None
    (winner,) = game.winners
    behind = np.flatnonzero(history[:, winner] < history.max(axis=1))
    if not behind.size or behind[-1] == len(history) - 1:
        return None
    return Highlight(int(behind[-1]) + 1, "lead", winner, 0)
