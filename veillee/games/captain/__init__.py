"""Oh Captain!, by Florian Sirieix: bluff and mutiny in the Nukha's cave, for 3 to 6 players."""

from __future__ import annotations

from pathlib import Path

from veillee.engine.game import Game as EngineGame
from veillee.engine.game_spec import GameSpec, SeriesPart
from veillee.engine.lesson import read_lesson
from veillee.engine.rulebook import read_rulebook
from veillee.games.captain import (
    events,
    notation,
    options,
    picture,
    position,
    post_mortem,
    puzzles,
    text,
)
from veillee.games.captain.baselines import BASELINES
from veillee.games.captain.carry_over import carry_over
from veillee.games.captain.clauses import CLAUSES, RULINGS
from veillee.games.captain.core import heuristics, invariants, observation, resample, rules, view
from veillee.games.captain.core.actions import COUNT
from veillee.games.captain.core.names import ADVENTURERS, PHASES
from veillee.games.captain.core.state import State
from veillee.games.captain.illegal import because, forbids
from veillee.games.captain.outcomes import outcomes
from veillee.games.captain.outline import outline
from veillee.games.captain.picture.hand import private_keys
from veillee.games.captain.reasons import reason
from veillee.games.captain.score_sheet import score_sheet
from veillee.games.captain.scoring import scoring

SPEC = GameSpec(
    name="captain",
    version=1,
    player_counts=range(3, 7),
    minutes=30,
    hidden=True,
    phases=PHASES,
    state=State,
    actions=COUNT,
    rules=rules,
    view=view,
    resample=resample,
    invariants=invariants,
    observation=observation,
    heuristics=heuristics,
    options=options,
    longest=options.longest,
    notation=notation,
    events=events,
    scorings=("mutiny", "pay", "steal", "rob", "token"),
    position=position,
    text=text,
    turn_of=text.turn_of,
    turn_starts=("adventurer", "draw", "nomads"),
    final_events=("show", "token"),
    forbids=forbids,
    because=because,
    outline=outline,
    outcomes=outcomes,
    score_sheet=score_sheet,
    scoring=scoring,
    clauses=CLAUSES,
    rulings=RULINGS,
    action_kind=notation.kind,
    kind_words=text.kind_words,
    roles=ADVENTURERS,
    picture=picture,
    private_keys=private_keys,
    reason=reason,
    post_mortem=post_mortem,
    puzzles=puzzles,
    baselines=BASELINES,
    series=SeriesPart("lumarathon", 1, brings=carry_over),
    lesson=read_lesson(Path(__file__).parent / "lesson.toml"),
    rulebook=read_rulebook(Path(__file__).parent / "rulebook.toml"),
    rank=2,
)


class Game(EngineGame):
    """A game of Oh Captain!: `Game(players=4, seed=7)`."""

    spec = SPEC


__all__ = ["SPEC", "Game"]
