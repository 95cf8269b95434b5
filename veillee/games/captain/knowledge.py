"""Oh Captain!: what the bots know of it beyond the rules."""

from __future__ import annotations

from math import exp
from typing import Any

from veillee.engine.chance import below
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
from veillee.games.captain.state import KINDS, NOBODY, TOOLS, Card, Phase, State, Tool

WORLDS = 4
"""Among how many deals one is chosen by what was announced."""
HONEST = 0.6
"""How often a tool is announced for what it is; else as any of the others alike."""
DRAWN = 0.45
"""What a card still to come is worth to its finder, and to the Captain."""
BOUGHT = 0.25


def guess(s: State, points: Cells, result: Any) -> float:
    """Coins and cards, a part of every token, and what the Cave still promises."""
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
            result[seat] += BOUGHT * left + 0.5
        else:
            result[seat] += DRAWN * left / (s.players - 1)
    for card in MAJORITIES:
        hope(s, card, left, result)
    return 1.2 + 0.16 * left


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
    steep = 3.0 / (1.5 + coming)
    total = 0.5
    for seat in range(s.players):
        total += exp(steep * cards_of(s, seat, card))
    for seat in range(s.players):
        result[seat] += TOKEN * exp(steep * cards_of(s, seat, card)) / total


def believe(s: State) -> float:
    """How likely such cards make the announcements that were heard."""
    chance = 1.0
    for row in range(s.row + 1):
        if s.told[row]:
            true = tool_of(s.cave[s.laid + row])
            if true == NOBODY:
                chance *= 0.25
            elif true == s.told[row] - 1:
                chance *= HONEST
            else:
                chance *= (1.0 - HONEST) / 3
    return chance


def lean(s: State, actions: Cells, n: int, rng: Cells) -> int:
    """What a player of some sense does, now this way, now that; from what its seat knows."""
    if s.phase == Phase.ANNOUNCE:
        true = tool_of(found(s))
        if true != NOBODY and below(rng, 100) < 60:
            return true
        lie = below(rng, TOOLS)
        return lie if lie != true else (lie + 1) % TOOLS
    if s.phase == Phase.CHOICE:
        return 0 if below(rng, 100) < (35 if s.coins[s.captain] > 1 else 20) else 1
    if s.phase == Phase.ANSWER:
        return 1 if below(rng, 100) < (25 if s.told[s.row] - 1 == Tool.LANTERN else 40) else 0
    if s.phase == Phase.RICH:
        return 0 if below(rng, 100) < 60 else 1
    if below(rng, 4) == 0:
        return below(rng, n)
    best = 0
    worth = -100.0
    for i in range(n):
        one = promise(s, actions[i])
        if one > worth:
            worth = one
            best = i
    return best


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
