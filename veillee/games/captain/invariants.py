"""Oh Captain!: what is true of every state, as numbers for compiled checks and clauses for people."""

from __future__ import annotations

from veillee.games.captain.rules import MOST_COINS
from veillee.games.captain.state import (
    DISCARD,
    KINDS,
    POOLS,
    ROWS,
    SEATS,
    UNKNOWN,
    Answer,
    Card,
    Fate,
    Phase,
    State,
    Tool,
)

CLAUSES = (
    "",
    "captain.material.cards",
    "captain.setup.roles",
    "captain.setup.adventurers",
    "captain.setup.cave",
    "captain.setup.purses",
    "captain.know.public",
    "captain.turn.order",
    "captain.turn.rich",
    "captain.know.memory",
    "captain.turn.leave",
)
CARDS, COINS, ADVENTURERS, ARRIVAL, PURSES, COUNTS, TURN, RICH, MEMORY, ATTACK = range(1, 11)


def broken(s: State) -> int:
    """0, or the number of the first clause that the state breaks. Unknown cards break none."""
    if s.seat < -1 or s.seat >= s.players or (s.seat == -1) != (s.phase == Phase.OVER):
        return TURN
    if s.captain < 0 or s.captain >= s.players or s.first < 0 or s.first >= s.players:
        return COINS
    if s.drawn and (s.turn < 0 or s.turn >= s.players or s.turn == s.captain != s.seat):
        return TURN
    if adventurers_wrong(s):
        return ADVENTURERS
    if coins_wrong(s):
        return COINS
    if s.drawn < 0 or s.drawn > s.size or cave_wrong(s):
        return ARRIVAL
    if purses_wrong(s):
        return PURSES
    if counts_wrong(s):
        return COUNTS
    for card in range(KINDS):
        if cards_wrong(s, card):
            return CARDS
    if memory_wrong(s):
        return MEMORY
    return turn_wrong(s)


def adventurers_wrong(s: State) -> bool:
    """captain.setup.adventurers: nobody plays two, no two play one."""
    seen = 0
    for seat in range(SEATS):
        adventurer = s.adventurer[seat]
        if adventurer:
            if seat >= s.players or adventurer < 0 or adventurer > s.many or seen >> adventurer & 1:
                return True
            seen |= 1 << adventurer
        elif seat < s.players and s.phase != Phase.ADVENTURER:
            return True
    return False


def coins_wrong(s: State) -> bool:
    """captain.material.cards: 30 coins."""
    coins = s.reserve
    for seat in range(SEATS):
        if s.coins[seat] < 0 or (seat >= s.players and s.coins[seat]):
            return True
        coins += s.coins[seat]
    return s.reserve < 0 or coins > MOST_COINS


def cave_wrong(s: State) -> bool:
    """captain.setup.cave: one Arrival, among the lowest; drawn last."""
    arrivals = 0
    unknown = 0
    for i in range(s.size):
        if s.cave[i] == Card.PURSE or s.cave[i] > Card.ARRIVAL or s.cave[i] < UNKNOWN:
            return True
        if s.cave[i] == UNKNOWN:
            unknown += 1
        if s.cave[i] == Card.ARRIVAL:
            arrivals += 1
            if i < s.size - s.bottom - 1:
                return True
            if (i < s.drawn) != (s.phase == Phase.OVER):
                return True
    if unknown:
        return arrivals > 1
    return arrivals != 1


def purses_wrong(s: State) -> bool:
    """captain.setup.purses"""
    purses = 0
    for pool in range(POOLS):
        if s.purses[pool] < 0:
            return True
        purses += s.purses[pool]
    return purses > s.total[Card.PURSE]


