"""Oh Captain!: what the bots know of it beyond the rules."""

from __future__ import annotations

from math import exp
from typing import Any

from veillee.engine.chance import below, draw
from veillee.engine.record import Cells
from veillee.games.captain.actions import (
    FISH,
    GIVE,
    PASS,
    ROB,
    TAKE,
    TAKE_HIDDEN,
    TARGET,
    TURN,
)
from veillee.games.captain.rules import MAJORITIES, TOKEN, cards_of, found, majority, tool_of
from veillee.games.captain.state import (
    KINDS,
    NOBODY,
    TOOLS,
    Adventurer,
    Answer,
    Card,
    Fate,
    Phase,
    State,
    Tool,
)

BELIEVES = True
HONEST = 0.43
"""How often a tool is announced for what it is; else as any of the others alike."""
PATIENCE = 2.0
"""After so many times, what was seen of a player counts as much as what is expected of anyone."""

# Fitted to who won 400 games of three that `lean` played, at the start of every turn.
BOTTLE = -0.6
"""What it is worth to be Captain, in coins."""
TIES = 0.7
"""What Lys's power is worth, in cards of a majority."""
FISHING = 0.13
"""What Nostromo's is worth, for each card to come; Red's costs as much."""
STEEP = 5.0
"""How much one more card counts for a majority; divided by the cards that may still come."""
SURE = 1.5
COOL = 1.5
"""How uncertain it is in the end who wins, and by how much more for each card to come."""
WARMER = 0.3


def guess(s: State, points: Cells, result: Any) -> float:
    """Coins and cards, a part of every token, and what Bottle and Adventurer promise."""
    left = 0
    while s.cave[s.drawn + left] != Card.ARRIVAL:
        left += 1
    for seat in range(s.players):
        result[seat] = (
            s.coins[seat]
            + 3.0 * cards_of(s, seat, Card.LANTERN_3)
            + 2.0 * cards_of(s, seat, Card.LANTERN_2)
            + cards_of(s, seat, Card.PURSE)
            - cards_of(s, seat, Card.EGG)
        )
        if seat == s.captain:
            result[seat] += BOTTLE
        if s.adventurer[seat] == Adventurer.NOSTROMO:
            result[seat] += FISHING * left
        elif s.adventurer[seat] == Adventurer.RED:
            result[seat] -= FISHING * left
    for card in MAJORITIES:
        hope(s, card, left, result)
    return COOL + WARMER * left


def hope(s: State, card: int, left: int, result: Any) -> None:
    """A token's worth, shared by how many cards of its kind each has and how many may come."""
    coming = 0
    for i in range(s.drawn, s.drawn + left):
        if s.cave[i] == card:
            coming += 1
    if coming == 0 and left < 3:
        holder = majority(s, card)
        if holder != NOBODY:
            result[holder] += TOKEN
        return
    steep = STEEP / (SURE + coming)
    total = 0.0
    for seat in range(s.players):
        total += chance_of(s, seat, card, steep)
    for seat in range(s.players):
        result[seat] += TOKEN * chance_of(s, seat, card, steep) / total


def chance_of(s: State, seat: int, card: int, steep: float) -> float:
    ties = TIES if s.adventurer[seat] == Adventurer.LYS else 0.0
    return exp(steep * (cards_of(s, seat, card) + ties))


# ---------------------------------------------------------------- what players have shown


def honesty(s: State, seat: int) -> float:
    """How often a seat announces a tool for what it is, by what all have seen of it."""
    times = 0
    true = 0
    for row in range(s.row + 1):
        if s.finder[row] == seat and is_revealed(s, row):
            tool = tool_of(s.cave[s.laid + row])
            if tool != NOBODY:
                times += 1
                true += tool == s.told[row] - 1
    return learnt(HONEST, true, times)


def is_revealed(s: State, row: int) -> bool:
    return s.fate[row] == Fate.BOUGHT or s.answer[row] == Answer.ACCUSED


def buying(s: State, seat: int, expected: float) -> float:
    """How often a seat buys, of which so much would be expected of anyone."""
    times = 0
    bought = 0
    for row in range(s.row + 1):
        if s.chief[row] == seat and s.fate[row] != Fate.OPEN:
            times += 1
            bought += s.fate[row] == Fate.BOUGHT
    return learnt(expected, bought, times)


def accusing(s: State, seat: int, expected: float) -> float:
    """How often a seat accuses, of which so much would be expected of anyone."""
    times = 0
    accused = 0
    for row in range(s.row + 1):
        if s.target[row] == seat + 1 and s.answer[row] != Answer.NONE:
            times += 1
            accused += s.answer[row] == Answer.ACCUSED
    return learnt(expected, accused, times)


def learnt(expected: float, seen: int, times: int) -> float:
    return (PATIENCE * expected + seen) / (PATIENCE + times)


def believe(s: State) -> float:
    """How likely such cards make the announcements that were heard."""
    chance = 1.0
    for seat in range(s.players):
        honest = honesty(s, seat)
        for row in range(s.row + 1):
            if s.finder[row] == seat and s.told[row] and not is_revealed(s, row):
                true = tool_of(s.cave[s.laid + row])
                if true == NOBODY:
                    chance *= 0.25
                elif true == s.told[row] - 1:
                    chance *= honest
                else:
                    chance *= (1.0 - honest) / 3
    return chance


