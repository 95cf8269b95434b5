"""Hooks of the documentation site: pages that are not written by hand.

- "Learn the games" has one page for every game, from the texts that the games themselves show.
- The API reference has one page for every public module, found in the source at build time.
- Benchmarks and Changelog are files outside `docs`, which pages link to by their real paths.
- The logo is the one of the server's pages.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from veillee.art.icons import favicon

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "veillee"
CLAUSES = ROOT / "docs" / "clauses"
LEARN = "learn"
REFERENCE = "reference"
# The command line and the server are programs, not libraries; `jit` is compiled code, `art` is
# drawings. A game's own modules are behind the package that holds them.
INTERNAL = {"art", "cli", "jit", "web"}
REFERENCE_START = (
    "Most programs need only `Game`, which every game has: "
    "[veillee.nomads](veillee.nomads.md), [veillee.captain](veillee.captain.md), "
    "[veillee.lumens](veillee.lumens.md), all described in "
    "[veillee.engine.game](veillee.engine.game.md). "
    "[In Python](../python.md) is a tour, [Research](../research.md) shows the adapters."
)
TABLE_HEAD = ("| module | |", "| --- | --- |")
GAME_ORDER = ("nomads", "captain", "lumens")
SCREEN = "../screens/{}-desk-dark.jpg"
COPIED = {"benchmarks/README.md": "benchmarks.md", "CHANGELOG.md": "changelog.md"}


def public_modules() -> dict[str, Path]:
    """Return the modules that the API reference shows, by their dotted names."""
    return dict(sorted(_public_modules()))


def _public_modules() -> Iterator[tuple[str, Path]]:
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if any(part.startswith("_") for part in parts) or INTERNAL & set(parts):
            continue
        if parts[1:2] == ("games",) and len(parts) > 3:
            continue
        if has_public_names(path):
            yield ".".join(parts), path


def has_public_names(path: Path) -> bool:
    """Tell whether the module is documented, and defines or lists public names."""
    tree = ast.parse(path.read_text("utf-8"))
    return ast.get_docstring(tree) is not None and any(map(_is_public, tree.body))


def _is_public(node: ast.stmt) -> bool:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return not name.startswith("_")
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return False


def reference_nav() -> list[dict[str, Any]]:
    """Return the navigation of the API reference: one section for every package."""
    sections: dict[str, list[dict[str, str]]] = {}
    for name in public_modules():
        package = ".".join(name.split(".")[:2])
        sections.setdefault(package, []).append({name: f"{REFERENCE}/{name}.md"})
    return [
        entries[0] if len(entries) == 1 else {package: entries}
        for package, entries in sections.items()
    ]


def reference_index(modules: dict[str, Path]) -> str:
    """Return the first page of the API reference: a table of modules for every package."""
    tables: dict[str, list[str]] = {}
    for name, path in modules.items():
        package = ".".join(name.split(".")[:2])
        # Names may break after a dot, so that a phone shows both columns.
        row = f"| [{name.replace('.', '.<wbr>')}]({name}.md) | {summary(path)} |"
        tables.setdefault(package, []).append(row)
    alone = [rows[0] for rows in tables.values() if len(rows) == 1]
    sections = ["# API reference", REFERENCE_START, "\n".join([*TABLE_HEAD, *alone])]
    for package, rows in tables.items():
        if len(rows) > 1:
            sections += [f"## {package}", "\n".join([*TABLE_HEAD, *rows])]
    return "\n\n".join(sections) + "\n"


def texts() -> dict[str, str]:
    """Return the English texts of the package, by their keys."""
    found: dict[str, str] = {}
    for path in PACKAGE.rglob("en.po"):
        with path.open("rb") as file:
            found |= {str(each.id): str(each.string) for each in read_po(file) if each.id}
    return found


def taught_games() -> list[str]:
    """Return the names of the games that have a list of clauses; ours first."""
    return sorted(
        (path.stem for path in CLAUSES.glob("*.md")),
        key=lambda game: (*GAME_ORDER, game).index(game),
    )


def lesson(game: str, words: dict[str, str]) -> str:
    """Return a page with the summary of the rules, then every clause under its id."""
    title = words[f"{game}.title"]
    lines = [f"# {title}", f"![A game of {title}]({SCREEN.format(game)})"]
    for number in count(1):
        if (key := f"{game}.summary.{number}") not in words:
            break
        lines.append(words[key])
    lines.append("## Every rule")
    table = (CLAUSES / f"{game}.md").read_text("utf-8")
    section = ""
    for clause in re.findall(rf"^\| `({game}\.[\w.]+)`", table, re.MULTILINE):
        if clause in words:
            if (part := clause.split(".")[1]) != section:
                section = part
                lines.append(f"### {section.capitalize()}")
            lines.append(f"<a id='{clause}'></a>`{clause}`<br>{words[clause]}")
    return "\n\n".join(lines) + "\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the modules into the navigation."""
    assert config.nav is not None
    for entry in config.nav:
        for title, target in entry.items():
            if target == REFERENCE:
                entry[title] = [f"{REFERENCE}/index.md", *reference_nav()]
            elif target == LEARN:
                entry[title] = [f"{LEARN}/{game}.md" for game in taught_games()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated and the copied pages, and the logo."""
    files.append(File.generated(config, config.theme["logo"], content=favicon()))
    modules = public_modules()
    index = reference_index(modules)
    files.append(File.generated(config, f"{REFERENCE}/index.md", content=index))
    for name in modules:
        content = f"# {name}\n\n::: {name}\n"
        files.append(File.generated(config, f"{REFERENCE}/{name}.md", content=content))
    words = texts()
    for game in taught_games():
        content = lesson(game, words)
        files.append(File.generated(config, f"{LEARN}/{game}.md", content=content))
    for source, page in COPIED.items():
        content = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, page, content=content))
    return files


def summary(path: Path) -> str:
    """Return the first paragraph of the module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def on_page_markdown(markdown: str, **_: object) -> str:
    """Point links to files outside `docs` at their copies in the site."""
    for source, target in COPIED.items():
        markdown = markdown.replace(f"](../{source}", f"]({target}")
    return markdown
