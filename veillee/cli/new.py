"""`veillee new` and `veillee freeze`: for people who write games.

`new` writes a game into the current folder, where the command line finds it (see
`engine/discovery.py`). `freeze` keeps the present rules of a game as an older version, before they
are changed.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
from importlib.resources import files
from pathlib import Path
from string import Template

from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal

GOAL = 21
"""The goal of the game in the template."""
NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
VERSIONS = '"""Older versions of the rules, for games that began with them."""\n'
NOT_FROZEN = ("__pycache__", "locale", "versions", "test_*.py")
"""Files that a frozen version omits; it uses the texts of the newest one."""


def new_game(name: str, folder: Path) -> list[Path]:
    """Write a playable game of four files and return them.

    Raises:
        Refusal: If the name can't be a package's, is taken, or the folder is there already.
    """
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Refusal("unreadable", "veillee.new.name", name=name[:40])
    if importlib.util.find_spec(name) or importlib.util.find_spec(f"veillee.games.{name}"):
        raise Refusal("impossible", "veillee.new.taken", name=name)
    target = folder / name
    if target.exists():
        raise Refusal("impossible", "veillee.new.exists", path=str(target))
    facts = {"name": name, "title": name.capitalize(), "goal": GOAL}
    written = []
    target.mkdir(parents=True)
    for template in sorted(files("veillee.cli").joinpath("template").iterdir(), key=str):
        file = template.name.removesuffix(".txt").replace("test.py", f"test_{name}.py")
        text = Template(template.read_text("utf-8")).substitute(facts)
        (target / file).write_text(text, "utf-8")
        written.append(target / file)
    return written


def freeze_rules(spec: GameSpec) -> Path:
    """Copy a game's package to `versions/v<version>` in it and return the new folder.

    Everything but the texts is copied, pictures too: an old game must not notice what changes in
    the state, the notation or the drawing of a newer version.

    Raises:
        Refusal: If this version is frozen already.
    """
    target = spec.folder / "versions" / f"v{spec.version}"
    if target.exists():
        raise Refusal("impossible", "veillee.freeze.exists", path=str(target))
    shutil.copytree(spec.folder, target, ignore=shutil.ignore_patterns(*NOT_FROZEN))
    (target.parent / "__init__.py").write_text(VERSIONS, "utf-8")
    imports = re.compile(rf"^(\s*(?:from|import) {re.escape(spec.package)})\b", re.MULTILINE)
    for file in target.rglob("*.py"):
        text = imports.sub(rf"\1.versions.{target.name}", file.read_text("utf-8"))
        file.write_text(text, "utf-8")
    return target