def counts_wrong(s: State) -> bool:
    """captain.know.public: the number of face-down cards is as told."""
    for seat in range(SEATS):
        if s.hidden[seat] < 0:
            return True
        cards = 0
        shown = 0
        for card in range(KINDS):
            shown += s.up[seat, card]
            if s.up[seat, card] < 0 or s.down[seat, card] < UNKNOWN:
                return True
            cards += s.down[seat, card]
        if shown != s.shown[seat]:
            return True
        if s.down[seat, 0] != UNKNOWN and cards != s.hidden[seat]:
            return True
    cards = 0
    for card in range(KINDS):
        if s.discard[card] < UNKNOWN:
            return True
        cards += s.discard[card]
    return s.discards < 0 or (s.discard[0] != UNKNOWN and cards != s.discards)


def cards_wrong(s: State, card: int) -> bool:
    """captain.material.cards: each of its kind lies somewhere, and once."""
    found = 0
    known = True
    for seat in range(s.players):
        found += s.up[seat, card]
        if s.down[seat, card] == UNKNOWN:
            known = False
        else:
            found += s.down[seat, card]
    if s.discard[card] == UNKNOWN:
        known = False
    else:
        found += s.discard[card]
    for i in range(s.drawn, s.size):
        if s.cave[i] == card:
            found += 1
        elif s.cave[i] == UNKNOWN:
            known = False
    if card != Card.PURSE and in_hand(s):
        if s.cave[s.drawn - 1] == card:
            found += 1
        elif s.cave[s.drawn - 1] == UNKNOWN:
            known = False
    return found > s.total[card] or (known and found != s.total[card])


def in_hand(s: State) -> bool:
    """Whether a card has been drawn that lies nowhere yet."""
    return s.phase == Phase.ANNOUNCE or s.phase == Phase.CHOICE


def memory_wrong(s: State) -> bool:
    """captain.know.memory: the rows tell of as many cards as were drawn."""
    if s.row < 0 or s.row >= ROWS:
        return True
    if s.drawn == 0:
        return s.row != 0 or s.phase != Phase.ADVENTURER
    drawn = s.laid + s.row
    if s.phase != Phase.RICH and s.phase != Phase.FISH:
        drawn += 1
    if s.drawn != drawn:
        return True
    lying = s.laid + s.purses[DISCARD]
    for row in range(s.row + 1):
        if s.took[row]:
            lying -= 1
        if s.told[row] - 1 == Tool.PISTOL and s.how[row] & 3:
            lying += 1
    return lying != s.discards


def turn_wrong(s: State) -> int:
    """Whether the phase can be, as far as the row tells."""
    row = s.row
    if s.phase == Phase.ADVENTURER or s.phase == Phase.OVER:
        return 0
    if s.phase == Phase.FISH:
        return 0 if s.seat == s.captain and s.discards else TURN
    if s.turn == s.captain:
        return TURN
    if s.phase == Phase.RICH:
        return 0 if s.seat == s.turn and s.coins[s.turn] > s.coins[s.captain] else RICH
    if s.phase == Phase.ANNOUNCE:
        return 0 if s.seat == s.turn and s.told[row] == 0 else TURN
    if s.told[row] == 0:
        return TURN
    if s.phase == Phase.CHOICE:
        return 0 if s.seat == s.captain and s.fate[row] == Fate.OPEN else TURN
    if s.fate[row] == Fate.OPEN:
        return TURN
    if s.phase == Phase.MOON or s.phase == Phase.RED:
        return 0 if s.seat == s.turn else TURN
    by = s.captain if s.fate[row] == Fate.BOUGHT else s.turn
    if s.phase == Phase.TARGET:
        return 0 if s.seat == by and s.target[row] == 0 else ATTACK
    target = s.target[row] - 1
    if target < 0 or target >= s.players or target == s.captain or target == by:
        return ATTACK
    if s.phase == Phase.ANSWER:
        return 0 if s.seat == target and s.answer[row] == Answer.NONE else ATTACK
    asked = target if s.phase == Phase.SIANA else by
    return 0 if s.seat == asked else ATTACK
