"""Games as Parquet: the same games as everywhere else, in the columns that docs/lab.md lists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from veillee.cli.lab import app
from veillee.engine.batch import playouts
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import games
from veillee.lab.dataset import export, positions, setting_of
from veillee.lab.executor import workers
from veillee.lab.gather import Setting

PAGE = Path(__file__).parents[2] / "docs" / "lab.md"


def asked(question: str) -> list[Any]:
    return duckdb.execute(question).fetchall()


@pytest.mark.parametrize("spec", games().values(), ids=list(games()))
def test_the_files_hold_the_games_that_were_played(spec: GameSpec, tmp_path: Path) -> None:
    setting = Setting(spec.name, 3, "random", 5, {}, "")
    with workers(1) as pool:
        export(setting, 100, tmp_path, positions=True, pool=pool)
    played = playouts(spec, 3, 100, 5)
    seats = f"'{tmp_path}/seats.parquet'"
    rows = asked(f"select score, place from {seats} order by game, seat")
    assert [score for score, _ in rows] == played.scores.ravel().tolist()
    assert [place for _, place in rows] == played.places.ravel().tolist()
    assert asked(f"select sum(win) from {seats}") == [(pytest.approx(100),)]
    assert asked(f'select distinct "order" from {seats} order by 1') == [(1,), (2,), (3,)]
    lengths = asked(f"select decisions from '{tmp_path}/games.parquet' order by game")
    logged = asked(
        f"select count(*) from '{tmp_path}/positions.parquet' group by game order by game"
    )
    assert lengths == logged
    assert sum(n for (n,) in lengths) == played.decisions
    kinds = asked(f"select distinct kind from '{tmp_path}/positions.parquet'")
    assert {kind for (kind,) in kinds} <= {spec.action_kind(n) for n in range(spec.actions)}


@pytest.mark.parametrize("level", ["random", "greedy"])
@pytest.mark.parametrize("spec", games().values(), ids=list(games()))
def test_positions_are_rebuilt_from_actions(spec: GameSpec, level: str, tmp_path: Path) -> None:
    options = {"adventurers": "deal"} if spec.roles else {}
    with workers(1) as pool:
        export(Setting(spec.name, 3, level, 5, options, ""), 2, tmp_path, positions=True, pool=pool)
    rows = asked(
        f"select seat, phase, choices, action, score from '{tmp_path}/positions.parquet' "
        "where game = 1 order by decision"
    )
    setting = setting_of(tmp_path / "positions.parquet")
    rebuilt = positions(setting, 1, [action for *_, action, _ in rows])
    every_fifth = list(zip(rebuilt, rows, strict=True))[::5]
    assert len(every_fifth) > 5
    for position, (seat, phase, choices, action, score) in every_fifth:
        game = game_class(spec).from_position(json.loads(json.dumps(position)))
        assert (game.seat, game.phase, len(game.legal)) == (seat, phase, choices)
        assert action in game.legal_numbers()
        assert game.scores[seat] == score


def test_games_of_bots_are_written_too(tmp_path: Path) -> None:
    setting = Setting("lumens", 2, "greedy", 5, {}, "")
    with workers(1) as pool:
        export(setting, 2, tmp_path, positions=True, pool=pool)
    lengths = asked(f"select decisions from '{tmp_path}/games.parquet' order by game")
    logged = asked(
        f"select count(*) from '{tmp_path}/positions.parquet' group by game order by game"
    )
    assert lengths == logged


def test_the_page_lists_every_column(tmp_path: Path) -> None:
    """And the file says what its games depend on."""
    command = f"export nomads --games 3 --positions --processes 1 --out {tmp_path}"
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 0, result.output
    page = PAGE.read_text("utf-8")
    for file in ("games", "seats", "positions"):
        schema = pq.read_schema(tmp_path / f"{file}.parquet")
        section = page.partition(f"### `{file}.parquet`")[2].partition("###")[0]
        assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == schema.names
        about = json.loads(schema.metadata[b"veillee"])
        assert (about["game"], about["games"], about["seed"]) == ("nomads", 3, 1)
