"""All SQL that the server uses, in the dialect that SQLite and PostgreSQL share.

Functions that return a `Statement` are for `Store.write`; the others read.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from veillee.web.database.api_queries import delete_programs
from veillee.web.database.store import (
    INSERT_ENTRY,
    UPDATE_TABLE,
    UPSERT_OWED,
    LogRow,
    Row,
    Statement,
    Store,
)

MOST_IN_ONE = 1000
"""Most values in one statement: SQLite and PostgreSQL allow some 32,000."""

# ------------------------------------------------------------ tables and their logs


def insert_entry(table_id: str, number: int, token: str | None, at: int, data: str) -> Statement:
    """Append an entry, unless the number is taken."""
    return Statement(INSERT_ENTRY, (table_id, number, token, at, data))


def insert_table(
    table_id: str, seed: str, state: str, listed: bool, at: int, awaited: str = ""
) -> Statement:
    """Add a table, unless there is one with its id."""
    return Statement(
        "INSERT INTO game_table (id, seed, state, awaited, listed, changed) "
        "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        (table_id, seed, state, awaited, int(listed), at),
    )


def update_table(table_id: str, state: str, awaited: str, at: int) -> Statement:
    """Say what lists show of a table."""
    return Statement(UPDATE_TABLE, (table_id, state, awaited, at))


def insert_sitting(person: str, table_id: str) -> Statement:
    """Add a table to a person's list."""
    return Statement(
        "INSERT INTO sitting (person, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        (person, table_id),
    )


async def seed_of(store: Store, table_id: str) -> str | None:
    """Return a table's secret seed in hexadecimal, or None if there is no such table."""
    rows = await store.read(
        "SELECT seed FROM game_table WHERE id = $1 AND state <> 'deleted'", table_id
    )
    return str(rows[0][0]) if rows else None


async def entries_of(store: Store, table_id: str, number: int = 0) -> list[LogRow]:
    """Return a table's entries from a number on."""
    rows = await store.read(
        "SELECT data, token, at FROM entry WHERE table_id = $1 AND number >= $2 ORDER BY number",
        table_id,
        number,
    )
    return [LogRow(*row) for row in rows]


async def next_number(store: Store, table_id: str) -> int:
    """Return the number after the last entry of a table."""
    rows = await store.read(
        "SELECT coalesce(max(number), -1) + 1 FROM entry WHERE table_id = $1", table_id
    )
    return int(rows[0][0])


async def length_of(store: Store, table_id: str) -> int:
    """Return how many entries a table's log has."""
    rows = await store.read("SELECT count(*) FROM entry WHERE table_id = $1", table_id)
    return int(rows[0][0])


async def lengths_of(store: Store, table_ids: Sequence[str]) -> dict[str, int]:
    """Return the length of each table's log, with one step in the index for each."""
    lengths: dict[str, int] = {}
    for first in range(0, len(table_ids), MOST_IN_ONE):
        some = table_ids[first : first + MOST_IN_ONE]
        length = "(SELECT max(number) + 1 FROM entry WHERE table_id = game_table.id)"
        rows = await store.read(
            f"SELECT id, {length} FROM game_table WHERE id IN ({_parameters(1, len(some))})",  # noqa: S608
            *some,
        )
        lengths |= {str(table_id): int(number or 0) for table_id, number in rows}
    return lengths


async def first_entries_of(store: Store, table_id: str, most: int) -> list[Row]:
    """Return (data, at) of a table's first entries."""
    return await store.read(
        "SELECT data, at FROM entry WHERE table_id = $1 AND number < $2 ORDER BY number",
        table_id,
        most,
    )


async def state_of(store: Store, table_id: str) -> str:
    rows = await store.read("SELECT state FROM game_table WHERE id = $1", table_id)
    return str(rows[0][0]) if rows else ""


class OwnTable(NamedTuple):
    """A table in a person's list."""

    id: str
    awaited: str | None
    """The person whose decision is awaited; None if a server of an older version wrote it."""
    changed: int
    """When it came into its state, in milliseconds since 1970."""


async def tables_of(store: Store, person: str, state: str, most: int) -> list[OwnTable]:
    """Return a person's tables in a state, except archived ones, the last changed first."""
    rows = await store.read(
        "SELECT game_table.id, game_table.awaited, game_table.changed FROM sitting "
        "JOIN game_table ON game_table.id = sitting.table_id "
        "WHERE sitting.person = $1 AND sitting.archived = 0 AND game_table.state = $2 "
        "ORDER BY game_table.changed DESC LIMIT $3",
        person,
        state,
        most,
    )
    return [OwnTable(*row) for row in rows]


