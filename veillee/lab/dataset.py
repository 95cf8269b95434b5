"""Games as Parquet files, for pandas, Polars, DuckDB and everything else that reads them.

`games.parquet` has a row for each game, `seats.parquet` for each player of a game, and
`positions.parquet`, if asked for, for each decision. docs/lab.md describes the columns. Each file's
metadata has, under the key `veillee`, what the games depend on as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from veillee.bots.characters import RANDOM
from veillee.engine.batch import SEED_BITS
from veillee.engine.game import position_of
from veillee.engine.game_spec import GameSpec, Position
from veillee.engine.jit import rng as chance
from veillee.engine.precompile import Calls, WarmUp
from veillee.engine.registry import game as spec_named
from veillee.engine.seed import fast_row
from veillee.lab.executor import Workers, borrowed
from veillee.lab.extras import require
from veillee.lab.gather import STUDY, Batch, BotGame, Setting, compiled, in_order, kinds
from veillee.lab.jit import study as kernel
from veillee.lab.versions import versions

Columns = dict[str, Any]
"""Arrays of one length, by the name of the column."""
GAMES, SEATS, POSITIONS = "games", "seats", "positions"
MOST_DECISIONS = 20_000


def export(
    setting: Setting,
    games: int,
    folder: Path,
    *,
    positions: bool = False,
    pool: Workers | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Play games and write them into a folder; return the files."""
    pq = require("pyarrow.parquet")
    spec = spec_named(setting.game)
    about = json.dumps({**asdict(setting), "games": games, **versions(spec)})
    names = [GAMES, SEATS, *([POSITIONS] if positions else [])]
    files = {name: folder / f"{name}.parquet" for name in names}
    starts = range(0, games, setting.chunk)
    tasks = ((setting, first, min(setting.chunk, games - first), positions) for first in starts)
    with ExitStack() as stack:
        running = stack.enter_context(borrowed(pool))
        writers: dict[str, Any] = {}
        for found in running.map(tables, tasks):
            for name, columns in found.items():
                table = _arrow(columns, setting)
                if name not in writers:
                    schema = table.schema.with_metadata({"veillee": about})
                    writer = pq.ParquetWriter(files[name], schema, compression="zstd")
                    writers[name] = stack.enter_context(writer)
                writers[name].write_table(table.cast(writers[name].schema))
            progress(len(found[GAMES]["game"]))
    return list(files.values())


def tables(setting: Setting, first: int, games: int, positions: bool) -> dict[str, Columns]:
    """Play games of a setting, numbered from `first`; return their tables as arrays."""
    batch = Batch(setting, games)
    batch.play(first, games)
    numbers = np.arange(first, first + games)
    found = {GAMES: game_columns(batch, numbers), SEATS: seat_columns(batch, numbers)}
    if positions:
        found[POSITIONS] = position_columns(batch, numbers)
    return found


def setting_of(file: Path) -> Setting:
    """Return the setting of the games in a file that `export` wrote."""
    schema = require("pyarrow.parquet").read_schema(file)
    about = json.loads(schema.metadata[b"veillee"])
    return Setting(**{each.name: about[each.name] for each in fields(Setting)})


def positions(setting: Setting, number: int, actions: Iterable[int]) -> Iterator[Position]:
    """Yield the position before each decision of a game: what `Game.from_position` reads.

    Args:
        setting: The setting of the file.
        number: The number of the game.
        actions: The actions that were taken, in their order.
    """
    spec = spec_named(setting.game)
    rng = fast_row(setting.seed & SEED_BITS, number)
    legal = np.zeros(spec.actions, np.int16)
    state = spec.template(setting.players, setting.options)
    spec.compiled.setup_at(state, 0, rng, legal, None)
    for action in actions:
        yield position_of(spec, spec.twin(state))
        if not setting.searches:
            # The choice was drawn from the same numbers as what is dealt.
            chance.below(rng.data, spec.compiled.legal_at(state, 0, legal))
        spec.compiled.apply_at(state, 0, action, rng, None)


def game_columns(batch: Batch, numbers: Any) -> Columns:
    facts = batch.facts
    best_two = np.sort(batch.score, 1)[:, -2:]
    return {
        "game": numbers.astype(np.int64),
        "first_seat": in_order(batch.ends, batch.setting.players)[:, 0].astype(np.int8),
        "decisions": facts[:, kernel.DECISIONS].astype(np.int32),
        "turns": facts[:, kernel.TURNS].astype(np.int32),
        "forced": facts[:, kernel.FORCED].astype(np.int32),
        "choices": facts[:, kernel.CHOICES].astype(np.int32),
        "winners": (batch.place == 1).sum(1).astype(np.int8),
        "margin": (best_two[:, 1] - best_two[:, 0]).astype(np.int16),
    }


