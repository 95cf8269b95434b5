"""`veillee analyse`: tables, JSON and a chart of a finished game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

from tests.art.test_contrast import contrast
from tests.cli.test_commands import run
from veillee import Marathon
from veillee.analysis import Analysis, Decision
from veillee.analysis.chart import COLOURS, Chart
from veillee.engine.drawing.picture import _colours
from veillee.engine.game import game_class
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games

QUICK = ("--iterations", "1", "--processes", "1")


def saved(path: Path, name: str, decisions: int = 10_000) -> Path:
    chance = Random(1)
    made = Marathon if name == "lumarathon" else game_class(games()[name])
    game = made(3, 1, compiled=True, names=["Ada", "[Bo]", "Cleo & Co"])
    while not game.over and decisions:
        game.play(chance.choice(game.legal))
        decisions -= 1
    path.write_text(json.dumps(game.record(reveal=True)), "utf-8")
    return path


@pytest.mark.parametrize("name", games())
def test_tables_of_a_finished_game(name: str, tmp_path: Path) -> None:
    code, out, _ = run("analyse", str(saved(tmp_path / "game.json", name)), "-l", "en", *QUICK)
    assert code == 0
    assert "Where the result came from" in out
    assert "Costly decisions" in out
    assert "[Bo]" in out
    assert ("Announcements and the truth" in out) == (games()[name].post_mortem is not None)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_json_and_a_chart(theme: str, tmp_path: Path) -> None:
    game, drawn = saved(tmp_path / "game.json", "lumens"), tmp_path / "chart.svg"
    asked = ("analyse", str(game), "--json", "--chart", str(drawn), "--theme", theme, *QUICK)
    code, out, _ = run(*asked)
    assert code == 0
    data = json.loads(out)
    assert data["format"] == "veillee.analysis/1"
    assert sum(data["result"]) == 10_000
    root = ET.parse(drawn).getroot()
    lines = [element for element in root.iter() if element.tag.endswith("polyline")]
    assert len(lines) == 3
    assert all(len(line.attrib["points"].split()) == data["steps"] + 1 for line in lines)
    text = drawn.read_text("utf-8")
    assert "var(" not in text
    assert "Cleo &amp; Co" in text


def test_both_games_of_a_series_are_analysed(tmp_path: Path) -> None:
    path, drawn = saved(tmp_path / "series.json", "lumarathon"), tmp_path / "chart.svg"
    code, out, _ = run("analyse", str(path), "--json", "--chart", str(drawn), *QUICK)
    assert code == 0
    assert [each["game"] for each in json.loads(out)] == ["captain", "nomads"]
    assert sorted(file.name for file in tmp_path.glob("*.svg")) == ["chart-1.svg", "chart-2.svg"]


def test_a_game_that_is_not_over_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.json", "nomads", decisions=5)
    code, _, told = run("analyse", str(path), "-l", "en", *QUICK)
    assert code == 2
    assert "Only a finished game can be analysed" in told


def test_many_games_get_a_line_each(tmp_path: Path) -> None:
    """And the same analyses in two processes as each alone in one."""
    folder, out = tmp_path / "records", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    alone = {}
    for name in ("lumens", "captain"):
        path = saved(folder / f"{name}.json", name)
        alone[name] = json.loads(run("analyse", str(path), "--json", *QUICK)[1])
    (folder / "old.analysis.json").write_text("{}", "utf-8")
    one_more = saved(tmp_path / "series.json", "lumarathon")
    quick = ("--iterations", "1", "--processes", "2")
    asked = ("analyse", str(folder), str(one_more), "--out", str(out), "-l", "en", *quick)
    code, told, _ = run(*asked)
    assert code == 0
    lines = told.splitlines()
    assert [line.partition(", won by ")[0] for line in lines] == [
        "captain.json: Oh Captain!",
        "lumens.json: Lumens",
        "series.json: Oh Captain!",
        "series.json: Nomads",
    ]
    assert all(line.endswith(" costly decisions") for line in lines)
    for name, expected in alone.items():
        assert json.loads((out / f"{name}.analysis.json").read_text("utf-8")) == expected
    assert len(json.loads((out / "series.analysis.json").read_text("utf-8"))) == 2


def test_records_whose_analyses_can_not_be_written_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    same = [str(saved(folder / "game.json", "lumens")) for folder in (tmp_path, other)]
    code, _, told = run("analyse", *same, "--out", str(tmp_path), "-l", "en", *QUICK)
    assert code == 2
    assert "Two records are called game" in told
    code, _, told = run("analyse", same[0], "--out", same[0], "-l", "en", *QUICK)
    assert code == 2
    assert "not a folder" in told


def test_lines_stand_out_in_both_themes() -> None:
    for theme in ("light", "dark"):
        for colour in COLOURS:
            assert contrast(colour, _colours(theme)["--pic-panel"]) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chart_says_what_it_shows_and_marks_the_moment(language: str) -> None:
    decisions = [Decision(0, 0, "a", (6000, 4000), (3000, 7000), "b", 0, [], {})]
    found = Analysis("go", 1, ["A", "B"], 4, decisions, (0, 10_000), 1, 1, "")
    drawn = Chart(found, Words(language), ["A", "B"]).draw(moment=2)
    assert 'role="img"' in drawn
    assert Words(language).labelled("A", "30") in drawn
    assert drawn.count("<circle") == 1
    # 48 on the left, 14 on the right of 720: the middle.
    assert 'id="analysis-now" transform="translate(377 0)"' in drawn
