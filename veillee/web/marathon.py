"""The Lumarathon at the web table: its second game is a table of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veillee import lumarathon
from veillee.engine.refusal import Refusal
from veillee.engine.tally import signed

if TYPE_CHECKING:
    from veillee.web.house import House
    from veillee.web.table import Table


def carried(table: Table) -> dict[str, Any]:
    """The options of Nomads that follow from how Oh Captain! ended."""
    game = table.game
    if game is None or not game.over or not table.plan.marathon:
        raise Refusal("illegal", "web.act.now", "web.act.now")
    return lumarathon.carried(game)


async def standing(house: House, table: Table, names: Sequence[str]) -> list[dict[str, Any]]:
    """lumarathon.standing: the sum of both games, a tie going to the better place in Nomads."""
    if table.plan.game != lumarathon.SECOND or not table.plan.marathon or table.game is None:
        return []
    first = (await house.table(table.plan.marathon)).game
    assert first is not None
    one, other, places = first.scores, table.game.scores, table.game.places
    rank = [(-a - b, place) for a, b, place in zip(one, other, places, strict=True)]
    return [
        {
            "place": 1 + sum(better < rank[seat] for better in rank),
            "name": names[seat],
            "sums": f"{signed(one[seat])} + {signed(other[seat])}",
            "score": signed(one[seat] + other[seat]),
        }
        for seat in sorted(range(len(rank)), key=lambda seat: rank[seat])
    ]
