"""Oh Captain!: sampling of what some seats have not seen."""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below, draw
from veillee.engine.jit.scratch import stack_array
from veillee.games.captain.core.rules import gifts_shown, sort_discard, write_looked
from veillee.games.captain.core.state import (
    BLANK,
    CLASSES,
    DISCARD,
    EGGLESS,
    KINDS,
    POOLS,
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
from veillee.games.captain.core.view import AFTER, BEFORE, saw_discard, view

# The history is replayed from its first row. `known` counts, for each pool of face-down cards, the
# cards of each kind that the seats know, those known to be no Egg, and the blanks, of which they
# know nothing. A card that leaves a pool unseen, or is seen to leave it, may be one of several of
# these; each is weighed by its number times the probability of all that the seats saw later.
# Blanks are interchangeable, so cards that were never seen are dealt last.

LOOK = 0
FISHED = 1
LOOK_AGAIN = 2
EGGS = 3
HIT = 4
LAY = 5
PARTS = 8
"""Parts of a row, of which the last two are none: a power of two divides faster."""


def resample(s: State, seats: int, rng: Cells) -> None:
    """Draw a state that the seats can't tell from this one, as likely as Bayes' rule says.

    A card picked by a player is weighed like one picked by chance, given what was seen of it.

    captain.know.memory
    """
    view(s, seats)
    recall(s)
    if s.phase != Phase.ADVENTURER:
        last = last_clue(s, seats)
        memo = stack_array(ROOM)
        memoised = open_memo(s, last, memo)
        for row in range(s.row + 1):
            at = first_part(s, row * PARTS)
            while at < row * PARTS + LAY:
                retell(s, seats, at, last, memo, memoised, rng)
                at = first_part(s, at + 1)
            lay_drawn(s, row)
        for at in range((s.row + 1) * PARTS, (s.row + 1) * PARTS + looks_at_end(s)):
            retell(s, seats, at, last, memo, memoised, rng)
    deal_rest(s, rng)
    rebuild(s)


MEMO_SLOTS = 2048
"""Number of probabilities kept, each with its key."""
ROOM = 2 * MEMO_SLOTS
MANY_HITS = 4
"""Number of unseen hits from which on memoisation pays."""


def open_memo(s: State, last: int, memo: Any) -> bool:
    """Clear the memo; return False if there is too little to compute for it to pay."""
    hits = 0
    for row in range(min(last // PARTS, s.row) + 1):
        if s.how[row] & 3 >= How.FACE_DOWN:
            hits += 1
    if hits < MANY_HITS:
        return False
    for i in range(MEMO_SLOTS):
        memo[i] = 0.0
    return True


KEY = (1 << 52) - 1
"""Keys stay below 2**52, so that a float64 holds them exactly."""


def key_of(s: State, at: int) -> int:
    """Hash the pools at part `at`, from which all later probabilities follow."""
    key = at + 1
    for pool in range(POOLS):
        if pool < s.players or pool == DISCARD:
            key = (key + pack(s, pool)) * 0x9E3779B97F4A7 & KEY
            key ^= key >> 27
    return key


def recall(s: State) -> None:
    """Set the pools as they were at the start, and count the cards whose kind was never seen."""
    for card in range(Card.PURSE):
        s.rest[card] = s.total[card]
    for i in range(s.drawn):
        if 0 <= s.cave[i] < Card.PURSE:
            s.rest[s.cave[i]] -= 1
    for pool in range(POOLS):
        s.known[pool, Card.PURSE] = s.purses[pool]
    for i in range(min(s.laid, s.drawn)):
        if s.cave[i] == UNKNOWN:
            s.known[DISCARD, BLANK] += 1
            s.where[i] = DISCARD + 1
        else:
            s.known[DISCARD, s.cave[i]] += 1
    s.blanks = 0
    for card in range(Card.PURSE):
        s.blanks += s.rest[card]


def looks_at_end(s: State) -> int:
    """Return how many parts follow the last row: each tells something of one seat's loot.

    captain.end.when, captain.siana
    """
    if s.phase == Phase.OVER:
        return s.players
    return 1 if siana_needs_hidden(s) else 0


def siana_needs_hidden(s: State) -> bool:
    """Whether the phase tells everybody that Siana has a face-down card that is no Egg.

    captain.siana: she is asked, and no face-up card can be the reason.
    """
    return s.phase == Phase.SIANA and gifts_shown(s, s.seat) == 0


def first_part(s: State, at: int) -> int:
    """Return the first part of a row, from `at` on, in which something may have happened.

    Most rows have none but LAY: asking each part took a fifth of the time of a quick bot.
    """
    row = at // PARTS
    if row <= s.row:
        if at % PARTS < EGGS and s.mutinies[row] == 0:
            at = row * PARTS + EGGS
        if at % PARTS in (EGGS, HIT) and s.how[row] == 0:
            at = row * PARTS + LAY
    return at


def source(s: State, seats: int, at: int) -> int:
    """Return the pool that a card left, or that was looked into, in part `at`; -1 for none."""
    row = at // PARTS
    part = at % PARTS
    if row > s.row:
        return s.seat if s.phase == Phase.SIANA else at - (s.row + 1) * PARTS
    if part == HIT:
        if s.how[row] & 3 >= How.FACE_DOWN:
            return s.target[row] - 1
    elif part == EGGS:
        if s.how[row] >= How.ONLY_EGGS:
            return s.target[row] - 1
    elif s.mutinies[row] and part < EGGS:
        if part == FISHED:
            return DISCARD if s.took[row] else -1
        seen = saw_discard(s, row, seats)
        if (part == LOOK and seen & BEFORE) or (part == LOOK_AGAIN and seen == AFTER):
            return DISCARD
    return -1


def is_look(s: State, at: int) -> bool:
    return at // PARTS > s.row or at % PARTS in (LOOK, LOOK_AGAIN, EGGS)


def last_clue(s: State, seats: int) -> int:
    """Return the last part that tells anything of cards that moved unseen before."""
    looks = looks_at_end(s)
    if looks:
        return (s.row + 1) * PARTS + looks - 1
    for row in range(s.row, -1, -1):
        if s.how[row] or s.mutinies[row]:
            for at in range(row * PARTS + HIT, row * PARTS - 1, -1):
                if source(s, seats, at) >= 0 and (is_look(s, at) or is_clue(s, seats, at)):
                    return at
    return -1


def is_clue(s: State, seats: int, at: int) -> bool:
    """Whether a hit card was seen, or was given by Siana, from a loot that the seats can't see."""
    row = at // PARTS
    if at % PARTS != HIT or seats >> s.target[row] - 1 & 1:
        return False
    return s.hit[row] != UNKNOWN or s.how[row] & 3 == How.GIVEN


def gone(s: State, at: int) -> int:
    """Return the kind of the card that left its pool in part `at`, as far as the seats know."""
    row = at // PARTS
    if at % PARTS == HIT:
        return s.hit[row]
    return s.took[row] - 1 if s.took[row] > 0 else UNKNOWN


def goal(s: State, at: int) -> int:
    """Return the pool that the card went to; -1 if it was turned face up."""
    row = at // PARTS
    if at % PARTS == FISHED:
        return nostromo(s)
    tool = s.told[row] - 1
    if tool == Tool.LANTERN:
        return -1
    if tool == Tool.PISTOL:
        return DISCARD
    return s.chief[row] if s.fate[row] == Fate.BOUGHT else s.finder[row]


def nostromo(s: State) -> int:
    seat = 0
    while s.adventurer[seat] != Adventurer.NOSTROMO:
        seat += 1
    return seat


def retell(s: State, seats: int, at: int, last: int, memo: Any, memoised: bool, rng: Cells) -> None:
    """Sample one of the ways in which part `at` of the history may have gone."""
    pool = source(s, seats, at)
    if pool < 0:
        return
    if s.phase == Phase.SIANA and at // PARTS > s.row:
        name_gift(s, pool, rng)
        return
    if is_look(s, at):
        name_blanks(s, at, pool, rng)
        examine(s, at, pool)
        return
    card = gone(s, at)
    given = is_given(s, at)
    ways = 0
    kind = 0
    for one in range(CLASSES):
        if weight_of(s, pool, one, card, given) > 0:
            ways += 1
            kind = one
    if ways > 1:
        kind = choose_way(s, seats, at, last, memo, memoised, rng)
    i = UNKNOWN
    if kind >= EGGLESS:
        i = find_blank(s, pool, kind, below(rng, s.known[pool, kind]))
        if card != UNKNOWN:
            s.cave[i] = card
            s.where[i] = 0
        else:
            s.where[i] = goal(s, at) + 1
            if given or kind == EGGLESS:
                s.where[i] += NO_EGG
    if card == UNKNOWN:
        note_gone(s, at, kind if i == UNKNOWN else CARD_OF + i)
    move(s, at, pool, kind, card, given, 1)


NO_EGG = 16
"""Added to the pool of a blank card that can't be an Egg."""
CARD_OF = 32
"""Added to the index of a blank card whose kind is filled in later."""


def note_gone(s: State, at: int, card: int) -> None:
    if at % PARTS == HIT:
        s.hit[at // PARTS] = card
    else:
        s.took[at // PARTS] = card + 1


def find_blank(s: State, pool: int, kind: int, skip: int) -> int:
    """Return the index of one of the blank cards of a pool."""
    mark = pool + 1 if kind == BLANK else pool + 1 + NO_EGG
    i = 0
    while s.where[i] != mark or skip > 0:
        if s.where[i] == mark:
            skip -= 1
        i += 1
    return i


def is_given(s: State, at: int) -> bool:
    return at % PARTS == HIT and s.how[at // PARTS] & 3 == How.GIVEN


def choose_way(
    s: State, seats: int, at: int, last: int, memo: Any, memoised: bool, rng: Cells
) -> int:
    """Sample which class of card left a pool, weighed by what was seen then and later."""
    pool = source(s, seats, at)
    card = gone(s, at)
    given = is_given(s, at)
    total = 0.0
    chosen = 0
    for kind in range(CLASSES):
        weight = weight_of(s, pool, kind, card, given)
        if weight > 0:
            if at < last:
                move(s, at, pool, kind, card, given, 1)
                weight *= future(s, seats, at + 1, last, memo, memoised)
                move(s, at, pool, kind, card, given, -1)
            total += weight
            if weight > 0 and fraction(rng) * total < weight:
                chosen = kind
    return chosen


def fraction(rng: Cells) -> float:
    """Draw a float in [0, 1)."""
    high = draw(rng) >> 5
    return (high * 67108864 + (draw(rng) >> 6)) / 9007199254740992.0


def future(s: State, seats: int, at: int, last: int, memo: Any, memoised: bool) -> float:
    """Return the probability of all that was seen in parts `at` to `last`, given the pools."""
    first = at
    pool = -1
    while at <= last and pool < 0:
        at = first_part(s, at)
        if at // PARTS <= s.row and at % PARTS == LAY:
            lay(s, at // PARTS, 1)
            at += PARTS - LAY
        else:
            pool = source(s, seats, at)
            at += 1
    total = 1.0
    if pool >= 0 and is_look(s, at - 1):
        before = pack(s, pool)
        if s.phase == Phase.SIANA and (at - 1) // PARTS > s.row:
            total = chance_of_gift(s, pool)
        else:
            total = examine(s, at - 1, pool)
        if total > 0:
            total *= future(s, seats, at, last, memo, memoised)
            forget(s, pool, before)
    elif pool >= 0:
        key = key_of(s, at) if memoised and at <= last else 0
        page = key % MEMO_SLOTS
        if key and memo[page] == key:
            total = memo[MEMO_SLOTS + page]
        else:
            total = 0.0
            card = gone(s, at - 1)
            given = is_given(s, at - 1)
            for kind in range(CLASSES):
                weight = weight_of(s, pool, kind, card, given)
                if weight > 0:
                    if at <= last:
                        move(s, at - 1, pool, kind, card, given, 1)
                        weight *= future(s, seats, at, last, memo, memoised)
                        move(s, at - 1, pool, kind, card, given, -1)
                    total += weight
            if key:
                memo[page] = key
                memo[MEMO_SLOTS + page] = total
    for row in range(rows_laid(first), min(rows_laid(at), s.row + 1)):
        lay(s, row, -1)
    return total


def rows_laid(at: int) -> int:
    """Return how many rows have their LAY before part `at`."""
    return (at + PARTS - 1 - LAY) // PARTS


def weight_of(s: State, pool: int, kind: int, card: int, given: bool) -> float:
    """Return the weight of one class of cards for having left a pool."""
    n = s.known[pool, kind]
    if n == 0:
        return 0.0
    if kind < EGGLESS:
        if card == kind or (card == UNKNOWN and not (given and kind == Card.EGG)):
            return 1.0 * n
        return 0.0
    if card == UNKNOWN:
        if given and kind == BLANK:
            return n * (s.blanks - s.rest[Card.EGG]) / s.blanks
        return 1.0 * n
    if s.rest[card] == 0:
        return 0.0
    if card == Card.EGG:
        return n * s.rest[card] / s.blanks if kind == BLANK else 0.0
    others = s.blanks - s.rest[Card.EGG]
    chance = n * s.rest[card] / (others + s.eggless)
    return chance * others / s.blanks if kind == BLANK else chance


def move(s: State, at: int, pool: int, kind: int, card: int, given: bool, sign: int) -> None:
    """Move a card of one class out of a pool, as it was seen; undo it with sign -1."""
    s.known[pool, kind] -= sign
    if card != UNKNOWN:
        if kind >= EGGLESS:
            s.rest[card] -= sign
            if kind == BLANK:
                s.blanks -= sign
            else:
                s.eggless -= sign
        kind = card
    elif given and kind == BLANK:
        s.blanks -= sign
        s.eggless += sign
        kind = EGGLESS
    to = goal(s, at)
    if to >= 0:
        s.known[to, kind] += sign


def lay_drawn(s: State, row: int) -> None:
    """Lay the cards of a row, and note where the card drawn lies if the seats don't know it."""
    lay(s, row, 1)
    i = s.laid + row
    if lies_down(s, row) and s.cave[i] == UNKNOWN:
        s.where[i] = s.finder[row] + 1


def lay(s: State, row: int, sign: int) -> None:
    """Lay the cards that everybody saw go face down in a row; undo it with sign -1."""
    if lies_down(s, row):
        card = s.cave[s.laid + row]
        s.known[s.finder[row], BLANK if card == UNKNOWN else card] += sign
    if s.how[row] & 3 == How.FACE_UP and s.told[row] - 1 == Tool.PISTOL:
        s.known[DISCARD, s.hit[row]] += sign
    for k in range(2):
        if s.turned[row, k]:
            s.known[s.finder[row], s.turned[row, k] - 1] += sign


def lies_down(s: State, row: int) -> bool:
    """Whether the card drawn in a row was kept face down."""
    return s.fate[row] == Fate.LEFT and s.answer[row] != Answer.ACCUSED


def shown(s: State, at: int, pool: int, card: int) -> int:
    """Return how many of a kind lay in a pool when the seats looked into it in part `at`."""
    row = at // PARTS
    if row > s.row:
        return s.down[pool, card]
    if at % PARTS == EGGS:
        return lying(s, pool) if card == Card.EGG else 0
    return s.looked[row, card >> 2] >> 3 * (card & 3) & 7


def lying(s: State, pool: int) -> int:
    cards = 0
    for kind in range(CLASSES):
        cards += s.known[pool, kind]
    return cards


def examine(s: State, at: int, pool: int) -> float:
    """Return the probability that a pool held what was seen, and make its cards known."""
    for card in range(KINDS):
        if s.known[pool, card] > shown(s, at, pool, card):
            return 0.0
    blanks = s.known[pool, BLANK]
    unnamed = blanks + s.known[pool, EGGLESS]
    if unnamed == 0:
        return 1.0
    eggs = missing(s, at, pool, Card.EGG)
    others = s.blanks - s.rest[Card.EGG]
    chance = choose(s.rest[Card.EGG], eggs) * choose(others, blanks - eggs)
    for card in range(KINDS):
        if card != Card.EGG:
            chance *= choose(s.rest[card], missing(s, at, pool, card))
    if chance == 0:
        return 0.0
    chance /= choose(s.blanks, blanks) * choose(others + s.eggless, unnamed - eggs)
    for card in range(KINDS):
        named = missing(s, at, pool, card)
        s.rest[card] -= named
        s.known[pool, card] += named
    s.blanks -= blanks
    s.known[pool, BLANK] = 0
    s.eggless -= unnamed - blanks
    s.known[pool, EGGLESS] = 0
    return chance


def chance_of_gift(s: State, pool: int) -> float:
    """Return the chance that not all face-down cards of a pool are Eggs. captain.siana"""
    for kind in range(EGGLESS + 1):
        if kind != Card.EGG and s.known[pool, kind]:
            return 1.0
    blanks = s.known[pool, BLANK]
    return 1.0 - choose(s.rest[Card.EGG], blanks) / choose(s.blanks, blanks)


def name_gift(s: State, pool: int, rng: Cells) -> None:
    """Settle which blank card of Siana's is no Egg, if none of her cards is known to be another.

    Goes through her blanks: each that turns out to be an Egg is named, the first that does not is
    marked as no Egg, and nothing is known of those after it. captain.siana
    """
    i = 0
    while chance_of_gift(s, pool) < 1.0:
        while s.where[i] != pool + 1:
            i += 1
        others = s.blanks - s.rest[Card.EGG]
        if fraction(rng) * chance_of_gift(s, pool) < others / s.blanks:
            s.where[i] += NO_EGG
            s.known[pool, EGGLESS] += 1
            s.eggless += 1
        else:
            s.cave[i] = Card.EGG
            s.where[i] = 0
            s.known[pool, Card.EGG] += 1
            s.rest[Card.EGG] -= 1
        s.known[pool, BLANK] -= 1
        s.blanks -= 1


def missing(s: State, at: int, pool: int, card: int) -> int:
    """Return how many of a kind were seen in a pool beyond those known to lie there."""
    return shown(s, at, pool, card) - s.known[pool, card]


def choose(n: int, k: int) -> float:
    """Return the binomial coefficient n over k."""
    if k < 0 or k > n:
        return 0.0
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


def pack(s: State, pool: int) -> int:
    """Pack what is known of a pool into one integer, for `forget`."""
    packed = 0
    for kind in range(CLASSES):
        packed |= s.known[pool, kind] << 6 * kind
    return packed


def forget(s: State, pool: int, packed: int) -> None:
    """Restore what was known of a pool before it was examined."""
    for kind in range(CLASSES):
        before = packed >> 6 * kind & 63
        if kind == BLANK:
            s.blanks += before - s.known[pool, kind]
        elif kind == EGGLESS:
            s.eggless += before - s.known[pool, kind]
        else:
            s.rest[kind] += s.known[pool, kind] - before
        s.known[pool, kind] = before


def name_blanks(s: State, at: int, pool: int, rng: Cells) -> None:
    """Draw the kinds of the blank cards of a pool that was looked into."""
    for kind in range(EGGLESS, CLASSES):
        if s.known[pool, kind]:
            mark = pool + 1 if kind == BLANK else pool + 1 + NO_EGG
            for i in range(s.drawn):
                if s.where[i] == mark:
                    card = pick_missing(s, at, pool, kind, rng)
                    s.cave[i] = card
                    s.where[i] = 0
                    s.known[pool, kind] -= 1
                    s.known[pool, card] += 1
                    s.rest[card] -= 1
                    if kind == BLANK:
                        s.blanks -= 1
                    else:
                        s.eggless -= 1


def pick_missing(s: State, at: int, pool: int, kind: int, rng: Cells) -> int:
    left = 0
    for card in range(Card.PURSE):
        if kind == BLANK or card != Card.EGG:
            left += missing(s, at, pool, card)
    skip = below(rng, left)
    card = 0
    while True:
        if kind == BLANK or card != Card.EGG:
            skip -= missing(s, at, pool, card)
            if skip < 0:
                return card
        card += 1


def deal_rest(s: State, rng: Cells) -> None:
    """Deal the cards never seen: first where no Egg can be, then elsewhere and in the Cave."""
    for i in range(s.drawn):
        if s.where[i] > NO_EGG:
            eggs = s.rest[Card.EGG]
            s.rest[Card.EGG] = 0
            s.cave[i] = pick_rest(s, s.blanks + s.eggless - eggs, rng)
            s.rest[Card.EGG] = eggs
            s.eggless -= 1
        s.where[i] = 0
    arrival = UNKNOWN
    if s.phase != Phase.OVER:
        first = max(s.drawn, s.size - s.bottom - 1)
        arrival = first + below(rng, s.size - first)
    rest = 0
    for card in range(Card.PURSE):
        rest |= s.rest[card] << LANE * card
    for i in range(s.size):
        if i == arrival:
            s.cave[i] = Card.ARRIVAL
        elif s.cave[i] == UNKNOWN:
            card = kind_at(rest, below(rng, s.blanks))
            rest -= 1 << LANE * card
            s.cave[i] = card
            s.blanks -= 1
    for card in range(Card.PURSE):
        s.rest[card] = rest >> LANE * card & LANE_MASK


LANE = 8
LANE_MASK = (1 << LANE) - 1
ALL_LANES = (1 << LANE * Card.PURSE) - 1
EACH = ALL_LANES // LANE_MASK
HIGH_BITS = EACH << (LANE - 1)
LAST_LANE = LANE * (Card.PURSE - 1)
"""Lanes of an integer that counts the cards of each kind, a 1 in each, and the high bit of each."""


def kind_at(rest: int, at: int) -> int:
    """Return the kind of card number `at` of those counted in lanes: how many kinds end before it.

    Without branches, which nobody could predict. captain.know.memory
    """
    up_to_each = rest * EACH & ALL_LANES
    passed = ((at * EACH | HIGH_BITS) - up_to_each) & HIGH_BITS
    return (passed >> (LANE - 1)) * EACH >> LAST_LANE & 7


def pick_rest(s: State, left: int, rng: Cells) -> int:
    """Draw one of the cards never seen, each equally likely. captain.know.memory"""
    skip = below(rng, left)
    card = 0
    while skip >= s.rest[card]:
        skip -= s.rest[card]
        card += 1
    s.rest[card] -= 1
    return card


def rebuild(s: State) -> None:
    """Lay the face-down cards where the completed rows have brought them."""
    for pool in range(POOLS):
        for kind in range(CLASSES):
            s.known[pool, kind] = 0
    for seat in range(s.players):
        for card in range(KINDS):
            s.down[seat, card] = 0
        s.down[seat, Card.PURSE] = s.purses[seat]
    if s.phase == Phase.ADVENTURER:
        return
    for card in range(KINDS):
        s.discard[card] = 0
    s.discard[Card.PURSE] = s.purses[DISCARD]
    for i in range(s.laid):
        s.discard[s.cave[i]] += 1
    for row in range(s.row + 1):
        rebuild_row(s, row)
    sort_discard(s)


def rebuild_row(s: State, row: int) -> None:
    if s.mutinies[row]:
        write_looked(s, row)
    if s.took[row]:
        if s.took[row] > CARD_OF:
            s.took[row] = s.cave[s.took[row] - 1 - CARD_OF] + 1
        s.discard[s.took[row] - 1] -= 1
        s.down[nostromo(s), s.took[row] - 1] += 1
    how = s.how[row] & 3
    if how >= How.FACE_DOWN:
        if s.hit[row] >= CARD_OF:
            s.hit[row] = s.cave[s.hit[row] - CARD_OF]
        card = s.hit[row]
        s.down[s.target[row] - 1, card] -= 1
        to = goal(s, row * PARTS + HIT)
        if to == DISCARD:
            s.discard[card] += 1
        elif to >= 0:
            s.down[to, card] += 1
    elif how == How.FACE_UP and s.told[row] - 1 == Tool.PISTOL:
        s.discard[s.hit[row]] += 1
    if lies_down(s, row):
        s.down[s.finder[row], s.cave[s.laid + row]] += 1
    for k in range(2):
        if s.turned[row, k]:
            s.down[s.finder[row], s.turned[row, k] - 1] += 1
