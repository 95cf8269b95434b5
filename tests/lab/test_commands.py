"""Bad input to `veillee lab`: one sentence and exit code 2, before any game is played."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veillee.cli.lab import app

MATCH = "match lumens random greedy --players 2 --processes 1"
TOURNAMENT = "tournament lumens random greedy --players 2 --processes 1"
GROWTH = "growth lumens search:each=1 random"

BAD = {
    f"{MATCH} --blocks 0": "Too few blocks (0): play 1 or more",
    f"{MATCH} --blocks -1": "Too few blocks (-1)",
    f"{MATCH} --gain 5": "A gain of 5.0 isn’t possible",
    f"{MATCH} --gain 0": "A gain of 0.0 isn’t possible",
    f"{MATCH} --out nowhere/out.json": "nowhere/out.json can’t be written",
    f"{MATCH} --keep nowhere/keep.jsonl": "nowhere/keep.jsonl can’t be written",
    f"{MATCH} --keep .": ". can’t be written",
    f"{MATCH} --option colour=3": "“colour”",
    "match lumens random greedy --processes 0": "At least one worker process is needed, not 0.",
    "match chess random greedy": "“chess”",
    "match lumens random random": "random against itself always comes out even",
    "match lumens random sage:foo=3": "A search has no setting “foo”",
    "match lumens random greedy --players 7": "can’t be played by 7",
    "tournament lumens spark": "two different players",
    "tournament lumens spark spark": "two different players",
    f"{TOURNAMENT} --plot nowhere/plot.svg": "nowhere/plot.svg can’t be written",
    f"{GROWTH} 4": "two different numbers",
    f"{GROWTH} 4 8 --blocks 1": "Too few blocks (1): play 2 or more",
    "fit lumens random --games 0": "Too few games (0)",
    "fit captain random": "no features",
    "study lumens --out nowhere/report.html": "nowhere/report.html can’t be written",
    "study lumens --out report.html --games 0": "Too few games (0)",
    "study lumens --out report.html --players 2-": "“2-” are not numbers of players",
    "study lumens --out report.html --players 9": "can’t be played by 9",
    "study lumens --out report.html --players-are god": "no player “god”",
    "study lumens --out report.html --variant no.toml": "Can’t read the file no.toml",
    "study lumens --out report.html --against printed": "both called “printed”",
    "merge nothing.jsonl --out merged.jsonl": "nothing.jsonl can’t be read",
}


@pytest.mark.parametrize("command", BAD)
def test_bad_input_is_refused_before_the_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "en")
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 2, result.output
    assert BAD[command] in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("library", "command", "extra"),
    [
        ("openskill", TOURNAMENT, "lab"),
        ("matplotlib", f"{TOURNAMENT} --plot plot.svg", "lab"),
        ("jinja2", "study lumens --out report.html", "lab"),
        ("ray", "match lumens random greedy --ray auto", "cluster"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    library: str, command: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "en")
    monkeypatch.setitem(sys.modules, library, None)
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 2, result.output
    assert f"needs {library}" in result.output
    assert f"veillee[{extra}]" in result.output


def test_shards_are_merged(tmp_path: Path) -> None:
    one, two, merged = (str(tmp_path / name) for name in ("1.jsonl", "2.jsonl", "merged.jsonl"))
    match = [*MATCH.split(), "--blocks", "1"]
    assert CliRunner().invoke(app, [*match, "--keep", one]).exit_code == 0
    assert CliRunner().invoke(app, [*match, "--first", "1", "--keep", two]).exit_code == 0
    result = CliRunner().invoke(app, ["merge", one, two, "--out", merged])
    assert result.output == "2 blocks\n"
    resumed = CliRunner().invoke(app, [*match[:-1], "2", "--keep", merged])
    assert resumed.exit_code == 0
    assert len(Path(merged).read_text("utf-8").splitlines()) == 2
