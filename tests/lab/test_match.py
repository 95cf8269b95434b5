"""Matches, tournaments, growth and fitting."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from veillee.bots.levels import level_named
from veillee.cli.lab import app
from veillee.engine.game import game_class
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.executor import workers
from veillee.lab.fit import fit, likeliest
from veillee.lab.growth import Growth
from veillee.lab.match import Block, Result, Terms, block, match, seated
from veillee.lab.openspiel import Peer
from veillee.lab.players import budget, check
from veillee.lab.results import read
from veillee.lab.sprt import Sequential
from veillee.lab.tournament import Tournament, tournament

QUICK = {"quick": True}


def test_alike_players_share_every_block_evenly() -> None:
    """With one player in all seats a block's shares add up to one win a deal."""
    terms = Terms("nomads", 3, "random", "random", options=QUICK)
    assert Block(**block(terms, 0).result).share == pytest.approx(1 / 3)
    with pytest.raises(Refusal, match="always comes out even"):
        match(terms, 1)


def test_a_match_repeats_itself_whatever_the_number_of_processes() -> None:
    terms = Terms("nomads", 2, "greedy", "random", seed=4, options=QUICK)
    with workers(1) as here, workers(2) as there:
        one = match(terms, 4, pool=here)
        two = match(terms, 4, pool=there)
    assert one.shares == two.shares
    assert one.mean > 0.6


