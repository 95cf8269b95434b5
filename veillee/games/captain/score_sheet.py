"""Oh Captain!: the rows of a score sheet."""

from __future__ import annotations

from veillee.engine.score_sheet import Row
from veillee.games.captain.core.names import CARDS
from veillee.games.captain.core.rules import MAJORITIES, cards_of, majority
from veillee.games.captain.core.state import Card, State

ALWAYS = (Card.LANTERN_3, Card.LANTERN_2, Card.PURSE, Card.EGG)
"""Cards that have a row even if a variant gives no points for them; others have one if it does."""


def score_sheet(s: State, seat: int) -> list[Row]:
    """captain.end.score, captain.end.majority"""
    rows = []
    others = [card for card in MAJORITIES if s.worth[card]]
    for card in (*ALWAYS, *others):
        n = cards_of(s, seat, card)
        key = f"captain.card.{CARDS[card].replace(' ', '_')}"
        rows.append(Row("captain.end.score", key, n, n * s.worth[card]))
    for card in MAJORITIES:
        points = s.token if majority(s, card) == seat else 0
        key, n = f"captain.tally.{CARDS[card]}", cards_of(s, seat, card)
        rows.append(Row("captain.end.majority", key, n, points))
    coins = s.coins[seat]
    rows.append(Row("captain.end.score", "captain.tally.coins", coins, coins))
    return rows
