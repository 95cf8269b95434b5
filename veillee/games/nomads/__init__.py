"""Nomads, by Gary Kim: stories around the fire, for 2 to 5 players."""

from __future__ import annotations

from veillee.engine.contract import Contract
from veillee.engine.game import Game as EngineGame
from veillee.games.nomads import actions, invariants, knowledge, observation, picture, rules
from veillee.games.nomads.clauses import CLAUSES
from veillee.games.nomads.happenings import FIELDS, KINDS
from veillee.games.nomads.names import PHASES
from veillee.games.nomads.notation import describe, facts, parse, text
from veillee.games.nomads.options import OPTIONS, SMALL, prepare
from veillee.games.nomads.position import check, read, write
from veillee.games.nomads.refusals import forbids
from veillee.games.nomads.speech import board, say, tell
from veillee.games.nomads.state import State
from veillee.games.nomads.tally import tally

GAME = Contract(
    name="nomads",
    version=1,
    seats=range(2, 6),
    minutes=45,
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
    knowledge=knowledge,
    fields=FIELDS,
    clauses=CLAUSES,
    small=SMALL,
    picture=picture,
    observation=observation,
)


class Game(EngineGame):
    """A game of Nomads: `Game(players=4, seed=7)`."""

    contract = GAME


__all__ = ["GAME", "Game"]
