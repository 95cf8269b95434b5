"""Oh Captain!: the rules, from set-up to the last count, in the order in which they are played.

Plain functions on the state record; each names in its docstring the clauses that it carries out.
"""

from __future__ import annotations

from veillee.engine.jit.events import ALL, emit
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below
from veillee.games.captain.core.actions import (
    ACCEPT,
    ADVENTURER,
    ALLEGIANCE,
    ANNOUNCE,
    BUY,
    FISH,
    GIVE,
    GIVE_HIDDEN,
    LEAVE,
    MUTINY,
    PASS,
    ROB,
    TAKE,
    TAKE_HIDDEN,
    TARGET,
    TURN,
)
from veillee.games.captain.core.events import EventCode
from veillee.games.captain.core.state import (
    KINDS,
    NOBODY,
    TOOLS,
    Adventurer,
    Answer,
    Card,
    Fate,
    How,
    Phase,
    State,
    Tool,
)

MOST_COINS = 30
MAJORITIES = (Card.PISTOL, Card.HOOK, Card.LIZARD)

# ---------------------------------------------------------------- set-up


def setup(s: State, rng: Cells, scratch: Cells, events: Cells | None) -> None:
    """captain.setup.roles, captain.setup.purses, captain.setup.adventurers"""
    if s.first == NOBODY:
        s.first = below(rng, s.players)
    s.captain = s.first
    emit(events, EventCode.BOTTLE, ALL, s.captain, 0, 0, 0, 0)
    for seat in range(s.players):
        s.coins[seat] = s.explorer_coins
        if seat != s.captain:
            s.purses[seat] = 1
            s.down[seat, Card.PURSE] = 1
            s.hidden[seat] = 1
    s.coins[s.captain] = s.captain_coins
    s.reserve -= s.captain_coins + (s.players - 1) * s.explorer_coins
    fill_cave(s, rng)
    if s.adventurer[s.captain]:
        lay_discard(s, events)
        start_turn(s, left_of(s, s.captain), events)
    else:
        s.phase = Phase.ADVENTURER
        s.seat = s.captain
        while s.phase == Phase.ADVENTURER and s.dealt:
            n = legal(s, scratch)
            apply(s, scratch[below(rng, n)], rng, events)


def fill_cave(s: State, rng: Cells) -> None:
    """captain.material.cards, captain.setup.cave"""
    at = 0
    for card in range(Card.PURSE):
        for _ in range(s.total[card]):
            s.cave[at] = card
            at += 1
    for left in range(at, 1, -1):
        swap_cave(s, left - 1, below(rng, left))
    s.cave[at] = Card.ARRIVAL
    swap_cave(s, at, at - below(rng, s.bottom + 1))


def swap_cave(s: State, one: int, other: int) -> None:
    card = s.cave[one]
    s.cave[one] = s.cave[other]
    s.cave[other] = card


def choose_adventurer(s: State, adventurer: int, events: Cells | None) -> None:
    """captain.setup.adventurers: counter-clockwise; who has no choice is not asked."""
    while True:
        s.adventurer[s.seat] = adventurer
        emit(events, EventCode.ADVENTURER, ALL, s.seat, adventurer, 0, 0, 0)
        s.seat = s.seat - 1 if s.seat > 0 else s.players - 1
        if s.adventurer[s.seat]:
            lay_discard(s, events)
            start_turn(s, left_of(s, s.captain), events)
            return
        taken = adventurers_taken(s)
        free = 0
        for one in range(Adventurer.LYS, Adventurer.ULRICH + 1):
            if s.taking_part >> one & ~(taken >> one) & 1:
                free += 1
                adventurer = one
        if free > 1:
            return


def adventurers_taken(s: State) -> int:
    """Return the Adventurers that somebody plays, a bit each. captain.material.adventurers"""
    taken = 0
    for seat in range(s.players):
        taken |= 1 << s.adventurer[seat]
    return taken


def lay_discard(s: State, events: Cells | None) -> None:
    """captain.setup.discard: sorted by kind, so that its order tells nothing."""
    s.drawn = s.laid
    s.discards = s.laid
    sort_discard(s)
    for i in range(s.laid):
        s.discard[s.cave[i]] += 1
    emit(events, EventCode.DISCARD, ALL, s.laid, 0, 0, 0, 0)
    look(s, events)


