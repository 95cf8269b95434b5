"""The laboratory: honest counting, runs that go on, questions that get answered."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from veillee.bots.levels import level_named
from veillee.engine.game import game_of
from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.lab.command import app
from veillee.lab.fit import fit, likeliest
from veillee.lab.growth import Growth
from veillee.lab.match import Result, Terms, block, match
from veillee.lab.openspiel import Peer
from veillee.lab.players import budget, check
from veillee.lab.sequential import Sequential
from veillee.lab.tournament import Tournament, tournament

QUICK = {"quick": True}


def test_alike_players_share_every_block_fairly() -> None:
    """With one player in all seats a block's shares add up to one win a deal."""
    terms = Terms("nomads", 3, "random", "random", options=QUICK)
    shares = [block(terms, number) for number in range(30)]
    assert all(0 <= share <= 1 for share in shares)
    assert 0.15 < sum(shares) / 30 < 0.55


def test_a_match_repeats_itself_whatever_the_number_of_processes() -> None:
    terms = Terms("nomads", 2, "greedy", "random", seed=4, options=QUICK)
    one = match(terms, 4, processes=1)
    two = match(terms, 4, processes=2)
    assert one.shares == two.shares
    assert one.mean > 0.6


def test_an_interrupted_match_goes_on(tmp_path: Path) -> None:
    terms = Terms("nomads", 2, "random", "random", options=QUICK)
    file = tmp_path / "blocks.jsonl"
    match(terms, 3, file=file, processes=1)
    whole = match(terms, 5, file=file, processes=1)
    assert len(file.read_text("utf-8").splitlines()) == 5
    assert whole.shares == match(terms, 5, processes=1).shares
    assert match(terms, 2, file=file, processes=1).shares == whole.shares[:2]


def test_the_interval_is_over_blocks() -> None:
    result = Result(Terms("nomads", 2, "a", "b"), [0.5, 1.0, 0.5, 1.0])
    low, high = result.interval
    assert result.mean == 0.75
    assert (round(low, 3), round(high, 3)) == (0.467, 1.033)


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
    contract = games()["nomads"]
    for spec in ("nobody", "search:", "search:wings=3", "sage:iterations=x", "openspiel:x"):
        with pytest.raises(Refusal):
            check(contract, spec)
    with pytest.raises(Refusal):
        match(Terms("nomads", 9, "random", "random"), 1)
    assert budget(contract, "search:iterations=50,horizon=3").iterations == 50
    sage = level_named("sage").budget_for(contract)
    assert budget(contract, "sage:iterations=50") == replace(sage, iterations=50, seconds=None)
    assert budget(contract, "sage:seconds=0.1") == replace(sage, seconds=0.1, iterations=None)
    assert budget(contract, "sage:horizon=2") == replace(sage, horizon=2)


def test_openspiels_search_can_be_sent_into_a_match() -> None:
    contract = games()["nomads"]
    game = game_of(contract)(3, 5, compiled=True, quick=True)
    check(contract, "openspiel:seconds=0.01")
    peer = Peer(contract, 3, 0.01, seed=1)
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
    held = tournament("nomads", 2, names, 1, ladder=True, options=QUICK, processes=1)
    assert list(held.results) == [("greedy", "random"), ("search:each=1", "greedy")]


def test_the_commands(tmp_path: Path) -> None:
    out, plot = tmp_path / "out.json", tmp_path / "plot.svg"
    result = CliRunner().invoke(
        app,
        [
            *("tournament", "nomads", "greedy", "random", "--players", "2", "--blocks", "2"),
            *("--option", "quick=true", "--out", str(out), "--plot", str(plot)),
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
            *("--option", "quick=true", "--gain", "0.1"),
        ],
    )
    assert result.exit_code == 0, result.output
    assert CliRunner().invoke(app, ["match", "chess", "random", "random"]).exit_code == 2


def test_the_command_for_growth(tmp_path: Path) -> None:
    out, plot = tmp_path / "out.json", tmp_path / "plot.svg"
    asked = ["growth", "lumens", "search:deepest=1", "random", "4", "8", "--players", "2"]
    made = ["--blocks", "2", "--out", str(out), "--plot", str(plot)]
    result = CliRunner().invoke(app, [*asked, *made])
    assert result.exit_code == 0, result.output
    told = json.loads(out.read_text("utf-8"))
    tried = [match["challenger"] for match in told["matches"]]
    assert tried == ["search:deepest=1,iterations=4", "search:deepest=1,iterations=8"]
    assert told["per doubling"][0]["to"] == 8
    assert plot.read_text("utf-8").startswith("<?xml")
    refused = CliRunner().invoke(app, ["growth", "lumens", "sage", "random", "4"])
    assert refused.exit_code == 2
    assert "two different numbers" in refused.output


def test_what_is_fitted_tells_winners_from_losers() -> None:
    """A made-up sign that decides every game gets its weight; one that tells nothing gets none."""
    chance = np.random.default_rng(3)
    features = chance.normal(size=(4000, 3, 2))
    odds = np.exp(1.5 * features[:, :, 0])
    odds /= odds.sum(1, keepdims=True)
    shares = np.array([np.eye(3)[chance.choice(3, p=row)] for row in odds])
    telling, silent = likeliest(features, shares)
    assert 1.3 < telling < 1.7
    assert abs(silent) < 0.15


def test_points_tell_who_will_win() -> None:
    weights = fit(games()["nomads"], 2, 12, "random")
    assert next(iter(weights)) == "points"
    assert weights["points"][0] > 0
    with pytest.raises(Refusal):
        fit(games()["captain"], 3, 1, "random")
