"""Lumens: actions, events and the board in words."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from rich.markup import escape

from veillee.engine.contract import Names
from veillee.engine.events import Event
from veillee.engine.words import Words
from veillee.games.lumens.names import COLOURS, TOKENS, room_letter, square_name, token_name
from veillee.games.lumens.notation import parts
from veillee.games.lumens.rules import points_in_room, tokens_left
from veillee.games.lumens.state import (
    FACES,
    KINDS,
    NO_TOKEN,
    PASSAGE,
    SIDE,
    UNKNOWN,
)

INKS = ("bright_yellow", "bright_green", "bright_red", "orchid")
ROOM = "on grey30"
CENTRAL_ROOM = "on grey46"
ROOMS_A_LINE = 4
HOME = "⌂"
TWO = "²"


def say(words: Words, s: Any, action: int) -> str:
    """An action as a line that a person chooses."""
    square, face = parts(action)
    line = words("lumens.do.place", face=face, square=square_name(square))
    room = s.room[square]
    if room != PASSAGE:
        line += words("lumens.do.room", room=room_letter(room))
    if s.top[square] != NO_TOKEN:
        line += words("lumens.do.cover", token=_laid(words, s.top[square]))
    return line


def _laid(words: Words, token: int) -> str:
    seat, face = divmod(token - 1, FACES)
    return words(f"lumens.laid.{COLOURS[seat]}", face=face + 1)


def tell(words: Words, event: Event, names: Names) -> str | None:
    """An event as a line of the log; a draw that the reader didn't see needs none."""
    values = event.values
    name = names[values["seat"] or 0]
    match event.name:
        case "first":
            return words("lumens.log.first", name=name)
        case "draw":
            token = values["token"]
            if token is None:
                return None
            return words("lumens.log.draw", name=name, token=token_name(token))
        case "place":
            square, face, covered = (values[key] or 0 for key in ("square", "face", "covered"))
            where = square_name(square)
            if covered == NO_TOKEN:
                return words("lumens.log.place", name=name, face=face, square=where)
            return words(
                "lumens.log.cover",
                name=name,
                face=face,
                square=where,
                token=_laid(words, covered),
            )
        case "out":
            return words("lumens.log.out", name=name)
        case _:
            return words(
                "lumens.log.room",
                n=values["points"],
                room=room_letter(values["room"] or 1),
                name=name,
                pips=values["pips"],
            )


def board(words: Words, s: Any, names: Names) -> str:
    """The board from above, then each room's pips, then what lies in front of each."""
    columns = "".join(f" {letter} " for letter in ascii_lowercase[: s.side])
    lines = [f"   [dim]{columns}[/]"]
    for row in range(s.side):
        cells = "".join(_cell(words, s, row * SIDE + column) for column in range(s.side))
        lines.append(f"[dim]{row + 1:>2}[/] {cells}")
    rooms = [line for room in range(1, s.rooms + 1) if (line := _room(words, s, room))]
    if rooms:
        lines.append(f" {words('lumens.rooms')}")
    lines.extend(
        "   " + "  ".join(rooms[i : i + ROOMS_A_LINE]) for i in range(0, len(rooms), ROOMS_A_LINE)
    )
    lines.extend(_seat(words, s, seat, names) for seat in range(s.players))
    return "\n".join(lines)


def _cell(words: Words, s: Any, square: int) -> str:
    """Three characters: colour and face of the top token, and a mark for two or for a start."""
    room = s.room[square]
    shade = "" if room == PASSAGE else CENTRAL_ROOM if room == s.central else ROOM
    marker = [seat for seat in range(s.players) if s.start[seat] == square]
    top = s.top[square]
    if top != NO_TOKEN:
        seat, face = divmod(top - 1, FACES)
        mark = TWO if s.covered[square] else HOME if marker else " "
        return f"[bold {INKS[seat]} {shade}]{_initial(words, seat)}{face + 1}{mark}[/]"
    if marker:
        return f"[{INKS[marker[0]]}]{_initial(words, marker[0])}{HOME} [/]"
    return " · " if room == PASSAGE else f"[dim {shade}] {room_letter(room)} [/]"


def _initial(words: Words, seat: int) -> str:
    return words(f"lumens.short.{COLOURS[seat]}")


def _room(words: Words, s: Any, room: int) -> str:
    """Who has how many pips in a room, with the points for them; "" for an empty one."""
    shares = [
        f"[{INKS[seat]}]{_initial(words, seat)}{s.pips[seat, room - 1]}[/]"
        f"(+{points_in_room(s, seat, room)})"
        for seat in range(s.players)
        if s.pips[seat, room - 1]
    ]
    return f"[bold]{room_letter(room)}[/] {' '.join(shares)}" if shares else ""


def _seat(words: Words, s: Any, seat: int, names: Names) -> str:
    mark = "▶" if s.seat == seat else " "
    hand = s.hand[seat]
    held = "–" if hand == NO_TOKEN else "?" if hand == UNKNOWN else token_name(hand)
    left = "  ".join(f"{s.left[seat, kind]}×{TOKENS[kind]}" for kind in range(KINDS))
    points = sum(points_in_room(s, seat, room) for room in range(1, s.rooms + 1))
    out = f" │ {words('lumens.out')}" if s.out >> seat & 1 else ""
    return (
        f"{mark}[bold {INKS[seat]}]{_initial(words, seat)} {escape(names[seat])}[/]: "
        f"{words('lumens.hand')} {held} │ "
        f"{words('lumens.left', n=tokens_left(s, seat))} {left} │ "
        f"{words('lumens.points', n=points)}{out}"
    )
