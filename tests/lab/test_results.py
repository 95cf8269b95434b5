"""Result files: resumed, sharded, merged, and never mixed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import veillee
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.executor import workers
from veillee.lab.match import Terms, match
from veillee.lab.results import ResultFile, merge, read
from veillee.lab.versions import SETTINGS, versions

TERMS = Terms("nomads", 2, "random", "greedy", options={"quick": True})


def play(terms: Terms, blocks: int, first: int = 0, file: Path | None = None) -> list[float]:
    with workers(1) as pool:
        return match(terms, blocks, first=first, file=file, pool=pool).shares


def test_an_interrupted_match_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    play(TERMS, 3, file=file)
    whole = play(TERMS, 5, file=file)
    assert [line.block for line in read(file)] == [0, 1, 2, 3, 4]
    assert whole == play(TERMS, 5)
    assert play(TERMS, 2, file=file) == whole[:2]


def test_processor_time_is_that_of_all_runs(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    play(TERMS, 3, file=file)
    with workers(1) as pool:
        resumed = match(TERMS, 3, file=file, pool=pool)
    assert resumed.seconds == pytest.approx(sum(line.seconds for line in read(file)))
    assert resumed.seconds > 0


def test_a_torn_last_line_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    whole = play(TERMS, 3, file=file)
    file.write_text(file.read_text("utf-8")[:-20], "utf-8")
    assert play(TERMS, 3, file=file) == whole
    assert [line.block for line in read(file)] == [0, 1, 2]


def test_a_spoilt_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    play(TERMS, 2, file=file)
    file.write_text("{}\n" + file.read_text("utf-8"), "utf-8")
    with pytest.raises(Refusal, match="line 1"):
        read(file)


def test_shards_merge_into_the_whole(tmp_path: Path) -> None:
    whole, one, two = (tmp_path / name for name in ("whole.jsonl", "1.jsonl", "2.jsonl"))
    play(TERMS, 4, file=whole)
    play(TERMS, 3, file=one)
    play(TERMS, 2, first=2, file=two)
    assert merge([one, two]) == merge([whole])


def test_shards_that_contradict_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    ResultFile(one, {"seed": 1}).add(0, 0.5)
    ResultFile(two, {"seed": 1}).add(0, 1.0)
    with pytest.raises(Refusal, match="block 0"):
        merge([one, two])


def test_runs_are_never_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither those of other options, nor those of another version of the package."""
    file = tmp_path / "blocks.jsonl"
    play(TERMS, 2, file=file)
    play(Terms("nomads", 2, "random", "greedy"), 1, file=file)
    monkeypatch.setattr(veillee, "__version__", "99.0")
    play(TERMS, 1, file=file)
    runs = [json.loads(line)["run"] for line in file.read_text("utf-8").splitlines()]
    assert [run["options"] for run in runs] == [{"quick": True}] * 2 + [{}, {"quick": True}]
    assert runs[3]["package"] == "99.0"
    assert {"rules", "code"} < set(runs[0])


@pytest.mark.parametrize("name", SETTINGS)
def test_other_settings_of_bots_are_another_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = games()["lumens"]
    for file in SETTINGS:
        (tmp_path / file).write_text((spec.folder / file).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(GameSpec, "folder", tmp_path)
    before = versions(spec)["code"]
    with (tmp_path / name).open("a") as out:
        out.write("# changed\n")
    assert versions(spec)["code"] != before