def sort_discard(s: State) -> None:
    for i in range(1, s.laid):
        at = i
        while at > 0 and s.cave[at] < s.cave[at - 1]:
            swap_cave(s, at, at - 1)
            at -= 1


def look(s: State, events: Cells | None) -> None:
    """captain.setup.discard: only the Captain may look at the discard."""
    if events is not None:
        for card in range(KINDS):
            for _ in range(s.discard[card]):
                emit(events, EventCode.LOOK, 1 << s.captain, s.captain, card, 0, 0, 0)


# ---------------------------------------------------------------- a turn


def start_turn(s: State, seat: int, events: Cells | None) -> None:
    """captain.setup.first, captain.turn.rich"""
    s.turn = seat
    s.finder[s.row] = seat
    s.chief[s.row] = s.captain
    if s.coins[seat] > s.coins[s.captain]:
        s.phase = Phase.RICH
        s.seat = seat
    else:
        draw_card(s, events)


def next_turn(s: State, events: Cells | None) -> None:
    """captain.turn.order"""
    s.row += 1
    seat = left_of(s, s.turn)
    if seat == s.captain:
        seat = left_of(s, seat)
    start_turn(s, seat, events)


def left_of(s: State, seat: int) -> int:
    return seat + 1 if seat + 1 < s.players else 0


def legal(s: State, out: Cells) -> int:
    """Fill `out` with the legal actions of the seat to decide; return how many there are."""
    n = 0
    if s.phase == Phase.ANNOUNCE:
        for tool in range(TOOLS):
            out[tool] = ANNOUNCE + tool
        return TOOLS
    if s.phase == Phase.CHOICE:
        out[0] = BUY
        out[1] = LEAVE
        return 2
    if s.phase == Phase.TARGET:
        by = attacker(s)
        tool = s.told[s.row] - 1
        for seat in range(s.players):
            if can_hit(s, by, tool, seat):
                out[n] = TARGET + seat
                n += 1
        return n
    if s.phase == Phase.ANSWER:
        out[0] = ACCEPT
        out[1] = ACCEPT + 1
        return 2
    if s.phase == Phase.RICH:
        out[0] = MUTINY
        out[1] = ALLEGIANCE
        return 2
    if s.phase == Phase.CARD:
        return list_cards(s, out)
    if s.phase == Phase.MOON:
        out[0] = PASS
        n = 1
        for card in range(KINDS):
            if s.up[s.seat, card]:
                out[n] = TURN + card
                n += 1
        return n
    if s.phase == Phase.RED:
        for seat in range(s.players):
            if seat != s.seat and seat != s.captain:
                out[n] = ROB + seat
                n += 1
        return n
    if s.phase == Phase.SIANA:
        return list_gifts(s, out)
    if s.phase == Phase.FISH:
        out[0] = PASS
        n = 1
        for card in range(KINDS):
            if s.discard[card]:
                out[n] = FISH + card
                n += 1
        return n
    taken = adventurers_taken(s)
    for adventurer in range(Adventurer.LYS, Adventurer.ULRICH + 1):
        if s.taking_part >> adventurer & ~(taken >> adventurer) & 1:
            out[n] = ADVENTURER + adventurer - 1
            n += 1
    return n


def apply(s: State, action: int, rng: Cells, events: Cells | None) -> None:
    """Carry out one legal action."""
    if s.phase == Phase.ANNOUNCE:
        announce(s, action - ANNOUNCE, rng, events)
    elif s.phase == Phase.CHOICE:
        if action == BUY:
            buy(s, rng, events)
        else:
            leave(s, rng, events)
    elif s.phase == Phase.TARGET:
        attack(s, action - TARGET, rng, events)
    elif s.phase == Phase.ANSWER:
        if action == ACCEPT:
            accept(s, rng, events)
        else:
            accuse(s, rng, events)
    elif s.phase == Phase.RICH:
        if action == MUTINY:
            mutiny(s, events)
        else:
            pledge(s, events)
    elif s.phase == Phase.CARD:
        if action == TAKE_HIDDEN:
            hit(s, random_hidden(s, rng), How.FACE_DOWN, events)
        else:
            hit(s, action - TAKE, How.FACE_UP, events)
    elif s.phase == Phase.MOON:
        if action == PASS:
            next_turn(s, events)
        else:
            turn_down(s, action - TURN, events)
    elif s.phase == Phase.RED:
        rob(s, action - ROB, events)
    elif s.phase == Phase.SIANA:
        if action >= GIVE_HIDDEN:
            hit(s, action - GIVE_HIDDEN, How.GIVEN, events)
        else:
            hit(s, action - GIVE, How.FACE_UP, events)
    elif s.phase == Phase.FISH:
        if action != PASS:
            fish(s, action - FISH, events)
        start_turn(s, left_of(s, s.captain), events)
    else:
        choose_adventurer(s, action - ADVENTURER + 1, events)