def veiled(s: State) -> bool:
    """Whether one decides by what one thinks of the others, whose cards one can't see."""
    phase = s.phase
    return phase == Phase.ANNOUNCE or phase == Phase.CHOICE or phase == Phase.ANSWER


def lean(s: State, actions: Cells, n: int, rng: Cells) -> int:
    """What a player of some sense does, now this way, now that; from what its seat knows."""
    if s.phase == Phase.ANNOUNCE:
        true = tool_of(found(s))
        if true != NOBODY and happens(honesty(s, s.seat), rng):
            return true
        lie = below(rng, TOOLS)
        return lie if lie != true else (lie + 1) % TOOLS
    if s.phase == Phase.CHOICE:
        expected = temper(bargain(s, honesty(s, s.turn)), 0.3)
        return 0 if happens(buying(s, s.seat, expected), rng) else 1
    if s.phase == Phase.ANSWER:
        expected = temper(suspicion(s, honesty(s, s.turn)), 0.2)
        return 1 if happens(accusing(s, s.seat, expected), rng) else 0
    if s.phase == Phase.RICH:
        return 0 if below(rng, 100) < 90 else 1
    if below(rng, 4) == 0:
        return below(rng, n)
    return best_looking(s, actions, n)


def happens(chance: float, rng: Cells) -> bool:
    return draw(rng) < 4294967296.0 * chance


def temper(worth: float, doubt: float) -> float:
    """How often to do what is worth so much, by someone with such doubts."""
    return 1.0 / (1.0 + exp(-worth / doubt))


def best_looking(s: State, actions: Cells, n: int) -> int:
    best = 0
    most = promise(s, actions[0])
    for i in range(1, n):
        worth = promise(s, actions[i])
        if worth > most:
            most = worth
            best = i
    return best


def unseen(s: State, seat: int, card: int) -> int:
    """How many cards of a kind lie where a seat can't look."""
    cards = s.total[card] - s.down[seat, card]
    if seat == s.captain:
        cards -= s.discard[card]
    for other in range(s.players):
        cards -= s.up[other, card]
    return cards


def heard(s: State, seat: int, card: int, tool: int, honest: float) -> float:
    """How much of what was announced a kind of cards accounts for, to a seat that heard it."""
    true = tool_of(card)
    if true == NOBODY:
        return 0.25 * unseen(s, seat, card)
    return unseen(s, seat, card) * (honest if true == tool else (1.0 - honest) / 3)


def truth(s: State, seat: int, tool: int, honest: float) -> float:
    """How likely an announcement is true, to a seat that heard it from one so honest."""
    total = 0.0
    true = 0.0
    for card in range(Card.PURSE):
        part = heard(s, seat, card, tool, honest)
        total += part
        if tool_of(card) == tool:
            true += part
    return true / total if total > 0 else 0.0


def bargain(s: State, honest: float) -> float:
    """What buying the card that was announced is worth to the Captain, in coins."""
    tool = s.told[s.row] - 1
    total = 0.0
    worth = 0.0
    true = 0.0
    for card in range(Card.PURSE):
        part = heard(s, s.captain, card, tool, honest)
        total += part
        worth += part * price(card)
        if tool_of(card) == tool:
            true += part
    if total > 0:
        worth /= total
        true /= total
    cost = 1.3 if s.coins[s.captain] > 1 else 1.6
    return 1.3 * worth + harm(tool) * true - cost


def suspicion(s: State, honest: float) -> float:
    """What accusing is worth to the target beyond accepting, in coins."""
    tool = s.told[s.row] - 1
    true = truth(s, s.seat, tool, honest)
    return (1.0 - true) * (harm(tool) + 1.0) - true


def harm(tool: int) -> float:
    """What being hit costs."""
    return 0.4 if tool == Tool.LANTERN else 1.2


def promise(s: State, action: int) -> float:
    """What an action is worth at first sight, among those of one decision."""
    if s.phase in (Phase.TARGET, Phase.RED):
        seat = action - (TARGET if s.phase == Phase.TARGET else ROB)
        return in_sight(s, seat)
    if action == PASS:
        return 0.0
    if s.phase == Phase.CARD:
        return 1.0 if action == TAKE_HIDDEN else price(action - TAKE)
    if s.phase == Phase.FISH:
        return price(action - FISH)
    if s.phase == Phase.MOON:
        return price(action - TURN)
    if s.phase == Phase.SIANA:
        return -price((action - GIVE) % KINDS)
    return 0.0


def price(card: int) -> float:
    if card == Card.LANTERN_3:
        return 3.0
    if card == Card.LANTERN_2:
        return 2.0
    if card == Card.EGG:
        return -1.0
    return 1.0 if card == Card.PURSE else 1.6


def in_sight(s: State, seat: int) -> float:
    """What all can see that a seat has."""
    total = s.coins[seat] + 0.8 * s.hidden[seat]
    for card in range(KINDS):
        total += price(card) * s.up[seat, card]
    return total
