"""Lumens: boards as plain text, with a letter per room and a dot per passage.

Lines that begin with # are comments; empty lines are ignored. A text that is no board is refused
with the line and the column of the mistake, both counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import NoReturn

from veillee.engine.refusal import Refusal
from veillee.games.lumens.core.state import SIDE

DOT = "."
SMALLEST = 3
Square = tuple[int, int]
"""Row and column, from 0."""


class Grid:
    """A board: its rows, as letters and dots, and the letter of its central room."""

    def __init__(self, rows: Sequence[str]) -> None:
        self.rows = rows
        self.side = len(rows)
        middle = self.side // 2
        self.central = rows[middle][middle]

    @property
    def text(self) -> str:
        return "".join(f"{row}\n" for row in self.rows)

    def __getitem__(self, square: Square) -> str:
        return self.rows[square[0]][square[1]]

    def squares(self) -> Iterable[Square]:
        return ((row, column) for row in range(self.side) for column in range(self.side))


@cache
def printed(players: int) -> Grid:
    """Return the board for a number of players. lumens.material.board"""
    name = "two" if players == 2 else "four"
    text = (Path(__file__).parent / "boards" / f"{name}.txt").read_text("utf-8")
    return read_grid(text, players)


def starts(players: int, side: int) -> list[Square]:
    """Return the squares of the start markers, clockwise from the upper left. lumens.setup.start"""
    last = side - 1
    if players == 2:
        return [(0, 0), (last, last)]
    if players == 3:
        return [(0, 0), (0, last), (last, last // 2)]
    return [(0, 0), (0, last), (last, last), (last, 0)]


def read_grid(text: str, players: int) -> Grid:
    """Read a board from text, or refuse it. lumens.material.board"""
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    check_shape(lines)
    grid = Grid([line for _, line in lines])
    numbers = [number for number, _ in lines]
    check_starts(grid, numbers, players)
    check_rooms(grid, numbers)
    return grid


def check_shape(lines: Sequence[tuple[int, str]]) -> None:
    """Check for letters and dots only, as many columns as rows, and a middle square."""
    side = len(lines)
    for number, line in lines:
        for column, letter in enumerate(line, 1):
            if letter != DOT and letter not in ascii_lowercase:
                refuse("letter", number, column, letter=letter)
    if side < SMALLEST:
        refuse("small", lines[-1][0] if lines else 1, 1, side=side, smallest=SMALLEST)
    if side > SIDE:
        refuse("large", lines[SIDE][0], 1, side=side, largest=SIDE)
    if side % 2 == 0:
        refuse("even", lines[-1][0], 1, side=side)
    for number, line in lines:
        if len(line) != side:
            refuse("square", number, min(len(line), side) + 1, side=side, columns=len(line))


def check_starts(grid: Grid, numbers: Sequence[int], players: int) -> None:
    """lumens.setup.start: start markers lie on passages."""
    for row, column in starts(players, grid.side):
        if grid[row, column] != DOT:
            refuse("start", numbers[row], column + 1, room=grid[row, column])


def check_rooms(grid: Grid, numbers: Sequence[int]) -> None:
    """Check that each room is connected, and that one holds the middle square."""
    if grid.central == DOT:
        middle = grid.side // 2
        refuse("central", numbers[middle], middle + 1)
    joined: set[Square] = set()
    rooms: set[str] = set()
    for square in grid.squares():
        letter = grid[square]
        if letter != DOT and square not in joined:
            if letter in rooms:
                refuse("pieces", numbers[square[0]], square[1] + 1, room=letter)
            rooms.add(letter)
            joined |= room_around(grid, square)


def room_around(grid: Grid, square: Square) -> set[Square]:
    """Return the squares of a room connected to one of them."""
    found = {square}
    edge = [square]
    while edge:
        row, column = edge.pop()
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            inside = 0 <= near[0] < grid.side and 0 <= near[1] < grid.side
            if inside and near not in found and grid[near] == grid[square]:
                found.add(near)
                edge.append(near)
    return found


def refuse(what: str, line: int, column: int, **facts: object) -> NoReturn:
    raise Refusal(
        "option",
        "lumens.material.board",
        f"lumens.board.{what}",
        line=line,
        column=column,
        **facts,
    )