def seat_columns(batch: Batch, numbers: Any) -> Columns:
    games, players = batch.place.shape
    first = in_order(batch.ends, players)[:, :1]
    won = batch.place == 1
    columns: Columns = {
        "game": np.repeat(numbers.astype(np.int64), players),
        "seat": np.tile(np.arange(players, dtype=np.int8), games),
        "order": ((np.arange(players) - first) % players).astype(np.int8).ravel() + np.int8(1),
        "score": batch.score.ravel().copy(),
        "place": batch.place.astype(np.int8).ravel(),
        "win": (won / won.sum(1)[:, None]).ravel(),
    }
    if batch.spec.roles:
        columns["role"] = batch.ends["adventurer"][:, :players].astype(np.int32).ravel() - 1
    return columns


def position_columns(batch: Batch, numbers: Any) -> Columns:
    """Play the games again and return a row for each decision."""
    log = np.zeros((MOST_DECISIONS, kernel.LOG_COLUMNS), np.int32)
    score = np.zeros((MOST_DECISIONS, batch.setting.players), np.int16)
    play = _log_bots if batch.setting.searches else _log_random
    logs, scores, lengths = [], [], []
    for number in numbers.tolist():
        n = play(batch, number, log, score)
        logs.append(log[:n].copy())
        scores.append(score[:n].astype(np.int32))
        lengths.append(n)
    rows, points = np.concatenate(logs), np.concatenate(scores)
    seat = rows[:, kernel.LOG_SEAT]
    every = np.arange(len(rows))
    own = points[every, seat]
    points[every, seat] = np.iinfo(np.int32).min
    return {
        "game": np.repeat(numbers.astype(np.int64), lengths),
        "decision": np.concatenate([np.arange(n, dtype=np.int32) for n in lengths]),
        "seat": seat.astype(np.int8),
        "phase": rows[:, kernel.LOG_PHASE],
        "choices": rows[:, kernel.LOG_CHOICES].astype(np.int16),
        "action": rows[:, kernel.LOG_ACTION].astype(np.int16),
        "kind": kinds(batch.spec)[1][rows[:, kernel.LOG_ACTION]].astype(np.int32),
        "score": own.astype(np.int16),
        "ahead": (own - points.max(1)).astype(np.int16),
    }


def _log_random(batch: Batch, number: int, log: Any, score: Any) -> int:
    played: int = compiled(batch.spec).log_random(
        batch.template,
        batch.template.copy(),
        batch.setting.seed & SEED_BITS,
        number,
        np.zeros(chance.SIZE, np.int64),
        np.zeros(batch.spec.actions, np.int16),
        log,
        score,
    )
    return played


def _log_bots(batch: Batch, number: int, log: Any, score: Any) -> int:
    count = compiled(batch.spec)
    game = BotGame(batch.setting, number)
    for i in range(len(log)):
        if game.over:
            return i
        n, action = game.decide()
        count.log_at(game.state, n, action, log, i, score)
        game.apply(action)
    return len(log)


def position_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before decisions are written."""
    setting = Setting(spec.name, max(spec.player_counts), RANDOM, 1, {}, "")
    batch, log = Batch(setting, 1), np.zeros((MOST_DECISIONS, kernel.LOG_COLUMNS), np.int32)
    score = np.zeros((MOST_DECISIONS, setting.players), np.int16)
    yield "log random", lambda: _log_random(batch, 0, log, score)
    yield "log bots", lambda: _log_bots(batch, 0, log, score)


LOGS = WarmUp("veillee.lab.dataset:position_calls", STUDY.modules)
"""Everything else to compile of a game to export its positions."""


def _arrow(columns: Columns, setting: Setting) -> Any:
    """Return columns as an Arrow table; those that number names become dictionaries."""
    pa = require("pyarrow")
    spec = spec_named(setting.game)
    names = {"role": spec.roles, "phase": spec.phases, "kind": kinds(spec)[0]}
    return pa.table(
        {
            name: pa.DictionaryArray.from_arrays(pa.array(values), pa.array(names[name]))
            if name in names
            else pa.array(values)
            for name, values in columns.items()
        }
    )
