"""Oh Captain!: how a player decides where the others must not be able to read it.

Announcement, purchase and accusation are one small game about a secret, the card found. What each
end of it is worth, for every card that may have been found, is reckoned by playing on from there
in many deals. Then finder, Captain and target play this small game against each other by regret
matching until none could do much better, and the seat that decides goes by chance, as it did on
the average.

`judge` and `imagine` stand for the search's functions: `Build` puts them in.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.record import Cells
from veillee.games.captain.actions import ACCEPT, ACCUSE, ANNOUNCE, BUY, LEAVE, TARGET
from veillee.games.captain.knowledge import lean
from veillee.games.captain.rules import apply, found, legal, swap_cave
from veillee.games.captain.state import NOBODY, TOOLS, Card, Fate, Phase

judge: Any = None
imagine: Any = None

CARDS = 6
"""The kinds of cards that can be found."""
BOUGHT, ACCEPTED, ACCUSED = range(3)
ENDS = 3
FINDER, CAPTAIN, TARGETED = range(3)
ROLES = 3

# The table: for every card how often it was tried and how many of it there were; what every end
# was worth to each role; then, for finder, Captain and target, regrets and what was played.
TRIED = 0
THERE = TRIED + CARDS
WORTH = THERE + CARDS
TELL = WORTH + CARDS * TOOLS * ENDS * ROLES
TOLD = TELL + CARDS * TOOLS
TRADE = TOLD + CARDS * TOOLS
TRADED = TRADE + TOOLS * 2
REPLY = TRADED + TOOLS * 2
REPLIED = REPLY + TOOLS * 2
TURNS = REPLIED + TOOLS * 2
SIZE = TURNS + 1

ROUNDS = 400
LEAST = 0.08
"""A chance smaller than this is taken for noise."""


def asks(states: Any) -> bool:
    """Whether the decision is one of the small game."""
    phase = states[0].phase
    return phase == Phase.ANNOUNCE or phase == Phase.CHOICE or phase == Phase.ANSWER  # type: ignore[no-any-return]


# ---------------------------------------------------------------- what every end is worth


def ponder(
    root: Any,
    work: Any,
    seats: int,
    rng: Cells,
    actions: Cells,
    points: Cells,
    result: Any,
    table: Any,
    iterations: int,
    horizon: int,
) -> None:
    """Play on from every end, about so many games in all."""
    for _ in range(max(1, iterations // (TOOLS * ENDS))):
        imagine(root, work, seats, rng)
        rewind(work[0])
        card = next_card(root[0], work[0], table)
        put_on_top(work[0], card)
        table[TRIED + card] += 1
        for tool in range(TOOLS):
            at = end_of(card, tool, BOUGHT)
            try_tool(root, work, tool, rng, actions, points, result, table, at, horizon)


def end_of(card: int, tool: int, end: int) -> int:
    return WORTH + ((card * TOOLS + tool) * ENDS + end) * ROLES


def rewind(s: Any) -> None:
    """Back to the announcement."""
    if s.phase == Phase.ANSWER:
        s.down[s.turn, found(s)] -= 1
        s.hidden[s.turn] -= 1
    s.phase = Phase.ANNOUNCE
    s.seat = s.turn
    s.told[s.row] = 0
    s.fate[s.row] = Fate.OPEN
    s.target[s.row] = 0


def next_card(known: Any, s: Any, table: Any) -> int:
    """Which card to try: each in turn, but who knows the card tries it every other time."""
    for i in range(s.drawn - 1, s.size):
        if s.cave[i] != Card.ARRIVAL:
            table[THERE + s.cave[i]] += 1
    table[TURNS] += 1
    if known.phase == Phase.ANNOUNCE and table[TURNS] % 2 == 1:
        return found(known)
    least = NOBODY
    for i in range(s.drawn - 1, s.size):
        card = s.cave[i]
        if card != Card.ARRIVAL and (least == NOBODY or table[TRIED + card] < table[TRIED + least]):
            least = card
    return least


def put_on_top(s: Any, card: int) -> None:
    i = s.drawn - 1
    while s.cave[i] != card:
        i += 1
    swap_cave(s, s.drawn - 1, i)


def try_tool(
    root: Any,
    work: Any,
    tool: int,
    rng: Cells,
    actions: Cells,
    points: Cells,
    result: Any,
    table: Any,
    at: int,
    horizon: int,
) -> None:
    """Announce a tool, and see what comes of a purchase, of being believed and of being accused."""
    finder = work[0].turn
    captain = work[0].captain
    work[1] = work[0]
    s = work[1]
    apply(s, ANNOUNCE + tool, rng, None)
    if s.phase == Phase.CHOICE:
        work[2] = work[1]
        apply(work[2], BUY, rng, None)
        judge(work[2], rng, actions, points, result, horizon)
        note(table, at + BOUGHT * ROLES, result, finder, captain, NOBODY)
        apply(s, LEAVE, rng, None)
    if s.phase == Phase.TARGET:
        if root[0].phase == Phase.ANSWER and root[0].told[root[0].row] == tool + 1:
            apply(s, TARGET + root[0].seat, rng, None)
        else:
            n = legal(s, actions)
            apply(s, actions[lean(s, actions, n, rng)], rng, None)
    target = NOBODY
    if s.phase == Phase.ANSWER:
        target = s.seat
        work[2] = work[1]
        apply(work[2], ACCUSE, rng, None)
        judge(work[2], rng, actions, points, result, horizon)
        note(table, at + ACCUSED * ROLES, result, finder, captain, target)
        apply(s, ACCEPT, rng, None)
    judge(s, rng, actions, points, result, horizon)
    note(table, at + ACCEPTED * ROLES, result, finder, captain, target)
    if target == NOBODY:
        note(table, at + ACCUSED * ROLES, result, finder, captain, target)


def note(table: Any, at: int, result: Any, finder: int, captain: int, target: int) -> None:
    table[at + FINDER] += result[finder]
    table[at + CAPTAIN] += result[captain]
    if target != NOBODY:
        table[at + TARGETED] += result[target]


# ---------------------------------------------------------------- the small game


def settle(root: Any, table: Any, chances: Any) -> None:
    """Play the small game out, and tell how often each legal action was taken, in their order."""
    s = root[0]
    total = 0.0
    for card in range(CARDS):
        total += table[THERE + card]
    for card in range(CARDS):
        table[THERE + card] /= total
        if table[TRIED + card] > 0:
            for i in range(TOOLS * ENDS * ROLES):
                table[end_of(card, 0, 0) + i] /= table[TRIED + card]
    for turn in range(ROUNDS):
        play_round(table, s.coins[s.captain] > 0, turn + 1.0)
    if s.phase == Phase.ANNOUNCE:
        tell(table, TOLD + found(s) * TOOLS, TOOLS, chances)
    else:
        tool = s.told[s.row] - 1
        tell(table, (TRADED if s.phase == Phase.CHOICE else REPLIED) + tool * 2, 2, chances)


def play_round(table: Any, buys: bool, weight: float) -> None:
    """Everybody regrets what would have been better; later rounds weigh more."""
    for tool in range(TOOLS):
        trade = TRADE + tool * 2
        reply = REPLY + tool * 2
        accept = part(table, reply, 2, 0)
        buy = part(table, trade, 2, 0) if buys else 0.0
        bought = 0.0
        left = 0.0
        accepted = 0.0
        accused = 0.0
        for card in range(CARDS):
            if table[TRIED + card] > 0:
                told = table[THERE + card] * part(table, TELL + card * TOOLS, TOOLS, tool)
                at = end_of(card, tool, BOUGHT)
                bought += told * table[at + CAPTAIN]
                left += told * unsold(table, at + CAPTAIN, accept)
                accepted += told * table[at + ACCEPTED * ROLES + TARGETED]
                accused += told * table[at + ACCUSED * ROLES + TARGETED]
        regret(table, trade, bought - left, buy)
        regret(table, reply, accepted - accused, accept)
        if buys:
            buy = part(table, trade, 2, 0)
        table[TRADED + tool * 2] += weight * buy
        table[TRADED + tool * 2 + 1] += weight * (1.0 - buy)
        accept = part(table, reply, 2, 0)
        table[REPLIED + tool * 2] += weight * accept
        table[REPLIED + tool * 2 + 1] += weight * (1.0 - accept)
    for card in range(CARDS):
        if table[TRIED + card] > 0:
            tell_better(table, card, buys, weight)


def tell_better(table: Any, card: int, buys: bool, weight: float) -> None:
    """The finder's part of a round, for one card."""
    first = TELL + card * TOOLS
    mean = 0.0
    for tool in range(TOOLS):
        chance = part(table, first, TOOLS, tool)
        mean += chance * announced(table, card, tool, buys)
    for tool in range(TOOLS):
        worth = announced(table, card, tool, buys)
        table[first + tool] = max(0.0, table[first + tool] + worth - mean)
    for tool in range(TOOLS):
        table[TOLD + card * TOOLS + tool] += weight * part(table, first, TOOLS, tool)


