"""What the documents and docstrings show is what happens."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "veillee").rglob("*.py"))
PROMPT = re.compile(r"^\s*>>> (?!.*doctest: \+SKIP)", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
FLAGS = doctest.ELLIPSIS
FEWEST_EXAMPLES = 103
"""Lines at a `>>>` prompt in all documents and docstrings; raise it when there are more."""


def prompts(path: Path) -> int:
    """Count the lines at a prompt, each of which must be run."""
    return len(PROMPT.findall(path.read_text("utf-8")))


def with_examples(paths: list[Path]) -> list[Path]:
    return [path for path in paths if prompts(path)]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_there_are_examples_to_run() -> None:
    assert sum(map(prompts, [*DOCUMENTS, *SOURCES])) >= FEWEST_EXAMPLES
    assert ROOT / "README.md" in with_examples(DOCUMENTS)
    assert ROOT / "veillee/engine/game.py" in with_examples(SOURCES)


@pytest.mark.parametrize("path", with_examples(DOCUMENTS), ids=relative)
def test_examples_run(path: Path) -> None:
    failed, attempted = doctest.testfile(
        str(path), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert failed == 0
    assert attempted == prompts(path)


@pytest.mark.parametrize("path", with_examples(SOURCES), ids=relative)
def test_examples_in_docstrings_run(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    failed, attempted = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0
    assert attempted == prompts(path)


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text("utf-8")):
        assert (path.parent / target).exists(), target
