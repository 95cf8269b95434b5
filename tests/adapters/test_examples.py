"""The examples, the notebooks and the page for researchers run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from examples import against_bots, rollout, train
from veillee.adapters.planes import all_described
from veillee.engine.library import games

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "research.md"
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("name", games())
def test_rollout(name: str) -> None:
    assert sum(rollout.one_game(name).values()) == pytest.approx(0, abs=1e-6)
    assert len(rollout.one_line(name)) > 10
    ended, rate = rollout.many_games(name, 0.5, 64)
    assert ended > 0
    assert rate > 0


def test_training_makes_a_policy_that_beats_its_beginning() -> None:
    policy = train.train("nomads", 2, seconds=12, tell=str)
    untrained = train.Policy(policy.actions)
    assert train.wins(policy, "nomads", 2, "random", 400) > 0.55
    assert 0.4 < train.wins(untrained, "nomads", 2, "random", 400) < 0.6
    assert -1 <= against_bots.play(policy, "nomads", "spark", 2) <= 1


def test_a_policy_draws_legal_actions_only() -> None:
    policy = train.Policy(5)
    masks = np.array([[0, 1, 0, 1, 0], [0, 0, 0, 0, 1]], np.int8)
    rows = np.zeros((2, 3), np.int8)
    chance = np.random.default_rng(0)
    for _ in range(50):
        assert masks[[0, 1], policy.choose(rows, masks, chance)].all()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEILLEE_SECONDS", "3")
    monkeypatch.setenv(
        "PYTHONPATH",
        os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]),
    )
    book = nbformat.reads(notebook.read_text("utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) >= 6
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert capsys.readouterr().out


def test_the_page_describes_every_plane() -> None:
    """`python -m veillee.adapters.planes` prints what belongs between the marks."""
    text = PAGE.read_text("utf-8")
    between = text.partition("<!-- planes: begin -->\n")[2].partition("\n<!-- planes: end -->")[0]
    assert between == all_described()
