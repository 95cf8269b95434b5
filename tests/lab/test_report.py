"""Output of the lab: plots tell what was played and show every point, bars go to standard error."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from veillee.engine.i18n import Words
from veillee.lab.charts import front_chart
from veillee.lab.growth import Growth
from veillee.lab.match import Result, Terms
from veillee.lab.report import bars, draw, draw_growth
from veillee.lab.tournament import Tournament
from veillee.lab.tune import Candidate, Range, Task

SVG = "{http://www.w3.org/2000/svg}"
RADIUS = 3.5
"""Of a point, in units of the SVG."""


def result(challenger: str, against: str, shares: list[float]) -> Result:
    return Result(Terms("nomads", 2, challenger, against), shares)


def draw_tournament(path: Path) -> None:
    held = Tournament()
    held.results["a", "b"] = result("a", "b", [1.0] * 8)
    held.results["b", "a"] = result("b", "a", [0.0] * 8)
    draw(held, path)


def draw_both_ends(path: Path) -> None:
    held = Growth({16: result("a", "b", [0.0] * 6), 32: result("a", "b", [1.0] * 8)})
    draw_growth(held, path)


@pytest.mark.parametrize(
    ("plot", "title"),
    [
        (draw_tournament, "nomads, 2 players, 8 blocks each"),
        (draw_both_ends, "nomads, 2 players, 6–8 blocks each"),
    ],
)
def test_titles_tell_game_players_and_blocks(plot: type, title: str, tmp_path: Path) -> None:
    plot(tmp_path / "plot.svg")
    assert title in texts((tmp_path / "plot.svg").read_text("utf-8"))


def test_title_of_a_tuning() -> None:
    task = Task("captain", "Fair Captain", (3, 4), "random", {}, {}, {"seats": Range(0, 0.05)})
    tried = [Candidate({"egg": n}, {"seats": n / 10}, (n / 10,), n == 0) for n in range(3)]
    title = "Fair Captain, 3 and 4 players: 3 candidates, 2,000 games of each"
    assert title in texts(front_chart(task, tried, 2000, Words("en")))


@pytest.mark.parametrize("goals", [1, 2, 3, 4])
def test_a_tuning_is_drawn_by_every_pair_of_goals(goals: int) -> None:
    names = ("seats", "length", "tie", "lead changes")[:goals]
    task = Task("captain", "Fair Captain", (3,), "random", {}, {}, {n: Range(0, 1) for n in names})
    tried = [
        Candidate({"egg": n}, dict.fromkeys(names, n / 10), (n / 10,) * goals, n == 0)
        for n in range(3)
    ]
    root = ET.fromstring(front_chart(task, tried, 2000, Words("fr")))
    drawn = [group for group in root.iter(f"{SVG}g") if (group.get("id") or "").startswith("axes_")]
    points = sum(len(axes.findall(f".//{SVG}use")) > 0 for axes in drawn)
    assert points == {1: 1, 2: 1, 3: 3, 4: 6}[goals]
    told = " ".join(texts(front_chart(task, tried, 2000, Words("fr"))))
    assert "écart à la part équitable" in told
    assert "front de Pareto" in told
    assert ("changements de leader" in told) == (goals == 4)


@pytest.mark.parametrize("plot", [draw_tournament, draw_both_ends])
def test_points_at_0_and_1_are_not_cut(plot: type, tmp_path: Path) -> None:
    plot(tmp_path / "plot.svg")
    root = ET.parse(tmp_path / "plot.svg").getroot()
    clips = {clip.get("id"): clip[0] for clip in root.iter(f"{SVG}clipPath")}
    points = 0
    for group in root.iter(f"{SVG}g"):
        clip = re.fullmatch(r"url\(#(.+)\)", group.get("clip-path") or "")
        if clip is None:
            continue
        box = clips[clip[1]]
        for point in group.findall(f"{SVG}use"):
            points += 1
            for axis, length in (("x", "width"), ("y", "height")):
                start, size = float(box.attrib[axis]), float(box.attrib[length])
                at = float(point.attrib[axis])
                assert start + RADIUS <= at <= start + size - RADIUS
    assert points == 2


def test_progress_bars_stay_off_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """So that results can be piped into another program."""
    with bars() as shown:
        shown.add_task("nomads", total=1)
    told = capsys.readouterr()
    assert "nomads" in told.err
    assert told.out == ""


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]
