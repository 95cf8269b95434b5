"""The cache of machine code: where it is, and what happens where it can't be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from veillee.bots.bot import WARM_UPS
from veillee.engine.jit import cache
from veillee.engine.precompile import compile_games

PLAY = """
import sys
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): compiled.append(event)
with event.install_listener("numba:compile", Listener()):
    import veillee
    game = veillee.lumens.Game(2, 1, compiled=True)
    print(len(game.legal), len(compiled))
    if sys.argv[1:]:
        game.play(game.legal[0])
        print(len(game.legal), len(compiled))
"""

OTHER_HOST = """
import os, socket
names = os.uname()
os.uname = lambda: os.uname_result((names[0], "elsewhere", *names[2:]))
socket.gethostname = socket.getfqdn = lambda: "elsewhere"
"""
LAB = """
from numba.core import event
from veillee.cli.lab import app
from veillee.engine import precompile
later = []
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event):
        if not precompile._COMPILING:
            later.append(event.data["dispatcher"].py_func.__qualname__)
with event.install_listener("numba:compile", Listener()):
    assert not app(standalone_mode=False), "refused"
print("compiled later:", later)
"""
GOALS = """
game = "lumens"
name = "Covered"
players = [2]
level = "spark"
[free]
per_square = { low = 1, high = 2 }
[goals]
seats = 0.05
"""
SIT = """
from veillee.bots.external import Sitter
Sitter("spark").answer('{"do": "sit", "game": "lumens", "players": 2}')
"""
IS_COMPILED = """
import platform
from veillee.bots.bot import WARM_UPS
from veillee.engine.precompile import is_compiled
from veillee.engine.registry import game
print(platform.node(), is_compiled(game("lumens"), WARM_UPS))
"""


def play(folder: Path, *arguments: str) -> tuple[list[list[int]], str]:
    """Return how many actions were legal and functions compiled, and the warnings."""
    command = [sys.executable, "-c", PLAY, *arguments]
    if os.geteuid() == 0:  # root may write anywhere, unless it does without that
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("setpriv is needed to run this test as root")
        command = [setpriv, "--bounding-set=-dac_override", *command]
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"VEILLEE_CACHE": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return [[int(n) for n in line.split()] for line in done.stdout.splitlines()], done.stderr


def make_read_only(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the start of a game of Lumens."""
    folder = tmp_path_factory.mktemp("cache") / "made" / "here"
    ((legal, compiled),), warned = play(folder)
    assert (legal, compiled > 0, warned) == (2, True, "")
    return folder


def test_machine_code_is_kept(filled: Path) -> None:
    assert play(filled) == ([[2, 0]], "")


def test_cache_of_another_host_is_used(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the machine code nor the record that a game is complete depends on the host name."""
    compile_games(["lumens"], WARM_UPS)
    (tmp_path / "sitecustomize.py").write_text(OTHER_HOST, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert play(filled) == ([[2, 0]], "")
    asked = [sys.executable, "-c", IS_COMPILED]
    done = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert done.stdout == "elsewhere True\n"


def test_read_only_cache_is_used(filled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    shutil.copytree(filled, folder)
    (folder / "complete-lumens-0").touch()  # of another processor or version: it tells nothing
    make_read_only(folder)
    assert play(folder) == ([[2, 0]], "")
    (start, (legal, compiled)), warned = play(folder, "and go on")
    assert start == [2, 0]
    assert legal
    assert compiled, "what is missing is compiled for this process"
    assert f"{folder} can’t be written" in warned
    assert warned.count("RuntimeWarning") == 1


def test_unwritable_cache_is_replaced_with_a_warning(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    make_read_only(folder)
    ((legal, compiled),), warned = play(folder)
    assert (legal, compiled > 0) == (2, True)
    assert f"{folder} can’t be written" in warned
    assert "Set VEILLEE_CACHE" in warned
    assert warned.count("RuntimeWarning") == 1
    assert not list(folder.iterdir())


def link_machine_code(folder: Path) -> None:
    """Link the machine code of Lumens into a folder, without the record that it is complete."""
    for compiled in cache.root().glob("lumens-*"):
        (folder / compiled.name).symlink_to(compiled)


def lab(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `veillee lab` with a cache; the last line tells what was compiled at another time."""
    return subprocess.run(
        [sys.executable, "-c", LAB, *command.split()],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"VEILLEE_CACHE": str(folder)},
    )


def test_lab_compiles_before_its_workers_do(tmp_path: Path) -> None:
    compile_games(["lumens"], WARM_UPS)
    link_machine_code(tmp_path)
    for shown in (1, 0):
        done = lab("match lumens random greedy --players 2 --blocks 2 --processes 2", tmp_path)
        assert done.stderr.count("Compiling lumens, once") == shown


@pytest.mark.packaging
@pytest.mark.timeout(900)
def test_lab_compiles_all_that_it_needs_first(tmp_path: Path) -> None:
    """From an empty cache: nothing is left for the tasks to compile, and nothing for the others."""
    (tmp_path / "goals.toml").write_text(GOALS, "utf-8")
    for command in (
        "export lumens --out . --games 4 --players 2 --positions",
        "match lumens spark greedy --players 2 --blocks 1",
        "export lumens --out . --games 4 --players 2 --positions --players-are spark",
        "study lumens --out report.html --games 8 --players 2 --players-are spark",
        "fit lumens random --games 10 --players 2",
        "train lumens spark --games 6 --blocks 1 --players 2 --judge spark",
        "tune goals.toml --out tuned.svg --trials 2 --games 10",
        "train captain spark --games 6 --blocks 1 --steps 1 --judge spark",
    ):
        done = lab(f"{command} --processes 1", tmp_path)
        assert done.stdout.splitlines()[-1] == "compiled later: []", command


@pytest.mark.packaging
@pytest.mark.parametrize(
    "first_use",
    [
        "from veillee.adapters.vector import SelfPlay; SelfPlay('lumens').reset()",
        "from veillee.adapters.gymnasium import AgainstBots; AgainstBots('lumens').reset()",
        "from veillee.adapters.pettingzoo import env; env('lumens').reset()",
        "import pyspiel, veillee.adapters.open_spiel; pyspiel.load_game('veillee_lumens')",
        "import veillee; veillee.lumens.Game.playouts(1, players=2)",
        "import veillee; veillee.lumens.Game.batch(1, players=2)",
        SIT,
    ],
)
def test_first_use_shows_that_it_compiles(first_use: str, tmp_path: Path) -> None:
    """The machine code is there, so that it takes no time; only the record of it is missing."""
    compile_games(["lumens"], WARM_UPS)
    link_machine_code(tmp_path)
    for shown in (1, 0):
        done = subprocess.run(
            [sys.executable, "-c", first_use],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"VEILLEE_CACHE": str(tmp_path)},
        )
        assert done.stderr.count("Compiling lumens, once") == shown
        assert done.stdout == ""
