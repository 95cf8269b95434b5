"""Veillée: Nomads, Oh Captain! and Lumens, to play and to study.

    >>> import veillee
    >>> game = veillee.nomads.Game(players=4, seed=7)

Each game is a module with a class `Game`; they are loaded when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from veillee import captain, lumarathon, lumens, nomads
    from veillee.engine.game import Game
    from veillee.engine.refusal import Refusal
    from veillee.lumarathon import Marathon

_OBJECTS = {
    "Game": "veillee.engine.game",
    "Refusal": "veillee.engine.refusal",
    "Marathon": "veillee.lumarathon",
}
_MODULES = ("nomads", "captain", "lumens", "lumarathon")

__all__ = ["Game", "Marathon", "Refusal", "captain", "lumarathon", "lumens", "nomads"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"veillee.{name}")
    if name in _OBJECTS:
        return getattr(importlib.import_module(_OBJECTS[name]), name)
    raise AttributeError(f"module 'veillee' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