def announced(table: Any, card: int, tool: int, buys: bool) -> float:
    """What an announcement is worth to the finder of a card."""
    at = end_of(card, tool, BOUGHT) + FINDER
    buy = part(table, TRADE + tool * 2, 2, 0) if buys else 0.0
    left = unsold(table, at, part(table, REPLY + tool * 2, 2, 0))
    return buy * table[at] + (1.0 - buy) * left  # type: ignore[no-any-return]


def unsold(table: Any, at: int, accept: float) -> float:
    """What it is worth that the Captain leaves a card, to the role that `at` points to."""
    accepted = table[at + ACCEPTED * ROLES]
    return accept * accepted + (1.0 - accept) * table[at + ACCUSED * ROLES]  # type: ignore[no-any-return]


def part(table: Any, first: int, n: int, one: int) -> float:
    """How often one of n is chosen by their regrets."""
    total = 0.0
    for i in range(n):
        total += table[first + i]
    return table[first + one] / total if total > 0 else 1.0 / n


def regret(table: Any, first: int, gain: float, chance: float) -> None:
    """Regret one of two, of which the first was `gain` better and chosen with that chance."""
    table[first] = max(0.0, table[first] + (1.0 - chance) * gain)
    table[first + 1] = max(0.0, table[first + 1] - chance * gain)


def tell(table: Any, first: int, n: int, chances: Any) -> None:
    """The average as chances, without what is too rare to be meant."""
    kept = 0.0
    for i in range(n):
        chances[i] = part(table, first, n, i)
        if chances[i] < LEAST:
            chances[i] = 0.0
        kept += chances[i]
    for i in range(n):
        chances[i] /= kept
