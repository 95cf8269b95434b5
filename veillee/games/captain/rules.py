"""Oh Captain!: the rules, from set-up to the last count, in the order in which they are played.

Plain functions on the record; each names in its docstring the clauses that it carries out. What
each may know comes last.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.chance import below, draw
from veillee.engine.events import ALL, emit
from veillee.engine.record import OVER, Cells
from veillee.engine.room import room
from veillee.games.captain.actions import (
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
from veillee.games.captain.happenings import Happening
from veillee.games.captain.state import (
    BLANK,
    CLASSES,
    DISCARD,
    EGGLESS,
    KINDS,
    NOBODY,
    POOLS,
    TOOLS,
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

TOKEN = 4
MOST_COINS = 30
MAJORITIES = (Card.PISTOL, Card.HOOK, Card.LIZARD)

# ---------------------------------------------------------------- set-up


def setup(s: State, rng: Cells, scratch: Cells, events: Cells | None) -> None:
    """captain.setup.roles, captain.setup.purses, captain.setup.adventurers"""
    if s.first == NOBODY:
        s.first = below(rng, s.players)
    s.captain = s.first
    emit(events, Happening.BOTTLE, ALL, s.captain, 0, 0, 0, 0)
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
        emit(events, Happening.ADVENTURER, ALL, s.seat, adventurer, 0, 0, 0)
        s.seat = s.seat - 1 if s.seat > 0 else s.players - 1
        if s.adventurer[s.seat]:
            lay_discard(s, events)
            start_turn(s, left_of(s, s.captain), events)
            return
        taken = adventurers_taken(s)
        free = 0
        for one in range(1, s.many + 1):
            if not taken >> one & 1:
                free += 1
                adventurer = one
        if free > 1:
            return


def adventurers_taken(s: State) -> int:
    """captain.material.adventurers: those somebody plays, a bit each."""
    taken = 0
    for seat in range(s.players):
        taken |= 1 << s.adventurer[seat]
    return taken


def lay_discard(s: State, events: Cells | None) -> None:
    """captain.setup.discard: its order tells nothing, so it is kept in order of kinds."""
    s.drawn = s.laid
    s.discards = s.laid
    sort_discard(s)
    for i in range(s.laid):
        s.discard[s.cave[i]] += 1
    emit(events, Happening.DISCARD, ALL, s.laid, 0, 0, 0, 0)
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
                emit(events, Happening.LOOK, 1 << s.captain, s.captain, card, 0, 0, 0)


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
    """What the seat to decide may do: fills `out`, returns how many."""
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
    for adventurer in range(1, s.many + 1):
        if not taken >> adventurer & 1:
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
    emit(events, Happening.MUTINY, ALL, s.turn, s.captain, gained, 0, 0)
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
    """captain.know.memory: what a new Captain finds under the Bottle."""
    for half in range(2):
        s.looked[row, half] = 0
    for card in range(KINDS):
        s.looked[row, card >> 2] += s.discard[card] << 3 * (card & 3)


def fish(s: State, card: int, events: Cells | None) -> None:
    """captain.nostromo"""
    emit(events, Happening.FISH, 1 << s.seat, s.seat, card, 0, 0, 0)
    s.discard[card] -= 1
    s.discards -= 1
    s.down[s.seat, card] += 1
    s.hidden[s.seat] += 1
    s.took[s.row] = card + 1


def pledge(s: State, events: Cells | None) -> None:
    """captain.turn.allegiance"""
    emit(events, Happening.ALLEGIANCE, ALL, s.turn, s.captain, 0, 0, 0)
    s.coins[s.turn] -= 1
    s.coins[s.captain] += 1
    s.pledged[s.row] = 1
    draw_card(s, events)


# ---------------------------------------------------------------- B. into the Cave


def draw_card(s: State, events: Cells | None) -> None:
    """captain.turn.draw, captain.end.when"""
    card = s.cave[s.drawn]
    s.drawn += 1
    if card == Card.ARRIVAL:
        emit(events, Happening.NOMADS, ALL, s.turn, 0, 0, 0, 0)
        s.phase = Phase.OVER
        s.seat = OVER
        if events is not None:
            show_loot(s, events)
    else:
        emit(events, Happening.DRAW, 1 << s.turn, s.turn, card, 0, 0, 0)
        s.phase = Phase.ANNOUNCE
        s.seat = s.turn


def found(s: State) -> int:
    """The card drawn this turn."""
    return s.cave[s.drawn - 1]


def tool_of(card: int) -> int:
    """captain.turn.announce: what a card truly is; an Egg can't be told."""
    if card <= Card.LANTERN_2:
        return Tool.LANTERN
    if card == Card.EGG:
        return NOBODY
    return card - Card.HOOK + Tool.HOOK


