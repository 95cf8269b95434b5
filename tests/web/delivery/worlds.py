"""Worlds that a seat can't tell apart: what it is sent must be the same in all of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.web.delivery.scene import set_up
from veillee.web.delivery.broadcast import Broadcast
from veillee.web.tables import log
from veillee.web.tables.table import Table

Send = Callable[[Broadcast, Table, str, Random], bytes]
"""What a person is sent who looks at a table now, in a language and layout drawn by chance."""
GAMES, INTERVAL, LONGEST = 4, 6, 60
"""Games played, decisions between two comparisons, and most decisions of a game."""


def compare_resampled_worlds(game: str, send: Send) -> None:
    """Resample what a seat (or a spectator) may not know: it is sent the very same bytes."""
    chance = Random(3)
    for seed in range(GAMES):
        broadcast, table = set_up(game, seed)
        started = table.game
        assert started is not None
        stop = chance.randrange(LONGEST)
        for number in range(stop + 1):
            if started.over:
                break
            if number % INTERVAL == stop % INTERVAL:
                for seat in [None, *range(started.players)]:
                    person, known = ("watcher", ()) if seat is None else (f"p{seat}", (seat,))
                    truth = send(broadcast, table, person, Random(number))
                    table.game = started.resample(*known, seed=seed + 7)
                    assert send(broadcast, table, person, Random(number)) == truth
                    table.game = started
            table.apply(log.Play(started.seat, chance.choice(started.legal).text), 0)


def table_after(game: str, seed: int, decisions: int) -> tuple[Broadcast, Table, int]:
    """A table at which so many decisions were taken at random, and its number of players."""
    broadcast, table = set_up(game, seed)
    started = table.game
    assert started is not None
    chance = Random(seed)
    for _ in range(decisions):
        table.apply(log.Play(started.seat, chance.choice(started.legal).text), 0)
    return broadcast, table, started.players
