"""Oh Captain!, by Florian Sirieix: bluff and mutiny in the Nukha's cave, for 3 to 6 players."""

from __future__ import annotations

from veillee.engine.contract import Contract
from veillee.engine.game import Game as EngineGame
from veillee.games.captain import (
    actions,
    invariants,
    knowledge,
    observation,
    picture,
    rules,
)
from veillee.games.captain.clauses import CLAUSES
from veillee.games.captain.happenings import FIELDS, KINDS
from veillee.games.captain.names import PHASES
from veillee.games.captain.notation import describe, facts, parse, text
from veillee.games.captain.options import OPTIONS, SMALL, prepare
from veillee.games.captain.position import check, read, write
from veillee.games.captain.refusals import forbids
from veillee.games.captain.sparring import SPARRING
from veillee.games.captain.speech import board, say, tell
from veillee.games.captain.state import State
from veillee.games.captain.tally import tally

GAME = Contract(
    name="captain",
    version=1,
    seats=range(3, 7),
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
    sparring=SPARRING,
    secrets=True,
    clauses=CLAUSES,
    small=SMALL,
    picture=picture,
    observation=observation,
)


class Game(EngineGame):
    """A game of Oh Captain!: `Game(players=4, seed=7)`."""

    contract = GAME


__all__ = ["GAME", "Game"]
