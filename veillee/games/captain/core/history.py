"""Oh Captain!: whether the rows of a state tell a story that leads to its table.

Follows the cards row by row. Face-up cards are always known. Of face-down cards a view may know
only how many there are; their kinds are compared where the whole state is known.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.scratch import stack_array
from veillee.games.captain.core.rules import tool_of
from veillee.games.captain.core.state import (
    DISCARD,
    KINDS,
    NOBODY,
    POOLS,
    SEATS,
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

CARDS = KINDS
"""The column that counts all face-down cards of a pool, behind one for each kind."""
COLUMNS = KINDS + 1
UP = POOLS * COLUMNS
"""Where the face-up cards begin, a row of kinds for each seat."""
CELLS = UP + SEATS * KINDS


def history_wrong(s: State) -> bool:
    """Whether the cards can't have come to lie as they do. captain.know.memory"""
    lying = stack_array(CELLS)
    for i in range(CELLS):
        lying[i] = 0.0
    for pool in range(POOLS):
        lay_down(lying, pool, Card.PURSE, s.purses[pool])
    complete = is_complete(s)
    if s.phase != Phase.ADVENTURER:
        for i in range(s.laid):
            lay_down(lying, DISCARD, s.cave[i], 1)
        for row in range(s.row + 1):
            if row_wrong(s, row, lying, complete):
                return True
    return lies_otherwise(s, lying, complete)


def is_complete(s: State) -> bool:
    """Whether no card is unknown."""
    for i in range(s.size):
        if s.cave[i] == UNKNOWN:
            return False
    for card in range(KINDS):
        if s.discard[card] == UNKNOWN:
            return False
        for seat in range(s.players):
            if s.down[seat, card] == UNKNOWN:
                return False
    for row in range(s.row + 1):
        if s.took[row] == UNKNOWN or s.looked[row, 0] == UNKNOWN or s.hit[row] == UNKNOWN:
            return False
    return True


def lay_down(lying: Any, pool: int, card: int, n: int) -> None:
    """Add face-down cards to a pool, or take them away if `n` is negative."""
    lying[pool * COLUMNS + CARDS] += n
    if card != UNKNOWN:
        lying[pool * COLUMNS + card] += n


def lacks(lying: Any, pool: int, card: int, complete: bool) -> bool:
    """Whether more face-down cards have left a pool than lay there."""
    if lying[pool * COLUMNS + CARDS] < 0:
        return True
    return complete and lying[pool * COLUMNS + card] < 0


def turn_up(lying: Any, seat: int, card: int, n: int) -> None:
    """Add face-up cards to a seat's loot, or take them away if `n` is negative."""
    lying[UP + seat * KINDS + card] += n


def row_wrong(s: State, row: int, lying: Any, complete: bool) -> bool:
    """Follow the cards of one row; whether they can't have moved so."""
    if s.row != row and s.fate[row] == Fate.OPEN:
        return True
    before = s.chief[row - 1] if row else s.first
    if s.mutinies[row] == 0 and s.chief[row] != before:
        return True
    if (s.took[row] or s.mutinies[row]) and mutinies_wrong(s, row, lying, complete):
        return True
    if s.fate[row] != Fate.OPEN and find_wrong(s, row, lying):
        return True
    if s.how[row] and hit_wrong(s, row, lying, complete):
        return True
    return turning_wrong(s, row, lying)


def mutinies_wrong(s: State, row: int, lying: Any, complete: bool) -> bool:
    """captain.turn.mutiny, captain.nostromo"""
    if complete:
        for card in range(KINDS):
            seen = s.looked[row, card >> 2] >> 3 * (card & 3) & 7
            if lying[DISCARD * COLUMNS + card] != seen:
                return True
    if s.took[row] == 0:
        return False
    nostromo = NOBODY
    for left in range(s.mutinies[row]):
        seat = (s.chief[row] - left) % s.players
        if s.adventurer[seat] == Adventurer.NOSTROMO:
            nostromo = seat
    if nostromo == NOBODY:
        return True
    card = UNKNOWN if s.took[row] == UNKNOWN else s.took[row] - 1
    lay_down(lying, DISCARD, card, -1)
    lay_down(lying, nostromo, card, 1)
    return lacks(lying, DISCARD, card, complete)


def find_wrong(s: State, row: int, lying: Any) -> bool:
    """captain.turn.buy, captain.turn.leave, captain.know.up: where the card drawn came to lie."""
    if s.laid + row >= s.drawn:
        return True
    card = s.cave[s.laid + row]
    if card == Card.ARRIVAL:
        return True
    if s.fate[row] == Fate.LEFT and s.answer[row] != Answer.ACCUSED:
        lay_down(lying, s.finder[row], card, 1)
        return False
    if card == UNKNOWN or (s.fate[row] == Fate.BOUGHT and s.answer[row] != Answer.NONE):
        return True
    turn_up(lying, s.chief[row] if s.fate[row] == Fate.BOUGHT else s.finder[row], card, 1)
    return False