async def listed_tables(store: Store, since: int, most: int) -> list[str]:
    """Return the listed tables that wait for players, the last changed first."""
    return _texts(
        await store.read(
            "SELECT id FROM game_table WHERE state = 'gathering' AND listed = 1 AND changed > $1 "
            "ORDER BY changed DESC LIMIT $2",
            since,
            most,
        )
    )


# ------------------------------------------------------------ finished games


class Own(IntEnum):
    """Whether the seat is the person's own; others at their screen have names of their own."""

    NO = 0
    YES = 1
    UNCOUNTED = 2
    """A guided game, or one that goes on from another: it is in no statistics."""


class Result(NamedTuple):
    """Result of a finished game for a seat."""

    table_id: str
    seat: int
    person: str
    """The person at the seat; "" for a bot."""
    own: int
    """A value of `Own`."""
    name_key: str
    level: str
    """The bot's."""
    game: str
    part: int
    """Number of the game in its series, from 1; 0 for a single game."""
    place: int
    points: int


RESULT = "table_id, seat, person, own, name_key, level, game, part, place, points"


def insert_result(result: Result) -> Statement:
    return Statement(
        f"INSERT INTO result ({RESULT}) "  # noqa: S608
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
        tuple(result),
    )


class PastTable(NamedTuple):
    """A table in a person's history."""

    id: str
    state: str
    changed: int
    """For a finished game, when it ended: milliseconds since 1970."""


async def history_of(
    store: Store, person: str, archived: bool, before: int, most: int
) -> list[PastTable]:
    """Return a person's finished tables, the last first; of archived ones, those in play too."""
    rows = await store.read(
        "SELECT game_table.id, game_table.state, game_table.changed FROM sitting "
        "JOIN game_table ON game_table.id = sitting.table_id "
        "WHERE sitting.person = $1 AND sitting.archived = $2 AND game_table.changed < $3 "
        "AND (game_table.state = 'over' OR sitting.archived = 1) "
        "ORDER BY game_table.changed DESC LIMIT $4",
        person,
        int(archived),
        before,
        most,
    )
    return [PastTable(*row) for row in rows]


async def results_at(store: Store, tables: Sequence[str]) -> dict[str, list[Result]]:
    """Return how games ended, the winners first."""
    found: dict[str, list[Result]] = {}
    if tables:
        rows = await store.read(
            f"SELECT {RESULT} FROM result WHERE table_id IN ({_parameters(1, len(tables))}) "  # noqa: S608
            "ORDER BY place, seat",
            *tables,
        )
        for row in rows:
            found.setdefault(str(row[0]), []).append(Result(*row))
    return found


async def first_entries(store: Store, tables: Sequence[str]) -> dict[str, str]:
    """Return the entries with which tables were opened."""
    if not tables:
        return {}
    rows = await store.read(
        f"SELECT table_id, data FROM entry WHERE table_id IN ({_parameters(1, len(tables))}) "  # noqa: S608
        "AND number = 0",
        *tables,
    )
    return {str(table): str(data) for table, data in rows}


class GameStatistics(NamedTuple):
    """Statistics of a person in one game."""

    game: str
    played: int
    won: int
    best: int
    mean: float


async def statistics_by_game(store: Store, person: str) -> list[GameStatistics]:
    rows = await store.read(
        "SELECT game, count(*), sum(CASE WHEN place = 1 THEN 1 ELSE 0 END), max(points), "
        "avg(points) FROM result WHERE person = $1 AND own = 1 GROUP BY game ORDER BY 2 DESC, 1",
        person,
    )
    return [GameStatistics(row[0], row[1], row[2], row[3], float(row[4])) for row in rows]


class OpponentStatistics(NamedTuple):
    """Statistics of a person against another."""

    name_key: str
    played: int
    ahead: int
    behind: int


