"""The examples, the notebooks and the page for researchers run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from examples import against_bots, rollout, train
from veillee.adapters.build import copied
from veillee.adapters.lookahead import LookAhead
from veillee.adapters.observation_docs import all_described
from veillee.adapters.vector import SelfPlay, Versus
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import games

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
    policy = train.train("nomads", 2, seconds=8, tell=str)
    untrained = train.Policy("nomads")
    assert train.wins(policy, "nomads", 2, "random", 150) > 0.65
    assert 0.35 < train.wins(untrained, "nomads", 2, "random", 150) < 0.65
    assert -1 <= against_bots.play(policy, "nomads", "random", 2) <= 1


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_looking_ahead_is_trying_each_action(spec: GameSpec) -> None:
    """From the seat's view as from the true state, and it shows what playing would."""
    env = SelfPlay(spec.name, num_envs=5)
    env.reset(seed=3)
    for _ in range(15):
        env.step(env.random_actions())
    seen = copied(env.states)
    for i in range(5):
        spec.compiled.view_at(seen, i, 1 << int(env.seats[i]))
    rows, actions, first = LookAhead(spec, seed=1)(env.states)
    from_views = LookAhead(spec, seed=1)(seen)
    assert (rows == from_views[0]).all()
    for i in range(5):
        part = slice(first[i], first[i + 1])
        assert actions[part].tolist() == env.legal[i, : env.counts[i]].tolist()
    assert rows.shape == (len(actions), env.observations.shape[1])
    assert len({row.tobytes() for row in rows}) > len(rows) // 2


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEILLEE_SECONDS", "1")
    monkeypatch.setenv("VEILLEE_GAMES", "1000")
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
    """`python -m veillee.adapters.observation_docs` prints what belongs between the marks."""
    text = PAGE.read_text("utf-8")
    between = text.partition("<!-- planes: begin -->\n")[2].partition("\n<!-- planes: end -->")[0]
    assert between == all_described()


BASELINES = re.findall(
    r"^\| `(random|greedy)_actions\(\)` \| (random|greedy) \|(.+)\|$",
    PAGE.read_text("utf-8"),
    re.MULTILINE,
)


def mean_reward(game: str, agent: str, opponents: str) -> float:
    """Return the agent's mean reward over the games that the page counts."""
    env = Versus(game, num_envs=1000, opponents=opponents, copy=False)
    env.reset(seed=1)
    rewards: list[float] = []
    while len(rewards) < 10_000:
        actions = env.greedy_actions() if agent == "greedy" else env.random_actions()
        _, earned, done, _, _ = env.step(actions)
        rewards += earned[done].tolist()
    return sum(rewards[:10_000]) / 10_000


@pytest.mark.parametrize("column", range(len(games())), ids=list(games()))
def test_baselines_of_the_page_are_what_is_measured(column: int) -> None:
    """The games are seeded, so the figures can be had again to the last digit."""
    assert len(BASELINES) == 4
    for agent, opponents, figures in BASELINES:
        told = figures.split("|")[column].strip().replace("−", "-")
        found = f"{mean_reward(list(games())[column], agent, opponents):.2f}"
        assert found.replace("-0.00", "0.00") == told, (agent, opponents)
