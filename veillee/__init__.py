"""Veillée: Nomads, Oh Captain! and Lumens, to play and to study.

    >>> import veillee
    >>> game = veillee.nomads.Game(players=4, seed=7)

Every game is found by its name here, as a module with a class `Game`.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    import importlib
    import sys

    if name == "Marathon":
        return importlib.import_module("veillee.lumarathon").Marathon
    if not name.startswith("_"):
        from veillee.engine.library import games

        if name in games():
            return sys.modules[games()[name].package]
        if name in ("engine", "lumarathon", "bots", "lab", "adapters", "web"):
            return importlib.import_module(f"veillee.{name}")
    raise AttributeError(f"module 'veillee' has no attribute {name!r}")


def __dir__() -> list[str]:
    from veillee.engine.library import games

    return [*globals(), *games()]