async def statistics_by_opponent(store: Store, person: str, most: int) -> list[OpponentStatistics]:
    """Return the people with whom a person has played, the most frequent first."""
    rows = await store.read(
        "SELECT theirs.name_key, count(*), "
        "sum(CASE WHEN mine.place < theirs.place THEN 1 ELSE 0 END), "
        "sum(CASE WHEN mine.place > theirs.place THEN 1 ELSE 0 END) "
        "FROM result AS mine JOIN result AS theirs "
        "ON theirs.table_id = mine.table_id AND theirs.seat <> mine.seat "
        "WHERE mine.person = $1 AND mine.own = 1 AND theirs.level = '' AND theirs.name_key <> '' "
        "GROUP BY theirs.name_key ORDER BY 2 DESC, 1 LIMIT $2",
        person,
        most,
    )
    return [OpponentStatistics(*row) for row in rows]


def archive(person: str, table_id: str, archived: bool) -> Statement:
    """Put a table away from a person's lists, or back."""
    return Statement(
        "UPDATE sitting SET archived = $3 WHERE person = $1 AND table_id = $2",
        (person, table_id, int(archived)),
    )


def delete_from_history(person: str, table_id: str) -> list[Statement]:
    """Delete a table from a person's lists and statistics."""
    return [
        Statement(
            "DELETE FROM sitting WHERE person = $1 AND table_id = $2",
            (person, table_id),
        ),
        Statement(
            "UPDATE result SET person = '', own = 0 WHERE person = $1 AND table_id = $2",
            (person, table_id),
        ),
    ]


# ------------------------------------------------------------ reviews


class Review(NamedTuple):
    """A game that people look back on together."""

    id: str
    table_id: str
    leader: str
    moment: int
    version: int
    """Grows with every change."""


def insert_review(review: Review, at: int) -> Statement:
    return Statement(
        "INSERT INTO review (id, table_id, leader, moment, version, at) "
        "VALUES ($1, $2, $3, $4, $5, $6)",
        (*review, at),
    )


def move_review(review_id: str, leader: str, moment: int, at: int) -> Statement:
    """Show another moment, if the person still leads."""
    return Statement(
        "UPDATE review SET moment = $3, version = version + 1, at = $4 "
        "WHERE id = $1 AND leader = $2",
        (review_id, leader, moment, at),
    )


def lead_review(review_id: str, leader: str, at: int) -> Statement:
    return Statement(
        "UPDATE review SET leader = $2, version = version + 1, at = $3 WHERE id = $1",
        (review_id, leader, at),
    )


def delete_reviews(before: int) -> Statement:
    """Delete the reviews that nobody has moved since."""
    return Statement("DELETE FROM review WHERE at < $1", (before,))


async def review(store: Store, review_id: str) -> Review | None:
    rows = await store.read(
        "SELECT id, table_id, leader, moment, version FROM review WHERE id = $1", review_id
    )
    return Review(*rows[0]) if rows else None


# ------------------------------------------------------------ jobs


def owe(kind: str, subject: str, due: int | None, owner: str = "", payer: str = "") -> Statement:
    """Say when a job is due, in milliseconds since 1970; None if nothing is owed."""
    return Statement(UPSERT_OWED, (kind, subject, due, owner, payer))


def owe_all_in_play(kind: str, now: int) -> Statement:
    """Make a job due for each table in play that has none, as after an upgrade."""
    return Statement(
        "INSERT INTO owed (kind, subject, due, owner) "
        "SELECT $1, id, $2, '' FROM game_table WHERE state = 'playing' ON CONFLICT DO NOTHING",
        (kind, now),
    )


def settle(kind: str, subject: str, owner: str) -> Statement:
    """Owe nothing more, if the job is still this owner's."""
    return Statement(
        "UPDATE owed SET due = NULL, owner = '' WHERE kind = $1 AND subject = $2 AND owner = $3",
        (kind, subject, owner),
    )


def claim(
    kind: str, now: int, until: int, owner: str, most: int, each: int, without: Sequence[str] = ()
) -> Statement:
    """Take jobs that are due, and return their subjects and payers.

    Nobody else takes them until `until`. Of one payer, `each` are taken at most, in turns with
    those of others; none of those payers that are left out.
    """
    return Statement(
        "UPDATE owed SET due = $3, owner = $4 "  # noqa: S608
        "WHERE kind = $1 AND due <= $2 AND subject IN "
        "(SELECT subject FROM (SELECT subject, due, payer, "
        "row_number() OVER (PARTITION BY payer ORDER BY due) AS turn "
        f"FROM owed WHERE kind = $1 AND due <= $2{_no_payer(7, without)}) AS waiting "
        "WHERE payer = '' OR turn <= $6 ORDER BY turn, due LIMIT $5) "
        "RETURNING subject, payer",
        (kind, now, until, owner, most, each, *without),
    )


