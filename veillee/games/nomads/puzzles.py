"""Nomads: what puzzles ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.nomads.core.actions import LYS, SOW, WRITE
from veillee.games.nomads.core.state import Phase

WRITE_OR_SOW = "write_or_sow"
WHICH_CARD = "which_card"
SOW_WHERE = "sow"
LYS_WHERE = "lys"


def kind(s: Any, choices: Sequence[int], best: int) -> str | None:
    """Return what is asked: write or sow, which card, where to sow, or where to send Lys."""
    if s.phase == Phase.LYS:
        return LYS_WHERE if best >= LYS else None
    if s.phase != Phase.TURN or best < SOW:  # Moon may also move Lys
        return None
    if any(SOW <= action < WRITE for action in choices):
        return WRITE_OR_SOW if any(action >= WRITE for action in choices) else SOW_WHERE
    return WHICH_CARD


def question(words: Words, s: Any, kind: str, names: Names) -> str:
    """Return the question in words."""
    return words(f"nomads.puzzle.{kind}")


def side(s: Any, kind: str, answer: int) -> str:
    """Tell writing from sowing; otherwise, every action differs."""
    if kind == WRITE_OR_SOW:
        return "write" if answer >= WRITE else "sow"
    return str(answer)
