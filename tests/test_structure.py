"""How the package is built: which way imports point, and that no game is named outside its folder.

`import-linter` reads the contracts in pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from veillee.engine.registry import games

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "veillee"
FRONT_DOORS = {"__init__.py", *(f"{name}.py" for name in games())}
"""Modules for `from veillee.nomads import Game`: they name games, and hold nothing else."""


def test_imports_point_one_way() -> None:
    # In a process of its own, since import-linter configures logging and so disables our loggers.
    linter = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", linter], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def modules() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if PACKAGE / "games" not in path.parents
        and not (path.parent == PACKAGE and path.name in FRONT_DOORS)
    ]


def named_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield identifiers and texts of a module, without its docstrings."""
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.lineno, node.value
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_game_is_named_outside_its_folder(path: Path) -> None:
    named = re.compile(rf"\b({'|'.join(games())})\b")
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for line, text in named_in(ast.parse(path.read_text("utf-8")))
        if named.search(text)
    ]
    assert not found


def test_the_diagram_of_layers_shows_all_of_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = {name for group in contracts[0]["layers"] for name in group.split(" | ")}
    diagram = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("```")[1]
    assert set(re.findall(r"\w+", diagram)) >= layers