def _no_payer(first: int, payers: Sequence[str]) -> str:
    return f" AND payer NOT IN ({_parameters(first, len(payers))})" if payers else ""


def renew(kind: str, owners: Sequence[str], now: int, until: int) -> Statement:
    """Keep the jobs of a kind for longer that have one of these owners."""
    held = f"owner IN ({_parameters(4, len(owners))})"
    return Statement(
        f"UPDATE owed SET due = $3 WHERE kind = $1 AND due > $2 AND due < $3 AND {held}",  # noqa: S608
        (kind, now, until, *owners),
    )


def release(owner: str, now: int) -> Statement:
    """Leave a server's jobs to others, at once."""
    return Statement(
        "UPDATE owed SET due = $2, owner = '' WHERE owner LIKE $1", (f"{owner}/%", now)
    )


async def next_due(store: Store, kind: str, without: Sequence[str] = ()) -> int | None:
    """Return when the next job of a kind is due, without those of some payers."""
    rows = await store.read(
        f"SELECT min(due) FROM owed WHERE kind = $1{_no_payer(2, without)}",  # noqa: S608
        kind,
        *without,
    )
    return None if rows[0][0] is None else int(rows[0][0])


# ------------------------------------------------------------ analyses


def insert_analysis(table_id: str) -> Statement:
    """Add an analysis of a table's game that has not begun, in place of an older one."""
    return Statement(
        "INSERT INTO analysis (table_id, done, total) VALUES ($1, 0, 0) "
        "ON CONFLICT (table_id) DO UPDATE SET done = 0, total = 0, data = NULL",
        (table_id,),
    )


def update_analysis(table_id: str, done: int, total: int) -> Statement:
    """Say how many decisions of how many have been judged."""
    return Statement(
        "UPDATE analysis SET done = $2, total = $3 WHERE table_id = $1", (table_id, done, total)
    )


def finish_analysis(table_id: str, data: str) -> Statement:
    return Statement("UPDATE analysis SET data = $2 WHERE table_id = $1", (table_id, data))


async def analysis_of(store: Store, table_id: str) -> tuple[int, int, str | None] | None:
    """Return decisions judged, all decisions, and the finished analysis; None if there is none."""
    rows = await store.read("SELECT done, total, data FROM analysis WHERE table_id = $1", table_id)
    return (int(rows[0][0]), int(rows[0][1]), rows[0][2]) if rows else None


# ------------------------------------------------------------ people


def insert_guest(person: str, host: str, name: str, at: int) -> Statement:
    """Add a further player on a host's screen."""
    return Statement(
        "INSERT INTO person (id, host, name, settings, made) VALUES ($1, $2, $3, '{}', $4)",
        (person, host, name, at),
    )


def upsert_person(person: str, name: str, settings: str, at: int) -> Statement:
    return Statement(
        "INSERT INTO person (id, name, settings, made) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, settings = excluded.settings",
        (person, name, settings, at),
    )


def delete_person(person: str) -> list[Statement]:
    """Delete a person, the guests on their screen, their list of tables, and their programs."""
    return [
        *delete_programs(person),
        Statement("DELETE FROM person WHERE id = $1 OR host = $1", (person,)),
        Statement("DELETE FROM sitting WHERE person = $1", (person,)),
        Statement("DELETE FROM review WHERE leader = $1", (person,)),
        Statement("UPDATE result SET person = '', own = 0 WHERE person = $1", (person,)),
        Statement("DELETE FROM push_subscription WHERE person = $1", (person,)),
        Statement("DELETE FROM mail_address WHERE person = $1", (person,)),
    ]


async def person_by_id(store: Store, person: str) -> tuple[str, str] | None:
    """Return a person's name and settings, or None."""
    rows = await store.read("SELECT name, settings FROM person WHERE id = $1", person)
    return (str(rows[0][0]), str(rows[0][1])) if rows else None


async def names_of(store: Store, keys: Sequence[str]) -> dict[str, str]:
    """Return the names of people and guests; "" for those who are forgotten."""
    names = dict.fromkeys(keys, "")
    if keys:
        rows = await store.read(
            f"SELECT id, name FROM person WHERE id IN ({_parameters(1, len(keys))})",  # noqa: S608
            *keys,
        )
        names |= {str(key): str(name) for key, name in rows}
    return names


