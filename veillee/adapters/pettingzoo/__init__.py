"""The games as PettingZoo environments of the kind in which agents take turns (AEC).

>>> from veillee.adapters.pettingzoo import nomads_v1
>>> env = nomads_v1.env(players=3, render_mode="ansi")

The same is `env("nomads", players=3)`. Names end in the version of the rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from veillee.adapters.pettingzoo.environment import Environment, RawEnvironment
from veillee.engine.registry import games


def env(name: str, players: int | None = None, **settings: Any) -> Environment:
    """Return a game that checks how it is used: see `Environment`."""
    return Environment(name, players, **settings)


def raw_env(name: str, players: int | None = None, **settings: Any) -> RawEnvironment:
    """Return a game that raises on illegal actions and checks nothing else."""
    return RawEnvironment(name, players, **settings)


class GameModule(ModuleType):
    """One game as PettingZoo's own environments are: a module with `env` and `raw_env`."""

    env: Callable[..., Environment]
    raw_env: Callable[..., RawEnvironment]


def _module(name: str, title: str) -> GameModule:
    module = GameModule(f"{__name__}.{title}", f"{name} as a PettingZoo environment.")
    module.env, module.raw_env = partial(env, name), partial(raw_env, name)
    return module


MODULES = {f"{c.name}_v{c.version}": c.name for c in games().values() if c.observation}
for _title, _name in MODULES.items():
    globals()[_title] = sys.modules[f"{__name__}.{_title}"] = _module(_name, _title)

__all__ = ["MODULES", "Environment", "GameModule", "RawEnvironment", "env", "raw_env"]


def __getattr__(name: str) -> GameModule:
    raise AttributeError(f"module {__name__!r} has no {name!r}; there are {', '.join(MODULES)}")
