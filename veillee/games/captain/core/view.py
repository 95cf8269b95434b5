"""Oh Captain!: the view of a seat."""

from __future__ import annotations

from veillee.games.captain.core.rules import left_of
from veillee.games.captain.core.state import (
    KINDS,
    UNKNOWN,
    Adventurer,
    Answer,
    Card,
    Fate,
    How,
    Phase,
    State,
    Tool,
)


def view(s: State, seats: int) -> None:
    """Redact every card that none of the seats has seen, row by row.

    captain.know.public, captain.know.memory, captain.know.loot, captain.know.hook
    """
    for i in range(s.drawn, s.size):
        s.cave[i] = UNKNOWN
    if s.phase == Phase.ADVENTURER:
        redact_loot(s, seats)
        return
    if not seats >> s.first & 1:
        for i in range(s.laid):
            s.cave[i] = UNKNOWN
    for row in range(s.row + 1):
        if s.laid + row < s.drawn and not saw_draw(s, row, seats):
            s.cave[s.laid + row] = UNKNOWN
        if s.how[row] & 3 >= How.FACE_DOWN and not saw_hit(s, row, seats):
            s.hit[row] = UNKNOWN
        if s.mutinies[row]:
            redact_mutinies(s, row, seats)
    redact_loot(s, seats)
    if not seats >> s.captain & 1:
        for card in range(KINDS):
            s.discard[card] = UNKNOWN


def redact_loot(s: State, seats: int) -> None:
    """captain.know.loot, captain.end.when"""
    if s.phase != Phase.OVER:
        for seat in range(s.players):
            if not seats >> seat & 1:
                for card in range(KINDS):
                    s.down[seat, card] = UNKNOWN


def saw_draw(s: State, row: int, seats: int) -> bool:
    """captain.turn.draw, captain.know.up: by the finder, and by all once it lay face up."""
    return (
        (seats >> s.finder[row] & 1 > 0)
        | (s.fate[row] == Fate.BOUGHT)
        | (s.answer[row] == Answer.ACCUSED)
        | (s.cave[s.laid + row] == Card.ARRIVAL)
    )


def saw_hit(s: State, row: int, seats: int) -> bool:
    """captain.know.hook"""
    tool = s.told[row] - 1
    if tool == Tool.LANTERN or seats >> s.target[row] - 1 & 1:
        return True
    if tool == Tool.PISTOL or s.fate[row] == Fate.BOUGHT:
        return seats >> s.chief[row] & 1 > 0
    return seats >> s.finder[row] & 1 > 0


BEFORE = 1
AFTER = 2


def saw_discard(s: State, row: int, seats: int) -> int:
    """Return whether the seats saw the discard in the mutinies of a row.

    BEFORE Nostromo took a card, AFTER it, or both.
    """
    seen = 0
    moment = BEFORE
    seat = (s.chief[row] - s.mutinies[row]) % s.players
    for _ in range(s.mutinies[row]):
        seat = left_of(s, seat)
        if seats >> seat & 1:
            seen |= moment
        if s.took[row] and s.adventurer[seat] == Adventurer.NOSTROMO:
            if seats >> seat & 1:
                seen |= AFTER
            moment = AFTER
    return seen


def redact_mutinies(s: State, row: int, seats: int) -> None:
    """captain.nostromo, captain.know.memory

    Seats that saw the discard only after Nostromo took a card keep what was left.
    """
    seen = saw_discard(s, row, seats)
    if seen == 0:
        s.looked[row, 0] = UNKNOWN
        s.looked[row, 1] = UNKNOWN
    if seen == AFTER and s.took[row] > 0:
        card = s.took[row] - 1
        s.looked[row, card >> 2] -= 1 << 3 * (card & 3)
    if s.took[row] and seen != BEFORE + AFTER:
        s.took[row] = UNKNOWN
