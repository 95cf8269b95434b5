"""Lumens: the position in words, for those who can't see the picture."""

from __future__ import annotations

from veillee.engine.game_spec import Names, Section
from veillee.engine.i18n import Words
from veillee.games.lumens.core.names import (
    COLOURS,
    TOKENS,
    room_letter,
    square_name,
    token_name,
)
from veillee.games.lumens.core.rules import colour_of, points_in_room
from veillee.games.lumens.core.state import (
    FACES,
    KINDS,
    NO_TOKEN,
    PASSAGE,
    SIDE,
    UNKNOWN,
    State,
)


def outline(words: Words, s: State, names: Names, seat: int | None) -> list[Section]:
    """Return the rooms with who has how much in them, and each player's tokens."""
    rooms = [_room(words, s, names, room, squares) for room, squares in _rooms(s)]
    found = [Section(words("lumens.rooms"), rooms)]
    found += [_player(words, s, names, other, seat) for other in range(s.players)]
    return found


def _rooms(s: State) -> list[tuple[int, list[str]]]:
    """Return the rooms with their squares. Not every board has a room for every letter."""
    found: dict[int, list[str]] = {}
    for square in range(SIDE * SIDE):
        if s.room[square] != PASSAGE:
            found.setdefault(s.room[square], []).append(square_name(square))
    return sorted(found.items())


def _room(words: Words, s: State, names: Names, room: int, squares: list[str]) -> str:
    there = [words.labelled(names[i], n) for i in range(s.players) if (n := s.pips[i, room - 1])]
    title = words("lumens.room", room=room_letter(room))
    return words(
        "lumens.outline.room",
        room=title,
        squares=", ".join(squares),
        pips=", ".join(there) or words("veillee.none"),
    )


def _player(words: Words, s: State, names: Names, other: int, seat: int | None) -> Section:
    name = words("veillee.you") if other == seat else names[other]
    title = f"{name} ({words(f'lumens.colour.{COLOURS[colour_of(s, other)]}')})"
    points = sum(points_in_room(s, other, room) for room in range(1, s.rooms + 1))
    lines = [words("lumens.points", n=points)]
    if s.out >> other & 1:
        lines.append(words("lumens.out"))
    hand = s.hand[other]
    if other == seat and hand not in (NO_TOKEN, UNKNOWN):
        lines.append(words("lumens.outline.hand", token=token_name(hand)))
    laid = []
    for square in range(SIDE * SIDE):
        top = s.top[square]
        if top != NO_TOKEN and (top - 1) // FACES == other:
            room = s.room[square]
            where = square_name(square)
            if room != PASSAGE:
                where += words("lumens.do.room", room=room_letter(room))
            laid.append(words("lumens.outline.token", face=(top - 1) % FACES + 1, square=where))
    lines.append(words("lumens.outline.start", square=square_name(s.start[other])))
    lines.append(words("lumens.outline.laid", tokens=", ".join(laid) or words("veillee.none")))
    left = ", ".join(f"{s.left[other, kind]} × {TOKENS[kind]}" for kind in range(KINDS))
    lines.append(words("lumens.outline.left", tokens=left))
    return Section(title, lines)
