"""Oh Captain!: what an answer leads to, in words, both for a true announcement and for a lie."""

from __future__ import annotations

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.captain.core.actions import ACCEPT, ACCUSE, BUY, LEAVE
from veillee.games.captain.core.names import TOOLS
from veillee.games.captain.core.state import Adventurer, State, Tool


def outcomes(words: Words, s: State, action: int, names: Names) -> list[str]:
    """Return what buying, leaving, accepting or accusing leads to; nothing for other actions."""
    if action == BUY and s.price == 1:
        return [words("captain.outcome.buy.true"), words("captain.outcome.buy.lie")]
    name, tool = names[s.turn], s.told[s.row] - 1
    if action == LEAVE:
        return [words("captain.outcome.leave", name=name)]
    if action == ACCEPT:
        return [words(f"captain.outcome.accept.{TOOLS[tool]}", name=name)]
    if action == ACCUSE:
        won, paid = stakes(s)
        return [
            words("captain.outcome.accuse.lie", n=won),
            words("captain.outcome.accuse.true", n=paid),
        ]
    return []


def stakes(s: State) -> tuple[int, int]:
    """Return the coins that an accusation wins if it was a lie, and costs if it was true."""
    won = min(_due(s, s.seat), s.coins[s.turn])
    stolen = s.told[s.row] - 1 == Tool.LIZARD
    return won, max(0, min(_due(s, s.turn), s.coins[s.seat] - stolen))


def _due(s: State, winner: int) -> int:
    ulrich = s.adventurer[winner] == Adventurer.ULRICH
    return int(s.ulrich_coins if ulrich else s.stake)
