"""A game's rules, its observation and the adapters' kernel as machine code."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np

from veillee.adapters import kernel
from veillee.engine.build import Build
from veillee.engine.contract import Contract
from veillee.engine.observation import Plane, length
from veillee.engine.record import States


@cache
def compiled(contract: Contract) -> SimpleNamespace:
    """The functions of `kernel.py` for one game."""
    return built(contract, compiled=True)


def built(contract: Contract, compiled: bool) -> SimpleNamespace:
    build = Build(contract.name, contract.package, compiled)
    assert contract.observation is not None
    bound = vars(build.module(contract.rules)) | vars(build.module(contract.observation))
    return build.module(kernel, SimpleNamespace(**bound))


def planes(contract: Contract) -> tuple[Plane, ...]:
    if contract.observation is None:
        raise LookupError(f"{contract.name} has no observation, so nothing can learn it yet")
    found: tuple[Plane, ...] = contract.observation.PLANES
    return found


def row_length(contract: Contract) -> int:
    return length(planes(contract))


def copied(states: States) -> States:
    """A copy, made as bytes: NumPy copies records field by field, in twenty times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)
