"""The Lumarathon: Oh Captain!, then Nomads, by the same people in the same seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veillee.engine.refusal import Refusal

if TYPE_CHECKING:
    from veillee.web.house import House
    from veillee.web.table import Table


def carried(table: Table) -> dict[str, Any]:
    """The options of Nomads that follow from how Oh Captain! ended.

    lumarathon.first: the last Captain goes first. lumarathon.coin: each winner brings a coin.
    lumarathon.sleepers: the last-placed keeps the sleepers; of those tied, the one furthest from
    the first player in turn order.
    """
    game = table.game
    if game is None or not game.over or table.plan.game != "captain" or not table.plan.marathon:
        raise Refusal("illegal", "web.act.now", "web.act.now")
    first = int(game.state.captain)
    places = game.places
    last = [seat for seat, place in enumerate(places) if place == max(places)]
    keeper = max(last, key=lambda seat: (seat - first) % game.players)
    return {"first": first, "coins": game.winners, "keeper": keeper}


def standing(house: House, table: Table, names: Sequence[str]) -> list[dict[str, Any]]:
    """lumarathon.standing: the sum of both games, a tie going to the winner of Nomads."""
    first = house.tables.get(table.plan.marathon)
    if table.plan.game != "nomads" or first is None or first.game is None or table.game is None:
        return []
    one, other, places = first.game.scores, table.game.scores, table.game.places
    sums = [a + b for a, b in zip(one, other, strict=True)]
    order = sorted(range(len(sums)), key=lambda seat: (-sums[seat], places[seat]))
    return [
        {
            "place": 1 + sum(_before(sums, places, better, seat) for better in order),
            "name": names[seat],
            "sums": f"{one[seat]} + {other[seat]}",
            "score": sums[seat],
        }
        for seat in order
    ]


def _before(sums: Sequence[int], places: Sequence[int], one: int, other: int) -> bool:
    if sums[one] != sums[other]:
        return sums[one] > sums[other]
    return places[one] == 1 and places[other] != 1
