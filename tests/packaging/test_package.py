"""The package as others have it: built, installed into a new environment, run from elsewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.installed import ROOT, Environment, build, files, pythons
from tests.packaging.test_types import check_types

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(900)]
"""These compile games from an empty cache."""

GOALS = """
game = "lumens"
name = "Lumens"
players = [2]
[free]
per_square = { low = 1, high = 2 }
[goals]
seats = 0.1
"""
USE = """
import json
import asyncpg, gymnasium, pyspiel, ray, redis
import veillee, veillee.adapters.gymnasium, veillee.adapters.open_spiel
from veillee.adapters.pettingzoo import lumens_v1

assert veillee.lumens.Game.playouts(10, players=2).scores.shape == (10, 2)
game = veillee.lumens.Game(2, 1)
while not game.over:
    game.play(game.legal[0])
open("game.json", "w").write(json.dumps(game.record()))

single = gymnasium.make("veillee/lumens-v2", render_mode="rgb_array")
observed, _ = single.reset(seed=1)
single.step(observed["action_mask"].argmax())
assert single.render().ndim == 3
vector = gymnasium.make_vec("veillee/lumens-v2", num_envs=2)
vector.step(vector.reset(seed=1)[0]["action_mask"].argmax(1))
turns = lumens_v1.env(players=2)
turns.reset(seed=1)
turns.step(int(turns.last()[0]["action_mask"].argmax()))
state = pyspiel.load_game("veillee_lumens").new_initial_state()
assert state.legal_actions()

ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False)
double = ray.remote(max_retries=1)(lambda n: 2 * n)
assert double.remote(1).future().result() == 2
"""
GAME = [
    {"do": "new", "game": "lumens", "players": 2, "seed": "7"},
    {"do": "legal"},
    {"do": "record"},
]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="session", params=pythons())
def environment(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Environment]:
    """The wheel with `[web]` in a read-only environment, for every Python found."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    made = Environment.create(folder, request.param, f"{wheel}[web]")
    library = folder / "lib"
    for path in (library, *library.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    before = files(library)
    yield made
    assert files(library) == before  # root may write in spite of the mode
    for path in (library, *library.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)


def play_through_referee(environment: Environment) -> None:
    """Play one decision through `veillee referee`."""
    requests = "\n".join(map(json.dumps, GAME))
    answer = environment.run("veillee", "referee", given=requests)
    assert answer.returncode == 0, answer.stderr
    new, legal, record = map(json.loads, answer.stdout.splitlines())
    assert new["ok"]
    assert legal["actions"]
    assert record["record"]["game"] == "lumens"


def test_sdist_has_every_file_of_the_repository(built: Path) -> None:
    """Its tests can be run, which read files such as the workflows too."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    ours = subprocess.run(listed, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {each.name.partition("/")[2] for each in archive if each.isfile()}
    assert names == {*ours.rstrip("\0").split("\0"), "PKG-INFO"}


def test_wheel_has_every_data_file_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    package = ROOT / "veillee"
    cached = ("__pycache__", ".mypy_cache")
    ours = {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and not set(cached) & set(path.parts)
    }
    assert names == ours


def test_readme_leads_to_the_repository(wheel: Path) -> None:
    """On PyPI a relative link or picture would be broken."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        readme = archive.read(name).decode()
    targets = re.findall(r"\]\((.+?)\)", readme)
    assert len(targets) > 10
    assert all(target.startswith("https://") for target in targets)
    assert any(target.endswith("main/docs/screens/play.webp") for target in targets)


def test_readme_example_runs(environment: Environment) -> None:
    shutil.copy(ROOT / "README.md", environment.folder / "home")
    answer = environment.run("python", "-m", "doctest", "-o", "ELLIPSIS", "README.md")
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_command_line(environment: Environment) -> None:
    assert "play" in environment.run("veillee", "--help").stdout
    play_through_referee(environment)


def test_server_answers(environment: Environment) -> None:
    assert "Nomads" in environment.served_page()


def test_core_without_extras(wheel: Path, tmp_path: Path) -> None:
    core = Environment.create(tmp_path / "venv", pythons()[0], str(wheel))
    assert "play" in core.run("veillee", "--help").stdout
    play_through_referee(core)
    installed = core.run("python", "-c", "import veillee, litestar")
    assert "No module named 'litestar'" in installed.stderr


def test_front_door_is_typed_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    core = Environment.create(tmp_path / "venv", pythons()[0], str(wheel))
    check_types(core.folder / "home", f"--python-executable={core.python}")


def test_page_for_researchers_runs(wheel: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "research.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 6
    installed = Environment.create(tmp_path / "venv", pythons()[-1], f"{wheel}[rl]")
    (installed.folder / "home" / "page.py").write_text("\n".join(blocks), "utf-8")
    answer = installed.run("python", "page.py")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout


def test_missing_extra_is_named(wheel: Path, tmp_path: Path) -> None:
    core = Environment.create(tmp_path / "venv", pythons()[0], str(wheel))
    answer = core.run("veillee", "serve", "--port", "0")
    assert answer.returncode == 2
    assert "pip install 'veillee[web]'" in answer.stderr


def lowest_versions(folder: Path) -> Path:
    """Write the lowest versions that the package and its extras allow.

    When uv installs a wheel, only the wheel itself is direct, and what it asks for is not.
    """
    path = folder / "lowest.txt"
    compiled = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--extra", "all"]
    compiled += ["--resolution", "lowest-direct", "--python", pythons()[0], "--output-file"]
    subprocess.run([*compiled, str(path), str(ROOT / "pyproject.toml")], check=True)
    return path


def test_lowest_versions_work(wheel: Path, tmp_path: Path) -> None:
    """Each library that an extra asks for is used, except clients of servers."""
    lowest = Environment.create(
        *(tmp_path / "venv", pythons()[0], "--constraint", str(lowest_versions(tmp_path))),
        f"{wheel}[all]",
    )
    numba = lowest.run("python", "-c", "import numba; print(numba.__version__)").stdout.strip()
    assert f"numba>={numba.removesuffix('.0')},<" in (ROOT / "pyproject.toml").read_text("utf-8")
    home = lowest.folder / "home"
    (home / "goals.toml").write_text(GOALS, "utf-8")
    (home / "use.py").write_text(USE, "utf-8")
    for command in (
        "veillee --help",
        "veillee serve --help",
        "veillee compile",
        "python use.py",
        "veillee replay game.json --output game.gif",
        "veillee lab tournament lumens random greedy --players 2 --blocks 2 --plot plot.svg",
        "veillee lab study lumens --out study.html --games 8 --players 2",
        "veillee lab export lumens --out . --games 4 --players 2",
        "veillee lab tune goals.toml --out tuned.svg --trials 2 --games 8",
    ):
        answer = lowest.run(*command.split())
        assert answer.returncode == 0, f"{command}: {answer.stdout}{answer.stderr}"
    play_through_referee(lowest)
    assert "Nomads" in lowest.served_page()
