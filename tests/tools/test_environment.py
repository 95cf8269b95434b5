"""How `make` makes a virtual environment: `tools/environment.sh`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "environment.sh"
# Stands in for a Python of Debian: no ensurepip until apt-get has run.
WITHOUT_VENV = """#!/bin/sh
case "$2" in
    *ensurepip*) test -e {installed} ;;
    venv) mkdir -p "$3/bin" && touch "$3/bin/python" ;;
    *) exec {python} "$@" ;;
esac
"""
APT_GET = """#!/bin/sh
echo "apt-get $@"
case "$1" in install) touch {installed} ;; esac
"""


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def run(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SCRIPT), str(folder)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | variables,
    )


def test_named_python_is_used(tmp_path: Path) -> None:
    done = run(tmp_path / "venv", PYTHON=sys.executable)
    assert done.returncode == 0, done.stderr
    assert "Making a virtual environment" in done.stdout
    assert (tmp_path / "venv" / "bin" / "pip").exists()
    assert run(tmp_path / "venv", PYTHON=sys.executable).stdout == ""


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\nexit 127\n"])
def test_unsuitable_python_is_refused(tmp_path: Path, text: str) -> None:
    old = program(tmp_path / "bin" / "python", text)
    done = run(tmp_path / "venv", PYTHON=str(old))
    assert done.returncode == 1
    assert "Veillée needs Python 3.11" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(("user", "installs"), [("0", True), ("1000", False)])
def test_missing_venv_module_is_installed_by_root(
    tmp_path: Path, user: str, installs: bool
) -> None:
    installed = tmp_path / "installed"
    folder = tmp_path / "bin"
    python = program(
        folder / "python", WITHOUT_VENV.format(installed=installed, python=sys.executable)
    )
    program(folder / "apt-get", APT_GET.format(installed=installed))
    program(folder / "id", f"#!/bin/sh\necho {user}\n")
    program(folder / "sudo", "#!/bin/sh\nexit 1\n")
    done = run(
        tmp_path / "venv", PYTHON=str(python), PATH=f"{folder}{os.pathsep}{os.environ['PATH']}"
    )
    assert done.returncode == 0, done.stderr
    assert installed.exists() == installs
    assert ("-venv" in done.stdout) == installs
