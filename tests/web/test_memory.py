"""What tables and streams keep in memory."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from random import Random

import pytest

from tests.web.delivery.scene import GAMES, Reader, set_up
from tests.web.loop import run
from veillee.web.delivery.broadcast import Broadcast
from veillee.web.delivery.rendering import Layout, PieceTracker
from veillee.web.http.asgi import Message
from veillee.web.http.stream import Stream
from veillee.web.tables import log
from veillee.web.tables.table import Table

LAYOUT = Layout("en", "wide")
TABLES = 6
MOST = 150_000
"""Bytes that a table may take after a whole game that all players watched."""
LEFT = 50_000
"""Bytes that may be left of it, in caches that all tables share."""


def test_a_stream_keeps_nothing_that_was_sent() -> None:
    """A first message is 60 kB, and a stream is open for an hour."""

    async def story() -> None:
        stream, sent = Stream("p0", LAYOUT), 0

        async def send(message: Message) -> None:
            nonlocal sent
            sent += len(message["body"])

        sending = asyncio.create_task(stream.send_to(send))
        tracemalloc.start()
        stream.put(bytes(200_000))
        while not sent:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert sent == 200_000
        assert kept < 50_000
        stream.end()
        await sending

    run(story())


def play_out(game: str, seed: int) -> tuple[Broadcast, Table, list[Reader]]:
    """A table whose game was watched from the beginning to the end."""
    broadcast, table = set_up(game, seed)
    assert table.game is not None
    viewers = [Reader(f"p{seat}", LAYOUT) for seat in range(table.game.players)]
    chance = Random(seed)
    for viewer in viewers:
        broadcast.join(table, viewer)
    while not table.game.over:
        action = str(chance.choice(table.game.legal))
        table.apply(log.Play(table.deciding, action), 0, f"token {table.number}")
        broadcast.send(table)
        for viewer in viewers:
            viewer.waiting.clear()
    return broadcast, table, viewers


@pytest.mark.parametrize("game", GAMES)
def test_a_table_takes_little_memory_and_gives_it_back(game: str) -> None:
    async def story() -> None:
        play_many(game)
        tracemalloc.start()
        play_many(game)  # what caches have now is counted
        before = traced()
        tables = play_many(game)
        kept = traced() - before
        tables.clear()
        left = traced() - before
        tracemalloc.stop()
        assert kept < TABLES * MOST
        assert left < TABLES * LEFT

    run(story())


def play_many(game: str) -> list[tuple[Broadcast, Table, list[Reader]]]:
    return [play_out(game, seed) for seed in range(TABLES)]


def traced() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("game", GAMES)
def test_pieces_of_an_earlier_step_are_followed_again(game: str) -> None:
    async def story() -> None:
        _, table, _ = play_out(game, 1)
        assert table.game is not None
        steps = (0, 5, 3, len(table.game.steps), 4)
        tracker = PieceTracker()
        for step in steps:
            assert tracker.at(table.game, step) == PieceTracker().at(table.game, step)

    run(story())
