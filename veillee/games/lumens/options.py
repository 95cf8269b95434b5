"""Lumens: what a table may choose."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

from veillee.engine.options import Option, a_seat, whole
from veillee.games.lumens.grid import DOT, Grid, printed, read_grid, starts
from veillee.games.lumens.state import KINDS, NOBODY, PASSAGE, SIDE, State

TOKENS = (8, 8, 8)
MOST_OF_A_KIND = 8

SMALL = {"board": "...\n.a.\n...\n", "tokens": [2, 1, 0], "first": 0}
"""So few tokens and squares that every game can be played."""


def is_board(value: Any, _: int) -> bool:
    return value is None or isinstance(value, str)


def are_tokens(value: Any, _: int) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == KINDS
        and all(whole(n) and 0 <= n <= MOST_OF_A_KIND for n in value)
        and sum(value) > 0
    )


OPTIONS = (
    a_seat("first", shown=True),
    Option("board", None, is_board, shown=False),
    Option("tokens", list(TOKENS), are_tokens, shown=False),
)


def prepare(s: State, options: Mapping[str, Any]) -> None:
    """lumens.material.board, lumens.material.tokens, lumens.setup.start, lumens.setup.first"""
    text = options["board"]
    lay_out(s, printed(s.players) if text is None else read_grid(text, s.players))
    for kind, tokens in enumerate(options["tokens"]):
        s.total[kind] = tokens
    s.first = NOBODY if options["first"] is None else options["first"]


def lay_out(s: State, grid: Grid) -> None:
    """Write a board into a state."""
    s.side = grid.side
    s.central = ascii_lowercase.index(grid.central) + 1
    for row, column in grid.squares():
        letter = grid[row, column]
        if letter != DOT:
            room = ascii_lowercase.index(letter) + 1
            s.room[row * SIDE + column] = room
            s.rooms = max(s.rooms, room)
    for seat, (row, column) in enumerate(starts(s.players, grid.side)):
        s.start[seat] = row * SIDE + column


def agreed(s: State) -> dict[str, Any]:
    """The options that a state was prepared with, those that differ from the default only.

    Who goes first is part of the position.
    """
    found: dict[str, Any] = {}
    drawn = board_text(s)
    if drawn != printed(s.players).text:
        found["board"] = drawn
    tokens = [s.total[kind] for kind in range(KINDS)]
    if tokens != list(TOKENS):
        found["tokens"] = tokens
    return found


def board_text(s: State) -> str:
    """The board of a state, as text."""
    return "".join(
        "".join(_letter(s.room[row * SIDE + column]) for column in range(s.side)) + "\n"
        for row in range(s.side)
    )


def _letter(room: int) -> str:
    return DOT if room == PASSAGE else ascii_lowercase[room - 1]
