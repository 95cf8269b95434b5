"""`veillee lab puzzles`: found in games of bots, checked, written and read back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from veillee.analysis import puzzles as shipped
from veillee.analysis.puzzles import Puzzle, confirm, seat_names
from veillee.cli.lab import app
from veillee.engine.game_spec import Position
from veillee.engine.registry import games
from veillee.lab import puzzles


def test_puzzles_are_found_in_a_game_and_can_be_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzles, "ITERATIONS", 4000)
    out = tmp_path / "puzzles.json"
    asked = ["puzzles", "lumens", "--out", str(out), "--players", "2", "--games", "2"]
    result = CliRunner().invoke(app, [*asked, "--count", "2", "--processes", "1"])
    assert result.exit_code == 0, result.output
    found = msgspec.json.decode(out.read_bytes(), type=list[Puzzle])
    assert found
    spec = games()["lumens"]
    for puzzle in found:
        view = puzzle.position().seen_by(puzzle.seat)
        again = confirm(spec, view, 4000, puzzles.SEEDS, seat_names(2))
        assert again is not None
        assert spec.notation.text(again.answer) == puzzle.answer
        assert again.reasons == puzzle.reasons


def test_puzzles_from_before_are_kept_while_they_are_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After new weights, only those that are still clear stay."""
    monkeypatch.setattr(puzzles, "ITERATIONS", 4000)
    before, out = tmp_path / "before.json", tmp_path / "puzzles.json"
    clear = next(p for p in shipped.puzzles(games()["lumens"]) if puzzles.check(p))
    unclear = msgspec.structs.replace(clear, id="unclear", view=unclear_view(clear))
    puzzles.write([clear, unclear], before)
    asked = ["puzzles", "lumens", "--out", str(out), "--again", str(before), "--games", "0"]
    result = CliRunner().invoke(app, [*asked, "--processes", "1"])
    assert result.exit_code == 0, result.output
    (kept,) = msgspec.json.decode(out.read_bytes(), type=list[Puzzle])
    assert (kept.id, kept.answer, kept.source) == (clear.id, clear.answer, clear.source)
    puzzles.write(list(shipped.puzzles(games()["captain"])), before)
    result = CliRunner().invoke(app, [*asked, "--processes", "1"])
    assert result.exit_code == 2
    assert "Name a file of puzzles of lumens." in result.output
    before.write_text("[1]")
    result = CliRunner().invoke(app, [*asked, "--processes", "1"])
    assert result.exit_code == 2
    assert "Name a file of puzzles that this command wrote." in result.output


def unclear_view(like: Puzzle) -> Position:
    """Return the view of who begins a game: nothing there is clear."""
    game = type(like.position())(2, 1)
    return game.view(game.seat)


def test_one_kind_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "ITERATIONS", 2000)
    out = tmp_path / "puzzles.json"
    asked = ["puzzles", "captain", "--out", str(out), "--players", "3", "--games", "4"]
    result = CliRunner().invoke(
        app, [*asked, "--count", "3", "--kind", "bluff", "--processes", "1"]
    )
    assert result.exit_code == 0, result.output
    found = msgspec.json.decode(out.read_bytes(), type=list[Puzzle])
    assert {puzzle.kind for puzzle in found} == {"bluff"}


def test_a_position_without_a_clear_best_choice_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = games()["lumens"]
    puzzle = shipped.puzzles(spec)[0]
    view = puzzle.position().seen_by(puzzle.seat)
    monkeypatch.setattr(shipped, "MARGIN", 9000)
    assert confirm(spec, view, 2000, (1,), seat_names(2)) is None


def test_no_answer_makes_up_more_than_half_of_a_kind() -> None:
    one = shipped.puzzles(games()["captain"])[0]

    def of(kind: str, *answers: str) -> list[Puzzle]:
        return [msgspec.structs.replace(one, kind=kind, answer=answer) for answer in answers]

    found = [*of("bluff", *["accuse"] * 9, "accept", "accept"), *of("buy", *["buy"] * 9)]
    kept = puzzles.fair(found, count=20, most=10)
    assert Counter((puzzle.kind, puzzle.answer) for puzzle in kept) == {
        ("bluff", "accuse"): 3,
        ("bluff", "accept"): 2,
        ("buy", "buy"): 1,
    }
    found += of("buy", *["leave"] * 9)
    assert Counter(puzzle.kind for puzzle in puzzles.fair(found, 20, 10)) == {"bluff": 5, "buy": 10}
    assert Counter(puzzle.kind for puzzle in puzzles.fair(found, 8, 10)) == {"bluff": 4, "buy": 4}
