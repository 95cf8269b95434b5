"""Oh Captain!: what puzzles ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.captain.core.actions import ANNOUNCE
from veillee.games.captain.core.names import CARDS, TOOLS
from veillee.games.captain.core.rules import found, tool_of
from veillee.games.captain.core.state import Phase

KINDS = {Phase.ANSWER: "bluff", Phase.CHOICE: "buy", Phase.ANNOUNCE: "announce"}


def kind(s: Any, choices: Sequence[int], best: int) -> str | None:
    """Is it a bluff, is the card worth a coin, what to announce."""
    return KINDS.get(s.phase)


def question(words: Words, s: Any, kind: str, names: Names) -> str:
    """Return the question in words."""
    if kind == "announce":
        card = CARDS[found(s)].replace(" ", "_")
        return words("captain.puzzle.announce", card=words(f"captain.some.{card}", n=1))
    tool = words(f"captain.some.{TOOLS[s.told[s.row] - 1]}", n=1)
    return words(f"captain.puzzle.{kind}", name=names[s.turn], tool=tool)


def side(s: Any, kind: str, answer: int) -> str:
    """Tell truths from lies, accepting from accusing, buying from leaving."""
    if kind == "announce":
        return "truth" if answer - ANNOUNCE == tool_of(found(s)) else "lie"
    return str(answer)
