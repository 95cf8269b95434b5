"""Tables that follow each other: rematches, and the Lumarathon's second game."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from veillee import lumarathon
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.score_sheet import added, signed
from veillee.web.bot_pool import fitted_level
from veillee.web.tables import log
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.seeds import SeedSource
from veillee.web.tables.table import Table


def is_first(table: Table) -> bool:
    """Whether a table is the first of a Lumarathon."""
    return bool(table.plan.marathon) and table.plan.game == lumarathon.FIRST


def carried_over(table: Table) -> dict[str, Any]:
    """The options of the second game that follow from how the first ended."""
    if table.game is None or not table.game.over or not is_first(table):
        raise Refusal("illegal", "web.act.now", "web.act.now")
    return lumarathon.carried(table.game)


async def follow_up(
    tables: TableRegistry,
    seeds: SeedSource,
    table: Table,
    person: str,
    *,
    marathon: bool,
    game: str = "",
) -> str:
    """Open the next table for the same people: a rematch, the Lumarathon's second game, or another.

    Raises:
        Refusal: If the game is not over, or the people can't play the other one.
    """
    if table.state != "over" or person not in table.people:
        raise Refusal("illegal", "web.act.now", "web.act.now")
    carried = carried_over(table) if marathon else None
    following_id = seeds.next_id(table.id)
    if game:
        spec_named(game).template(len(table.seats), {})
    opening = _opening(table, following_id, person, carried, game)
    draft = tables.draft(following_id, seeds.seed(following_id), opening)
    appended = await tables.change(
        table,
        lambda now: [] if now.next else [log.Next(following_id)],
        extra=draft.statements,
    )
    if appended:
        await tables.add(draft)
    return table.next


def _opening(
    table: Table, following_id: str, person: str, carried: dict[str, Any] | None, other: str
) -> list[log.Entry]:
    """The entries with which the next table begins."""
    plan = table.plan
    game = lumarathon.SECOND if carried else other or plan.game
    again = following_id if plan.marathon == table.id and not other else ""
    opened = log.Open(
        game,
        spec_named(game).version,
        plan.host if plan.host in table.people else person,
        [fitted_level(seat.level, spec_named(game)) for seat in table.seats],
        plan.later | carried if carried else {} if other or plan.guided else plan.options,
        False,
        plan.watching,
        plan.timing,
        plan.amount,
        plan.pace,
        table.id if carried else again,
        plan.later if again else {},
        variant={} if carried or other else plan.variant,
        network=plan.network,
    )
    sits = [
        log.Sit(n, s.person, table.ready.get(s.person) or secrets.token_hex(16), s.guest)
        for n, s in enumerate(table.seats)
        if s.person
    ]
    return [opened, *sits, log.Start()]


async def standing(
    tables: TableRegistry, table: Table, names: Sequence[str]
) -> list[dict[str, Any]]:
    """lumarathon.standing: the sum of both games, a tie going to the better place in Nomads."""
    if table.plan.game != lumarathon.SECOND or not table.plan.marathon or table.game is None:
        return []
    first = (await tables.get(table.plan.marathon)).game
    assert first is not None
    one, other, places = first.scores, table.game.scores, table.game.places
    rank = [(-a - b, place) for a, b, place in zip(one, other, places, strict=True)]
    return [
        {
            "place": 1 + sum(better < rank[seat] for better in rank),
            "name": names[seat],
            "sums": added(one[seat], other[seat]),
            "score": signed(one[seat] + other[seat]),
        }
        for seat in sorted(range(len(rank)), key=lambda seat: rank[seat])
    ]
