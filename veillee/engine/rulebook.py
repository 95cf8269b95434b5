"""The rules as a page: goal, a turn in steps with diagrams, tables of cards and powers, the end.

A game's page is its file `rulebook.toml`. Diagrams are positions of its lesson, drawn as the table
draws them, so they can't show what the rules don't allow.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec


class RuleStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a turn: its text, and a diagram of the lesson after so many moves."""

    text: str
    """The key of its text."""
    moves: int | None = None
    preview: bool = False
    """Whether the next move is shown in the diagram."""


class RuleRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card, a piece or a power: the picture's symbol, and the keys of its name and its text."""

    name: str
    text: str
    symbol: str = ""


class RuleTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    row: tuple[RuleRow, ...]


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The page. The finished lesson is the worked example of the scoring."""

    goal: str
    end: str
    step: tuple[RuleStep, ...]
    table: tuple[RuleTable, ...] = ()


def read_rulebook(file: Path) -> Rulebook:
    """Read a page of rules from its file."""
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Rulebook)
