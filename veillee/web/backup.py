"""`veillee backup` and `veillee restore`: copies of a SQLite store, checked before they count."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import typer

from veillee.web.database import StoreError, is_postgres, path_of
from veillee.web.database.sqlite import create_private
from veillee.web.database.store import pending_migrations

POSTGRES = "For PostgreSQL use {program}: see its manual."


def backup(database: str, to: Path) -> None:
    """Copy a store, also while it is in use. The copy is one consistent moment."""
    if is_postgres(database):
        _fail(POSTGRES.format(program="pg_dump"))
    path = path_of(database)
    if not path.exists():
        _fail(f"There is no store at {path}. Name it with --database.")
    _copy(path, to)
    typer.echo(f"Copied to {to}.")


def restore(copy: Path, database: str) -> None:
    """Create a store from a copy."""
    if is_postgres(database):
        _fail(POSTGRES.format(program="pg_restore"))
    if not copy.exists():
        _fail(f"There is no copy at {copy}.")
    _copy(copy, path_of(database))
    typer.echo(f"Restored to {database}.")


def _copy(source: Path, target: Path) -> None:
    """Copy a store into a new file, and check the copy; remove it if it is damaged."""
    if target.exists():
        _fail(f"{target} exists already. Choose another name, or move it away.")
    target.parent.mkdir(parents=True, exist_ok=True)
    create_private(target)
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as original,
            closing(sqlite3.connect(target)) as copied,
        ):
            original.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE")
            check(copied)
    except (sqlite3.Error, StoreError) as error:
        target.unlink()
        _fail(f"{source} cannot be copied, and no copy was made: {error}")


def check(store: sqlite3.Connection) -> None:
    """Raise `StoreError` if a file is damaged, of a newer version, or no store of Veillée."""
    found = store.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreError(f"the file is damaged ({found})")
    pending_migrations(store.execute("PRAGMA user_version").fetchone()[0])
    if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'entry'").fetchone():
        raise StoreError("it is not a store of Veillée")


def _fail(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(2)
