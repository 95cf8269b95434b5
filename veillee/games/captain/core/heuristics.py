"""Oh Captain!: what the bots know of it beyond the rules."""

from __future__ import annotations

from enum import IntEnum
from math import exp
from typing import Any

from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below, draw
from veillee.engine.jit.scratch import stack_array
from veillee.games.captain.core.actions import (
    ADVENTURER,
    FISH,
    GIVE,
    PASS,
    ROB,
    TAKE,
    TAKE_HIDDEN,
    TARGET,
    TURN,
)
from veillee.games.captain.core.rules import (
    MAJORITIES,
    cards_of,
    found,
    majority,
    tool_of,
    worth_of_loot,
)
from veillee.games.captain.core.state import (
    KINDS,
    NOBODY,
    SEATS,
    TOOLS,
    Adventurer,
    Answer,
    Card,
    Fate,
    Phase,
    State,
    Tool,
)

HAS_LIKELIHOOD = True
INLINED = ("policy_odds", "weigh_heard", "drawn")
"""So that odds and parts stay in registers."""
MOST_MIXED = 6
"""The most actions of a decision that must not be predictable."""
LANE = 5
LANE_MASK = (1 << LANE) - 1
"""The cards to come are counted in one integer, with so many bits for each kind."""
ANY_CARD = 31
"""Mask of the index of a card in the Cave: it tells the compiler that an index is not negative."""
PATIENCE = 2.0
"""After so many times, what was seen of a player counts as much as what is expected of anyone."""


class Weight(IntEnum):
    """Rows of `weights.toml`."""

    BOTTLE = 0
    """What it is worth to be Captain, in coins."""
    TIES = 1
    """What Lys's power is worth, in cards of a majority."""
    FISHING = 2
    """What Nostromo's is worth, for each card to come; Red's costs as much."""
    STEEP = 3
    """How much one more card counts for a majority, divided by SURE and the cards to come."""
    SURE = 4
    COOL = 5
    """How uncertain it is in the end who wins."""
    WARMER = 6
    """How much more uncertain it is for each card to come."""
    HONEST = 7
    """How often a tool is announced for what it is; else as any of the others alike."""
    TRUST = 8
    """How often others are expected to, before they have shown anything."""
    BUYING = 9
    """What buying is worth beyond what is counted, in coins."""
    BUYING_DOUBT = 10
    """How evenly buying and leaving are mixed, in coins of difference between them."""
    ACCUSING = 11
    """The same two for accusing and accepting."""
    ACCUSING_DOUBT = 12
    MUTINY = 13
    """How often who may mutiny does."""
    ADVENTURERS = 14
    """Log-odds with which each Adventurer is chosen."""


FITTED = {
    Weight.BOTTLE: (0.4, -3.0, 3.0, 1),
    Weight.TIES: (0.1, 0.0, 1.5, 1),
    Weight.FISHING: (0.04, -0.3, 0.5, 1),
    Weight.STEEP: (0.5, 0.5, 12.0, 1),
    Weight.SURE: (0.3, 0.2, 6.0, 1),
    Weight.COOL: (0.2, 0.4, 5.0, 1),
    Weight.WARMER: (0.04, 0.0, 1.0, 1),
}
"""Weights of the evaluation that are fitted to who won, as below."""
LEARNT = {
    Weight.HONEST: (0.1, 0.1, 0.9, 1),
    Weight.TRUST: (0.1, 0.1, 0.9, 1),
    Weight.BUYING: (0.3, -3.0, 3.0, 1),
    Weight.BUYING_DOUBT: (0.1, 0.1, 3.0, 1),
    Weight.ACCUSING: (0.2, -3.0, 3.0, 1),
    Weight.ACCUSING_DOUBT: (0.1, 0.1, 3.0, 1),
    Weight.MUTINY: (0.1, 0.1, 0.9, 1),
    Weight.ADVENTURERS: (0.3, -2.0, 2.0, 6),
}
"""Weights of the policy that are learnt by playing: a step worth trying, the lowest and highest
value, and how many columns the row has."""


def evaluate(s: State, weights: Any, points: Cells, result: Any) -> float:
    """Coins and cards, a part of every token, and what Bottle and Adventurer promise."""
    left = 0
    coming = 0
    while s.cave[s.drawn + left] != Card.ARRIVAL:
        coming += 1 << LANE * s.cave[s.drawn + left]
        left += 1
    for seat in range(s.players):
        result[seat] = s.coins[seat] + worth_of_loot(s, seat)
        if seat == s.captain:
            result[seat] += weights[Weight.BOTTLE, 0]
        if s.adventurer[seat] == Adventurer.NOSTROMO:
            result[seat] += weights[Weight.FISHING, 0] * left
        elif s.adventurer[seat] == Adventurer.RED:
            result[seat] -= weights[Weight.FISHING, 0] * left
    for card in MAJORITIES:
        hope(s, weights, card, left, coming >> LANE * card & LANE_MASK, result)
    temperature: float = weights[Weight.COOL, 0] + weights[Weight.WARMER, 0] * left
    return temperature


