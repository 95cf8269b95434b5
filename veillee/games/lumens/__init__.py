"""Lumens, by Jakob Andrusch: lights in the rooms, for 2 to 4 players."""

from __future__ import annotations

from veillee.engine.contract import Contract
from veillee.engine.game import Game as EngineGame
from veillee.games.lumens import actions, invariants, knowledge, observation, picture, rules
from veillee.games.lumens.clauses import CLAUSES
from veillee.games.lumens.happenings import FIELDS, KINDS
from veillee.games.lumens.names import PHASES
from veillee.games.lumens.notation import describe, facts, parse, text
from veillee.games.lumens.options import OPTIONS, SMALL, prepare
from veillee.games.lumens.position import check, read, write
from veillee.games.lumens.refusals import forbids
from veillee.games.lumens.speech import board, say, tell
from veillee.games.lumens.state import State
from veillee.games.lumens.tally import tally

GAME = Contract(
    name="lumens",
    version=1,
    seats=range(2, 5),
    minutes=30,
    state=State,
    rules=rules,
    invariants=invariants,
    actions=actions.COUNT,
    happenings=KINDS,
    phases=PHASES,
    options=OPTIONS,
    prepare=prepare,
    describe=describe,
    text=text,
    parse=parse,
    forbids=forbids,
    write=write,
    read=read,
    check=check,
    say=say,
    facts=facts,
    tell=tell,
    board=board,
    tally=tally,
    fields=FIELDS,
    knowledge=knowledge,
    secrets=True,
    clauses=CLAUSES,
    small=SMALL,
    picture=picture,
    observation=observation,
)


class Game(EngineGame):
    """A game of Lumens: `Game(players=4, seed=7)`."""

    contract = GAME


__all__ = ["GAME", "Game"]
