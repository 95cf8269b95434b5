"""`veillee new`: a game that can be played at once, by everything that plays games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from veillee.cli.new import new_game
from veillee.engine.refusal import Refusal

ROOT = Path(__file__).parents[2]


def veillee(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, in English."""
    return subprocess.run(
        [sys.executable, "-m", "veillee", *arguments],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "en_GB.UTF-8"},
        check=False,
    )


def conformance(folder: Path, name: str) -> tuple[int, str]:
    """Run the conformance suite on a game in a folder; return its exit code and last line."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", name),
            str(ROOT / "tests/engine/test_conformance.py"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"VEILLEE_GAMES": str(folder), "VEILLEE_AUDIT": "50"},
        check=False,
    )
    return done.returncode, done.stdout.strip().splitlines()[-1]


def test_a_new_game_is_listed_and_played_where_it_was_written(tmp_path: Path) -> None:
    told = veillee(tmp_path, "new", "moths")
    assert "veillee play moths" in told.stdout
    files = sorted(file.name for file in (tmp_path / "moths").iterdir())
    assert files == ["__init__.py", "rules.py", "test_moths.py", "text.py"]
    assert "moths" in veillee(tmp_path, "games").stdout
    played = veillee(
        tmp_path, "play", "moths", "--players", "2", "--against", "random", typed="1\n" * 21
    )
    assert "Seed: " in played.stdout
    assert "moths" not in veillee(ROOT, "games").stdout


def test_its_tests_pass_and_it_conforms(tmp_path: Path) -> None:
    veillee(tmp_path, "new", "moths")
    own = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "moths"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert "2 passed" in own.stdout
    code, last = conformance(tmp_path, "moths")
    assert code == 0, last
    assert int(last.split()[0]) >= 39


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("Moths", "veillee.new.name"),
        ("class", "veillee.new.name"),
        ("../moths", "veillee.new.name"),
        ("json", "veillee.new.taken"),
        ("nomads", "veillee.new.taken"),
        ("there", "veillee.new.exists"),
    ],
)
def test_a_name_that_will_not_do_is_refused(name: str, clause: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(Refusal) as refused:
        new_game(name, tmp_path)
    assert refused.value.clause == clause
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there"]


def test_refusals_go_to_standard_error_with_exit_code_2(tmp_path: Path) -> None:
    told = veillee(tmp_path, "new", "json")
    assert told.returncode == 2
    assert told.stderr.startswith("veillee.new.taken: ")


def test_folders_that_are_no_games_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "trap").mkdir()
    (tmp_path / "trap/__init__.py").write_text("raise SystemExit('loaded')\n")
    assert veillee(tmp_path, "games").returncode == 0