def announce(s: State, tool: int, rng: Cells, events: Cells | None) -> None:
    """captain.turn.announce, captain.turn.choice"""
    emit(events, Happening.ANNOUNCE, ALL, s.turn, tool, 0, 0, 0)
    s.told[s.row] = tool + 1
    if s.coins[s.captain]:
        s.phase = Phase.CHOICE
        s.seat = s.captain
    else:
        leave(s, rng, events)


# ---------------------------------------------------------------- C. the Captain's choice


def buy(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.buy"""
    card = found(s)
    honest = tool_of(card) == s.told[s.row] - 1
    emit(events, Happening.BUY, ALL, s.captain, s.turn, card, int(honest), 0)
    s.fate[s.row] = Fate.BOUGHT
    s.coins[s.captain] -= 1
    s.coins[s.turn] += 1
    s.up[s.captain, card] += 1
    s.shown[s.captain] += 1
    if honest:
        seek_target(s, rng, events)
    else:
        end_turn(s, events)


def leave(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.leave"""
    emit(events, Happening.LEAVE, ALL, s.captain, s.turn, 0, 0, 0)
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
        emit(events, Happening.NOBODY, ALL, by, tool, 0, 0, 0)
        end_turn(s, events)


def attack(s: State, seat: int, rng: Cells, events: Cells | None) -> None:
    """captain.turn.leave, captain.turn.answer; what the Captain bought can't be answered."""
    emit(events, Happening.ATTACK, ALL, attacker(s), seat, s.told[s.row] - 1, 0, 0)
    s.target[s.row] = seat + 1
    if s.fate[s.row] == Fate.BOUGHT:
        take_effect(s, rng, events)
    else:
        s.phase = Phase.ANSWER
        s.seat = seat


# ---------------------------------------------------------------- D. accept or accuse


def accept(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.accept"""
    emit(events, Happening.ACCEPT, ALL, s.seat, s.turn, 0, 0, 0)
    s.answer[s.row] = Answer.ACCEPTED
    take_effect(s, rng, events)


def accuse(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.turn.caught, captain.turn.true"""
    card = found(s)
    honest = tool_of(card) == s.told[s.row] - 1
    emit(events, Happening.ACCUSE, ALL, s.seat, s.turn, card, int(honest), 0)
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
    due = 2 if s.adventurer[winner] == Adventurer.ULRICH else 1
    coins = min(due, s.coins[loser])
    if coins:
        emit(events, Happening.PAY, ALL, loser, winner, coins, 0, 0)
        s.coins[loser] -= coins
        s.coins[winner] += coins


# ---------------------------------------------------------------- effects


def take_effect(s: State, rng: Cells, events: Cells | None) -> None:
    """captain.effect.lizard, captain.effect.choose, captain.siana"""
    target = s.target[s.row] - 1
    if s.told[s.row] - 1 == Tool.LIZARD:
        emit(events, Happening.STEAL, ALL, attacker(s), target, 0, 0, 0)
        s.coins[target] -= 1
        s.coins[attacker(s)] += 1
        after_effect(s, events)
    elif s.adventurer[target] == Adventurer.SIANA:
        ask_siana(s, target, rng, events)
    else:
        ask_attacker(s, target, rng, events)


def ask_attacker(s: State, target: int, rng: Cells, events: Cells | None) -> None:
    """captain.effect.choose: asked only where there is a choice, as all can see."""
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
    """captain.effect.choose: one of the target's face-down cards, each as likely."""
    target = s.target[s.row] - 1
    at = below(rng, s.hidden[target])
    card = 0
    while at >= s.down[target, card]:
        at -= s.down[target, card]
        card += 1
    return card


def ask_siana(s: State, siana: int, rng: Cells, events: Cells | None) -> None:
    """captain.siana: she is asked wherever others can't tell that she has no choice."""
    shown = 0
    last = NOBODY
    if s.told[s.row] - 1 != Tool.LANTERN:
        for card in range(KINDS):
            if card != Card.EGG and s.up[siana, card]:
                shown += 1
                last = card
    hidden = s.hidden[siana]
    if shown == 0 and s.down[siana, Card.EGG] == hidden:
        emit(events, Happening.EGGS, ALL, siana, 0, 0, 0, 0)
        s.how[s.row] = How.ONLY_EGGS
        ask_attacker(s, siana, rng, events)
    elif shown == 1 and hidden == 0:
        hit(s, last, How.FACE_UP, events)
    elif shown == 0 and hidden == 1:
        hit(s, random_hidden(s, rng), How.GIVEN, events)
    else:
        s.phase = Phase.SIANA
        s.seat = siana


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
        emit(events, Happening.LIGHT, ALL, target, card, how, 0, 0)
        s.up[target, card] += 1
        s.shown[target] += 1
    else:
        seen = ALL if how == How.FACE_UP else 1 << target
        if tool == Tool.PISTOL:
            seen |= 1 << s.captain
            emit(events, Happening.SHOOT, seen, by, target, card, how, 0)
            s.discard[card] += 1
            s.discards += 1
        else:
            seen |= 1 << by
            emit(events, Happening.HOOK, seen, by, target, card, how, 0)
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
    if s.adventurer[s.turn] == Adventurer.MOON and s.shown[s.turn]:
        s.phase = Phase.MOON
        s.seat = s.turn
    elif s.adventurer[s.turn] == Adventurer.RED and is_poorest(s, s.turn):
        if s.players > 3:
            s.phase = Phase.RED
            s.seat = s.turn
        else:
            rob(s, 3 - s.turn - s.captain, events)
    else:
        next_turn(s, events)


def turn_down(s: State, card: int, events: Cells | None) -> None:
    """captain.moon"""
    emit(events, Happening.TURN, ALL, s.turn, card, 0, 0, 0)
    s.up[s.turn, card] -= 1
    s.shown[s.turn] -= 1
    s.down[s.turn, card] += 1
    s.hidden[s.turn] += 1
    if s.turned[s.row, 0] == 0:
        s.turned[s.row, 0] = card + 1
        if s.shown[s.turn] == 0:
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
    emit(events, Happening.ROB, ALL, s.turn, victim, 0, 0, 0)
    s.coins[victim] -= 1
    s.coins[s.turn] += 1
    s.robbed[s.row] = victim + 1
    next_turn(s, events)


# ---------------------------------------------------------------- end


def show_loot(s: State, events: Cells | None) -> None:
    """captain.end.when: all loot is shown; captain.end.majority"""
    for seat in range(s.players):
        for card in range(KINDS):
            if s.down[seat, card]:
                emit(events, Happening.SHOW, ALL, seat, card, s.down[seat, card], 0, 0)
    for card in MAJORITIES:
        emit(events, Happening.TOKEN, ALL, card, majority(s, card), 0, 0, 0)


def cards_of(s: State, seat: int, card: int) -> int:
    return s.up[seat, card] + s.down[seat, card]


def majority(s: State, card: int) -> int:
    """Who gets the token for a kind of cards. captain.end.majority, captain.lys"""
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


def scores(s: State, out: Cells) -> None:
    """captain.end.score"""
    for seat in range(s.players):
        out[seat] = (
            3 * cards_of(s, seat, Card.LANTERN_3)
            + 2 * cards_of(s, seat, Card.LANTERN_2)
            + cards_of(s, seat, Card.PURSE)
            + s.coins[seat]
            - cards_of(s, seat, Card.EGG)
        )
    for card in MAJORITIES:
        holder = majority(s, card)
        if holder != NOBODY:
            out[holder] += TOKEN


def places(s: State, out: Cells) -> None:
    """captain.end.tie: 1 for a winner; those who are equal in all share a place."""
    scores(s, out)
    # The score, then the Bottle, then coins make one number; below it there is room for the place.
    for seat in range(s.players):
        tie = MOST_COINS + 1 if seat == s.captain else s.coins[seat]
        out[seat] = (out[seat] * (MOST_COINS + 2) + tie) * 8
    for seat in range(s.players):
        for other in range(s.players):
            if out[other] // 8 > out[seat] // 8:
                out[seat] += 1
    for seat in range(s.players):
        out[seat] = out[seat] % 8 + 1


# ---------------------------------------------------------------- what each may know


def view(s: State, seats: int) -> None:
    """captain.know.public, captain.know.memory, captain.know.loot, captain.know.hook

    What happened is blotted out row by row where none of the seats saw the card; the rest is what
    they remember.
    """
    for i in range(s.drawn, s.size):
        s.cave[i] = UNKNOWN
    if s.phase == Phase.ADVENTURER:
        blot_loot(s, seats)
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
            blot_mutinies(s, row, seats)
    blot_loot(s, seats)
    if not seats >> s.captain & 1:
        for card in range(KINDS):
            s.discard[card] = UNKNOWN


def blot_loot(s: State, seats: int) -> None:
    """captain.know.loot, captain.end.when"""
    if s.phase != Phase.OVER:
        for seat in range(s.players):
            if not seats >> seat & 1:
                for card in range(KINDS):
                    s.down[seat, card] = UNKNOWN


def saw_draw(s: State, row: int, seats: int) -> bool:
    """captain.turn.draw, captain.know.up: by the finder, and by all once it lay face up."""
    return (
        seats >> s.finder[row] & 1 > 0
        or s.fate[row] == Fate.BOUGHT
        or s.answer[row] == Answer.ACCUSED
        or s.cave[s.laid + row] == Card.ARRIVAL
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
    """Whether the seats saw the discard in the mutinies of a row: before, after Nostromo took."""
    seen = 0
    moment = BEFORE
    for left in range(s.mutinies[row] - 1, -1, -1):
        seat = (s.chief[row] - left) % s.players
        if seats >> seat & 1:
            seen |= moment
        if s.took[row] and s.adventurer[seat] == Adventurer.NOSTROMO:
            if seats >> seat & 1:
                seen |= AFTER
            moment = AFTER
    return seen


def blot_mutinies(s: State, row: int, seats: int) -> None:
    """captain.nostromo, captain.know.memory

    Who saw the discard only after Nostromo took from it keeps what was left.
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


# ---------------------------------------------------------------- dealing the unseen anew
#
# What the seats saw of a card that lies face down is forgotten by the table but not by them, so
# the rows are read again from the first on. `known` counts, for each place, the cards there whose
# kind the seats know, those known to be no Egg, and the blanks, of which they know nothing.
# A card that leaves a place unseen, or a kind that is seen to leave it, may be any of several of
# these: each is as likely as its share times the chance of all that was seen later. Blanks are all
# alike, so the cards never seen are dealt last.

LOOK = 0
FISHED = 1
LOOK_AGAIN = 2
EGGS = 3
HIT = 4
LAY = 5
PARTS = 6


def resample(s: State, seats: int, rng: Cells) -> None:
    """captain.know.memory: chance made each shuffle and each pick, so Bayes' rule weighs them.

    A card picked by a player is weighed like one picked by chance, given what was seen of it.
    """
    view(s, seats)
    recall(s)
    if s.phase != Phase.ADVENTURER:
        last = last_clue(s, seats)
        end = (s.row + 1) * PARTS
        if s.phase == Phase.OVER:
            end += s.players
        notes = room(ROOM)
        noting = open_notes(s, last, notes)
        for at in range(end):
            retell(s, seats, at, last, notes, noting, rng)
    deal_rest(s, rng)
    rebuild(s)


NOTES = 2048
"""How many chances there is room to note, each with its key."""
ROOM = 2 * NOTES
MANY_HITS = 4
"""From so many hits out of sight on, notes are worth taking."""


def open_notes(s: State, last: int, notes: Any) -> bool:
    """Empty the notes, unless so little is to be reckoned that none are needed."""
    hits = 0
    for row in range(min(last // PARTS, s.row) + 1):
        if s.how[row] & 3 >= How.FACE_DOWN:
            hits += 1
    if hits < MANY_HITS:
        return False
    for i in range(NOTES):
        notes[i] = 0.0
    return True


KEY = (1 << 52) - 1
"""A key is a whole number that a number with a point holds exactly."""


def key_of(s: State, at: int) -> int:
    """One number for how the cards may lie in part `at`; all that comes later follows from it."""
    key = at + 1
    for pool in range(POOLS):
        if pool < s.players or pool == DISCARD:
            key = (key + pack(s, pool)) * 0x9E3779B97F4A7 & KEY
            key ^= key >> 27
    return key


def recall(s: State) -> None:
    """What was where at first, and how many of each kind were never seen by name."""
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


def source(s: State, seats: int, at: int) -> int:
    """The place out of which a card went, or into which one looked, in part `at`; -1: none."""
    row = at // PARTS
    part = at % PARTS
    if row > s.row:
        return at - (s.row + 1) * PARTS
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
    """The last part that tells anything of cards that went unseen before."""
    if s.phase == Phase.OVER:
        return (s.row + 1) * PARTS + s.players - 1
    for at in range((s.row + 1) * PARTS - 1, -1, -1):
        if source(s, seats, at) >= 0 and (is_look(s, at) or is_clue(s, seats, at)):
            return at
    return -1


def is_clue(s: State, seats: int, at: int) -> bool:
    """Whether a card that was hit was seen, or given by Siana, out of a loot that was not."""
    row = at // PARTS
    if at % PARTS != HIT or seats >> s.target[row] - 1 & 1:
        return False
    return s.hit[row] != UNKNOWN or s.how[row] & 3 == How.GIVEN


def gone(s: State, at: int) -> int:
    """The kind of the card that went away in part `at`, as far as the seats know."""
    row = at // PARTS
    if at % PARTS == HIT:
        return s.hit[row]
    return s.took[row] - 1 if s.took[row] > 0 else UNKNOWN


def goal(s: State, at: int) -> int:
    """Where that card went face down; -1 if it was turned face up."""
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


def retell(s: State, seats: int, at: int, last: int, notes: Any, noting: bool, rng: Cells) -> None:
    """Settle part `at` of the story in one of the ways it may have gone."""
    if at // PARTS <= s.row and at % PARTS == LAY:
        lay(s, at // PARTS, 1)
        i = s.laid + at // PARTS
        if lies_down(s, at // PARTS) and s.cave[i] == UNKNOWN:
            s.where[i] = s.finder[at // PARTS] + 1
        return
    pool = source(s, seats, at)
    if pool < 0:
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
        if share(s, pool, one, card, given) > 0:
            ways += 1
            kind = one
    if ways > 1:
        kind = choose_way(s, seats, at, last, notes, noting, rng)
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
"""Added to where a blank card lies if it can't be an Egg."""
CARD_OF = 32
"""Added to the number of a blank card, where its kind is to be written later."""


def note_gone(s: State, at: int, card: int) -> None:
    if at % PARTS == HIT:
        s.hit[at // PARTS] = card
    else:
        s.took[at // PARTS] = card + 1


def find_blank(s: State, pool: int, kind: int, skip: int) -> int:
    """One of the blank cards in a place: they are alike, so any."""
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
    s: State, seats: int, at: int, last: int, notes: Any, noting: bool, rng: Cells
) -> int:
    """Which of the cards in a place it was that went, by what was seen then and later."""
    pool = source(s, seats, at)
    card = gone(s, at)
    given = is_given(s, at)
    total = 0.0
    chosen = 0
    for kind in range(CLASSES):
        weight = share(s, pool, kind, card, given)
        if weight > 0:
            if at < last:
                move(s, at, pool, kind, card, given, 1)
                weight *= future(s, seats, at + 1, last, notes, noting)
                move(s, at, pool, kind, card, given, -1)
            total += weight
            if weight > 0 and fraction(rng) * total < weight:
                chosen = kind
    return chosen


def fraction(rng: Cells) -> float:
    """A number from 0 up to, but not, 1."""
    high = draw(rng) >> 5
    return (high * 67108864 + (draw(rng) >> 6)) / 9007199254740992.0


def future(s: State, seats: int, at: int, last: int, notes: Any, noting: bool) -> float:
    """How likely all is that was seen in parts `at` to `last`, as the cards now lie."""
    first = at
    pool = -1
    while at <= last and pool < 0:
        if at // PARTS <= s.row and at % PARTS == LAY:
            lay(s, at // PARTS, 1)
        else:
            pool = source(s, seats, at)
        at += 1
    total = 1.0
    if pool >= 0 and is_look(s, at - 1):
        before = pack(s, pool)
        total = examine(s, at - 1, pool)
        if total > 0:
            total *= future(s, seats, at, last, notes, noting)
            forget(s, pool, before)
    elif pool >= 0:
        key = key_of(s, at) if noting and at <= last else 0
        page = key % NOTES
        if key and notes[page] == key:
            total = notes[NOTES + page]
        else:
            total = 0.0
            card = gone(s, at - 1)
            given = is_given(s, at - 1)
            for kind in range(CLASSES):
                weight = share(s, pool, kind, card, given)
                if weight > 0:
                    if at <= last:
                        move(s, at - 1, pool, kind, card, given, 1)
                        weight *= future(s, seats, at, last, notes, noting)
                        move(s, at - 1, pool, kind, card, given, -1)
                    total += weight
            if key:
                notes[page] = key
                notes[NOTES + page] = total
    for back in range(first, at):
        if back // PARTS <= s.row and back % PARTS == LAY:
            lay(s, back // PARTS, -1)
    return total


def share(s: State, pool: int, kind: int, card: int, given: bool) -> float:
    """How many cards of one sort could be the one that left a place, weighed by their chance."""
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
    """Let a card of one sort leave a place as it was seen to; with sign -1, take that back."""
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


def lay(s: State, row: int, sign: int) -> None:
    """What came to lie face down in a row as all could see; with sign -1, take that back."""
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
    """How many of a kind lay in a place when the seats looked into it in part `at`."""
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
    """Look at all cards of a place: the chance that they are what they turned out to be.

    If they can be, they are known from now on.
    """
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


def missing(s: State, at: int, pool: int, card: int) -> int:
    """How many of a kind were seen in a place beyond those known to lie there."""
    return shown(s, at, pool, card) - s.known[pool, card]


def choose(n: int, k: int) -> float:
    """In how many ways k of n can be chosen."""
    if k < 0 or k > n:
        return 0.0
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


def pack(s: State, pool: int) -> int:
    """What is known of a place as one number, to come back to it."""
    packed = 0
    for kind in range(CLASSES):
        packed |= s.known[pool, kind] << 6 * kind
    return packed


def forget(s: State, pool: int, packed: int) -> None:
    """Come back to what was known of a place before it was examined."""
    for kind in range(CLASSES):
        before = packed >> 6 * kind & 63
        if kind == BLANK:
            s.blanks += before
        elif kind == EGGLESS:
            s.eggless += before
        else:
            s.rest[kind] += s.known[pool, kind] - before
        s.known[pool, kind] = before


def name_blanks(s: State, at: int, pool: int, rng: Cells) -> None:
    """Give the blank cards of a place that was examined their kinds."""
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
    """Deal what was never seen: first where no Egg can be, then everywhere else, then the Cave."""
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
    for i in range(s.size):
        if i == arrival:
            s.cave[i] = Card.ARRIVAL
        elif s.cave[i] == UNKNOWN:
            s.cave[i] = pick_rest(s, s.blanks, rng)
            s.blanks -= 1


def pick_rest(s: State, left: int, rng: Cells) -> int:
    """captain.know.memory: one of the cards never seen, each as likely."""
    skip = below(rng, left)
    card = 0
    while skip >= s.rest[card]:
        skip -= s.rest[card]
        card += 1
    s.rest[card] -= 1
    return card


def rebuild(s: State) -> None:
    """Lay the face-down cards where the rows, now all filled in, have brought them."""
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
