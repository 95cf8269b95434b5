"""Build the package, and install it into virtual environments of its own."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(target: Path) -> Path:
    """Build wheel and sdist into the folder, which is returned."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return target


def pythons() -> list[str]:
    """Return one supported Python of every minor version found on this machine."""
    found: dict[str, str] = {}
    pyenv = os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv")
    names = [
        "/usr/bin/python3",
        *(f"python3.{minor}" for minor in range(11, 15)),
        *sorted(glob.glob(f"{pyenv}/versions/3.*/bin/python3")),  # may belong to another user
    ]
    for name in names:
        if shutil.which(name) is None:
            continue
        ask = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
        answer = subprocess.run([name, "-c", ask], check=False, capture_output=True, text=True)
        version, _, path = answer.stdout.strip().partition(" ")
        if version in ("3.11", "3.12", "3.13", "3.14"):
            found.setdefault(version, path)
    return list(found.values())


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and a folder outside the repository in which its programs run."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def variables(self) -> dict[str, str]:
        ours = ("PYTHONPATH", "VEILLEE_CACHE", "VEILLEE_DATABASE")
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        return kept | {
            "HOME": str(self.folder / "home"),
            "PYTHONPYCACHEPREFIX": str(self.folder / "pycache"),
            "PYTHONUNBUFFERED": "1",
            "VEILLEE_CACHE": str(self.folder / "cache"),
        }

    @classmethod
    def create(cls, folder: Path, python: str, *requirements: str) -> Environment:
        """Make the environment and install the requirements with uv."""
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", "--python", python, str(folder)], check=True)
        made = cls(folder)
        pip = [*uv, "pip", "install", "--quiet", "--python", str(made.python)]
        subprocess.run([*pip, *requirements], check=True)
        (folder / "home").mkdir()
        return made

    def run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the environment."""
        program = str(self.folder / "bin" / command[0])
        return subprocess.run(
            [program, *command[1:]],
            check=False,
            input=given,
            capture_output=True,
            text=True,
            cwd=self.folder / "home",
            env=self.variables,
            timeout=900,
        )

    def served_page(self) -> str:
        """Start a server, read its first page, and stop it."""
        options = ("--port", "0", "--database", str(self.folder / "home" / "veillee.sqlite"))
        with subprocess.Popen(
            [str(self.folder / "bin" / "veillee"), "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder / "home",
            env=self.variables,
        ) as server:
            try:
                assert server.stdout is not None
                line = server.stdout.readline()
                address = re.search(r"http://127\.0\.0\.1:\d+", line)
                assert address, line + server.stdout.read()
                return read(address[0])
            finally:
                server.terminate()


def read(address: str, seconds: float = 30) -> str:
    """Return a page of a server that may still be starting."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=seconds) as answer:
                return str(answer.read(), "utf-8")
        except ConnectionError:
            if time.monotonic() > end:
                raise
        except urllib.error.URLError:
            if time.monotonic() > end:
                raise
        time.sleep(0.1)


def files(folder: Path) -> dict[Path, int]:
    """Return every file below the folder, with the time of its last change."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
