"""Levels, strengths and characters: how a bot is named, and how much it sees and plans.

A bot's name is a level or a strength, with a character before it or without one: `teller`, `1450`,
`bold@teller`, `bold@1450`. A strength is a number on an Elo scale, of which each game has its own.
It comes from `levels.toml` in the game's folder, a list of search settings from weak to strong::

    [[point]]
    level = "teller"
    strength = 1500
    error = 0
    settings = {iterations = 100, opens = 2, exploration = 0.05, horizon = 0}

`veillee lab calibrate` measures the strengths. Between two points the settings are interpolated.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from veillee.bots.bot import Bot, Budget
from veillee.bots.characters import AT, character_named, characters, joined, split
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal

LONGEST = 0.8
"""Time limit of the strongest level in seconds, for slow machines. Elsewhere it stops earlier, at
the number of iterations beyond which no gain was measured."""
FILE = "levels.toml"
GEOMETRIC = ("iterations", "nodes")
LINEAR = ("horizon", "exploration", "instinct")
KIND = ("opens", "deepest", "width", "each")
"""Settings that make searches of different kinds, between which nothing is interpolated."""


@dataclass(frozen=True)
class Level:
    """A level of play. `bots.level.<name>` is its name in words, `.help` says how it plays."""

    name: str
    settings: Mapping[str, Any]
    """The search settings of games that have no file of their own."""

    def budget_for(self, spec: GameSpec) -> Budget:
        """Return how much the level thinks in a game."""
        for point in curve(spec).points:
            if point.level == self.name:
                return Budget(**point.settings)
        return Budget(**self.settings)


LEVELS = (
    Level("spark", {"each": 1, "width": 3, "deepest": 1, "horizon": 0}),
    Level("wanderer", {"each": 12, "deepest": 1, "horizon": 0}),
    Level("teller", {"iterations": 32, "deepest": 1, "horizon": 16}),
    Level("elder", {"iterations": 300, "horizon": 16}),
    Level("sage", {"iterations": 4_000, "horizon": 16, "seconds": LONGEST}),
)
VERSION = 2
"""Raised when a level plays differently: results against bots are comparable within a version."""
NAMES = tuple(level.name for level in LEVELS)
ANCHOR = "teller"
"""The level that fixes the scale of strengths, at 1500."""


# ------------------------------------------------------------ strengths


@dataclass(frozen=True)
class Point:
    """Search settings whose strength was measured."""

    settings: Mapping[str, Any]
    strength: float
    error: float = 0.0
    """Standard error of the difference to the level that fixes the scale."""
    level: str = ""


@dataclass(frozen=True)
class Curve:
    """Settings from weak to strong; empty for a game that was not calibrated."""

    points: Sequence[Point] = ()
    players: int = 0
    """The number of players with which it was measured."""
    source: str = ""

    @property
    def range(self) -> tuple[int, int]:
        """The lowest and the highest strength; 0 and 0 if nothing was measured."""
        if not self.points:
            return 0, 0
        return round(self.points[0].strength), round(self.points[-1].strength)

    def budget(self, strength: float) -> Budget:
        """Return the settings at a strength, interpolated between its neighbours."""
        if not self.points:
            raise Refusal("option", "bots.strength.none", levels=", ".join(NAMES))
        low, high = self.range
        if not low <= strength <= high:
            raise Refusal("option", "bots.strength", low=low, high=high)
        weaker, stronger = next(
            pair for pair in pairwise(self.points) if strength <= pair[1].strength
        )
        part = (strength - weaker.strength) / (stronger.strength - weaker.strength)
        return interpolated(weaker.settings, stronger.settings, part)


def interpolated(low: Mapping[str, Any], high: Mapping[str, Any], part: float) -> Budget:
    """Return settings between two others, of which `part` is the way from the first to the second.

    Searches of different kinds can't be interpolated: then the nearer one is taken as it is.
    """
    ends = Budget(**low), Budget(**high)
    nearer = low if part < 0.5 else high
    if part in (0, 1) or any(getattr(ends[0], name) != getattr(ends[1], name) for name in KIND):
        return Budget(**nearer)
    settings = dict(nearer)
    for name in (*GEOMETRIC, *LINEAR):
        a, b = (getattr(end, name) for end in ends)
        if a != b:
            between = a ** (1 - part) * b**part if name in GEOMETRIC else a + (b - a) * part
            settings[name] = round(between) if isinstance(a, int) else between
    own, other = ends[0].character, ends[1].character
    settings["character"] = {
        name: own.get(name, other.get(name, 0.0)) * (1 - part)
        + other.get(name, own.get(name, 0.0)) * part
        for name in {**own, **other}
    }
    return Budget(**settings)


def curve(spec: GameSpec) -> Curve:
    """Return the measured curve of a game."""
    return read_curve(spec.folder / FILE)


@cache
def read_curve(file: Path) -> Curve:
    """Read a curve; empty if there is no such file. Strengths must rise from point to point."""
    if not file.exists():
        return Curve()
    data = tomllib.loads(file.read_text("utf-8"))
    points = [Point(**point) for point in data["point"]]
    for weaker, stronger in pairwise(points):
        if weaker.strength >= stronger.strength:
            raise ValueError(f"{file}: {stronger.strength} follows {weaker.strength}")
    return Curve(points, data["players"], data["source"])


# ------------------------------------------------------------ names


@dataclass(frozen=True)
class BotName:
    """A bot as it is named: `teller`, `1450`, `bold@teller`, `bold@1450`."""

    level: str
    """A level, or a strength in digits."""
    character: str = ""

    @classmethod
    def parse(cls, text: str) -> BotName:
        """Read a name, or refuse it."""
        character, level = split(text)
        if not (level in NAMES or is_number(level)) or (AT in text and not character):
            raise Refusal("option", "bots.level", name=text[:40], levels=", ".join(NAMES))
        return cls(level, character)

    def budget_for(self, spec: GameSpec) -> Budget:
        """Return how much such a bot thinks in a game; refuse what the game does not have."""
        if is_number(self.level):
            budget = curve(spec).budget(int(self.level))
        else:
            budget = level_named(self.level).budget_for(spec)
        if not self.character:
            return budget
        own = character_named(spec, self.character)
        policy = {**budget.character, **own.policy}
        return replace(budget, character=policy, lean=own.lean, taste=own.taste)


def is_number(text: str) -> bool:
    """Tell whether a text is a strength."""
    return text.isascii() and text.isdigit() and len(text) < 6


def is_bot_name(text: str) -> bool:
    """Tell whether a text is meant to be the name of a bot; it may still be refused."""
    return text in NAMES or is_number(text) or AT in text


def fitted(name: str, spec: GameSpec) -> str:
    """Return a bot's name as it fits another game.

    A strength is moved into the range of that game, and a character that it does not have is left
    out.
    """
    if not is_bot_name(name):
        return name
    bot_name = BotName.parse(name)
    level = bot_name.level
    if is_number(level):
        low, high = curve(spec).range
        level = str(min(max(int(level), low), high)) if high else ANCHOR
    known = bot_name.character in characters(spec)
    return joined(bot_name.character, level) if known else level


def level_named(name: str) -> Level:
    """Return a level by name, or refuse it."""
    for found in LEVELS:
        if found.name == name:
            return found
    raise Refusal("unknown", "bots.level", name=name[:40], levels=", ".join(NAMES))


def bot(spec: GameSpec, players: int, name: str, seed: int = 0, threads: int = 1) -> Bot:
    """Return a bot by name: a level, a strength, or a character with one of them."""
    return Bot(spec, players, BotName.parse(name).budget_for(spec), seed, threads)
