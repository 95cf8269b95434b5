"""Players of a match by name: a level, a baseline, or an external program.

spark … sage            the five levels
1450                    a bot of a strength (`bots.levels`)
bold@elder, bold@1450   a character of one of them
random                  any legal action
beginner                the action that brings most points at once
greedy                  the action that looks best at once, or what the game calls so
habit:lie,accuse        who always does the same (Oh Captain!)
sage:iterations=6000    a level with another budget; also with other weights, sage:honest=0.9
search:iterations=800   the search with a budget of one's own (see `bots.bot.Budget`)
openspiel:seconds=0.1   OpenSpiel's Python ISMCTSBot on our rules
program:COMMAND         a program that speaks the bot protocol (docs/bots.md)
program:seconds=5,COMMAND  the same with a time limit of 5 seconds for each decision
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from veillee.bots.bot import Bot, Budget
from veillee.bots.characters import RANDOM
from veillee.bots.jit.heuristics import BUFFER
from veillee.bots.levels import NAMES, BotName, is_bot_name
from veillee.bots.weights import weight_names
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row

Choose = Callable[[States], int]
"""From a seat's view to an action."""

OPENSPIEL = "openspiel:seconds="
PROGRAM = "program:"
LIMITS = ("iterations", "each", "seconds")
"""The settings of which one says when a search ends."""
CHARACTER = "character"
SIMPLE = (RANDOM, "beginner")
"""Players that neither search nor come with a game."""
_NUMBERS: dict[str, type[int | float]] = {"int": int, "float": float}
GREEDY = Budget(each=12, deepest=1, horizon=0)


def player(spec: GameSpec, players: int, entrant: str, seed: int) -> Choose:
    """A player by what it is called."""
    if entrant == RANDOM:
        return _random(spec, seed)
    if entrant == "beginner":
        return _beginner(spec, seed)
    name, _, rest = entrant.partition(":")
    if name in spec.baselines:
        return sparring(spec, spec.baselines[name](rest), seed)
    if entrant.startswith(PROGRAM):
        from veillee.bots.external import Program

        return Program(spec, entrant.removeprefix(PROGRAM))
    if entrant.startswith(OPENSPIEL):
        from veillee.lab.openspiel import Peer

        return Peer(spec, players, float(entrant.removeprefix(OPENSPIEL)), seed).choose
    return Bot(spec, players, budget(spec, entrant), seed).choose


def check(spec: GameSpec, entrant: str) -> None:
    """Refuse a player that there is not."""
    name, _, rest = entrant.partition(":")
    if name in spec.baselines:
        spec.baselines[name](rest)
    elif entrant.startswith(PROGRAM):
        from veillee.bots.external import read_entrant

        read_entrant(rest)
    elif entrant.startswith(OPENSPIEL):
        _number("seconds", entrant.removeprefix(OPENSPIEL), float)
    elif entrant not in SIMPLE:
        budget(spec, entrant)


def budget(spec: GameSpec, entrant: str) -> Budget:
    """Return how much a player that searches may think."""
    name, _, text = entrant.partition(":")
    if entrant == "greedy":
        return GREEDY
    if is_bot_name(name):
        own = BotName.parse(name).budget_for(spec)
        given = _settings(spec, text) if text else {}
        if set(LIMITS) & set(given):
            own = replace(own, iterations=None, each=None, seconds=None)
        character = {**own.character, **given.pop(CHARACTER, {})}
        return replace(own, character=character, **given)
    if name == "search":
        return Budget(**_settings(spec, text))
    known = ", ".join([*NAMES, *SIMPLE, "greedy", *spec.baselines])
    raise Refusal("unknown", "lab.player", name=entrant[:60], known=known)


def budget_without_clock(spec: GameSpec, entrant: str) -> Budget | None:
    """Return how much a player thinks if compiled games can play it; else None.

    They can't play with a time limit, nor draw by a policy (`Budget.lean`).
    """
    name = entrant.partition(":")[0]
    if name in (*SIMPLE, *spec.baselines) or entrant.startswith((PROGRAM, OPENSPIEL)):
        return None
    found = budget(spec, entrant)
    return None if found.seconds or found.lean else found


def _settings(spec: GameSpec, text: str) -> dict[str, Any]:
    """Read settings of a search, `iterations=800,horizon=12`, and weights, `honest=0.9`."""
    kinds = {field.name: str(field.type).partition(" ")[0] for field in fields(Budget)}
    found: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name in weight_names(spec):
            found.setdefault(CHARACTER, {})[name] = _number(name, value, float)
            continue
        if kinds.get(name) not in (*_NUMBERS, "Path"):
            raise Refusal("unknown", "lab.setting", name=name[:40], known=", ".join(kinds))
        number = _NUMBERS.get(kinds[name])
        found[name] = _number(name, value, number) if number else _file(value)
    return found


def entrant_of(settings: Mapping[str, Any]) -> str:
    """Return the name under which a search with such settings plays, without its time limit."""
    single = {name: value for name, value in settings.items() if name not in ("seconds", CHARACTER)}
    given = single | settings.get(CHARACTER, {})
    return "search:" + ",".join(f"{name}={value}" for name, value in given.items())


def _file(text: str) -> Path:
    """Return the path of a file that is there."""
    file = Path(text)
    if not file.is_file():
        raise Refusal("unknown", "lab.missing", file=text[:200])
    return file


def _number(name: str, text: str, kind: type[int | float]) -> float:
    """Read a number that is not negative; a limit on thinking must be above 0."""
    try:
        value = kind(text)
    except ValueError:
        value = kind(-1)
    if not 0 <= value < float("inf") or (value == 0 and name in LIMITS):
        raise Refusal("option", "lab.setting.value", name=name, value=text[:40])
    return value


def sparring(spec: GameSpec, decide: Callable[[Any, Any, int, Any], int], seed: int) -> Choose:
    """A player that the game brings."""
    out = np.zeros(spec.actions, np.int16)
    rng = [int(word) for word in fast_row(seed)]

    def choose(view: States) -> int:
        n = int(spec.compiled.legal_at(view, 0, out))
        return int(out[decide(spec.twin(view), out, n, rng) if n > 1 else 0])

    return choose


def _random(spec: GameSpec, seed: int) -> Choose:
    chance = Random(seed)
    out = np.zeros(spec.actions, np.int16)

    def choose(view: States) -> int:
        n = int(spec.compiled.legal_at(view, 0, out))
        return int(out[chance.randrange(n)])

    return choose


def _beginner(spec: GameSpec, seed: int) -> Choose:
    """A player who takes the most points at once, and any of the actions that bring as many."""
    chance = Random(seed)
    out, points = np.zeros(spec.actions, np.int16), np.zeros(BUFFER, np.int16)

    def choose(view: States) -> int:
        seat = int(view[0]["seat"])
        n = int(spec.compiled.legal_at(view, 0, out))
        best: list[tuple[int, int]] = []
        for action in out[:n].tolist():
            after, rng = view.copy(), fast_row(seed, chance.getrandbits(30))
            spec.compiled.resample_at(after, 0, 1 << seat, rng)
            spec.compiled.apply_at(after, 0, action, rng, None)
            spec.compiled.scores_at(after, 0, points)
            gained = int(points[seat])
            if best and gained > best[0][0]:
                best = []
            if not best or gained == best[0][0]:
                best.append((gained, action))
        return chance.choice(best)[1]

    return choose
