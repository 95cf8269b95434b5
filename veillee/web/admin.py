"""Operations of `veillee admin` on a store."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.table import Table as Grid

from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.web.backup import check as check_file
from veillee.web.bans import network_in
from veillee.web.bus import PersonChanged, TokensRevoked, bus_at, encode
from veillee.web.config import ServerConfig
from veillee.web.database import SqliteStore, Store, StoreError, api_queries, queries, store_at
from veillee.web.database.sqlite import create_private
from veillee.web.database.store import LogRow
from veillee.web.retention import close_table, delete_table
from veillee.web.tables import log
from veillee.web.tables.table import Table

KEPT_KEYS = 2
"""Signing keys that are accepted: the newest, and the one before it."""
SHOWN_ENTRIES = 10


def run(database: str | None, act: Callable[[Store], Awaitable[None]]) -> None:
    """Do something with the store. A problem is told in a sentence, with exit code 2."""
    address = database or ServerConfig.from_environment().database

    async def with_store() -> None:
        store = store_at(address, bus_at(address))
        if isinstance(store, SqliteStore) and not store.path.exists():
            raise StoreError(f"There is no store at {store.path}. Name it with --database.")
        await store.open()
        try:
            await act(store)
        finally:
            await store.close()

    try:
        asyncio.run(with_store())
    except (StoreError, OSError, sqlite3.Error) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None


async def list_tables(store: Store, state: str, most: int) -> None:
    grid = Grid("table", "state", "entries", "listed", "since")
    for row in await queries.newest_tables(store, state, most):
        listed = "yes" if row.listed else ""
        grid.add_row(row.id, row.state, str(row.entries), listed, _date(row.changed))
    Console().print(grid)


async def inspect(store: Store, table_id: str) -> None:
    rows = await _log_of(store, table_id)
    opened = log.decode(rows[0].data)
    assert isinstance(opened, log.Open)
    typer.echo(f"{opened.game}, rules {opened.rules}, host {opened.host}, {len(rows)} entries")
    for person, name in await queries.people_at(store, table_id):
        typer.echo(f"  {person}  {name}")
    first = max(0, len(rows) - SHOWN_ENTRIES)
    for number, row in enumerate(rows[first:], first):
        typer.echo(f"{number:>6}  {_date(row.at)}  {row.data}")


async def close(store: Store, table_id: str) -> None:
    await _log_of(store, table_id)
    await close_table(store, table_id)
    typer.echo(f"Table {table_id} is closed.")


async def delete(store: Store, table_id: str) -> None:
    await _log_of(store, table_id)
    await delete_table(store, table_id)
    typer.echo(f"Table {table_id} is deleted.")


async def forget(store: Store, person: str) -> None:
    tokens = await store.write_returning(api_queries.delete_tokens_of(person))
    for statement in queries.delete_person(person):
        await store.write(statement)
    notices = encode(PersonChanged(person), TokensRevoked([str(token) for (token,) in tokens]))
    await store.write(*queries.add_notice(notices, int(time.time() * 1000)))
    typer.echo(f"Person {person} is forgotten.")


async def ban(store: Store, subject: str) -> None:
    banned = _normal(subject)
    await store.write(queries.ban(banned, int(time.time() * 1000)))
    typer.echo(f"{banned} is banned.")


async def unban(store: Store, subject: str) -> None:
    banned = _normal(subject)
    if not await store.write(queries.lift_ban(banned)):
        raise StoreError(f"{banned} is not banned. `veillee admin bans` lists who is.")
    typer.echo(f"{banned} is banned no more.")


async def bans(store: Store) -> None:
    for subject in await queries.bans(store):
        typer.echo(subject)


async def export(store: Store, table_id: str, to: Path) -> None:
    rows = await _log_of(store, table_id)
    if to.exists():
        raise StoreError(f"{to} exists already. Choose another name.")
    exported = {
        "table": table_id,
        "seed": await queries.seed_of(store, table_id),
        "entries": [{"at": row.at, "entry": msgspec.Raw(row.data.encode())} for row in rows],
    }
    create_private(to)
    to.write_bytes(msgspec.json.format(msgspec.json.encode(exported)))
    typer.echo(f"Wrote {len(rows)} entries to {to}.")


async def check(store: Store) -> None:
    if isinstance(store, SqliteStore):
        with closing(sqlite3.connect(f"file:{store.path}?mode=ro", uri=True)) as file:
            check_file(file)
    wrong = [f"{table_id}: an entry is missing" for table_id in await queries.gaps(store)]
    tables = await queries.all_tables(store)
    for table_id in tables:
        wrong += await _problems(store, table_id)
    for line in wrong:
        typer.echo(line, err=True)
    if wrong:
        raise StoreError(f"{len(wrong)} problems in {len(tables)} tables.")
    typer.echo(f"{len(tables)} tables, no problem.")


async def rotate_key(store: Store) -> None:
    keys = (await queries.signing_key(store, secrets.token_hex(32))).split(",")
    kept = [*keys, secrets.token_hex(32)][-KEPT_KEYS:]
    await store.write(queries.replace_signing_key(",".join(kept)))
    typer.echo("There is a new key. Restart all servers, one after the other.")


async def _log_of(store: Store, table_id: str) -> list[LogRow]:
    rows = await queries.entries_of(store, table_id)
    if not rows or await queries.seed_of(store, table_id) is None:
        raise StoreError(f"There is no table {table_id}. `veillee admin list` shows which are.")
    return rows


async def _problems(store: Store, table_id: str) -> list[str]:
    """Replay a table and return what is wrong with it."""
    table = Table(table_id, Seed(bytes.fromhex(await queries.seed_of(store, table_id) or "")))
    try:
        for row in await queries.entries_of(store, table_id):
            table.apply(log.decode(row.data), row.at, row.token)
    except (Refusal, msgspec.MsgspecError, ValueError, LookupError, AttributeError) as error:
        return [f"{table_id}: entry {table.number} cannot be replayed: {error!r}"]
    return []


def _normal(subject: str) -> str:
    """Return a network as it is stored, or a person's id as it is."""
    network = network_in(subject)
    return str(network) if network is not None else subject


def _date(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