# ---------------------------------------------------------------- A. mutiny or allegiance


def mutiny(s: State, events: Cells | None) -> None:
    """captain.turn.mutiny, captain.nostromo"""
    if s.mutinies[s.row] == 0:
        write_looked(s, s.row)
    s.mutinies[s.row] += 1
    gained = 1 if s.reserve > 0 else 0
    emit(events, EventCode.MUTINY, ALL, s.turn, s.captain, gained, 0, 0)
    s.captain = s.turn
    s.chief[s.row] = s.turn
    s.coins[s.turn] += gained
    s.reserve -= gained
    look(s, events)
    if s.adventurer[s.turn] == Adventurer.NOSTROMO and s.discards:
        s.phase = Phase.FISH
    else:
        start_turn(s, left_of(s, s.captain), events)


def write_looked(s: State, row: int) -> None:
    """Note in a row what a new Captain finds under the Bottle. captain.know.memory"""
    for half in range(2):
        s.looked[row, half] = 0
    for card in range(KINDS):
        s.looked[row, card >> 2] += s.discard[card] << 3 * (card & 3)


def fish(s: State, card: int, events: Cells | None) -> None:
    """captain.nostromo"""
    emit(events, EventCode.FISH, 1 << s.seat, s.seat, card, 0, 0, 0)
    s.discard[card] -= 1
    s.discards -= 1
    s.down[s.seat, card] += 1
    s.hidden[s.seat] += 1
    s.took[s.row] = card + 1


def pledge(s: State, events: Cells | None) -> None:
    """captain.turn.allegiance"""
    coins = min(s.tribute, s.coins[s.turn])
    emit(events, EventCode.ALLEGIANCE, ALL, s.turn, s.captain, coins, 0, 0)
    s.coins[s.turn] -= coins
    s.coins[s.captain] += coins
    s.pledged[s.row] = 1
    draw_card(s, events)


# ---------------------------------------------------------------- B. into the Cave


def draw_card(s: State, events: Cells | None) -> None:
    """captain.turn.draw, captain.end.when"""
    card = s.cave[s.drawn]
    s.drawn += 1
    if card == Card.ARRIVAL:
        emit(events, EventCode.NOMADS, ALL, s.turn, 0, 0, 0, 0)
        s.phase = Phase.OVER
        s.seat = OVER
        if events is not None:
            show_loot(s, events)
    else:
        emit(events, EventCode.DRAW, 1 << s.turn, s.turn, card, 0, 0, 0)
        s.phase = Phase.ANNOUNCE
        s.seat = s.turn


def found(s: State) -> int:
    """Return the card drawn this turn."""
    return s.cave[s.drawn - 1]


def tool_of(card: int) -> int:
    """Return the true announcement of a card; none for an Egg. captain.turn.announce"""
    if card <= Card.LANTERN_2:
        return Tool.LANTERN
    if card == Card.EGG:
        return NOBODY
    return card - Card.HOOK + Tool.HOOK


def announce(s: State, tool: int, rng: Cells, events: Cells | None) -> None:
    """captain.turn.announce, captain.turn.choice"""
    emit(events, EventCode.ANNOUNCE, ALL, s.turn, tool, 0, 0, 0)
    s.told[s.row] = tool + 1
    if s.coins[s.captain] >= s.price:
        s.phase = Phase.CHOICE
        s.seat = s.captain
    else:
        leave(s, rng, events)


# ---------------------------------------------------------------- C. the Captain's choice


