"""The bus is cut for ten seconds, while the database is there: afterwards all have caught up."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.servers import Server, decisions
from tests.web.loop import run
from tests.web.parts import Redis, free_port

CUT = 10


class Wire:
    """Forwards connections to a port, until it is cut."""

    def __init__(self, to: int) -> None:
        self.port = free_port()
        self._to = to
        self._open: set[asyncio.StreamWriter] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._accepting = True

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._accepting:
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._open |= {writer, far_writer}
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
        self._open.discard(writer)

    def cut(self) -> None:
        """Break all connections and refuse new ones."""
        self._accepting = False
        for writer in list(self._open):
            writer.close()

    def block(self) -> None:
        """Leave connections open, but let nothing through."""
        self._flowing.clear()

    def mend(self) -> None:
        self._accepting = True
        self._flowing.set()

    async def close(self) -> None:
        self.cut()
        self._server.close()


@pytest.fixture
def redis_port(redis: Redis) -> int:
    return int(redis.url.rpartition(":")[2])


@pytest.mark.parametrize("how", ["cut", "block"])
def test_all_have_caught_up_after_the_bus_was_gone(
    how: str, redis_port: int, postgres_database: str
) -> None:
    async def story() -> None:
        wire = Wire(redis_port)
        await wire.start()
        bus = ("--bus", f"redis://127.0.0.1:{wire.port}")
        servers = [Server(postgres_database, *bus) for _ in range(2)]
        for server in servers:
            await asyncio.to_thread(server.start)
        player = Player([servers[0].address])
        player.pause = 0.2
        player.path = await player.open_table("me", "screen")
        watcher = Watcher([servers[1].address], 0, player.path)
        tasks = [asyncio.create_task(player.play()), asyncio.create_task(watcher.watch())]
        async with asyncio.timeout(150):
            while watcher.screen.moment < 3:
                await asyncio.sleep(0.05)
            if how == "cut":
                wire.cut()
            else:
                wire.block()
            before = len(player.acknowledged)
            await asyncio.sleep(CUT)
            assert len(player.acknowledged) > before  # moves need no bus
            player.most = 0
            wire.mend()
            await tasks[0]
            stored = await decisions(postgres_database, player.path)
            while watcher.screen.moment < len(stored):
                await asyncio.sleep(0.05)
        assert watcher.screen.disorder == 0
        await end(tasks)
        await wire.close()
        for server in servers:
            server.close()

    run(story())
