"""Oh Captain!: where a seat's points come from."""

from __future__ import annotations

from typing import Any

from veillee.engine.tally import Row
from veillee.games.captain.names import CARDS
from veillee.games.captain.rules import MAJORITIES, TOKEN, cards_of, majority
from veillee.games.captain.state import Card

WORTH = {Card.LANTERN_3: 3, Card.LANTERN_2: 2, Card.PURSE: 1, Card.EGG: -1}


def tally(s: Any, seat: int) -> list[Row]:
    """captain.end.score, captain.end.majority"""
    rows = []
    for card, worth in WORTH.items():
        n = cards_of(s, seat, card)
        key = f"captain.card.{CARDS[card].replace(' ', '_')}"
        rows.append(Row("captain.end.score", key, n, n * worth))
    for card in MAJORITIES:
        points = TOKEN if majority(s, card) == seat else 0
        key, n = f"captain.tally.{CARDS[card]}", cards_of(s, seat, card)
        rows.append(Row("captain.end.majority", key, n, points))
    coins = s.coins[seat]
    rows.append(Row("captain.end.score", "captain.tally.coins", coins, coins))
    return rows
