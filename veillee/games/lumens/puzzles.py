"""Lumens: what puzzles ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.lumens.core.state import FACES, NO_TOKEN, PASSAGE, Phase
from veillee.games.lumens.notation import parts


def kind(s: Any, choices: Sequence[int], best: int) -> str | None:
    """Cover a token, fight for a room, or place freely."""
    if s.phase != Phase.TURN:
        return None
    square, _ = parts(best)
    token, room = s.top[square], s.room[square]
    if token != NO_TOKEN and (token - 1) // FACES != s.seat:
        return "cover"
    if room != PASSAGE and any(
        s.pips[seat, room - 1] for seat in range(s.players) if seat != s.seat
    ):
        return "room"
    return "place"


def question(words: Words, s: Any, kind: str, names: Names) -> str:
    """Return the question in words."""
    return words(f"lumens.puzzle.{kind}")


def side(s: Any, kind: str, answer: int) -> str:
    """Tell squares and faces apart: every action differs."""
    return str(answer)
