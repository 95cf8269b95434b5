"""The documentation site: built without warnings, and complete without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tools.griffe_doctests import fenced
from tools.mkdocs_hooks import public_modules

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(
        command,
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stderr
    return folder


class Resources(HTMLParser):
    """Collects the addresses from which a browser loads scripts, styles, images and frames."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and given.get("rel") in ("canonical", "next", "prev"):
            return
        name = "href" if tag == "link" else "src"
        if tag in ("link", "script", "img", "iframe", "source") and given.get(name):
            self.found.append(str(given[name]))


def test_site_loads_nothing_from_other_hosts(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        resources = Resources()
        resources.feed(page.read_text("utf-8"))
        is_report = page.parent == site / "studies"  # it needs no other file
        assert bool(resources.found) != is_report, page
        outside = [each for each in resources.found if each.startswith(("http:", "https:", "//"))]
        assert not outside, page


def test_every_public_module_has_a_page(site: Path) -> None:
    assert len(public_modules()) > 10
    for name in public_modules():
        page = (site / "reference" / name / "index.html").read_text("utf-8")
        assert 'class="doc doc-object' in page, name


@pytest.mark.parametrize("game", ["nomads", "captain", "lumens"])
def test_lesson_has_every_rule(site: Path, game: str) -> None:
    page = (site / "learn" / game / "index.html").read_text("utf-8")
    table = (ROOT / "docs" / "clauses" / f"{game}.md").read_text("utf-8")
    clauses = re.findall(rf"^\| `({game}\.[\w.]+)`", table, re.MULTILINE)
    assert len(clauses) > 20
    for clause in clauses:
        assert f'id="{clause}"' in page or f"id='{clause}'" in page, clause


def test_links_to_files_outside_the_folder_lead_to_their_copies(site: Path) -> None:
    assert 'href="benchmarks/"' in (site / "index.html").read_text("utf-8")
    for name in ("benchmarks", "changelog"):
        assert (site / name / "index.html").exists()


def test_examples_in_docstrings_are_code(site: Path) -> None:
    assert fenced("Text.\n\n    >>> 1\n    1\n\nMore.") == (
        "Text.\n\n```pycon\n>>> 1\n1\n```\n\nMore."
    )
    for page in (site / "reference").rglob("*.html"):
        assert "<blockquote>" not in page.read_text("utf-8"), page
