"""The scoring of a game as data, for a page that counts the points of a printed game.

A browser computes with it, also offline. The tests compare it with the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec


class Count(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that is counted for each player: one row of the score sheet."""

    key: str
    text: str
    """The key of its text."""
    clause: str
    entry: str = ""
    """The key of its text where it is entered, if that is another."""
    worth: int = 0
    """Points for each."""
    choices: Sequence[int] = ()
    """The values that are possible, besides 0; empty for any number."""
    shares: Sequence[int] = ()
    """Points for whoever has the most, the second most, and so on; each needs at least one."""
    unshared: bool = False
    """Whether players who tie get nothing."""
    tie_holder: str = ""
    """The key of what wins such a tie."""
    facts: Mapping[str, str] = {}


class Holder(msgspec.Struct, frozen=True):
    """Something that one player has, or nobody."""

    key: str
    text: str


class Tie(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tie-breakers between players with equal points: the greater is better."""

    counts: Sequence[str] = ()
    """The sum of these."""
    kinds: Sequence[str] = ()
    """The number of these that are above 0."""
    holder: str = ""


class Award(msgspec.Struct, frozen=True):
    """An intermediate scoring, for the best players."""

    text: str
    clause: str
    without: Sequence[str]
    """Values that do not count in it."""
    total: int
    """Those who tie for the first place share it, as far as it can be divided."""
    shares: Sequence[int]


class Scoring(msgspec.Struct, frozen=True, omit_defaults=True):
    """The scoring of a game for one number of players."""

    counts: Sequence[Count]
    ties: Sequence[Tie]
    tie_clause: str
    holders: Sequence[Holder] = ()
    award: Award | None = None
    board: Sequence[str] = ()
    """Rows of squares: the key of the count that tokens there add to, or "." for none."""
    faces: int = 0
    """Tokens show 1 to this."""
