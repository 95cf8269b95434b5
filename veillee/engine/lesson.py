"""Guided first games: a fixed deal, the moves that are proposed, and what is said when.

A game's lesson is its file `lesson.toml`. Everybody may play otherwise than proposed: then the
remarks go on, each when its thing first comes up, but no more moves are proposed. What was said
already follows from the game's steps alone, so a lesson can be left and taken up again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

if TYPE_CHECKING:
    from veillee.engine.game import Game
    from veillee.engine.game_spec import GameSpec

MOST_AT_ONCE = 3
"""Remarks at one decision."""
OVER = "over"


class Remark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be said once, as soon as all its conditions hold at a decision of the learner.

    Its text has the key `<game>.lesson.<key>`.
    """

    key: str
    at: str = ""
    """A CSS selector of what it points at on the board."""
    phase: str = ""
    """The phase of the decision; "over" for the end of the game."""
    event: str = ""
    """An event since the learner's last decision."""
    action: str = ""
    """The `do` of an action that is legal."""
    after: int = 0
    """Decisions that the learner took before."""
    step: int | None = None
    """Number of the step, counted from 0, in a game that was played as proposed so far."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A guided first game. The learner has seat 0."""

    players: int
    seed: int
    moves: tuple[str, ...]
    """The proposed moves of all seats, in notation, to the end of the game."""
    remark: tuple[Remark, ...]
    options: Mapping[str, Any] = {}

    def next_move(self, game: Game) -> int | None:
        """Return the proposed action; None if the game took another way, or is over."""
        played = len(game.steps)
        if played >= len(self.moves) or self.own_way(game) is not None:
            return None
        number = game.spec.notation.parse(self.moves[played])
        return number if number in game.legal_numbers() else None

    def own_way(self, game: Game) -> int | None:
        """Return the number of the first step that was not as proposed."""
        text = game.spec.notation.text
        for number, step in enumerate(game.steps):
            if number >= len(self.moves) or text(step.action) != self.moves[number]:
                return number
        return None

    def remarks(self, game: Game, seat: int = 0) -> list[Remark]:
        """Return the remarks at the present decision, or at the end of the game."""
        if game.over:
            return [remark for remark in self.remark if remark.phase == OVER]
        left = [remark for remark in self.remark if remark.phase != OVER]
        proposed = self._followed(game)
        happened = {event.name for event in game.opening}
        taken = 0
        for number, step in enumerate(game.steps):
            if step.seat == seat:
                here = _Decision(game.spec, step.before, happened, taken, number, proposed)
                for said in here.due(left):
                    left.remove(said)
                happened = set()
                taken += 1
            happened |= {event.name for event in step.events}
        if game.seat != seat:
            return []
        state = bytes(game.state.bytes)
        return _Decision(game.spec, state, happened, taken, len(game.steps), proposed).due(left)

    def _followed(self, game: Game) -> int:
        """Return how many steps were taken as proposed."""
        left_at = self.own_way(game)
        return len(game.steps) if left_at is None else left_at


class _Decision(NamedTuple):
    """A decision of the learner, as far as conditions of remarks ask for it."""

    spec: GameSpec
    state: bytes
    happened: set[str]
    taken: int
    step: int
    proposed: int

    def due(self, left: Sequence[Remark]) -> list[Remark]:
        """Return the present remarks."""
        phase, actions = _phase_and_actions(self.spec, self.state)
        found = [
            remark
            for remark in left
            if remark.phase in ("", phase)
            and (not remark.event or remark.event in self.happened)
            and (not remark.action or remark.action in actions)
            and remark.after <= self.taken
            and (remark.step is None or remark.step == self.step <= self.proposed)
        ]
        return found[:MOST_AT_ONCE]


@lru_cache(1024)
def _phase_and_actions(spec: GameSpec, state: bytes) -> tuple[str, frozenset[str]]:
    """Return the phase of a state, and what can be done in it."""
    states = np.frombuffer(bytearray(state), spec.dtype)
    s, out = spec.twin(states), np.zeros(spec.actions, np.int16)
    count = spec.plain.legal_at([s], 0, out.data)
    do = {spec.notation.describe(s, int(number)).get("do", "") for number in out[:count]}
    return spec.phases[s.phase], frozenset(do)


def read_lesson(file: Path) -> Lesson:
    """Read a lesson from its file."""
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Lesson)
