"""Fitting the numbers of an evaluation that is not a sum of features.

The game's heuristics name the weights that are FITTED. Each is moved a step up or down as long as
the log-loss of who won falls, and steps are halved when nothing helps any more.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np

from veillee.bots.bot import search_modules
from veillee.bots.jit import search
from veillee.bots.jit.heuristics import BUFFER
from veillee.bots.weights import Weights, weights_for
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import States
from veillee.engine.precompile import Calls, WarmUp
from veillee.lab.fit import Table
from veillee.lab.jit import appraisal as kernel
from veillee.lab.scale import Ranges, Scale

HALVINGS = 4
CERTAIN = 1e-6
"""No share is taken to be nearer to none or all."""


def numbers_of(spec: GameSpec) -> Ranges:
    """Return the weights of a game's evaluation that are fitted one by one."""
    found: Ranges = getattr(spec.heuristics, "FITTED", {})
    return found


def fit_numbers(spec: GameSpec, start: Weights, states: States, shares: Table) -> Weights:
    """Return weights with which the log-loss of the shares is lowest, near those at the start."""
    scale = Scale(start, numbers_of(spec))
    now = scale.numbers(start)
    lowest = appraised_loss(spec, start, states, shares).mean()
    step = 1.0
    for _ in range(HALVINGS):
        moved = True
        while moved:
            moved = False
            for at in range(len(now)):
                for way in (step, -step):
                    tried = now.copy()
                    tried[at] += way
                    tried = scale.limited(tried)
                    loss = appraised_loss(spec, scale.weights(tried), states, shares).mean()
                    if loss < lowest:
                        now, lowest, moved = tried, loss, True
                        break
        step /= 2
    return scale.weights(now)


def appraised_loss(spec: GameSpec, weights: Weights, states: States, shares: Table) -> Table:
    """Return the log-loss of each position."""
    found = np.zeros(shares.shape)
    buffers = np.zeros(BUFFER, np.int16), np.zeros(BUFFER)
    compiled(spec).appraise(states, states[:1].copy(), weights, *buffers, found)
    found /= found.sum(1, keepdims=True)
    return np.asarray(-(shares * np.log(found.clip(CERTAIN))).sum(1))


def appraisal_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before numbers are fitted."""
    players = max(spec.player_counts)
    states, weights = game_class(spec)(players, 0).states, weights_for(spec, players)
    yield "appraisal", lambda: appraised_loss(spec, weights, states, np.ones((1, players)))


APPRAISAL = WarmUp(
    "veillee.lab.appraisal:appraisal_calls",
    lambda spec: (kernel, search, *search_modules(spec)),
)
"""Everything to compile of a game whose evaluation has numbers that are fitted."""


@cache
def compiled(spec: GameSpec) -> SimpleNamespace:
    """Return `jit/appraisal.py` bound to a game's search."""
    build = Build(spec.tag, spec.package, compiled=True)
    return build.module(kernel, (*search_modules(spec), search))
