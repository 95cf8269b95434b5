"""`python -m benchmarks.growth`: what a move, a stream and a table cost one server.

Processor time and memory are those of the server's process, without its bots and the database. The
figures on the page "Growing" come from here.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from pathlib import Path

import asyncpg

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.servers import Server
from tests.web.delivery.scene import set_up
from tests.web.parts import Postgres
from veillee.web.config import ServerConfig
from veillee.web.database import store_at
from veillee.web.shared_keys import SqlKeys
from veillee.web.tables.messages import Messages
from veillee.web.tables.presence import INTERVAL, Presence

TICKS = os.sysconf("SC_CLK_TCK")
SHARING = 60
"""Seconds for which the rows of presence are counted."""
ROWS = (
    "SELECT n_tup_ins + n_tup_upd, seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables "
    "WHERE relname = 'shared_key'"
)


def seconds_of(server: Server) -> float:
    """Seconds of processor that a server has used."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_of(server: Server) -> float:
    """Kilobytes that a server occupies."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return float(status.partition("VmRSS:")[2].split()[0])


async def measure(server: Server, tables: int, moves: int) -> None:
    players = [Player([server.address], n) for n in range(tables)]
    before = memory_of(server)
    for player in players:
        player.path = await player.open_table("me", "screen")
        player.most = moves
    opened = memory_of(server)
    print(f"table: {(opened - before) / tables:.1f} kB")
    watchers = [Watcher([server.address], n, p.path) for n, p in enumerate(players)]
    watching = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    while any(watcher.screen.number < 0 for watcher in watchers):
        await asyncio.sleep(0.1)
    print(f"stream: {(memory_of(server) - opened) / tables:.1f} kB")
    began = seconds_of(server)
    await asyncio.gather(*(player.play() for player in players))
    count = sum(len(player.acknowledged) for player in players)
    used = seconds_of(server) - began
    print(f"move, two viewers: {used / count * 1e6:.0f} µs of processor, {count} moves")
    print(f"table with {moves} moves: {(memory_of(server) - before) / tables:.1f} kB")
    began = seconds_of(server)
    await asyncio.sleep(20)
    print(f"idle stream: {(seconds_of(server) - began) / 20 / tables * 1e6:.1f} µs a second")
    await end(watching)


async def presence(database: str, tables: int) -> None:
    """What one server writes and reads so that others know who is there, on so many tables."""
    store = store_at(database)
    await store.open()
    shown = Presence(Messages(), ServerConfig().away, SqlKeys(store))
    streams = 0
    for number in range(tables):
        table = set_up("nomads", 2)[1]
        table.id = f"{number:022}"
        for person in table.people:
            shown.enter(table, person)
            streams += 1
    sharing = asyncio.create_task(shown.share())
    await asyncio.sleep(2 * INTERVAL)
    connection = await asyncpg.connect(database)
    before = await connection.fetchrow(ROWS)
    await asyncio.sleep(SHARING)
    after = await connection.fetchrow(ROWS)
    written, read = ((b - a) / SHARING for a, b in zip(before, after, strict=True))
    print(f"presence, {streams} streams: {written:.0f} rows a second written, {read:.0f} read")
    sharing.cancel()
    await connection.close()
    await store.close()


async def size_of(database: str) -> None:
    connection = await asyncpg.connect(database)
    entries = await connection.fetchval("SELECT count(*) FROM entry")
    size = await connection.fetchval("SELECT pg_total_relation_size('entry')")
    await connection.close()
    print(f"entry: {size / entries:.0f} bytes of the database, {entries} entries")


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    ask.add_argument("--tables", type=int, default=200)
    ask.add_argument("--moves", type=int, default=20, help="at each table")
    chosen = ask.parse_args()
    postgres = Postgres()
    with postgres.new_database() as address, tempfile.TemporaryDirectory() as folder:
        for database in (str(Path(folder) / "growth.sqlite"), address):
            print("PostgreSQL" if database == address else "SQLite")
            with Server(database) as server:
                asyncio.run(measure(server, chosen.tables, chosen.moves))
        asyncio.run(size_of(address))
        asyncio.run(presence(address, 333))
    postgres.close()


if __name__ == "__main__":
    main()
