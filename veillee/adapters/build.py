"""A game's rules, its observation and the adapters' kernel as machine code."""

from __future__ import annotations

from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from veillee.adapters.jit import kernel
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import States
from veillee.engine.observation import Plane, length
from veillee.engine.precompile import WarmUp


@cache
def compiled(spec: GameSpec) -> SimpleNamespace:
    """Return the functions of `jit/kernel.py`, bound to a game's rules and observation."""
    return built(spec, compiled=True)


def built(spec: GameSpec, compiled: bool) -> SimpleNamespace:
    """Return the same functions, compiled or run by Python."""
    return Build(spec.tag, spec.package, compiled).module(kernel, bound(spec))


def bound(spec: GameSpec) -> tuple[ModuleType, ...]:
    """Return the modules that fill the open names of the kernel."""
    observation: Any = spec.observation
    assert observation is not None
    return (*spec.compiled_modules, observation)


ENVIRONMENTS = WarmUp(
    "veillee.adapters.precompile:environment_calls",
    lambda spec: (kernel, *bound(spec)),
)
"""Everything to compile of a game for the environments."""


def planes(spec: GameSpec) -> tuple[Plane, ...]:
    """Return the parts of a game's observation."""
    if spec.observation is None:
        raise LookupError(f"{spec.name} has no observation, so nothing can learn it yet")
    found: tuple[Plane, ...] = spec.observation.PLANES
    return found


def row_length(spec: GameSpec) -> int:
    """Return how many numbers an observation has."""
    return length(planes(spec))


def copied(states: States) -> States:
    """Return a copy. Made as bytes: NumPy copies records field by field, 20 times slower."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)
