"""Puzzles: positions in which one choice is clearly the best.

Those of a game are in `puzzles.json` in its folder, written by `veillee lab puzzles`. A puzzle
holds the view of the seat that decides, so it can give away nothing that this seat did not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from veillee.analysis.decision import CLEAR, WHOLE, Row, chances, compared, searcher
from veillee.bots.reasons import because
from veillee.bots.thought import Estimate
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec, Position
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.jit.layout import States
from veillee.engine.registry import game as spec_named

FILE = "puzzles.json"
MARGIN = 500
"""By how much the answer must be better than anything else, in ten-thousandths."""
RIVALS = 3
"""How many other choices are offered, and searched as thoroughly as the answer."""
NAMES = ("Ondine", "Basile", "Céleste", "Anselme", "Lucine", "Tancrède")
"""Who sits where: the names of the bots at the web table. The stored reasons name them too."""


class Puzzle(msgspec.Struct, frozen=True):
    """A position, a question and its answer."""

    id: str
    game: str
    rules: int
    kind: str
    """The question: the game has words for it (`GameSpec.puzzles`)."""
    seat: int
    view: Position
    """The position as the seat that decides knows it."""
    choices: Sequence[str]
    """The choices, in notation; the answer is one of them."""
    answer: str
    chances: Mapping[str, int]
    """The chance of the seat to win with each choice, in ten-thousandths."""
    difficulty: int
    """1 to 3: how often weak bots get it wrong."""
    iterations: int
    """The budget at which the answer was checked."""
    reasons: Mapping[str, str]
    """The reason for the answer, by language."""
    source: str
    """The game it was found in: what it was made with, and at which decision."""

    def position(self) -> Game:
        """Return the position; what the seat does not know is dealt at random."""
        return game_class(spec_named(self.game, self.rules)).from_position(self.view, 1)

    def side(self) -> tuple[str, str]:
        """Return the kind, and what tells its answers apart, such as truth and lie."""
        spec = spec_named(self.game, self.rules)
        assert spec.puzzles is not None
        s = spec.twin(self.position().seen_by(self.seat))
        return self.kind, spec.puzzles.side(s, self.kind, spec.notation.parse(self.answer))


class Confirmed(msgspec.Struct, frozen=True):
    """The result of searching a position thoroughly."""

    answer: int
    chances: dict[int, int]
    """The answer and its rivals, each with the seat's chance in ten-thousandths."""
    margin: int
    """The smallest lead of the answer over a rival, less two standard errors, over all seeds."""
    reasons: dict[str, str]


@cache
def puzzles(spec: GameSpec) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game."""
    file = spec.folder / FILE
    return read(file) if file.exists() else ()


def read(file: Path) -> tuple[Puzzle, ...]:
    """Read a file of puzzles."""
    return msgspec.json.decode(file.read_bytes(), type=tuple[Puzzle, ...])


def confirm(
    spec: GameSpec,
    view: States,
    iterations: int,
    seeds: Sequence[int],
    names: Mapping[str, Sequence[str]],
) -> Confirmed | None:
    """Look for a clear best choice; None if there is none or it can't be said why.

    With every seed, a search of all choices and searches of the best few alone must agree.

    Args:
        spec: The game.
        view: The view of the seat that decides.
        iterations: The budget of the first search; each of the others has half of it.
        seeds: The seeds; more make it surer.
        names: The names of the seats for the reasons, by language.
    """
    seat, players = int(view[0]["seat"]), int(view[0]["players"])
    answer, margin, pair = None, WHOLE, None
    sums: dict[int, list[int]] = {}
    for seed in seeds:
        bot = searcher(spec, players, iterations, seed)
        thought = bot.think(view)
        order = [int(i) for i in np.argsort(-thought.preference, kind="stable")]
        tried = [int(thought.actions[i]) for i in order if thought.visits[i]][: RIVALS + 1]
        if answer not in (None, thought.best) or len(tried) < 2:
            return None
        answer = thought.best
        found = {action: bot.weigh(view, action, iterations // 2) for action in tried}
        margin = min(margin, _lead(found, answer, seat))
        if margin < MARGIN:
            return None
        for action, estimate in found.items():
            sums.setdefault(action, []).append(_chances(estimate)[seat])
        second = max(tried[1:], key=lambda action: _chances(found[action])[seat])
        pair = pair or compared(thought, [answer, second], [found[answer], found[second]])
    assert answer is not None
    assert pair is not None
    reasons = {
        language: because(pair, view, Words(language), names[language]) or ""
        for language in LANGUAGES
    }
    if not all(reasons.values()):
        return None
    best = sorted(sums, key=lambda action: (action != answer, -len(sums[action])))[: RIVALS + 1]
    means = {action: round(sum(sums[action]) / len(sums[action])) for action in best}
    return Confirmed(answer, means, margin, reasons)


def _chances(estimate: Estimate) -> Row:
    return chances(estimate.mean)


def _lead(found: Mapping[int, Estimate], answer: int, seat: int) -> int:
    """Return the answer's smallest lead over another action, less its uncertainty."""
    best = found[answer]
    leads = [
        _chances(best)[seat]
        - _chances(other)[seat]
        - CLEAR * WHOLE * float(np.hypot(best.error[seat], other.error[seat]))
        for action, other in found.items()
        if action != answer
    ]
    return int(min(leads))


def seat_names(players: int) -> dict[str, list[str]]:
    """Return the seats' names by language.

    They are people's names: "Joueur 2" would need an article in many a French sentence.
    """
    return {language: list(NAMES[:players]) for language in LANGUAGES}