async def guests_of(store: Store, host: str) -> list[str]:
    return _texts(await store.read("SELECT id FROM person WHERE host = $1", host))


async def count_tables_of(store: Store, person: str) -> int:
    rows = await store.read("SELECT count(*) FROM sitting WHERE person = $1", person)
    return int(rows[0][0])


# ------------------------------------------------------------ keys that servers share


def add_shared(rows: Sequence[tuple[str, str, int]], now: int, expires: int) -> Statement:
    """Add to values by (space, key), and return key and value. Expired ones begin with 0."""
    values = ", ".join(f"({_parameters(2 + 4 * i, 4)})" for i in range(len(rows)))
    return Statement(
        f"INSERT INTO shared_key (space, key, value, expires) VALUES {values} "  # noqa: S608
        "ON CONFLICT (space, key) DO UPDATE SET expires = excluded.expires, value = "
        "CASE WHEN shared_key.expires < $1 THEN 0 ELSE shared_key.value END + excluded.value "
        "RETURNING key, value",
        (now, *(value for row in rows for value in (*row, expires))),
    )


def delete_expired(now: int) -> Statement:
    return Statement("DELETE FROM shared_key WHERE expires < $1", (now,))


async def shared_keys_in(store: Store, spaces: Sequence[str], now: int) -> list[tuple[str, str]]:
    """Return (space, key) of all keys that have not expired."""
    places = _parameters(2, len(spaces))
    rows = await store.read(
        f"SELECT space, key FROM shared_key WHERE expires >= $1 AND space IN ({places})",  # noqa: S608
        now,
        *spaces,
    )
    return [(str(space), str(key)) for space, key in rows]


# ------------------------------------------------------------ the store itself


async def signing_key(store: Store, new: str) -> str:
    """Return the store's signing key; `new` becomes the key if there is none."""
    await store.write(
        Statement(
            "INSERT INTO setting (key, value) VALUES ('seal', $1) ON CONFLICT DO NOTHING", (new,)
        )
    )
    return await signing_keys(store)


async def signing_keys(store: Store) -> str:
    """Return the store's signing keys, the newest last."""
    rows = await store.read("SELECT value FROM setting WHERE key = 'seal'")
    return str(rows[0][0])


async def check_writable(store: Store, at: int) -> None:
    """Write, as a move does: reading says nothing about a full disk or a locked file."""
    await store.write(
        Statement(
            "INSERT INTO setting (key, value) VALUES ('checked', $1) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (str(at),),
        )
    )


def replace_signing_key(keys: str) -> Statement:
    return Statement("UPDATE setting SET value = $1 WHERE key = 'seal'", (keys,))


# ------------------------------------------------------------ administration


class TableRow(NamedTuple):
    """A table in a list."""

    id: str
    state: str
    listed: bool
    changed: int
    entries: int


async def newest_tables(store: Store, state: str, most: int) -> list[TableRow]:
    """Return tables, those whose state changed last first; "" for any state."""
    rows = await store.read(
        "SELECT id, state, listed, changed, "
        "(SELECT count(*) FROM entry WHERE entry.table_id = game_table.id) "
        "FROM game_table WHERE $1 = '' OR state = $1 ORDER BY changed DESC LIMIT $2",
        state,
        most,
    )
    return [TableRow(row[0], row[1], bool(row[2]), row[3], row[4]) for row in rows]


async def people_at(store: Store, table_id: str) -> list[tuple[str, str]]:
    """Return id and name of the people who have a table in their list."""
    rows = await store.read(
        "SELECT sitting.person, coalesce(person.name, '') FROM sitting "
        "LEFT JOIN person ON person.id = sitting.person WHERE sitting.table_id = $1",
        table_id,
    )
    return [(str(row[0]), str(row[1])) for row in rows]


async def all_tables(store: Store) -> list[str]:
    return _texts(await store.read("SELECT id FROM game_table WHERE state <> 'deleted'"))


async def gaps(store: Store) -> list[str]:
    """Return tables whose log lacks a number."""
    return _texts(
        await store.read(
            "SELECT entry.table_id FROM entry JOIN game_table ON game_table.id = entry.table_id "
            "WHERE game_table.state <> 'deleted' GROUP BY entry.table_id "
            "HAVING count(*) <> max(number) + 1"
        )
    )


def unlist_table(table_id: str) -> Statement:
    return Statement("UPDATE game_table SET listed = 0 WHERE id = $1", (table_id,))


