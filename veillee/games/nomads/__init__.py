"""Nomads, by Gary Kim: stories around the fire, for 2 to 5 players."""

from __future__ import annotations

from pathlib import Path

from veillee.engine.game import Game as EngineGame
from veillee.engine.game_spec import GameSpec, SeriesPart
from veillee.engine.lesson import read_lesson
from veillee.engine.rulebook import read_rulebook
from veillee.games.nomads import events, notation, options, picture, position, puzzles, text
from veillee.games.nomads.clauses import CLAUSES, RULINGS
from veillee.games.nomads.core import heuristics, invariants, observation, rules, view
from veillee.games.nomads.core.actions import COUNT
from veillee.games.nomads.core.names import ADVENTURERS, PHASES
from veillee.games.nomads.core.state import State
from veillee.games.nomads.illegal import because, forbids
from veillee.games.nomads.outline import outline
from veillee.games.nomads.reasons import reason
from veillee.games.nomads.score_sheet import score_sheet
from veillee.games.nomads.scoring import scoring

SPEC = GameSpec(
    name="nomads",
    version=1,
    player_counts=range(2, 6),
    minutes=45,
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
    scorings=("write", "sing", "moons"),
    position=position,
    text=text,
    forbids=forbids,
    because=because,
    outline=outline,
    score_sheet=score_sheet,
    scoring=scoring,
    clauses=CLAUSES,
    rulings=RULINGS,
    action_kind=notation.kind,
    kind_words=text.kind_words,
    roles=ADVENTURERS,
    picture=picture,
    reason=reason,
    labels=text.labels,
    puzzles=puzzles,
    series=SeriesPart(
        "lumarathon", 2, takes={"first": "leader", "coins": "winners", "keeper": "last"}
    ),
    lesson=read_lesson(Path(__file__).parent / "lesson.toml"),
    rulebook=read_rulebook(Path(__file__).parent / "rulebook.toml"),
    rank=1,
)


class Game(EngineGame):
    """A game of Nomads: `Game(players=4, seed=7)`."""

    spec = SPEC


__all__ = ["SPEC", "Game"]