def hope(s: State, weights: Any, card: int, left: int, coming: int, result: Any) -> None:
    """A token's worth, shared by how many cards of its kind each has and how many may come."""
    if coming == 0 and left < 3:
        holder = majority(s, card)
        if holder != NOBODY:
            result[holder] += s.token
        return
    chances = stack_array(SEATS)
    steep = weights[Weight.STEEP, 0] / (weights[Weight.SURE, 0] + coming)
    ties = weights[Weight.TIES, 0]
    total = 0.0
    for seat in range(s.players):
        chances[seat] = chance_of(s, seat, card, steep, ties)
        total += chances[seat]
    for seat in range(s.players):
        result[seat] += s.token * chances[seat] / total


def chance_of(s: State, seat: int, card: int, steep: float, ties: float) -> float:
    extra = ties if s.adventurer[seat] == Adventurer.LYS else 0.0
    return exp(steep * (cards_of(s, seat, card) + extra))


# ---------------------------------------------------------------- what players have shown


def honesty(s: State, seat: int, expected: float) -> float:
    """How often a seat announces a tool for what it is, of which so much is expected of anyone."""
    times = 0
    true = 0
    first = s.laid & ANY_CARD
    # Without branches, so that it becomes vectors: policies ask at nearly every decision.
    for row in range(s.row + 1):
        card = s.cave[first + row]
        shown = (s.finder[row] == seat) & (card != Card.EGG) & is_revealed(s, row)
        times += shown
        true += shown & (tool_of(card) == s.told[row] - 1)
    return learnt(expected, true, times)


def is_revealed(s: State, row: int) -> bool:
    return (s.fate[row] == Fate.BOUGHT) | (s.answer[row] == Answer.ACCUSED)


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


def learnt(expected: float, seen: float, times: float) -> float:
    return (PATIENCE * expected + seen) / (PATIENCE + times)


def likelihood(s: State, weights: Any) -> float:
    """How likely such cards make the announcements that were heard."""
    times = stack_array(SEATS)
    true = stack_array(SEATS)
    for seat in range(s.players):
        times[seat] = 0.0
        true[seat] = 0.0
    for row in range(s.row + 1):
        card = s.cave[s.laid + row]
        if is_revealed(s, row) and card != Card.EGG:
            times[s.finder[row]] += 1.0
            true[s.finder[row]] += tool_of(card) == s.told[row] - 1
    expected = weights[Weight.TRUST, 0]
    chance = 1.0
    for row in range(s.row + 1):
        if s.told[row] and not is_revealed(s, row):
            seat = s.finder[row]
            chance *= chance_to_tell(
                s.cave[s.laid + row], s.told[row] - 1, learnt(expected, true[seat], times[seat])
            )
    return chance


def chance_to_tell(card: int, tool: int, honest: float) -> float:
    """How likely someone so honest announces a card as a tool."""
    true = tool_of(card)
    if true == NOBODY:
        return 0.25
    return honest if true == tool else (1.0 - honest) / 3


def hides_intent(s: State) -> bool:
    """Whether one decides by what one thinks of the others, whose cards one can't see."""
    phase = s.phase
    return phase == Phase.ANNOUNCE or phase == Phase.CHOICE or phase == Phase.ANSWER


def must_mix(s: State) -> bool:
    """Whether others gain by knowing beforehand what one does."""
    return hides_intent(s) or s.phase == Phase.RICH or s.phase == Phase.ADVENTURER


