"""`veillee admin`: look after the tables and people of a store, also while servers use it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veillee.cli.arguments import App

app = App(help="Look after the tables and people of a store.", no_args_is_help=True)

IDS = {"ignore_unknown_options": True}
"""Settings of commands with an id, which may begin with a dash."""
Database = Annotated[str | None, typer.Option(help="the store", show_default=False)]
TableId = Annotated[str, typer.Argument(help="the table's id, as in its address")]
Subject = Annotated[str, typer.Argument(help="a person's id, an address, or a network")]


@app.command("list")
def list_tables(
    database: Database = None,
    state: Annotated[str, typer.Option(help="gathering, playing, over or deleted")] = "",
    most: Annotated[int, typer.Option(help="how many at most")] = 50,
) -> None:
    """List tables, those whose state changed last first."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.list_tables(store, state, most))


@app.command(context_settings=IDS)
def inspect(table_id: TableId, database: Database = None) -> None:
    """Show who is at a table and what happened there last."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.inspect(store, table_id))


@app.command(context_settings=IDS)
def close(table_id: TableId, database: Database = None) -> None:
    """Close a table: nothing more can happen there, but all can still see it."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.close(store, table_id))


@app.command(context_settings=IDS)
def delete(table_id: TableId, database: Database = None) -> None:
    """Delete a table and its game."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.delete(store, table_id))


@app.command(context_settings=IDS)
def forget(
    person: Annotated[str, typer.Argument(help="the person's id")], database: Database = None
) -> None:
    """Delete a person's name, settings and list of tables. The games stay, without the name."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.forget(store, person))


@app.command(context_settings=IDS)
def ban(subject: Subject, database: Database = None) -> None:
    """Refuse the commands of a person or a network; servers know it within seconds."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.ban(store, subject))


@app.command(context_settings=IDS)
def unban(subject: Subject, database: Database = None) -> None:
    """Lift a ban."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.unban(store, subject))


@app.command()
def bans(database: Database = None) -> None:
    """List who is banned."""
    from veillee.web import admin

    admin.run(database, admin.bans)


@app.command(context_settings=IDS)
def export(
    table_id: TableId,
    to: Annotated[Path, typer.Argument(help="the file to create")],
    database: Database = None,
) -> None:
    """Write a table's whole log to a file, with its secret seed."""
    from veillee.web import admin

    admin.run(database, lambda store: admin.export(store, table_id, to))


@app.command()
def check(database: Database = None) -> None:
    """Check the store: the file, the numbers of each log, and that each game can be replayed."""
    from veillee.web import admin

    admin.run(database, admin.check)


@app.command("rotate-key")
def rotate_key(database: Database = None) -> None:
    """Sign cookies with a new key. Those of the last key stay good; restart all servers."""
    from veillee.web import admin

    admin.run(database, admin.rotate_key)
