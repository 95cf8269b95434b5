"""Where tables are stored: an append-only log in SQLite, or in PostgreSQL by one setting."""

from __future__ import annotations

from pathlib import Path

from veillee.web.database.sqlite import SqliteStore
from veillee.web.database.store import Publisher, Statement, Store, StoreError

__all__ = ["SqliteStore", "Statement", "Store", "StoreError", "is_postgres", "path_of", "store_at"]


def store_at(url: str, publisher: Publisher | None = None) -> Store:
    """Return the store of an address: `postgresql://…`, `sqlite:///path`, or a plain path.

    What is appended is announced through `publisher`.
    """
    if not is_postgres(url):
        return SqliteStore(path_of(url), publisher)
    try:
        from veillee.web.database.postgres import PostgresStore
    except ModuleNotFoundError:
        raise StoreError("PostgreSQL needs asyncpg: pip install 'veillee[postgresql]'.") from None
    return PostgresStore(url, publisher)


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql://", "postgres://"))


def path_of(url: str) -> Path:
    """Return the path of a SQLite file: `sqlite:///path`, or a plain path."""
    return Path(url.removeprefix("sqlite:///"))
