"""Who can be sent into a match: a level, a baseline, or a program of one's own.

spark … sage            the five levels
random                  any legal action
greedy                  the action that looks best at once, or what the game calls so
habit:lie,accuse        who always does the same (Oh Captain!)
sage:iterations=6000    a level with another budget
search:iterations=800   the search with a budget of one's own (see `bots.bot.Budget`)
openspiel:seconds=0.1   OpenSpiel's Python ISMCTSBot on our rules
program:COMMAND         a program that speaks the bot protocol (docs/bots.md)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from random import Random
from typing import Any

import numpy as np

from veillee.bots.bot import Bot, Budget
from veillee.bots.levels import NAMES, level_named
from veillee.engine.contract import Contract
from veillee.engine.record import States
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row

Choose = Callable[[States], int]
"""From a seat's view to an action."""

OPENSPIEL = "openspiel:seconds="
GREEDY = Budget(each=12, deepest=1, horizon=0)


def player(contract: Contract, players: int, spec: str, seed: int) -> Choose:
    """A player by what it is called."""
    if spec == "random":
        return _random(contract, seed)
    name, _, rest = spec.partition(":")
    if name in contract.sparring:
        return sparring(contract, contract.sparring[name](rest), seed)
    if spec.startswith("program:"):
        from veillee.bots.program import Program

        return Program(contract, spec.removeprefix("program:")).choose
    if spec.startswith(OPENSPIEL):
        from veillee.lab.openspiel import Peer

        return Peer(contract, players, float(spec.removeprefix(OPENSPIEL)), seed).choose
    return Bot(contract, players, budget(contract, spec), seed).choose


def check(contract: Contract, spec: str) -> None:
    """Refuse a player that there is not."""
    name, _, rest = spec.partition(":")
    if name in contract.sparring:
        contract.sparring[name](rest)
    elif spec.startswith(OPENSPIEL):
        try:
            float(spec.removeprefix(OPENSPIEL))
        except ValueError:
            raise _unknown(spec) from None
    elif spec != "random" and not spec.startswith("program:"):
        budget(contract, spec)


def budget(contract: Contract, spec: str) -> Budget:
    """How much a player that searches may think."""
    if spec == "greedy":
        return GREEDY
    name, _, settings = spec.partition(":")
    try:
        if name in NAMES:
            own = level_named(name).budget_for(contract)
            given = _settings(settings) if settings else {}
            if {"iterations", "each", "seconds"} & set(given):
                own = replace(own, iterations=None, each=None, seconds=None)
            return replace(own, **given)
        if name == "search":
            return Budget(**_settings(settings))
    except (ValueError, TypeError):
        pass
    raise _unknown(spec)


def _unknown(spec: str) -> Refusal:
    known = ", ".join([*NAMES, "random", "greedy"])
    return Refusal("unknown", "bots.level", name=spec[:60], levels=known)


def _settings(text: str) -> dict[str, Any]:
    known = {field.name for field in fields(Budget)}
    found: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in known:
            raise ValueError(name)
        found[name] = float(value) if name in ("seconds", "exploration", "mixing") else int(value)
    return found


def sparring(contract: Contract, decide: Callable[[Any, Any, int, Any], int], seed: int) -> Choose:
    """A player that the game brings."""
    out = np.zeros(contract.actions, np.int16)
    rng = [int(word) for word in fast_row(seed)]

    def choose(view: States) -> int:
        n = int(contract.compiled.legal_at(view, 0, out))
        return int(out[decide(contract.twin(view), out, n, rng) if n > 1 else 0])

    return choose


def _random(contract: Contract, seed: int) -> Choose:
    chance = Random(seed)
    out = np.zeros(contract.actions, np.int16)

    def choose(view: States) -> int:
        n = int(contract.compiled.legal_at(view, 0, out))
        return int(out[chance.randrange(n)])

    return choose
