"""Bots by strength: one number between the levels, the same name everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from veillee.bots.bot import Budget
from veillee.bots.levels import (
    ANCHOR,
    LEVELS,
    NAMES,
    BotName,
    Curve,
    Point,
    bot,
    curve,
    fitted,
    interpolated,
    level_named,
    read_curve,
)
from veillee.cli.main import app
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.calibrate import calibrate, check_rising, fit, write_curve
from veillee.lab.match import Result, Terms
from veillee.lab.players import budget, entrant_of, player

GAMES = pytest.mark.parametrize("spec", games().values(), ids=games())


@GAMES
def test_the_levels_are_points_on_the_curve(spec: GameSpec) -> None:
    points = curve(spec).points
    assert [point.level for point in points if point.level] == list(NAMES)
    assert {point.strength for point in points if point.level == ANCHOR} == {1500}
    for point in points:
        if point.level:
            found = BotName.parse(str(round(point.strength))).budget_for(spec)
            assert found == level_named(point.level).budget_for(spec)


@GAMES
def test_a_higher_strength_never_sees_or_plans_less(spec: GameSpec) -> None:
    low, high = curve(spec).range
    searches = [curve(spec).budget(strength) for strength in range(low, high + 1, 10)]
    assert len({(s.iterations, s.instinct) for s in searches}) > 15
    for weaker, stronger in pairwise(searches):
        if (weaker.opens, weaker.deepest) == (stronger.opens, stronger.deepest):
            assert (weaker.iterations or 0) <= (stronger.iterations or 0)
        assert weaker.instinct >= stronger.instinct


@GAMES
def test_a_strength_plays_like_any_bot(spec: GameSpec) -> None:
    game = game_class(spec)(3, 5, compiled=True)
    view = game.seen_by(game.seat)
    chosen = bot(spec, 3, "1450", seed=2).choose(view)
    assert chosen in game.legal
    assert bot(spec, 3, "1450", seed=2).choose(view) == chosen
    assert player(spec, 3, "1450", 2)(view) == chosen


def test_settings_between_two_points() -> None:
    low = {"iterations": 100, "horizon": 0, "instinct": 0.4, "character": {"honest": 0.8}}
    high = {"iterations": 400, "horizon": 8}
    middle = interpolated(low, high, 0.5)
    assert (middle.iterations, middle.horizon, middle.instinct) == (200, 4, 0.2)
    assert middle.character == {"honest": 0.8}
    assert interpolated(low, high, 0.0).iterations == 100


def test_searches_of_different_kinds_are_not_blended() -> None:
    sees: dict[str, Any] = {"iterations": 40, "deepest": 1, "horizon": 0}
    plans: dict[str, Any] = {"iterations": 1, "opens": 2, "horizon": 0}
    assert interpolated(sees, plans, 0.49) == Budget(**sees)
    assert interpolated(sees, plans, 0.51) == Budget(**plans)


def test_what_is_no_bot_is_refused_with_what_there_is() -> None:
    nomads = games()["nomads"]
    low, high = curve(nomads).range
    for name, answer in {
        "grandmaster": "spark, wanderer, teller, elder, sage; or a strength",
        "9999": f"from {low} to {high}",
        "1": f"from {low} to {high}",
        "-5": "There is no level",
        "@teller": "There is no level",
        "bold@": "There is no level",
    }.items():
        with pytest.raises(Refusal, match=answer):
            bot(nomads, 3, name)


def test_a_game_without_measured_strengths_has_levels_only(tmp_path: Path) -> None:
    assert read_curve(tmp_path / "levels.toml") == Curve()
    with pytest.raises(Refusal, match="were not measured"):
        Curve().budget(1500)


def test_a_lab_player_can_be_a_strength_with_other_settings() -> None:
    lumens = games()["lumens"]
    own = BotName.parse("1700").budget_for(lumens)
    assert budget(lumens, "1700") == own
    assert budget(lumens, "1700:iterations=50") == replace(own, iterations=50)


def test_a_bot_goes_on_to_another_game_in_its_range() -> None:
    captain, lumens = games()["captain"], games()["lumens"]
    _, most = curve(captain).range
    assert int(fitted(str(curve(lumens).range[1]), captain)) == most
    assert fitted("1500", captain) == "1500"
    assert [fitted(name, captain) for name in ("", "random", "sage")] == ["", "random", "sage"]


def test_a_table_can_be_played_against_a_strength(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    command = "play lumens --people 0 --players 2 --seed 1 --against 900 --language en"
    result = CliRunner().invoke(app, [*command.split(), "--save", str(saved)])
    assert result.exit_code == 0, result.output
    assert json.loads(saved.read_text())["game"] == "lumens"
    refused = CliRunner().invoke(app, [*command.split()[:-4], "--against", "90000"])
    assert refused.exit_code == 2


# ------------------------------------------------------------ measuring


def test_strengths_are_fitted_to_shares_of_blocks() -> None:
    """Three players: one who wins half of the games among two is stronger by 400 * log10(2)."""
    results = [
        Result(Terms("nomads", 3, "b", "a"), [1 / 2, 2 / 3, 1 / 3] * 200),
        Result(Terms("nomads", 3, "c", "b"), [1 / 3, 1 / 3] * 300),
    ]
    strengths, errors = fit(results, {"a": 0, "b": 1, "c": 2}, anchor=0)
    assert strengths[1] == pytest.approx(120, abs=1)
    assert strengths[2] == pytest.approx(120, abs=1)
    assert errors[0] == 0 < errors[1]


def test_a_match_won_whole_has_a_finite_difference() -> None:
    results = [Result(Terms("lumens", 2, "b", "a"), [1.0] * 20)]
    strengths, _ = fit(results, {"a": 0, "b": 1}, anchor=0)
    assert 500 < strengths[1] < 800


def test_a_curve_is_measured_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        Point({"iterations": n, "deepest": 1, "horizon": 0}, n, level=level)
        for n, level in ((1, ""), (12, ANCHOR))
    ]
    monkeypatch.setattr("veillee.lab.calibrate.curve", lambda _: Curve(points, 2))
    found = calibrate("lumens", 2, 4, seed=1)
    assert [point.strength < 1500 for point in found.curve.points] == [True, False]
    write_curve(tmp_path / "levels.toml", found.curve, "a test")
    written = read_curve(tmp_path / "levels.toml")
    assert written.points == found.curve.points
    assert (written.players, written.source) == (2, "a test")
    falling = replace(found.curve, points=found.curve.points[::-1])
    with pytest.raises(Refusal, match="did not prove stronger"):
        check_rising(falling)


@GAMES
def test_every_point_can_be_sent_into_a_match(spec: GameSpec) -> None:
    for point in curve(spec).points:
        settings = {name: value for name, value in point.settings.items() if name != "seconds"}
        assert budget(spec, entrant_of(point.settings)) == Budget(**settings)
    assert len(LEVELS) == 5
