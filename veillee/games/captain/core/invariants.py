"""Oh Captain!: what holds in every state.

`broken` returns a number, which compiled checks can compare; `CLAUSES` says which rule it breaks.
"""

from __future__ import annotations

from veillee.games.captain.core.history import answer_wrong, history_wrong
from veillee.games.captain.core.rules import (
    MOST_COINS,
    attacker,
    can_hit,
    gifts_shown,
    is_poorest,
)
from veillee.games.captain.core.state import (
    DISCARD,
    KINDS,
    POOLS,
    ROWS,
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
    "captain.turn.choice",
    "captain.effect.can",
    "captain.effect.choose",
    "captain.siana",
    "captain.moon",
    "captain.red",
    "captain.nostromo",
)
CARDS, COINS, ADVENTURERS, ARRIVAL, PURSES, COUNTS, TURN, RICH, MEMORY, ATTACK = range(1, 11)
CHOICE, CAN, CARD, SIANA, MOON, RED, NOSTROMO = range(11, 18)


def broken(s: State) -> int:
    """Return 0, or the number of the first clause that the state breaks.

    A card that a view does not know breaks none.
    """
    if s.seat < -1 or s.seat >= s.players or (s.seat == -1) != (s.phase == Phase.OVER):
        return TURN
    if s.captain < 0 or s.captain >= s.players or s.first < 0 or s.first >= s.players:
        return COINS
    if s.turn < 0 or s.turn >= s.players:
        return TURN
    if adventurers_wrong(s):
        return ADVENTURERS
    if coins_wrong(s):
        return COINS
    if s.drawn < 0 or s.drawn + (s.phase != Phase.OVER) > s.size or cave_wrong(s):
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
            if seat >= s.players or adventurer < 0 or adventurer > Adventurer.ULRICH:
                return True
            if not s.taking_part >> adventurer & 1 or seen >> adventurer & 1:
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
    """captain.know.public: the numbers of face-down cards agree with the cards that are known."""
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
    """captain.know.memory: the rows tell of as many cards as were drawn, and of where they lie."""
    if s.row < 0 or s.row >= ROWS:
        return True
    drawn = s.laid + s.row
    if s.phase == Phase.ADVENTURER:
        drawn = 0
        if s.row or s.discards or s.purses[DISCARD]:
            return True
    elif s.phase != Phase.RICH and s.phase != Phase.FISH:
        drawn += 1
    return s.drawn != drawn or history_wrong(s)


def turn_wrong(s: State) -> int:
    """Return 0, or the clause that forbids the phase as the table and its row stand.

    What a phase tells everybody holds: an attack has a target, a purchase can be paid, Siana has a
    card to give.
    """
    row = s.row
    if s.phase == Phase.ADVENTURER:
        return ADVENTURERS if choosing_wrong(s) else 0
    if s.chief[row] != s.captain or s.finder[row] != s.turn or s.robbed[row]:
        return TURN
    if s.phase != Phase.MOON and s.turned[row, 0]:
        return TURN
    if s.phase == Phase.FISH:
        return NOSTROMO if fish_wrong(s) else 0
    if s.turn == s.captain:
        return TURN
    if s.phase == Phase.RICH:
        return 0 if s.seat == s.turn and s.coins[s.turn] > s.coins[s.captain] else RICH
    if s.phase == Phase.OVER:
        return 0 if s.cave[s.drawn - 1] == Card.ARRIVAL and s.told[row] == 0 else ARRIVAL
    if s.phase == Phase.ANNOUNCE:
        return 0 if s.seat == s.turn and s.told[row] == 0 and is_fresh(s) else TURN
    if s.told[row] == 0:
        return TURN
    if s.phase == Phase.CHOICE:
        if s.seat != s.captain or not is_fresh(s):
            return TURN
        return 0 if s.coins[s.captain] >= s.price else CHOICE
    if s.fate[row] == Fate.OPEN:
        return TURN
    if s.phase == Phase.MOON:
        return MOON if moon_wrong(s) else 0
    if s.phase == Phase.RED:
        return RED if red_wrong(s) else 0
    return attack_wrong(s)


