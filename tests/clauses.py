"""Where each clause of a game is carried out, and which tests hold it.

    python -m tests.clauses nomads            show the table
    python -m tests.clauses nomads --write    write it to docs/clauses/nomads.md

A clause's code is every function (or class, or module) of the game's folder whose docstring names
its id; its tests are those of `tests/games/<game>/` named after it: `test_nomads_move_sow_…` for
`nomads.move.sow`. All is read from the sources: nothing of the game is run.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from veillee.engine.i18n import Words

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "veillee" / "games"
TESTS = ROOT / "tests"
DOCS = ROOT / "docs" / "clauses"


@dataclass
class Clause:
    """A rule's id, the functions that name it and the tests named after it."""

    id: str
    code: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def games() -> list[str]:
    """The games that number their clauses."""
    return sorted(file.parent.name for file in GAMES.glob("*/clauses.py"))


def clauses(game: str) -> dict[str, Clause]:
    """All clauses of a game by id, in their order."""
    found = {clause: Clause(clause) for clause in ids(game)}
    for name, docstring in docstrings(game):
        for clause in named_in(docstring, game):
            if clause in found and name not in found[clause].code:
                found[clause].code.append(name)
    for name in tests(game):
        held = clause_of(name, found)
        if held is not None:
            found[held].tests.append(name)
    return found


def ids(game: str, listed: str = "CLAUSES") -> list[str]:
    """The ids that the game's `clauses.py` lists as CLAUSES or as RULINGS."""
    for node in parsed(GAMES / game / "clauses.py").body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == listed:
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            assert node.value is not None
            return list(ast.literal_eval(node.value))
    raise LookupError(f"veillee/games/{game}/clauses.py has no {listed}")


def docstrings(game: str) -> Iterator[tuple[str, str]]:
    """Every docstring of the game's folder with what it describes, the rules first."""
    files = sorted((GAMES / game).rglob("*.py"), key=lambda file: (file.stem != "rules", file.stem))
    for file in files:
        for node in ast.walk(parsed(file)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                name = file.stem if isinstance(node, ast.Module) else f"{file.stem}.{node.name}"
                yield name, ast.get_docstring(node) or ""


def named_in(text: str, game: str) -> list[str]:
    """The ids of a game's clauses in a text; `nomads.write.*` is none."""
    return re.findall(rf"\b{game}(?:\.[a-z_]+)+", text)


def tests(game: str) -> Iterator[str]:
    """The tests of a game, by file."""
    for file in sorted((TESTS / "games" / game).glob("test_*.py")):
        for node in parsed(file).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{file.stem}.{node.name}"


def clause_of(test: str, known: dict[str, Clause]) -> str | None:
    """The clause that a test is named after, the longest if several would do."""
    name = test.partition(".")[2] + "_"
    fitting = [c for c in known if name.startswith(f"test_{c.replace('.', '_')}_")]
    return max(fitting, key=len, default=None)


def strangers(game: str) -> list[str]:
    """Ids in docstrings, and tests that look named after a clause, that name none there is."""
    known = clauses(game)
    groups = {".".join(clause.split(".")[:2]) for clause in known}
    wrong = [
        f"{name}: {clause}"
        for name, docstring in docstrings(game)
        for clause in named_in(docstring, game)
        if clause not in known and ".".join(clause.split(".")[:2]) in groups
    ]
    wrong += [
        name
        for name in tests(game)
        if name.partition(".")[2].startswith(f"test_{game}_") and clause_of(name, known) is None
    ]
    return wrong


def table(game: str) -> str:
    """The table as it stands in docs/clauses/."""
    lines = [
        f"# {Words('en')(f'{game}.title')}: clause, code, tests",
        "",
        f"Written by `python -m tests.clauses {game} --write`.",
        f"The code is in `veillee/games/{game}/`, the tests are in `tests/games/{game}/`.",
        "A *ruling* is our own decision where the printed rules leave something open.",
        "",
        "| Clause | Code | Tests |",
        "| --- | --- | --- |",
    ]
    rulings = ids(game, "RULINGS")
    for clause in clauses(game).values():
        marked = f"`{clause.id}`" + (" *(ruling)*" if clause.id in rulings else "")
        code = "<br>".join(f"`{name}`" for name in clause.code)
        held = "<br>".join(f"`{name}`" for name in clause.tests)
        lines.append(f"| {marked} | {code} | {held} |")
    return "\n".join(lines) + "\n"


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.clauses", description=__doc__)
    parser.add_argument("game", choices=games())
    parser.add_argument("--write", action="store_true", help="write docs/clauses/<game>.md")
    asked = parser.parse_args()
    if asked.write:
        DOCS.mkdir(parents=True, exist_ok=True)
        (DOCS / f"{asked.game}.md").write_text(table(asked.game), "utf-8")
    else:
        sys.stdout.write(table(asked.game))


if __name__ == "__main__":
    main()