def test_a_match_is_broken_down_by_turn_order_role_and_phase(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    terms = Terms("nomads", 3, "greedy", "random", options=QUICK)
    with workers(1) as pool:
        result = match(terms, 4, file=file, pool=pool)
        resumed = match(terms, 4, file=file, pool=pool)
    order, roles = result.by_order(), result.by_role()
    assert list(order) == [0, 1, 2]
    assert all(len(values) == 4 for values in order.values())
    assert sum(map(sum, order.values())) == pytest.approx(sum(map(sum, roles.values())))
    assert sum(map(sum, order.values())) / 12 == pytest.approx(result.mean)
    assert set(roles) <= set(games()["nomads"].roles)
    own, others = result.decisions()["turn"]
    assert 0 < own < others
    assert min(result.thinking["turn"]) > 0
    assert resumed == result
    assert resumed.thinking == result.thinking
    assert result.data()["order"][0]["games"] == 4


def test_lines_that_have_only_a_share_are_played_again(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    terms = Terms("captain", 3, "random", "beginner")
    with workers(1) as pool:
        result = match(terms, 1, file=file, pool=pool)
        data = json.loads(file.read_text("utf-8"))
        file.write_text(json.dumps(data | {"result": 0.5}) + "\n", "utf-8")
        assert match(terms, 1, file=file, pool=pool) == result


def test_the_players_of_a_mixed_field_take_the_seats_in_turn() -> None:
    terms = Terms("nomads", 4, "elder", "teller+spark")
    assert seated(terms, 0, 1) == ["teller", "elder", "spark", "teller"]
    assert seated(terms, 1, 1) == ["spark", "elder", "teller", "spark"]
    program = Terms("nomads", 3, "elder", "teller+program:./bot a+b")
    assert program.opponents == ["teller", "program:./bot a+b"]
    with pytest.raises(Refusal, match="no player “nobody”"):
        match(Terms("nomads", 3, "random", "greedy+nobody"), 1)


def test_the_command_shows_the_breakdown() -> None:
    told = CliRunner().invoke(
        app,
        ["match", "captain", "beginner", "random", "--blocks", "2", "--breakdown"],
    )
    assert told.exit_code == 0, told.output
    assert {"in turn order 3", "nostromo", "announce"} <= set(
        re.findall(r"│ (.+?)\s+│", told.output)
    )


def test_the_interval_is_over_blocks_and_ends_at_1() -> None:
    result = Result(Terms("nomads", 2, "a", "b"), [0.5, 1.0, 0.5, 1.0])
    low, high = result.interval
    assert result.mean == 0.75
    assert (round(low, 3), round(high, 3)) == (0.467, 1)
    assert result.data()["high"] == 1


def test_blocks_that_are_all_alike_leave_doubt() -> None:
    low, high = Result(Terms("nomads", 2, "a", "b"), [1.0] * 8).interval
    assert (round(low, 3), high) == (0.676, 1)


def test_the_sequential_test_answers_and_waits() -> None:
    question = Sequential(gain=0.1)
    assert question.answer([0.5] * 9, 0.5) is None
    assert question.answer([0.9, 0.8, 1.0, 0.9] * 20, 0.5) == "better"
    assert question.answer([0.5, 0.4, 0.6, 0.5] * 40, 0.5) == "not better"
    assert question.answer([0.0, 1.0] * 6, 0.5) is None


def test_what_a_doubling_gives_is_told_by_the_same_deals() -> None:
    """Each block's shares lie on its own line; the mean of their slopes is what is asked for."""
    shares = {100: [0.2, 0.4], 200: [0.3, 0.6], 400: [0.4, 0.8]}
    held = Growth({n: Result(Terms("nomads", 2, "a", "b"), each) for n, each in shares.items()})
    rise, low, high = held.per_doubling([100, 200, 400])
    assert (round(rise, 3), round(low, 3), round(high, 3)) == (0.15, 0.052, 0.248)
    assert held.halves() == [[100, 200, 400]]
    held.results[800] = held.results[400]
    assert held.halves() == [[100, 200, 400, 800], [100, 200], [400, 800]]


def test_unknown_players_are_refused_before_anything_starts() -> None:
    spec = games()["nomads"]
    for entrant, answer in {
        "nobody": "no player “nobody”. Known players: spark",
        "search:": "no setting “”. It has: iterations",
        "search:wings=3": "no setting “wings”",
        "sage:foo=3": "no setting “foo”",
        "sage:iterations=x": "iterations=x won’t do",
        "sage:weights=no.toml": "There is no file no.toml",
        "sage:character=1": "no setting “character”",
        "sage:seconds=abc": "seconds=abc won’t do",
        "search:iterations=-5": "iterations=-5 won’t do",
        "search:iterations=0": "iterations=0 won’t do",
        "openspiel:x": "no player “openspiel:x”",
        "openspiel:seconds=x": "seconds=x won’t do",
        "program:": "is not a command line",
        "program:./nothing --here": "“./nothing” can’t be started",
    }.items():
        with pytest.raises(Refusal, match=re.escape(answer)):
            check(spec, entrant)
    with pytest.raises(Refusal, match="2 to 5"):
        match(Terms("nomads", 9, "random", "greedy"), 1)
    assert budget(spec, "search:iterations=50,horizon=3").iterations == 50
    sage = level_named("sage").budget_for(spec)
    assert budget(spec, "sage:iterations=50") == replace(sage, iterations=50, seconds=None)
    assert budget(spec, "sage:seconds=0.1") == replace(sage, seconds=0.1, iterations=None)
    assert budget(spec, "sage:horizon=2") == replace(sage, horizon=2)


def test_openspiels_search_can_be_sent_into_a_match() -> None:
    spec = games()["nomads"]
    game = game_class(spec)(3, 5, compiled=True, quick=True)
    check(spec, "openspiel:seconds=0.01")
    peer = Peer(spec, 3, 0.01, seed=1)
    assert peer.choose(game.seen_by(game.seat)) in game.legal
    assert peer.simulations >= 2


def test_ratings_put_the_stronger_first() -> None:
    held = Tournament()
    for one, other, share in (("a", "b", 0.9), ("b", "a", 0.1)):
        held.results[one, other] = Result(Terms("nomads", 2, one, other), [share] * 20)
    ratings = held.ratings()
    assert ratings["a"][0] > ratings["b"][0]


def test_a_ladder_is_each_against_the_one_before() -> None:
    names = ["random", "greedy", "search:each=1"]
    with workers(1) as pool:
        held = tournament("nomads", 2, names, 1, ladder=True, options=QUICK, pool=pool)
    assert list(held.results) == [("greedy", "random"), ("search:each=1", "greedy")]


def test_games_of_two_are_played_once_for_both_sides(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    with workers(1) as pool:
        held = tournament("nomads", 2, ["random", "greedy"], 3, options=QUICK, file=file, pool=pool)
        other_way = match(Terms("nomads", 2, "greedy", "random", options=QUICK), 3, pool=pool)
    assert len(read(file)) == 3
    assert held.results["greedy", "random"].shares == other_way.shares


def test_the_commands(tmp_path: Path) -> None:
    out, plot = tmp_path / "out.json", tmp_path / "plot.svg"
    result = CliRunner().invoke(
        app,
        [
            *("tournament", "nomads", "greedy", "random", "--players", "2", "--blocks", "2"),
            *("--processes", "1", "--option", "quick=true", "--out", str(out), "--plot", str(plot)),
        ],
    )
    assert result.exit_code == 0, result.output
    assert {m["challenger"] for m in json.loads(out.read_text("utf-8"))["matches"]} == {
        "greedy",
        "random",
    }
    assert plot.read_text("utf-8").startswith("<?xml")
    result = CliRunner().invoke(
        app,
        [
            *("match", "nomads", "greedy", "random", "--players", "2", "--blocks", "2"),
            *("--processes", "1", "--option", "quick=true", "--gain", "0.1"),
        ],
    )
    assert result.exit_code == 0, result.output


def test_the_command_for_growth(tmp_path: Path) -> None:
    out, plot = tmp_path / "out.json", tmp_path / "plot.svg"
    asked = ["growth", "lumens", "search:deepest=1", "random", "4", "8", "--players", "2"]
    made = ["--blocks", "2", "--processes", "1", "--out", str(out), "--plot", str(plot)]
    result = CliRunner().invoke(app, [*asked, *made])
    assert result.exit_code == 0, result.output
    told = json.loads(out.read_text("utf-8"))
    tried = [match["challenger"] for match in told["matches"]]
    assert tried == ["search:deepest=1,iterations=4", "search:deepest=1,iterations=8"]
    assert told["per doubling"][0]["to"] == 8
    assert plot.read_text("utf-8").startswith("<?xml")


def test_what_is_fitted_tells_winners_from_losers() -> None:
    """A made-up feature that decides every game gets its weight; an irrelevant one gets none."""
    chance = np.random.default_rng(3)
    features = chance.normal(size=(4000, 3, 2))
    odds = np.exp(1.5 * features[:, :, 0])
    odds /= odds.sum(1, keepdims=True)
    shares = np.array([np.eye(3)[chance.choice(3, p=row)] for row in odds])
    telling, silent = likeliest(features, shares)
    assert 1.3 < telling < 1.7
    assert abs(silent) < 0.15


def test_points_tell_who_will_win() -> None:
    with workers(1) as pool:
        found = fit(games()["nomads"], 2, 12, "random", pool=pool)
    assert next(iter(found.weights)) == "points"
    assert found.weights["points"][0] > 0
    assert found.games == 12
    assert found.gain[1] < found.gain[0] < found.gain[2]
    with pytest.raises(Refusal):
        fit(games()["captain"], 3, 1, "random")