def choosing_wrong(s: State) -> bool:
    """captain.setup.adventurers: those from the Captain to the seat to decide have chosen."""
    if s.captain != s.first:
        return True
    chosen = 0
    asked = False
    seat = s.captain
    for _ in range(s.players):
        asked = asked or seat == s.seat
        if (s.adventurer[seat] == 0) != asked:
            return True
        if not asked:
            chosen += 1
        seat = seat - 1 if seat > 0 else s.players - 1
    taking_part = 0
    for adventurer in range(Adventurer.LYS, Adventurer.ULRICH + 1):
        taking_part += s.taking_part >> adventurer & 1
    return taking_part - chosen < 2


def fish_wrong(s: State) -> bool:
    """captain.nostromo"""
    return (
        s.seat != s.captain
        or s.turn != s.captain
        or s.adventurer[s.seat] != Adventurer.NOSTROMO
        or s.mutinies[s.row] == 0
        or s.took[s.row] != 0
        or s.discards == 0
    )


def is_fresh(s: State) -> bool:
    """Whether the card drawn has been neither bought nor left."""
    row = s.row
    return s.fate[row] == Fate.OPEN and s.target[row] == 0 and s.answer[row] == Answer.NONE


def moon_wrong(s: State) -> bool:
    """captain.moon"""
    if s.seat != s.turn or s.adventurer[s.turn] != Adventurer.MOON:
        return True
    turned = (s.turned[s.row, 0] > 0) + (s.turned[s.row, 1] > 0)
    return s.shown[s.turn] == 0 or turned >= s.moon_cards


def red_wrong(s: State) -> bool:
    """captain.red: with three players there is no choice."""
    if s.seat != s.turn or s.adventurer[s.turn] != Adventurer.RED:
        return True
    return s.players == 3 or s.red_coins == 0 or not is_poorest(s, s.turn)


def attack_wrong(s: State) -> int:
    """captain.turn.leave, captain.turn.buy, captain.turn.answer, captain.effect.can"""
    row = s.row
    by = attacker(s)
    tool = s.told[row] - 1
    if s.fate[row] == Fate.BOUGHT and answer_wrong(s, row):
        return ATTACK
    if s.phase == Phase.TARGET:
        if s.seat != by or s.target[row] or s.answer[row] != Answer.NONE or s.how[row]:
            return ATTACK
        targets = 0
        for seat in range(s.players):
            if can_hit(s, by, tool, seat):
                targets += 1
        return 0 if targets > 1 else CAN
    target = s.target[row] - 1
    if target < 0 or target >= s.players or target == s.captain or target == by:
        return ATTACK
    if not can_hit(s, by, tool, target):
        return CAN
    if s.phase == Phase.ANSWER:
        asked = s.fate[row] == Fate.LEFT and s.answer[row] == Answer.NONE and s.how[row] == 0
        return 0 if s.seat == target and asked else ATTACK
    if answer_wrong(s, row) or tool == Tool.LIZARD or s.how[row] & 3:
        return ATTACK
    siana = s.adventurer[target] == Adventurer.SIANA
    if s.phase == Phase.SIANA:
        asked = siana and s.seat == target and s.how[row] == 0
        return 0 if asked and can_give(s, target) else SIANA
    if s.seat != by:
        return ATTACK
    if siana != (s.how[row] == How.ONLY_EGGS) or tool == Tool.LANTERN or s.shown[target] == 0:
        return CARD
    for card in range(KINDS):
        if s.hidden[target] == 0 and s.up[target, card] == s.shown[target]:
            return CARD
    return 0


def can_give(s: State, siana: int) -> bool:
    """captain.siana: she may have several cards to choose from, and has one that is no Egg."""
    shown = gifts_shown(s, siana)
    if shown:
        return shown + s.hidden[siana] > 1
    return s.hidden[siana] > 1 and s.down[siana, Card.EGG] < s.hidden[siana]
