"""Migrations expand first: servers of the previous version go on while a new one has migrated."""

from __future__ import annotations

import pytest

from tests.web.loop import run
from veillee.web.database import Statement, store_at

VERSION_0_1_0 = [
    Statement(
        "INSERT INTO setting (key, value) VALUES ('seal', $1) ON CONFLICT DO NOTHING", ("0",)
    ),
    Statement("SELECT value FROM setting WHERE key = 'seal'"),
    Statement(
        "INSERT INTO game_table (id, seed, state, listed, changed) "
        "VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        ("t", "00", "playing", 1, 7),
    ),
    Statement(
        "INSERT INTO entry (table_id, number, token, at, data) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT DO NOTHING",
        ("t", 0, "once", 7, "{}"),
    ),
    Statement(
        "INSERT INTO sitting (person, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", ("p", "t")
    ),
    Statement(
        "INSERT INTO person (id, host, name, settings, made) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, settings = excluded.settings",
        ("p", None, "Ida", "{}", 7),
    ),
    Statement(
        "INSERT INTO person (id, host, name, settings, made) VALUES ($1, $2, $3, '{}', $4)",
        ("g", "p", "Bo", 7),
    ),
    Statement("UPDATE game_table SET state = $2, changed = $3 WHERE id = $1", ("t", "over", 8)),
    Statement("SELECT id FROM game_table WHERE state = 'playing'"),
    Statement("SELECT seed FROM game_table WHERE id = $1", ("t",)),
    Statement("SELECT data, token, at FROM entry WHERE table_id = $1 ORDER BY number", ("t",)),
    Statement("SELECT name, settings FROM person WHERE id = $1", ("p",)),
    Statement(
        "SELECT game_table.id FROM sitting JOIN game_table ON game_table.id = sitting.table_id "
        "WHERE sitting.person = $1 AND game_table.state = $2 "
        "ORDER BY game_table.changed DESC LIMIT $3",
        ("p", "over", 5),
    ),
    Statement(
        "SELECT id FROM game_table WHERE state = 'gathering' AND listed = 1 AND changed > $1 "
        "ORDER BY changed DESC LIMIT $2",
        (0, 5),
    ),
    Statement("SELECT count(*) FROM sitting WHERE person = $1", ("p",)),
    Statement("DELETE FROM person WHERE host = $1", ("p",)),
    Statement("DELETE FROM sitting WHERE person = $1", ("p",)),
]
"""What a server of version 0.1.0 does, in this order. When a version is released, its statements
are added here as a further list; a list goes when servers of that version need not run beside the
newest any more."""


@pytest.mark.parametrize("statements", [VERSION_0_1_0])
def test_the_statements_of_older_servers_work_on_the_newest_schema(
    database: str, statements: list[Statement]
) -> None:
    async def story() -> None:
        store = store_at(database)
        await store.open()
        for statement in statements:
            if statement.sql.startswith("SELECT"):
                await store.read(statement.sql, *statement.values)
            else:
                assert await store.write(statement), statement.sql
        await store.close()

    run(story())
