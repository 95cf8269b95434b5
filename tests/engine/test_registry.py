"""Where games are found, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.written import change, forget, games_in
from veillee.cli.new import new_game
from veillee.engine.discovery import packages
from veillee.engine.game import game_class
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game, games


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    new_game("moths", tmp_path)
    with games_in(tmp_path):
        yield tmp_path


def test_games_come_in_the_order_of_their_rank() -> None:
    ranks = [spec.rank for spec in games().values()]
    assert ranks == sorted(ranks)
    assert next(iter(games())) == "nomads"


def test_a_game_is_found_in_a_listed_folder(folder: Path) -> None:
    assert game("moths").folder == folder / "moths"
    assert list(games())[-1] == "moths"


def test_a_game_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game("moths", tmp_path)
    info = tmp_path / "moths-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: moths\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[veillee.games]\nmoths = moths\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    forget(tmp_path)
    try:
        assert game_class(game("moths"))(2).legal
    finally:
        monkeypatch.undo()
        forget(tmp_path)
    assert "moths" not in packages()


def test_a_game_that_does_not_load_stops_no_other(folder: Path) -> None:
    (folder / "moths" / "rules.py").write_text("half a line of (")
    forget(folder)
    with pytest.warns(RuntimeWarning, match=r"moths is left out.*SyntaxError.*rules\.py, line 1"):
        assert list(games()) == ["nomads", "captain", "lumens"]
    with pytest.raises(SyntaxError):
        game("moths")


def test_an_unknown_game_is_refused_with_the_names_of_the_others() -> None:
    with pytest.raises(Refusal) as refused:
        game("chess")
    assert refused.value.clause == "veillee.game"
    assert "nomads" in str(refused.value)


def test_a_game_is_called_like_its_folder(folder: Path) -> None:
    change(folder / "moths/__init__.py", 'name="moths"', 'name="butterflies"')
    forget(folder)
    with pytest.raises(ImportError, match="must be called 'moths', not 'butterflies'"):
        game("moths")
