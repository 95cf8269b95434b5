"""Training: generations that learn from games among themselves."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from veillee.bots.bot import search_modules
from veillee.bots.jit import search
from veillee.bots.jit.evaluation import OWN
from veillee.bots.jit.heuristics import BUFFER
from veillee.bots.weights import as_tables, put, weight_names, weights_for, with_network
from veillee.cli.lab import app
from veillee.engine.game import game_class
from veillee.engine.jit.compile import Build
from veillee.engine.registry import games
from veillee.lab.executor import workers
from veillee.lab.fit import log_loss, read
from veillee.lab.network import train_network
from veillee.lab.results import read as read_lines
from veillee.lab.train import SHARD, Plan, log_odds, play_shard, read_games, train

LUMENS = games()["lumens"]
PLAN = Plan("lumens", 2, 96, "search:iterations=4,opens=2", "search:each=1,deepest=1", 4, 0, 5)


def network(seed: int) -> np.ndarray:
    """Weights with a network of random numbers."""
    chance = np.random.default_rng(seed)
    names = len(weight_names(LUMENS))
    rows = [*chance.normal(size=(names, 32)) / 20, *chance.normal(size=(3, 16))]
    return with_network(weights_for(LUMENS, 2)[:names, :OWN], rows)


def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    """Cut off in the middle of its games, and with another number of processes."""
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    with workers(1) as pool:
        one = train(PLAN, 2, file=whole, pool=pool)
    torn.write_bytes(whole.read_bytes()[: len(whole.read_bytes()) // 3])
    kept = len(read_lines(torn))
    assert 0 < kept < len(read_lines(whole))
    with workers(2) as pool:
        two = train(PLAN, 2, file=torn, pool=pool)
    assert read_lines(torn) == read_lines(whole)
    for a, b in zip(one, two, strict=True):
        assert a.weights.tolist() == b.weights.tolist()
        assert (a.data, a.losses, a.match.shares) == (b.data, b.losses, b.match.shares)
    assert one[1].games == 2 * PLAN.games


def test_games_of_other_shards_and_generations_differ() -> None:
    now = [weights_for(LUMENS, 2)]
    played = [play_shard(PLAN, *which, now) for which in ((0, 0), (0, 1), (1, 0))]
    assert len({tuple(game["actions"]) for shard in played for game in shard}) == 3 * SHARD
    data = read_games(LUMENS, 2, played[0])
    assert data.won.sum(1) == pytest.approx(1)
    assert data.target.sum(1) == pytest.approx(1)


def test_only_searches_without_a_clock_can_be_trained() -> None:
    result = CliRunner().invoke(app, ["train", "lumens", "sage", "--players", "2"])
    assert result.exit_code == 2
    assert "sage can’t be trained: name a level or a search without a time limit" in result.output


def test_of_many_positions_some_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    games = play_shard(PLAN, 0, 0, [weights_for(LUMENS, 2)])
    whole = read_games(LUMENS, 2, games)
    monkeypatch.setattr("veillee.lab.train.MOST_POSITIONS", len(whole.won) // 3 + 1)
    part = read_games(LUMENS, 2, games)
    assert part.states.tobytes() == whole.states[::3].tobytes()
    assert part.target.tolist() == whole.target[::3].tolist()
    assert part.game.tolist() == whole.game[::3].tolist()


def test_a_network_learns_what_no_linear_weights_can() -> None:
    """The seat wins whose only feature is nearer to zero, whatever its sign."""
    chance = np.random.default_rng(2)
    found = chance.normal(size=(3000, 2, 1)) * 3
    shares = np.zeros((3000, 2))
    shares[np.arange(3000), np.abs(found[:, :, 0]).argmin(1)] = 1
    far, aside = chance.random(3000), np.arange(3000) % 5 == 0
    linear = np.zeros((1, 2))
    rows = train_network(found, far, np.zeros((3000, 2)), shares, aside, (1,))
    odds = log_odds(with_network(linear, rows), found[aside], far[aside])
    assert log_loss(odds, shares[aside]).mean() < 0.5 < np.log(2)


def test_the_search_evaluates_the_network_as_it_was_trained() -> None:
    weights = network(3)
    game = game_class(LUMENS)(2, 4)
    for _ in range(12):
        game.play(game.legal[-1])
    odds = log_odds(weights, *read(LUMENS, game.states.copy(), 2))[0]
    result = np.zeros(BUFFER)
    build = Build(LUMENS.tag, LUMENS.package, compiled=False)
    value = build.module(search, search_modules(LUMENS)).value
    value(game.state, weights, array("h", bytes(2 * BUFFER)), result)
    expected = np.exp(odds - odds.max())
    assert result[:2] == pytest.approx(expected / expected.sum())
    assert abs(odds - log_odds(weights_for(LUMENS, 2), *read(LUMENS, game.states.copy(), 2))).max()


def test_a_file_gives_a_network_back(tmp_path: Path) -> None:
    weights, file = network(4).round(5), tmp_path / "weights.toml"
    linear, rows = as_tables(LUMENS, weights)
    put(file, 2, linear, "by hand", rows)
    assert weights_for(LUMENS, 2, file).tolist() == weights.tolist()
    put(file, 3, linear, "by hand")
    assert weights_for(LUMENS, 2, file).tolist() == weights.tolist()
    assert weights_for(LUMENS, 3, file).shape == (len(linear), OWN)


def test_the_command_writes_admitted_weights_with_what_made_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veillee.lab.train.Step.judge", lambda self, new, old: admitted(self))
    file = tmp_path / "new.toml"
    command = "train lumens search:iterations=2 --players 2 --games 8 --processes 1 --write"
    result = CliRunner().invoke(app, [*command.split(), str(file)])
    assert result.exit_code == 0, result.output
    assert f"generation 0: {SHARD} games" in result.output
    assert "admitted" in result.output
    assert "veillee lab train lumens search:iterations=2 --players 2 --games 8" in file.read_text()
    assert weights_for(LUMENS, 2, file).shape[0] >= len(weight_names(LUMENS))


def admitted(_: object) -> object:
    from veillee.lab.match import Result, Terms

    return Result(Terms("lumens", 2, "new", "old"), [1.0, 0.5]), True
