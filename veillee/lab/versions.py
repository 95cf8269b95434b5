"""The versions that results depend on: of rules, package, code and settings of bots."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import veillee
from veillee.bots import characters, levels, weights
from veillee.bots.bot import SEARCH
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.cache import module_key
from veillee.engine.registry import games
from veillee.lab.jit import bot_games, study

COUNTS = Path(__file__).with_name("gather.py")
"""Sums up what studies count; not compiled."""
SETTINGS = (weights.FILE, levels.FILE, characters.FILE)
"""Files in a game's folder that say how its bots play."""


def versions(spec: GameSpec) -> dict[str, Any]:
    """Return the versions of rules, package, code and settings of bots a result depends on."""
    packages = frozenset({"veillee", spec.package.partition(".")[0]})
    compiled = (*SEARCH.modules(spec), bot_games, study)
    code = hashlib.sha256(module_key(compiled, packages).encode())
    for file in (COUNTS, *(spec.folder / name for name in SETTINGS)):
        if file.exists():
            code.update(file.read_bytes())
    return {
        "rules": spec.version,
        "package": veillee.__version__,
        "code": code.hexdigest()[:16],
    }


@cache
def installed() -> dict[str, dict[str, Any]]:
    """Return the versions of all games in this process, by name."""
    return {name: versions(spec) for name, spec in games().items()}
