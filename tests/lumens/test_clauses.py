"""Every clause is carried out by code that names it and held by a test that is named after it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from veillee.games.lumens import GAME

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "clauses" / "lumens.md"


def code_of(clause: str) -> list[str]:
    """The functions whose docstring names a clause: `rules.cover`."""
    return [
        f"{path.stem}.{node.name}"
        for path in sorted(GAME.folder.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
        and re.search(rf"{re.escape(clause)}\b", ast.get_docstring(node) or "")
    ]


def held_by(clause: str) -> list[str]:
    """The tests named after a clause: `test_placing.test_lumens_place_cover_own`."""
    name = "test_" + clause.replace(".", "_")
    return [
        f"{path.stem}.{test}"
        for path in sorted(Path(__file__).parent.glob("test_*.py"))
        for test in re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE)
        if test == name or test.startswith(f"{name}_")
    ]


def table() -> str:
    lines = ["# Lumens: clause, code, test", "", "| Clause | Code | Tests |", "| --- | --- | --- |"]
    for clause in GAME.clauses:
        code = "<br>".join(f"`{name}`" for name in code_of(clause))
        tests = "<br>".join(f"`{name}`" for name in held_by(clause))
        lines.append(f"| {clause} | {code} | {tests} |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("clause", GAME.clauses)
def test_every_clause_has_code_and_a_test(clause: str) -> None:
    assert code_of(clause)
    assert held_by(clause)


def test_the_table_in_the_docs_is_complete() -> None:
    """`python -m tests.lumens.test_clauses` writes it anew."""
    assert TABLE.read_text("utf-8") == table()


if __name__ == "__main__":
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text(table(), "utf-8")
