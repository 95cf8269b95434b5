"""Lumens: actions, events and the board in words."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase

from rich.markup import escape

from veillee.engine.events import Event
from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.lumens.core.names import COLOURS, TOKENS, room_letter, square_name, token_name
from veillee.games.lumens.core.rules import (
    central_room,
    colour_of,
    in_colour,
    points_in_room,
    tokens_left,
)
from veillee.games.lumens.core.state import (
    FACES,
    KINDS,
    NO_TOKEN,
    PASSAGE,
    SIDE,
    UNKNOWN,
    State,
)
from veillee.games.lumens.notation import parts

INKS = ("bright_yellow", "bright_green", "bright_red", "orchid")
ROOM = "on grey30"
CENTRAL_ROOM = "on grey46"
ROOMS_A_LINE = 4
HOME = "⌂"
TWO = "²"


def say(words: Words, s: State, action: int, names: Names) -> str:
    """Return an action in words, as a choice."""
    square, face = parts(action)
    line = words("lumens.do.place", face=face, square=square_name(square))
    room = s.room[square]
    if room != PASSAGE:
        line += words("lumens.do.room", room=room_letter(room))
    return line + _covering(words.language, in_colour(s, s.top[square]))


def kind_words(words: Words, kind: str) -> str:
    """Return a kind of action (`face 5`) in words."""
    return words("lumens.kind", face=kind.removeprefix("face "))


def details(words: Words, s: State, action: int) -> dict[str, str]:
    """Say where a square is and what lies there."""
    square, _ = parts(action)
    room = s.room[square]
    place = words("lumens.room", room=room_letter(room)) if room else words("lumens.passage")
    return {"square": place + _covering(words.language, in_colour(s, s.top[square]))}


@lru_cache(256)
def _covering(language: str, token: int) -> str:
    """Say which token is covered, given as 6 * colour + face; 0 for none."""
    if token == NO_TOKEN:
        return ""
    words = Words(language)
    return words("lumens.do.cover", token=_laid(words, token))


def _laid(words: Words, token: int) -> str:
    """A token, given as 6 * colour + face, in words."""
    colour, face = divmod(token - 1, FACES)
    return words(f"lumens.laid.{COLOURS[colour]}", face=face + 1)


def tell(words: Words, event: Event, names: Names) -> str | None:
    """Return an event in words; None for a draw that the reader didn't see."""
    line = _line(words.language, event.name, tuple(event.values.items()))
    return line and line.format(*names)


@lru_cache(4096)
def _line(language: str, event: str, known: tuple[tuple[str, int | None], ...]) -> str | None:
    """Return an event in words, with "{0}" in place of the name of seat 0."""
    words, values = Words(language), dict(known)
    name = f"{{{values['seat']}}}"
    match event:
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


def board(words: Words, s: State, names: Names) -> str:
    """Return the board: the squares, then the pips in each room, then each seat."""
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


def _cell(words: Words, s: State, square: int) -> str:
    """Return a square as three characters: colour, face, and a mark for two tokens or a start."""
    room = s.room[square]
    shade = "" if room == PASSAGE else CENTRAL_ROOM if room == central_room(s) else ROOM
    marker = [seat for seat in range(s.players) if s.start[seat] == square]
    top = s.top[square]
    if top != NO_TOKEN:
        seat, face = divmod(top - 1, FACES)
        mark = TWO if s.covered[square] else HOME if marker else " "
        return f"[bold {_ink(s, seat)} {shade}]{_initial(words, s, seat)}{face + 1}{mark}[/]"
    if marker:
        return f"[{_ink(s, marker[0])}]{_initial(words, s, marker[0])}{HOME} [/]"
    return " · " if room == PASSAGE else f"[dim {shade}] {room_letter(room)} [/]"


def _initial(words: Words, s: State, seat: int) -> str:
    return words(f"lumens.short.{COLOURS[colour_of(s, seat)]}")


def _ink(s: State, seat: int) -> str:
    return INKS[colour_of(s, seat)]


def _room(words: Words, s: State, room: int) -> str:
    """Return the pips and points of each seat in a room; "" for an empty one."""
    shares = [
        f"[{_ink(s, seat)}]{_initial(words, s, seat)}{s.pips[seat, room - 1]}[/]"
        f"(+{points_in_room(s, seat, room)})"
        for seat in range(s.players)
        if s.pips[seat, room - 1]
    ]
    return f"[bold]{room_letter(room)}[/] {' '.join(shares)}" if shares else ""


def _seat(words: Words, s: State, seat: int, names: Names) -> str:
    mark = "▶" if s.seat == seat else " "
    hand = s.hand[seat]
    held = "–" if hand == NO_TOKEN else "?" if hand == UNKNOWN else token_name(hand)
    left = "  ".join(f"{s.left[seat, kind]}×{TOKENS[kind]}" for kind in range(KINDS))
    points = sum(points_in_room(s, seat, room) for room in range(1, s.rooms + 1))
    out = f" │ {words('lumens.out')}" if s.out >> seat & 1 else ""
    facts = words(
        "lumens.board.seat",
        name=f"[bold {_ink(s, seat)}]{_initial(words, s, seat)} {escape(names[seat])}[/]",
        hand=held,
        left=words("lumens.left", n=tokens_left(s, seat)),
        tokens=left,
        points=words("lumens.points", n=points),
    )
    return f"{mark}{facts}{out}"