def policy_odds(s: State, weights: Any, actions: Cells, n: int, odds: Any) -> bool:
    """Write how likely each action is, where one must not be predictable.

    It is what a player of some sense does, from what its seat knows.
    """
    trust = weights[Weight.TRUST, 0]
    if s.phase == Phase.ANNOUNCE:
        true = tool_of(found(s))
        chance = honesty(s, s.seat, weights[Weight.HONEST, 0]) if true != NOBODY else 0.0
        for tool in range(TOOLS):
            odds[tool] = (1.0 - chance) / (TOOLS - (true != NOBODY))
        if true != NOBODY:
            odds[true] = chance
    elif s.phase == Phase.CHOICE:
        worth = bargain(s, honesty(s, s.turn, trust)) + weights[Weight.BUYING, 0]
        expected = temper(worth, weights[Weight.BUYING_DOUBT, 0])
        odds[0] = buying(s, s.seat, expected)
        odds[1] = 1.0 - odds[0]
    elif s.phase == Phase.ANSWER:
        worth = suspicion(s, honesty(s, s.turn, trust)) + weights[Weight.ACCUSING, 0]
        expected = temper(worth, weights[Weight.ACCUSING_DOUBT, 0])
        odds[1] = accusing(s, s.seat, expected)
        odds[0] = 1.0 - odds[1]
    elif s.phase == Phase.RICH:
        odds[0] = weights[Weight.MUTINY, 0]
        odds[1] = 1.0 - odds[0]
    elif s.phase == Phase.ADVENTURER:
        for i in range(n):
            odds[i] = exp(weights[Weight.ADVENTURERS, actions[i] - ADVENTURER])
    else:
        return False
    return True


def rollout_policy(s: State, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Draw by the odds above; for the rest, three times in four take what looks best."""
    odds = stack_array(MOST_MIXED)
    if n > 1 and policy_odds(s, weights, actions, n, odds):
        return drawn(odds, n, rng)
    if below(rng, 4) == 0:
        return below(rng, n)
    return best_looking(s, actions, n)


def drawn(odds: Any, n: int, rng: Cells) -> int:
    total = 0.0
    for i in range(n):
        total += odds[i]
    at = draw(rng) / 4294967296.0 * total
    for i in range(n - 1):
        at -= odds[i]
        if at < 0.0:
            return i
    return n - 1


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


def weigh_heard(s: State, seat: int, tool: int, honest: float, parts: Any) -> None:
    """Write how much of what was announced each kind of cards accounts for, to a seat that heard.

    That is how many are `unseen`, of all kinds at once, times the chance that one so honest
    announces such a card so.
    """
    for card in range(Card.PURSE):
        parts[card] = s.total[card] - s.down[seat, card]
    if seat == s.captain:
        for card in range(Card.PURSE):
            parts[card] -= s.discard[card]
    for other in range(s.players):
        for card in range(Card.PURSE):
            parts[card] -= s.up[other, card]
    lie = (1.0 - honest) / 3
    for card in range(Card.PURSE):
        true = tool_of(card)
        if true == NOBODY:
            parts[card] *= 0.25
        else:
            parts[card] *= honest if true == tool else lie


def truth(s: State, seat: int, tool: int, honest: float) -> float:
    """How likely an announcement is true, to a seat that heard it from one so honest."""
    parts = stack_array(KINDS)
    weigh_heard(s, seat, tool, honest, parts)
    total = 0.0
    true = 0.0
    for card in range(Card.PURSE):
        total += parts[card]
        if tool_of(card) == tool:
            true += parts[card]
    return true / total if total > 0 else 0.0


def bargain(s: State, honest: float) -> float:
    """What buying the card that was announced is worth to the Captain, in coins."""
    tool = s.told[s.row] - 1
    parts = stack_array(KINDS)
    weigh_heard(s, s.captain, tool, honest, parts)
    total = 0.0
    worth = 0.0
    true = 0.0
    for card in range(Card.PURSE):
        total += parts[card]
        worth += parts[card] * price(s, card)
        if tool_of(card) == tool:
            true += parts[card]
    if total > 0:
        worth /= total
        true /= total
    cost = 1.3 if s.coins[s.captain] > s.price else 1.6
    return 1.3 * worth + harm(tool) * true - s.price * cost


def suspicion(s: State, honest: float) -> float:
    """What accusing is worth to the target beyond accepting, in coins."""
    tool = s.told[s.row] - 1
    true = truth(s, s.seat, tool, honest)
    return (1.0 - true) * (harm(tool) + s.stake) - s.stake * true


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
        return 1.0 if action == TAKE_HIDDEN else price(s, action - TAKE)
    if s.phase == Phase.FISH:
        return price(s, action - FISH)
    if s.phase == Phase.MOON:
        return price(s, action - TURN)
    if s.phase == Phase.SIANA:
        return -price(s, (action - GIVE) % KINDS)
    return 0.0


def price(s: State, card: int) -> float:
    """What a card is worth: its points, and a part of the token that its kind may bring."""
    if Card.HOOK <= card <= Card.PISTOL:
        return s.worth[card] + 0.4 * s.token
    return 1.0 * s.worth[card]


def in_sight(s: State, seat: int) -> float:
    """What all can see that a seat has."""
    total = s.coins[seat] + 0.8 * s.hidden[seat]
    for card in range(KINDS):
        total += price(s, card) * s.up[seat, card]
    return total
