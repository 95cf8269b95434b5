"""Oh Captain!: how the printed game is scored."""

from __future__ import annotations

from veillee.engine.scoring import Count, Holder, Scoring, Tie
from veillee.games.captain.core.names import CARDS
from veillee.games.captain.core.rules import MAJORITIES
from veillee.games.captain.core.state import State
from veillee.games.captain.score_sheet import ALWAYS


def scoring(s: State) -> Scoring:
    """captain.end.score, captain.end.majority, captain.end.tie, captain.lys"""
    loot = [
        Count(
            CARDS[card].replace(" ", "_"),
            f"captain.card.{CARDS[card].replace(' ', '_')}",
            "captain.end.score",
            worth=int(s.worth[card]),
        )
        for card in ALWAYS
    ]
    majorities = [
        Count(
            CARDS[card],
            f"captain.tally.{CARDS[card]}",
            "captain.end.majority",
            entry=f"captain.card.{CARDS[card]}",
            shares=[int(s.token)],
            unshared=True,
            tie_holder="lys",
        )
        for card in MAJORITIES
    ]
    coins = Count("coins", "captain.tally.coins", "captain.end.score", worth=1)
    return Scoring(
        counts=[*loot, *majorities, coins],
        ties=[Tie(holder="captain"), Tie(counts=["coins"])],
        tie_clause="captain.end.tie",
        holders=[Holder("captain", "captain.captain"), Holder("lys", "captain.adventurer.lys")],
    )
