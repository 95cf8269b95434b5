"""Oh Captain!: players to measure oneself against, who don't search.

Each is handed a seat's view, the legal actions, and chance, and answers with the place of one.
"""

from __future__ import annotations

from collections.abc import Callable

from veillee.engine.jit.layout import Cells
from veillee.engine.jit.rng import below
from veillee.engine.refusal import Refusal
from veillee.games.captain.core.actions import ADVENTURER
from veillee.games.captain.core.heuristics import (
    bargain,
    best_looking,
    harm,
    suspicion,
    unseen,
)
from veillee.games.captain.core.rules import found, tool_of
from veillee.games.captain.core.state import NOBODY, TOOLS, Adventurer, Card, Phase, State

TOOL_CARDS = ((Card.LANTERN_3, Card.LANTERN_2), (Card.HOOK,), (Card.LIZARD,), (Card.PISTOL,))
LIKED = (
    Adventurer.RED,
    Adventurer.ULRICH,
    Adventurer.MOON,
    Adventurer.SIANA,
    Adventurer.LYS,
    Adventurer.NOSTROMO,
)
"""The best last."""
HONEST = 0.43
"""Expected probability that a tool is announced truthfully."""
HABITS = {
    "true": Phase.ANNOUNCE,
    "lie": Phase.ANNOUNCE,
    "accuse": Phase.ANSWER,
    "accept": Phase.ANSWER,
    "buy": Phase.CHOICE,
    "leave": Phase.CHOICE,
}
"""Habits by name, and the phase of each."""


def greedy(_: str) -> Callable[[State, Cells, int, Cells], int]:
    """True half the time, else lies what is easily believed; buys and accuses by the odds."""
    return sensible


def sensible(s: State, actions: Cells, n: int, rng: Cells) -> int:
    if s.phase == Phase.ANNOUNCE:
        true = tool_of(found(s))
        return true if true != NOBODY and below(rng, 2) else credible(s, true, rng)
    if s.phase == Phase.CHOICE:
        return 0 if bargain(s, HONEST) > 0 else 1
    if s.phase == Phase.ANSWER:
        return 1 if suspicion(s, HONEST) > 0 else 0
    if s.phase == Phase.RICH:
        return 0
    if s.phase == Phase.ADVENTURER:
        return max(range(n), key=lambda i: LIKED.index(actions[i] - ADVENTURER + 1))
    return best_looking(s, actions, n)


def credible(s: State, true: int, rng: Cells) -> int:
    """Draw a false announcement, weighted by plausibility (unseen cards) times harm."""
    weights = [0] * TOOLS
    for tool in range(TOOLS):
        if tool != true:
            cards = sum(unseen(s, s.seat, card) for card in TOOL_CARDS[tool])
            weights[tool] = 1 + int(10 * cards * harm(tool))
    at = below(rng, sum(weights))
    tool = 0
    while at >= weights[tool]:
        at -= weights[tool]
        tool += 1
    return tool


def habit(names: str) -> Callable[[State, Cells, int, Cells], int]:
    """Always does the same where a habit says so: `habit:lie,accuse`; else is sensible.

    Of two habits for one decision, either by chance.
    """
    habits = names.split(",")
    for name in habits:
        if name not in HABITS:
            raise Refusal("unknown", "bots.level", name=name[:40], levels=", ".join(HABITS))

    def choose(s: State, actions: Cells, n: int, rng: Cells) -> int:
        mine = [name for name in habits if HABITS[name] == s.phase]
        return follow(mine[below(rng, len(mine))], s, rng) if mine else sensible(s, actions, n, rng)

    return choose


def follow(name: str, s: State, rng: Cells) -> int:
    """The place of the action that a habit wants; who can't be true lies."""
    if s.phase != Phase.ANNOUNCE:
        return 1 if name in ("accuse", "leave") else 0
    true = tool_of(found(s))
    return true if name == "true" and true != NOBODY else credible(s, true, rng)


BASELINES = {"greedy": greedy, "habit": habit}
