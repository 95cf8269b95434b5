"""Lumens: what speaks for an action, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from babel.lists import format_list

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.lumens.core.names import room_letter, square_name
from veillee.games.lumens.core.rules import central_room
from veillee.games.lumens.core.state import FACES, NO_TOKEN, PASSAGE, SIDE
from veillee.games.lumens.notation import parts

DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def reason(words: Words, s: Any, action: int, names: Names, _: Any) -> str | None:
    """Say how a token changes its room, or which rooms one can reach from its passage."""
    square, face = parts(action)
    if s.room[square] == PASSAGE:
        return _stepping_stone(words, s, square, face)
    return _room(words, s, square, face, names)


def _stepping_stone(words: Words, s: Any, square: int, face: int) -> str | None:
    """Name the rooms that a token can be counted to from this one, or else the squares."""
    reached = _reached(s, square, face)
    if rooms := _rooms(s, reached):
        named = format_list(rooms, style="or", locale=words.language)
        return words("lumens.reason.stone", n=len(rooms), rooms=named)
    if not reached:
        return None
    squares = format_list([square_name(at) for at in reached], style="or", locale=words.language)
    return words("lumens.reason.squares", n=len(reached), squares=squares)


def _rooms(s: Any, squares: Iterable[int]) -> list[str]:
    """Return the letters of the rooms of some squares."""
    return [room_letter(room) for room in sorted({s.room[at] for at in squares} - {PASSAGE})]


def _reached(s: Any, square: int, face: int) -> list[int]:
    """Return the squares to which a token can be counted from one with such a face."""
    row, column = divmod(square, SIDE)
    found = []
    for down, across in DIRECTIONS:
        steps = [(row + down * n, column + across * n) for n in range(1, face + 1)]
        last = steps[-1]
        if not all(0 <= at < s.side for at in last) or s.closed[last[0]] >> last[1] & 1:
            continue
        if all(s.top[r * SIDE + c] == NO_TOKEN for r, c in steps[:-1]):
            found.append(last[0] * SIDE + last[1])
    return sorted(found)


def _room(words: Words, s: Any, square: int, face: int, names: Names) -> str | None:
    """Compare the totals of the room before and after."""
    seat, room = s.seat, s.room[square]
    before = [s.pips[each, room - 1] for each in range(s.players)]
    after = before.copy()
    after[seat] += face
    covered, pips = divmod(s.top[square] - 1, FACES)
    if s.top[square] != NO_TOKEN:
        after[covered] -= pips + 1
    standing = _standing(words, room_letter(room), seat, before, after)
    said = [] if standing is None else [standing]
    if s.top[square] != NO_TOKEN and covered != seat:
        said.append(words("lumens.reason.covers", name=names[covered], n=pips + 1))
    if room == central_room(s):
        said.append(words("lumens.reason.breaks"))
    if face <= FACES // 2 and (further := _further(words, s, square, face)):
        said.append(further)
    return " ".join(said) or None


def _further(words: Words, s: Any, square: int, face: int) -> str | None:
    """Say where the lower face of a token leads to and the higher one does not."""
    own = s.room[square]
    higher = set(_rooms(s, _reached(s, square, FACES + 1 - face)))
    rooms = [
        room
        for room in _rooms(s, _reached(s, square, face))
        if room != room_letter(own) and room not in higher
    ]
    if not rooms:
        return None
    named = format_list(rooms, style="or", locale=words.language)
    return words("lumens.reason.low", n=len(rooms), face=face, rooms=named)


def _standing(
    words: Words, room: str, seat: int, before: list[int], after: list[int]
) -> str | None:
    """Say how the seat would stand in a room; None if it would not stand better."""
    others, mine = sorted(after[:seat] + after[seat + 1 :]), after[seat]
    lead, led = (each[seat] - max(each[:seat] + each[seat + 1 :]) for each in (after, before))
    if lead <= led:
        return None
    if not others[-1]:
        key = "alone"
    elif lead > 0:
        key = "extends" if led > 0 else "leads"
    elif lead == 0:
        key = "level"
    elif len(others) > 1 and mine >= others[-2]:
        key = "second"
    else:
        key = "behind"
    return words(f"lumens.reason.{key}", room=room, mine=mine, other=others[-1])
