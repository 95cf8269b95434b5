"""Tuning: finds what it is asked for, repeats itself, and goes on after an interruption."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from veillee.cli.lab import app
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.variant import read_variant
from veillee.lab.executor import workers
from veillee.lab.findings import rows
from veillee.lab.match import Z
from veillee.lab.study import Cell, Plan, study
from veillee.lab.tune import Candidate, Range, Task, check_task, confirm, read_task, tune

EXAMPLES = Path(__file__).parents[2] / "examples"

GOALS = """\
game = "captain"
name = "Fair Captain"
players = [4]

[values]
captain_coins = 20

[free]
captain_coins = { low = 0, high = 20 }

[goals]
seats = 0.05
length = { low = 60, high = 120 }
"""


def written(folder: Path, text: str = GOALS) -> Path:
    path = folder / "goals.toml"
    path.write_text(text, "utf-8")
    return path


def run(task: Task, trials: int, storage: Path | None = None) -> list[Candidate]:
    with workers(1) as pool:
        return tune(task, trials, 1000, storage=storage, pool=pool)


def test_a_planted_imbalance_of_seats_is_mended(tmp_path: Path) -> None:
    """With twenty coins the Captain wins far too often; with about five, a fair share."""
    found = run(read_task(written(tmp_path)), 14)
    assert found[0].values == {"captain_coins": 20}
    assert found[0].reached["seats"] > 0.4
    assert any(candidate.meets_goals for candidate in found)
    assert all(candidate.values["captain_coins"] < 10 for candidate in found if candidate.on_front)


def test_seats_come_within_a_point_of_fair() -> None:
    """The example of the docs, with fewer trials; judged on deals that the search did not see."""
    task, games = read_task(EXAMPLES / "even_fire.toml"), 40_000
    with workers(1) as pool:
        found = tune(task, 60, 4000, pool=pool)
        best, _ = confirm(task, found, 4000, seed=2, pool=pool)
        plan = Plan(
            task.game, (task.variant(best.values),), (2,), (task.level,), games, games, seed=3
        )
        tally = study(plan, pool=pool).cells[Cell(task.name, 2, task.level)]
    assert found[0].reached["seats"] > 0.25
    interval = Z * sqrt(0.25 / games)
    shares = [share.mean for _, share in rows(spec_named(task.game), tally, "seats")]
    assert all(abs(share - 0.5) <= 0.01 + interval for share in shares)


def test_an_interrupted_run_goes_on_as_it_would_have(tmp_path: Path) -> None:
    task = read_task(written(tmp_path))
    whole = run(task, 12)
    storage = tmp_path / "trials.db"
    assert run(task, 5, storage) == run(task, 5)
    again = run(task, 12, storage)
    assert [each.values for each in again] == [each.values for each in whole]
    assert again == whole


def test_trials_of_other_code_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task, storage = read_task(written(tmp_path)), tmp_path / "trials.db"
    found = run(task, 5, storage)
    monkeypatch.setattr("veillee.lab.tune.study", refuse)
    assert run(task, 5, storage) == found
    monkeypatch.setattr("veillee.lab.tune.versions", lambda _: {"code": "another"})
    with pytest.raises(Refusal, match="None of the values"):
        run(task, 5, storage)


def refuse(*_: object, **__: object) -> None:
    raise Refusal("impossible", "lab.tune.nothing")


def test_all_workers_share_a_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few games it has; and it comes to the same."""
    task, tasks = read_task(written(tmp_path)), []
    with workers(2) as pool:
        play = pool.map

        def counted(task: Any, given: Iterable[tuple[Any, ...]]) -> Any:
            all_given = list(given)
            tasks.append(len(all_given))
            return play(task, all_given)

        monkeypatch.setattr(pool, "map", counted)
        found = tune(task, 2, 1000, pool=pool)
    assert tasks
    assert min(tasks) >= 2
    assert found == run(task, 2)


def test_values_that_can_not_be_played_are_passed_over(tmp_path: Path) -> None:
    """With four players and thirty coins, an Explorer can't begin with ten."""
    text = GOALS.replace("captain_coins = { low = 0", "explorer_coins = { low = 0")
    found = run(read_task(written(tmp_path, text)), 12)
    assert 0 < len(found) < 12
    assert all(candidate.values["explorer_coins"] <= 3 for candidate in found)


def test_numbers_inside_tables_may_move(tmp_path: Path) -> None:
    text = GOALS.replace(
        "captain_coins = { low = 0, high = 20 }", '"cards.egg" = { low = 1, high = 7 }'
    )
    task = read_task(written(tmp_path, text))
    cards = task.variant({"cards.egg": 2}).values["cards"]
    assert cards["egg"] == 2
    assert cards["hook"] == 5


def test_a_star_moves_all_entries_together(tmp_path: Path) -> None:
    text = GOALS.replace(
        "captain_coins = { low = 0, high = 20 }", '"cards.*" = {low = 1, high = 7}'
    )
    cards = read_task(written(tmp_path, text)).variant({"cards.*": 4}).values["cards"]
    assert set(cards.values()) == {4}


def test_distances_are_parts_of_the_nearest_bound() -> None:
    assert [Range(40, 50).distance(value) for value in (45, 36, 60)] == [0, 0.1, 0.2]


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (("[goals]", "[goal]"), "“goal” is unknown here. Possible keys: game"),
        (("[goals]", "[goals"), "can’t be read: "),
        (
            ("seats = 0.05", "speed = { low = 1, high = 2 }"),
            "This game has no goal “speed”. Possible goals: ",
        ),
        (("seats = 0.05", 'seats = "fair"'), "seats needs numbers"),
        (("low = 0, high = 20", "low = 9, high = 2"), "free.captain_coins needs numbers"),
        (("low = 0, high = 20", "low = 0.5, high = 2"), "free.captain_coins needs numbers"),
        (("captain_coins = { low", "wings = { low"), "There is no number at wings"),
        (("captain_coins = { low", "cards = { low"), "There is no number at cards"),
        (("players = [4]", "players = 4"), "are not numbers of players"),
        (("players = [4]", "players = [9]"), "3 to 6"),
        (("captain_coins = 20\n", "captain_coins = 99\n"), "captain_coins: 99"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, change: tuple[str, str], answer: str) -> None:
    with pytest.raises(Refusal, match=re.escape(answer)):
        check_task(read_task(written(tmp_path, GOALS.replace(*change))), 5, 100)


def test_the_command_writes_chart_data_and_variant(tmp_path: Path) -> None:
    command = (
        f"tune {written(tmp_path)} --trials 6 --games 500 --processes 1 "
        f"--out {tmp_path / 'front.svg'}"
    )
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 0, result.output
    assert (tmp_path / "front.svg").read_text("utf-8").startswith("<svg")
    told = json.loads((tmp_path / "front.json").read_text("utf-8"))
    assert len(told["candidates"]) <= 6
    assert set(told["confirmed"]) == {"seats", "length"}
    assert read_variant(tmp_path / "front.variant.json").name == "Fair Captain"
