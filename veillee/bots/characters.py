"""Characters: bots of the same strength that play in styles of their own.

A game lists its characters in `characters.toml` in its folder::

    [bold]
    name = "Hector"
    taste = {prey = 0.05, exposed = 0.2}
    share = [0.98, 0.84, 1.12]

`taste`, `policy` and `lean` say what the search likes and how the bot bluffs (`bots.bot.Budget`).
They are numbers given to compiled code, so a new character compiles nothing. `share` is what one of
the character won from bots of the same level without one, with its interval, where 1 is fair
(`benchmarks.characters`). The game's texts have a line that the character says,
`<game>.character.<id>`; `art.faces` draws its face.

This module does not load the search, so that web pages can use it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import SystemRandom

from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal

FILE = "characters.toml"
RANDOM = "random"
"""The level that takes any legal action. It has no character and needs no compiled code."""
PLAIN = "plain"
"""Chosen in place of a character."""
TOLERANCE = 0.2
"""How far from fair the share of a character may be that is drawn for a seat."""
AT = "@"
"""Stands between a character and a level: `bold@teller`."""


@dataclass(frozen=True)
class Character:
    """A style of play."""

    id: str
    name: str
    """Its proper name, the same in all languages."""
    taste: Mapping[str, float] = field(default_factory=dict)
    policy: Mapping[str, float] = field(default_factory=dict)
    lean: float = 0.0
    share: Sequence[float] = ()

    @property
    def is_equal(self) -> bool:
        """Whether it was measured to be about as strong as bots without a character."""
        if not self.share:
            return False
        mean, low, high = self.share
        return low <= 1 <= high and abs(mean - 1) <= TOLERANCE


def characters(spec: GameSpec) -> Mapping[str, Character]:
    """Return the characters of a game by id."""
    return _read(spec.folder / FILE)


def character_named(spec: GameSpec, name: str) -> Character:
    """Return a character of a game, or refuse it."""
    found = characters(spec).get(name)
    if found is None:
        known = ", ".join(characters(spec)) or "–"
        raise Refusal("option", "bots.character", name=name[:40], known=known)
    return found


def split(bot: str) -> tuple[str, str]:
    """Return the character and the level of a bot's name; the character may be empty."""
    character, _, level = bot.rpartition(AT)
    return character, level


def joined(character: str, level: str) -> str:
    """Return the name of a bot of a level with a character."""
    return f"{character}{AT}{level}"


def proper_name(spec: GameSpec, bot: str) -> str:
    """Return the proper name of a bot's character; empty if it has none."""
    found = characters(spec).get(split(bot)[0])
    return found.name if found else ""


def shared(specs: Sequence[GameSpec]) -> list[Character]:
    """Return the characters that all of some games have, as the first of them lists them."""
    first, *others = specs
    return [
        found
        for name, found in characters(first).items()
        if all(name in characters(other) for other in others)
    ]


def drawn(specs: Sequence[GameSpec], bots: Sequence[str], chosen: Mapping[int, str]) -> list[str]:
    """Return the bots of a table with characters.

    Args:
        specs: The games that are played one after the other.
        bots: The level of the bot on each seat, "" for a person.
        chosen: By seat a character, or `PLAIN` for none. For the other seats one is drawn of those
            that are as strong as bots without a character, no two alike.
    """
    free = [
        found.id
        for found in shared(specs)
        if found.id not in chosen.values() and all(characters(s)[found.id].is_equal for s in specs)
    ]
    SystemRandom().shuffle(free)
    cast = []
    for seat, level in enumerate(bots):
        character = chosen.get(seat, "")
        if not level or level == RANDOM or split(level)[0] or character == PLAIN:
            cast.append(level)
        elif character:
            cast.append(joined(character, level))
        else:
            cast.append(joined(free.pop(), level) if free else level)
    return cast


@cache
def _read(file: Path) -> Mapping[str, Character]:
    if not file.exists():
        return {}
    tables = tomllib.loads(file.read_text("utf-8"))
    return {name: Character(name, **table) for name, table in tables.items()}
