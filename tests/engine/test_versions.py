"""A game goes on with the rules it began with, whatever becomes of the rules.

The game is the template of `veillee new`: 1, 2 or 3 is added to a total, and who reaches 21 wins.
Version 2 is another game in every respect: a shorter way, a new field in the state, other numbers
for the actions.
"""

from __future__ import annotations

import importlib
import json
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.written import change, forget, games_in
from tests.golden import record_file
from veillee.bots.bot import Bot, Budget
from veillee.cli.new import freeze_rules, new_game
from veillee.engine.discovery import packages
from veillee.engine.game import Game, game_class
from veillee.engine.referee import Referee
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game, games, versions


def begun() -> Game:
    """A game in which 12 of 21 is reached, seat 0 to decide."""
    started = game_class(game("moths"))(2, seed=5)
    for _ in range(4):
        started.play("add 3")
    return started


def to_version_2(folder: Path) -> None:
    """Freeze the rules, then change them."""
    freeze_rules(game("moths"))
    change(folder / "moths/__init__.py", "minutes=5,", "minutes=5,\n    version=2,")
    change(folder / "moths/rules.py", "GOAL = 21", "GOAL = 15")
    change(folder / "moths/rules.py", "MOST = 3", "MOST = 4")
    change(folder / "moths/rules.py", "    total: I1\n", "    turns: I1\n    total: I1\n")
    change(folder / "moths/text.py", "add ", "plus ")
    forget(folder)


@pytest.fixture
def old(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A record and a position of version 1, in a world that has version 2."""
    new_game("moths", tmp_path)
    with games_in(tmp_path):
        played = begun()
        kept = {
            "record": json.loads(json.dumps(played.record(reveal=True))),
            "position": json.loads(json.dumps(played.position)),
            "pickle": pickle.dumps(played),
        }
        to_version_2(tmp_path)
        yield kept


def play_on(played: Game) -> None:
    assert played.spec.version == 1
    assert [str(action) for action in played.legal] == ["add 1", "add 2", "add 3"]
    for _ in range(3):
        played.play("add 3")
    assert played.over
    assert played.winners == [0]
    assert played.record()["rules"] == 1


def test_new_games_follow_the_new_rules(old: dict[str, Any]) -> None:
    spec = games()["moths"]
    assert spec.version == 2
    assert versions(spec) == [1, 2]
    played = game_class(spec)(2, seed=5)
    for _ in range(3):
        played.play("plus 4")
    assert [str(action) for action in played.legal] == ["plus 1", "plus 2", "plus 3"]
    assert played.record()["rules"] == 2


@pytest.mark.parametrize("compiled", [False, True])
def test_a_record_is_played_on_with_its_own_rules(old: dict[str, Any], compiled: bool) -> None:
    played = game_class(game("moths")).replay(old["record"], compiled=compiled)
    play_on(played)
    again = game_class(game("moths")).replay(json.loads(json.dumps(played.record())))
    assert again.states.tobytes() == played.states.tobytes()


def test_a_position_is_played_on_with_its_own_rules(old: dict[str, Any]) -> None:
    play_on(game_class(game("moths")).from_position(old["position"]))


def test_a_pickle_is_played_on_with_its_own_rules(old: dict[str, Any]) -> None:
    play_on(pickle.loads(old["pickle"]))


def test_an_undone_decision_stays_in_the_old_rules(old: dict[str, Any]) -> None:
    played = game_class(game("moths")).replay(old["record"])
    played.undo()
    played.play("add 3")
    play_on(played.copy())


def test_the_referee_verifies_and_loads_old_games(old: dict[str, Any]) -> None:
    referee = Referee()
    verified = json.loads(referee.answer(json.dumps({"do": "verify", "record": old["record"]})))
    assert verified["ok"]
    loaded = {"do": "load", "position": old["position"]}
    assert json.loads(referee.answer(json.dumps(loaded)))["seat"] == 0
    acted = json.loads(referee.answer(json.dumps({"do": "act", "text": "add 3"})))
    assert acted["events"] == [{"event": "add", "seat": 0, "n": 3, "total": 15}]
    assert acted["over"] is False


def test_bots_play_by_the_old_rules(old: dict[str, Any]) -> None:
    played = game_class(game("moths")).replay(old["record"], compiled=True)
    played.play("add 3")
    played.play("add 3")
    bot = Bot(played.spec, 2, Budget(iterations=50, nodes=1000))
    assert played.spec.notation.text(bot.choose(played.seen_by(0))) == "add 3"


def test_a_version_that_is_not_there_is_refused(old: dict[str, Any]) -> None:
    for version in (0, 3, "1", None, 1.5):
        with pytest.raises(Refusal) as refused:
            game_class(game("moths")).replay(old["record"] | {"rules": version})
        assert refused.value.code == "unknown"


def test_rules_are_frozen_once(tmp_path: Path) -> None:
    new_game("moths", tmp_path)
    with games_in(tmp_path):
        freeze_rules(game("moths"))
        with pytest.raises(Refusal) as refused:
            freeze_rules(game("moths"))
    assert refused.value.clause == "veillee.freeze.exists"


@pytest.mark.parametrize("name", ["nomads", "captain", "lumens"])
def test_frozen_rules_of_a_real_game_replay_its_golden_games(name: str, tmp_path: Path) -> None:
    """What `freeze` copies is complete: nothing of the newest version is loaded with it."""
    folder = tmp_path / f"{name}_copy"
    shutil.copytree(game(name).folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.rglob("*.py"):
        text = file.read_text("utf-8")
        file.write_text(text.replace(f"veillee.games.{name}", folder.name), "utf-8")
    with games_in(tmp_path):
        assert folder.name in packages()
        freeze_rules(importlib.import_module(folder.name).SPEC)
        (folder / "__init__.py").write_text("", "utf-8")
        shutil.rmtree(folder / "core")
        forget(tmp_path)
        assert folder.name not in packages()
        frozen = importlib.import_module(f"{folder.name}.versions.v1").SPEC
        for players in frozen.player_counts:
            record = json.loads(record_file(frozen, players).read_text("utf-8"))
            assert game_class(frozen).replay(record).record() == record