def empty_table(table_id: str, number: int, at: int) -> list[Statement]:
    """Delete a table except its entries from `number` on.

    A server that has it in memory appends with a number that is taken, and so learns of it.
    """
    return [
        Statement(
            "UPDATE game_table SET state = 'deleted', listed = 0, seed = '', changed = $2 "
            "WHERE id = $1",
            (table_id, at),
        ),
        Statement("DELETE FROM entry WHERE table_id = $1 AND number < $2", (table_id, number)),
        Statement("DELETE FROM sitting WHERE table_id = $1", (table_id,)),
        Statement("DELETE FROM result WHERE table_id = $1", (table_id,)),
        Statement("DELETE FROM analysis WHERE table_id = $1", (table_id,)),
        Statement("DELETE FROM owed WHERE subject = $1", (table_id,)),
        Statement("DELETE FROM review WHERE table_id = $1", (table_id,)),
    ]


async def tables_to_delete(store: Store, state: str, before: int, most: int) -> list[str]:
    """Return tables in a state at which nothing has happened since a time."""
    return _texts(
        await store.read(
            "SELECT id FROM game_table WHERE state = $1 AND changed < $2 AND NOT EXISTS "
            "(SELECT 1 FROM entry WHERE entry.table_id = game_table.id AND entry.at >= $2) "
            "LIMIT $3",
            state,
            before,
            most,
        )
    )


def delete_emptied(before: int) -> list[Statement]:
    """Delete what is left of tables that were deleted before a time."""
    old = "(SELECT id FROM game_table WHERE state = 'deleted' AND changed < $1)"
    return [
        Statement(f"DELETE FROM entry WHERE table_id IN {old}", (before,)),  # noqa: S608
        Statement("DELETE FROM game_table WHERE state = 'deleted' AND changed < $1", (before,)),
    ]


def delete_idle_people(before: int) -> list[Statement]:
    """Delete people who came before a time and have no table, and the guests of nobody."""
    return [
        Statement(
            "DELETE FROM person WHERE host IS NULL AND made < $1 AND NOT EXISTS "
            "(SELECT 1 FROM sitting WHERE sitting.person = person.id) AND NOT EXISTS "
            "(SELECT 1 FROM api_token WHERE person.id IN (api_token.person, api_token.owner))",
            (before,),
        ),
        Statement(
            "DELETE FROM person WHERE host IS NOT NULL AND made < $1 AND NOT EXISTS "
            "(SELECT 1 FROM person AS owner WHERE owner.id = person.host)",
            (before,),
        ),
    ]


ADD_NOTICE = (
    "INSERT INTO notice SELECT coalesce(max(id), 0) + 1, CAST($1 AS BIGINT), CAST($2 AS TEXT) "
    "FROM notice"
)
DROP_NOTICES = "DELETE FROM notice WHERE at < $1 AND id < (SELECT max(id) FROM notice)"
"""The newest one stays, so that ids rise."""
NOTICE_KEPT = 60_000
"""Milliseconds for which a notice is kept."""


def add_notice(data: str, at: int) -> list[Statement]:
    """Leave a notice for all servers that run."""
    return [Statement(ADD_NOTICE, (at, data)), Statement(DROP_NOTICES, (at - NOTICE_KEPT,))]


async def last_notice(store: Store) -> int:
    return int((await store.read("SELECT coalesce(max(id), 0) FROM notice"))[0][0])


async def notices_after(store: Store, last: int) -> list[tuple[int, str]]:
    rows = await store.read("SELECT id, data FROM notice WHERE id > $1 ORDER BY id", last)
    return [(int(number), str(data)) for number, data in rows]


def ban(subject: str, at: int) -> Statement:
    return Statement(
        "INSERT INTO ban (subject, at) VALUES ($1, $2) ON CONFLICT DO NOTHING", (subject, at)
    )


def lift_ban(subject: str) -> Statement:
    return Statement("DELETE FROM ban WHERE subject = $1", (subject,))


async def bans(store: Store) -> list[str]:
    return _texts(await store.read("SELECT subject FROM ban ORDER BY at"))


def _parameters(first: int, count: int) -> str:
    """Return "$3, $4, $5" for the first 3 and a count of 3."""
    return ", ".join(f"${number}" for number in range(first, first + count))


def _texts(rows: list[Row]) -> list[str]:
    return [str(row[0]) for row in rows]
