"""Lumens: the options of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from veillee.engine.options import BoardForm, Option, a_seat, number, whole
from veillee.games.lumens.board import DOT, SMALLEST, Grid, printed, read_grid, starts
from veillee.games.lumens.core.names import COLOURS
from veillee.games.lumens.core.names import TOKENS as TOKEN_NAMES
from veillee.games.lumens.core.rules import set_colour
from veillee.games.lumens.core.state import KINDS, NOBODY, PASSAGE, SEATS, SIDE, State

BY_SEAT = "seat"
DRAWN = "draw"
BY_SEAT_OR_DRAWN = (BY_SEAT, DRAWN)
TOKENS = (8, 8, 8)
MOST_OF_A_KIND = 8
POINTS = (4, 2)
MOST_POINTS = 9
MOST_PER_SQUARE = 2

SMALL = {"board": "...\n.a.\n...\n", "tokens": [2, 1, 0], "first": 0}
"""A variant small enough to enumerate."""


def is_board(value: Any, _: int) -> bool:
    """lumens.material.board: a board as text, or None for the printed one."""
    return value is None or isinstance(value, str)


def are_tokens(value: Any, _: int) -> bool:
    """lumens.material.tokens: how many of each kind a player has."""
    return (
        isinstance(value, list | tuple)
        and len(value) == KINDS
        and all(whole(n) and 0 <= n <= MOST_OF_A_KIND for n in value)
        and sum(value) > 0
    )


def are_points(value: Any, _: int) -> bool:
    """lumens.end.points: for the most pips in a room and for the second most."""
    return (
        isinstance(value, list | tuple)
        and len(value) == len(POINTS)
        and all(whole(n) and 0 <= n <= MOST_POINTS for n in value)
    )


def are_colours(value: Any, players: int) -> bool:
    """lumens.material.tokens: by seat, drawn, or a list of different colours, seat by seat."""
    return value in BY_SEAT_OR_DRAWN or _one_each(value, COLOURS, players)


def are_starts(value: Any, players: int) -> bool:
    """lumens.setup.start: by seat, drawn, or a list of places, counted clockwise from 1."""
    return value in BY_SEAT_OR_DRAWN or _one_each(value, range(1, players + 1), players)


def _one_each(value: Any, things: Sequence[Any], players: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == players
        and all(type(thing) is type(things[0]) and thing in things for thing in value)
        and len(set(value)) == players
    )


OPTIONS = (
    a_seat("first", shown=True),
    Option("colours", BY_SEAT, are_colours, BY_SEAT_OR_DRAWN, each=COLOURS),
    Option("starts", BY_SEAT, are_starts, BY_SEAT_OR_DRAWN, each=tuple(range(1, SEATS + 1))),
    Option(
        "board",
        None,
        is_board,
        shown=False,
        board=BoardForm(SMALLEST, SIDE, lambda players: printed(players).text, starts),
    ),
    Option(
        "tokens",
        list(TOKENS),
        are_tokens,
        shown=False,
        low=0,
        high=MOST_OF_A_KIND,
        entries=TOKEN_NAMES,
    ),
    Option(
        "points",
        list(POINTS),
        are_points,
        shown=False,
        low=0,
        high=MOST_POINTS,
        entries=("lumens.option.points.first", "lumens.option.points.second"),
    ),
    number("per_square", MOST_PER_SQUARE, 1, MOST_PER_SQUARE),
)


def prepare(s: State, options: Mapping[str, Any]) -> None:
    """lumens.material.board, lumens.material.tokens, lumens.setup.start, lumens.setup.first"""
    text = options["board"]
    lay_out(s, printed(s.players) if text is None else read_grid(text, s.players))
    for kind, tokens in enumerate(options["tokens"]):
        s.total[kind] = tokens
    for place, points in enumerate(options["points"]):
        s.points[place] = points
    s.per_square = options["per_square"]
    s.first = NOBODY if options["first"] is None else options["first"]
    if options["colours"] != DRAWN:
        chosen = options["colours"] if isinstance(options["colours"], list) else []
        for seat, name in enumerate([*chosen, *(name for name in COLOURS if name not in chosen)]):
            set_colour(s, seat, COLOURS.index(name))
    if options["starts"] == DRAWN:
        s.start[0] = ~s.start[0]
    elif options["starts"] != BY_SEAT:
        places = list(s.start)
        for seat, place in enumerate(options["starts"]):
            s.start[seat] = places[place - 1]


def lay_out(s: State, grid: Grid) -> None:
    """Write a board into a state."""
    s.side = grid.side
    for row, column in grid.squares():
        letter = grid[row, column]
        if letter != DOT:
            room = ascii_lowercase.index(letter) + 1
            s.room[row * SIDE + column] = room
            s.rooms = max(s.rooms, room)
    for seat, (row, column) in enumerate(starts(s.players, grid.side)):
        s.start[seat] = row * SIDE + column


def longest(s: State) -> int:
    """Return the number of tokens: every decision places one."""
    return s.players * sum(s.total[kind] for kind in range(KINDS))


def agreed(s: State) -> dict[str, Any]:
    """Return the options that a state was prepared with, as far as they differ from the defaults.

    Who goes first, from where and in which colour is part of the position.
    """
    found: dict[str, Any] = {}
    drawn = board_text(s)
    if drawn != printed(s.players).text:
        found["board"] = drawn
    tokens = [s.total[kind] for kind in range(KINDS)]
    if tokens != list(TOKENS):
        found["tokens"] = tokens
    points = [s.points[place] for place in range(len(POINTS))]
    if points != list(POINTS):
        found["points"] = points
    if s.per_square != MOST_PER_SQUARE:
        found["per_square"] = s.per_square
    return found


def board_text(s: State) -> str:
    """Return the board of a state as text."""
    return "".join(
        "".join(_letter(s.room[row * SIDE + column]) for column in range(s.side)) + "\n"
        for row in range(s.side)
    )


def _letter(room: int) -> str:
    return DOT if room == PASSAGE else ascii_lowercase[room - 1]
