"""Setting the scene: a position written by hand, and what can be done in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.games.lumens import Game
from veillee.games.lumens.core.names import COLOURS, SQUARES

SMALL_BOARD = "...\n.a.\n...\n"
STARTS = {2: ("a1", "k11"), 3: ("a1", "o1", "h15"), 4: ("a1", "o1", "o15", "a15")}
SMALL_STARTS = {2: ("a1", "c3"), 3: ("a1", "c1", "b3"), 4: ("a1", "c1", "c3", "a3")}


def scene(
    squares: dict[str, list[str]],
    hands: Sequence[str | None] = ("3/4", "3/4"),
    seat: int | None = 0,
    out: Sequence[int] = (),
    seed: int = 1,
    colours: Sequence[str] = COLOURS,
    **rest: Any,
) -> Game:
    """A position in which each hand is given. A start token not written is a 1."""
    starts = SMALL_STARTS if rest.get("options", {}).get("board") == SMALL_BOARD else STARTS
    laid = {
        start: [f"{colour} 1"] for colour, start in zip(colours, starts[len(hands)], strict=False)
    }
    position = {
        "squares": laid | squares,
        "seats": [
            {"hand": hand, "out": n in out, "colour": colours[n]} for n, hand in enumerate(hands)
        ],
        "seat": seat,
        **rest,
    }
    return Game.from_position(position, seed)


def squares(game: Game) -> set[str]:
    """Where the seat to decide may place."""
    return {action.text.split()[0] for action in game.legal}


def lies(game: Game, square: str) -> list[str]:
    """The tokens on a square, bottom first."""
    found: list[str] = game.position["squares"].get(square, [])
    return found


def pips(game: Game, room: str, seat: int) -> int:
    return int(game.state.pips[seat, ord(room) - ord("a")])


def square_number(name: str) -> int:
    return SQUARES.index(name)