def attacker_in(s: State, row: int) -> int:
    """Return the seat that attacked in a row."""
    return s.chief[row] if s.fate[row] == Fate.BOUGHT else s.finder[row]


def hit_wrong(s: State, row: int, lying: Any, complete: bool) -> bool:
    """captain.effect.pistol, captain.effect.hook, captain.effect.lantern, captain.siana"""
    target = s.target[row] - 1
    tool = s.told[row] - 1
    if target < 0 or tool < 0 or tool == Tool.LIZARD or s.fate[row] == Fate.OPEN:
        return True
    if target == attacker_in(s, row) or answer_wrong(s, row):
        return True
    how = s.how[row] & 3
    only_eggs = s.how[row] >= How.ONLY_EGGS
    if only_eggs and eggs_wrong(s, row, lying, complete):
        return True
    if how == How.NOT:
        return row != s.row
    card = s.hit[row]
    siana = s.adventurer[target] == Adventurer.SIANA
    if card > Card.PURSE or (how == How.GIVEN) != (siana and not only_eggs and how != How.FACE_UP):
        return True
    if siana and not only_eggs and card == Card.EGG:
        return True
    if how == How.FACE_UP:
        if tool == Tool.LANTERN or card == UNKNOWN:
            return True
        turn_up(lying, target, card, -1)
        if tool == Tool.HOOK:
            turn_up(lying, attacker_in(s, row), card, 1)
        else:
            lay_down(lying, DISCARD, card, 1)
        return card != Card.PURSE and lying[UP + target * KINDS + card] < 0
    lay_down(lying, target, card, -1)
    if tool == Tool.LANTERN:
        if card == UNKNOWN:
            return True
        turn_up(lying, target, card, 1)
    elif tool == Tool.HOOK:
        lay_down(lying, attacker_in(s, row), card, 1)
    else:
        lay_down(lying, DISCARD, card, 1)
    return lacks(lying, target, card, complete)


def answer_wrong(s: State, row: int) -> bool:
    """captain.turn.accept, captain.turn.true, captain.turn.buy: an effect needs one of these."""
    if s.fate[row] == Fate.LEFT and s.answer[row] == Answer.ACCEPTED:
        return False
    if s.fate[row] == Fate.LEFT and s.answer[row] == Answer.NONE:
        return True
    return tool_of(s.cave[s.laid + row]) != s.told[row] - 1


def eggs_wrong(s: State, row: int, lying: Any, complete: bool) -> bool:
    """captain.siana: nothing but Eggs could be hit."""
    target = s.target[row] - 1
    if s.adventurer[target] != Adventurer.SIANA:
        return True
    for card in range(KINDS):
        if card != Card.EGG:
            if complete and lying[target * COLUMNS + card] > 0:
                return True
            if s.told[row] - 1 != Tool.LANTERN and lying[UP + target * KINDS + card] > 0:
                return True
    return False


def turning_wrong(s: State, row: int, lying: Any) -> bool:
    """captain.moon"""
    for k in range(2):
        if s.turned[row, k]:
            card = s.turned[row, k] - 1
            if s.adventurer[s.finder[row]] != Adventurer.MOON or s.turned[row, 0] == 0:
                return True
            turn_up(lying, s.finder[row], card, -1)
            lay_down(lying, s.finder[row], card, 1)
            if card != Card.PURSE and lying[UP + s.finder[row] * KINDS + card] < 0:
                return True
    return False


def lies_otherwise(s: State, lying: Any, complete: bool) -> bool:
    """Whether the table differs from where the rows have brought the cards.

    A position written by hand may have Purses face up from the start.
    """
    purses = 0
    for pool in range(POOLS):
        purses += s.purses[pool]
    for seat in range(s.players):
        if lying[seat * COLUMNS + CARDS] != s.hidden[seat]:
            return True
        for card in range(KINDS):
            if complete and lying[seat * COLUMNS + card] != s.down[seat, card]:
                return True
            more = s.up[seat, card] - int(lying[UP + seat * KINDS + card])
            if more < 0 or (more > 0 and card != Card.PURSE):
                return True
            purses += more
    for card in range(KINDS):
        if complete and lying[DISCARD * COLUMNS + card] != s.discard[card]:
            return True
    return purses != s.total[Card.PURSE] or lying[DISCARD * COLUMNS + CARDS] != s.discards
