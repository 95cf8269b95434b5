"""Lumens, by Jakob Andrusch: lights in the rooms, for 2 to 4 players."""

from __future__ import annotations

from pathlib import Path

from veillee.engine.game import Game as EngineGame
from veillee.engine.game_spec import GameSpec
from veillee.engine.lesson import read_lesson
from veillee.engine.rulebook import read_rulebook
from veillee.games.lumens import events, notation, options, picture, position, puzzles, text
from veillee.games.lumens.clauses import CLAUSES, RULINGS
from veillee.games.lumens.core import heuristics, invariants, observation, rules, view
from veillee.games.lumens.core.actions import COUNT
from veillee.games.lumens.core.names import PHASES
from veillee.games.lumens.core.state import State
from veillee.games.lumens.illegal import because, forbids
from veillee.games.lumens.outline import outline
from veillee.games.lumens.picture.hand import private_keys
from veillee.games.lumens.reasons import reason
from veillee.games.lumens.score_sheet import score_sheet
from veillee.games.lumens.scoring import scoring

SPEC = GameSpec(
    name="lumens",
    version=1,
    player_counts=range(2, 5),
    minutes=30,
    hidden=True,
    phases=PHASES,
    state=State,
    actions=COUNT,
    rules=rules,
    view=view,
    resample=view,
    invariants=invariants,
    observation=observation,
    heuristics=heuristics,
    options=options,
    longest=options.longest,
    notation=notation,
    events=events,
    scorings=("room",),
    turn_starts=("out",),
    final_events=("room",),
    position=position,
    text=text,
    forbids=forbids,
    because=because,
    reason=reason,
    details=text.details,
    outline=outline,
    score_sheet=score_sheet,
    scoring=scoring,
    clauses=CLAUSES,
    rulings=RULINGS,
    action_kind=notation.kind,
    kind_words=text.kind_words,
    picture=picture,
    private_keys=private_keys,
    puzzles=puzzles,
    lesson=read_lesson(Path(__file__).parent / "lesson.toml"),
    rulebook=read_rulebook(Path(__file__).parent / "rulebook.toml"),
    rank=3,
)


class Game(EngineGame):
    """A game of Lumens: `Game(players=4, seed=7)`."""

    spec = SPEC


__all__ = ["SPEC", "Game"]