def buy(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.buy"""
    card = found(s)
    honest = tool_of(card) == s.told[s.row] - 1
    emit(events, EventCode.BUY, ALL, s.captain, s.turn, card, int(honest), s.price)
    s.fate[s.row] = Fate.BOUGHT
    s.coins[s.captain] -= s.price
    s.coins[s.turn] += s.price
    s.up[s.captain, card] += 1
    s.shown[s.captain] += 1
    if honest:
        seek_target(s, rng, events)
    else:
        end_turn(s, events)


def leave(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.leave"""
    emit(events, EventCode.LEAVE, ALL, s.captain, s.turn, 0, 0, 0)
    s.fate[s.row] = Fate.LEFT
    s.down[s.turn, found(s)] += 1
    s.hidden[s.turn] += 1
    seek_target(s, rng, events)


def attacker(s: State) -> int:
    return s.captain if s.fate[s.row] == Fate.BOUGHT else s.turn


def can_hit(s: State, by: int, tool: int, seat: int) -> bool:
    """captain.effect.can, captain.turn.leave, captain.turn.buy, captain.effect.own"""
    if seat == s.captain or seat == by:
        return False
    if tool == Tool.LIZARD:
        return s.coins[seat] > 0
    if tool == Tool.LANTERN:
        return s.hidden[seat] > 0
    return s.hidden[seat] + s.shown[seat] > 0


def seek_target(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.leave, captain.turn.buy, captain.turn.nobody"""
    by = attacker(s)
    tool = s.told[s.row] - 1
    targets = 0
    last = NOBODY
    for seat in range(s.players):
        if can_hit(s, by, tool, seat):
            targets += 1
            last = seat
    if targets > 1:
        s.phase = Phase.TARGET
        s.seat = by
    elif targets == 1:
        attack(s, last, rng, events)
    else:
        emit(events, EventCode.NOBODY, ALL, by, tool, 0, 0, 0)
        end_turn(s, events)


def attack(s: State, seat: int, rng: Cells, events: Cells | None) -> None:
    """captain.turn.leave, captain.turn.answer; what the Captain bought can't be answered."""
    emit(events, EventCode.ATTACK, ALL, attacker(s), seat, s.told[s.row] - 1, 0, 0)
    s.target[s.row] = seat + 1
    if s.fate[s.row] == Fate.BOUGHT:
        take_effect(s, rng, events)
    else:
        s.phase = Phase.ANSWER
        s.seat = seat


# ---------------------------------------------------------------- D. accept or accuse


def accept(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.accept"""
    emit(events, EventCode.ACCEPT, ALL, s.seat, s.turn, 0, 0, 0)
    s.answer[s.row] = Answer.ACCEPTED
    take_effect(s, rng, events)


def accuse(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.caught, captain.turn.true"""
    card = found(s)
    honest = tool_of(card) == s.told[s.row] - 1
    emit(events, EventCode.ACCUSE, ALL, s.seat, s.turn, card, int(honest), 0)
    s.answer[s.row] = Answer.ACCUSED
    s.down[s.turn, card] -= 1
    s.hidden[s.turn] -= 1
    s.up[s.turn, card] += 1
    s.shown[s.turn] += 1
    if honest:
        take_effect(s, rng, events)
    else:
        pay(s, s.turn, s.seat, events)
        end_turn(s, events)


def pay(s: State, loser: int, winner: int, events: Cells | None) -> None:
    """captain.turn.caught, captain.turn.true, captain.turn.broke, captain.ulrich"""
    due = s.ulrich_coins if s.adventurer[winner] == Adventurer.ULRICH else s.stake
    coins = min(due, s.coins[loser])
    if coins:
        emit(events, EventCode.PAY, ALL, loser, winner, coins, 0, 0)
        s.coins[loser] -= coins
        s.coins[winner] += coins


# ---------------------------------------------------------------- effects


def take_effect(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.effect.lizard, captain.effect.choose, captain.siana"""
    target = s.target[s.row] - 1
    if s.told[s.row] - 1 == Tool.LIZARD:
        emit(events, EventCode.STEAL, ALL, attacker(s), target, 0, 0, 0)
        s.coins[target] -= 1
        s.coins[attacker(s)] += 1
        after_effect(s, events)
    elif s.adventurer[target] == Adventurer.SIANA:
        ask_siana(s, target, rng, events)
    else:
        ask_attacker(s, target, rng, events)


def ask_attacker(s: State, target: int, rng: Cells, events: Cells | None) -> None:
    """captain.effect.choose: the attacker is asked only where everybody sees a choice."""
    if s.told[s.row] - 1 == Tool.LANTERN or s.shown[target] == 0:
        hit(s, random_hidden(s, rng), How.FACE_DOWN, events)
        return
    card = 0
    while s.up[target, card] == 0:
        card += 1
    if s.hidden[target] == 0 and s.up[target, card] == s.shown[target]:
        hit(s, card, How.FACE_UP, events)
    else:
        s.phase = Phase.CARD
        s.seat = attacker(s)


def list_cards(s: State, out: Cells) -> int:
    """captain.effect.choose"""
    target = s.target[s.row] - 1
    n = 0
    for card in range(KINDS):
        if s.up[target, card]:
            out[n] = TAKE + card
            n += 1
    if s.hidden[target]:
        out[n] = TAKE_HIDDEN
        n += 1
    return n


def random_hidden(s: State, rng: Cells) -> int:
    """Draw one of the target's face-down cards, each equally likely. captain.effect.choose"""
    target = s.target[s.row] - 1
    at = below(rng, s.hidden[target])
    card = 0
    while at >= s.down[target, card]:
        at -= s.down[target, card]
        card += 1
    return card


def ask_siana(s: State, siana: int, rng: Cells, events: Cells | None) -> None:
    """captain.siana: she is asked wherever others can't tell that she has no choice."""
    shown = gifts_shown(s, siana)
    hidden = s.hidden[siana]
    if shown == 0 and s.down[siana, Card.EGG] == hidden:
        emit(events, EventCode.EGGS, ALL, siana, 0, 0, 0, 0)
        s.how[s.row] = How.ONLY_EGGS
        ask_attacker(s, siana, rng, events)
    elif shown == 1 and hidden == 0:
        card = 0
        while card == Card.EGG or s.up[siana, card] == 0:
            card += 1
        hit(s, card, How.FACE_UP, events)
    elif shown == 0 and hidden == 1:
        hit(s, random_hidden(s, rng), How.GIVEN, events)
    else:
        s.phase = Phase.SIANA
        s.seat = siana


def gifts_shown(s: State, siana: int) -> int:
    """Return how many kinds of face-up cards Siana may give. captain.siana"""
    kinds = 0
    if s.told[s.row] - 1 != Tool.LANTERN:
        for card in range(KINDS):
            if card != Card.EGG and s.up[siana, card]:
                kinds += 1
    return kinds


def list_gifts(s: State, out: Cells) -> int:
    """captain.siana"""
    n = 0
    for card in range(KINDS):
        if card != Card.EGG:
            if s.up[s.seat, card] and s.told[s.row] - 1 != Tool.LANTERN:
                out[n] = GIVE + card
                n += 1
            if s.down[s.seat, card]:
                out[n] = GIVE_HIDDEN + card
                n += 1
    return n


def hit(s: State, card: int, how: int, events: Cells | None) -> None:
    """captain.effect.pistol, captain.effect.hook, captain.effect.lantern, captain.know.hook"""
    target = s.target[s.row] - 1
    by = attacker(s)
    tool = s.told[s.row] - 1
    s.hit[s.row] = card
    s.how[s.row] += how
    if how == How.FACE_UP:
        s.up[target, card] -= 1
        s.shown[target] -= 1
    else:
        s.down[target, card] -= 1
        s.hidden[target] -= 1
    if tool == Tool.LANTERN:
        emit(events, EventCode.LIGHT, ALL, target, card, how, 0, 0)
        s.up[target, card] += 1
        s.shown[target] += 1
    else:
        seen = ALL if how == How.FACE_UP else 1 << target
        if tool == Tool.PISTOL:
            seen |= 1 << s.captain
            emit(events, EventCode.SHOOT, seen, by, target, card, how, 0)
            s.discard[card] += 1
            s.discards += 1
        else:
            seen |= 1 << by
            emit(events, EventCode.HOOK, seen, by, target, card, how, 0)
            if how == How.FACE_UP:
                s.up[by, card] += 1
                s.shown[by] += 1
            else:
                s.down[by, card] += 1
                s.hidden[by] += 1
    after_effect(s, events)


def after_effect(s: State, events: Cells | None) -> None:
    """captain.turn.true"""
    if s.answer[s.row] == Answer.ACCUSED:
        pay(s, s.target[s.row] - 1, s.turn, events)
    end_turn(s, events)


# ---------------------------------------------------------------- the end of a turn


def end_turn(s: State, events: Cells | None) -> None:
    """captain.moon, captain.red"""
    if s.adventurer[s.turn] == Adventurer.MOON and s.shown[s.turn] and s.moon_cards:
        s.phase = Phase.MOON
        s.seat = s.turn
    elif s.adventurer[s.turn] == Adventurer.RED and s.red_coins and is_poorest(s, s.turn):
        if s.players > 3:
            s.phase = Phase.RED
            s.seat = s.turn
        else:
            rob(s, 3 - s.turn - s.captain, events)
    else:
        next_turn(s, events)


def turn_down(s: State, card: int, events: Cells | None) -> None:
    """captain.moon"""
    emit(events, EventCode.TURN, ALL, s.turn, card, 0, 0, 0)
    s.up[s.turn, card] -= 1
    s.shown[s.turn] -= 1
    s.down[s.turn, card] += 1
    s.hidden[s.turn] += 1
    if s.turned[s.row, 0] == 0:
        s.turned[s.row, 0] = card + 1
        if s.shown[s.turn] == 0 or s.moon_cards == 1:
            next_turn(s, events)
    else:
        s.turned[s.row, 1] = card + 1
        next_turn(s, events)


def is_poorest(s: State, red: int) -> bool:
    """captain.red"""
    for seat in range(s.players):
        if seat != red and s.coins[seat] <= s.coins[red]:
            return False
    return True


def rob(s: State, victim: int, events: Cells | None) -> None:
    """captain.red"""
    coins = min(s.red_coins, s.coins[victim])
    emit(events, EventCode.ROB, ALL, s.turn, victim, coins, 0, 0)
    s.coins[victim] -= coins
    s.coins[s.turn] += coins
    s.robbed[s.row] = victim + 1
    next_turn(s, events)


# ---------------------------------------------------------------- end


def show_loot(s: State, events: Cells | None) -> None:
    """captain.end.when: all loot is shown; captain.end.majority"""
    for seat in range(s.players):
        for card in range(KINDS):
            if s.down[seat, card]:
                emit(events, EventCode.SHOW, ALL, seat, card, s.down[seat, card], 0, 0)
    for card in MAJORITIES:
        emit(events, EventCode.TOKEN, ALL, card, majority(s, card), s.token, 0, 0)


def cards_of(s: State, seat: int, card: int) -> int:
    return s.up[seat, card] + s.down[seat, card]


def majority(s: State, card: int) -> int:
    """Return the seat that gets the token for a kind. captain.end.majority, captain.lys"""
    best = 0
    holder = NOBODY
    for seat in range(s.players):
        cards = cards_of(s, seat, card)
        if cards > best:
            best = cards
            holder = seat
        elif cards == best and cards > 0:
            if s.adventurer[seat] == Adventurer.LYS:
                holder = seat
            elif holder != NOBODY and s.adventurer[holder] != Adventurer.LYS:
                holder = NOBODY
    return holder


def worth_of_loot(s: State, seat: int) -> int:
    """Return the points of a seat's cards, without majorities. captain.end.score"""
    points = 0
    for card in range(KINDS):
        points += s.worth[card] * cards_of(s, seat, card)
    return points


def scores(s: State, out: Cells) -> None:
    """captain.end.score"""
    for seat in range(s.players):
        out[seat] = s.coins[seat] + worth_of_loot(s, seat)
    for card in MAJORITIES:
        holder = majority(s, card)
        if holder != NOBODY:
            out[holder] += s.token


def places(s: State, out: Cells) -> None:
    """captain.end.tie: 1 for a winner; those who are equal in all share a place."""
    scores(s, out)
    # One integer compares score, Bottle and coins; its low three bits are free for the place.
    for seat in range(s.players):
        tie = MOST_COINS + 1 if seat == s.captain else s.coins[seat]
        out[seat] = (out[seat] * (MOST_COINS + 2) + tie) * 8
    for seat in range(s.players):
        for other in range(s.players):
            if out[other] // 8 > out[seat] // 8:
                out[seat] += 1
    for seat in range(s.players):
        out[seat] = out[seat] % 8 + 1
