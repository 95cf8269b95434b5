"""Information-set Monte Carlo tree search, once for all games, compiled with each.

One tree for one observer: every iteration deals what the observer does not know anew (`resample`),
walks down the tree by actions that are legal in that deal, adds a node, plays on for a while, and
gives every node on the way the result of every seat. Each seat maximises its own share of the win;
chance and hidden things are averaged over.

The names below stand for the game's functions: `Build` puts them in.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

from veillee.engine.chance import below, draw
from veillee.engine.record import OVER, Cells

legal: Any = None
apply: Any = None
scores: Any = None
places: Any = None
resample: Any = None
guess: Any = None
lean: Any = None
believe: Any = None
WORLDS: Any = None

NONE = -1
ROOT = 0

FIRST, NEXT, ACTION, VISITS, CHANCES = range(5)
"""Columns of a node: first child, next sibling, the action that leads here, how often it was taken,
and how often it could have been."""
COLUMNS = 5

LONGEST_PATH = 256
SCORE_WEIGHT = 0.15
"""How much of a result is by how far one is ahead or behind: keeps a lost seat from resigning."""


def clear(nodes: Any, values: Any) -> None:
    """An empty tree: the root alone, which is node 0. Node count lies in the root's ACTION."""
    fresh(nodes, values, ROOT, 1)


def fresh(nodes: Any, values: Any, node: int, action: int) -> None:
    nodes[node, FIRST] = NONE
    nodes[node, NEXT] = NONE
    nodes[node, ACTION] = action
    nodes[node, VISITS] = 0
    nodes[node, CHANCES] = 0
    for seat in range(values.shape[1]):
        values[node, seat] = 0.0


def search(
    root: Any,
    work: Any,
    seats: int,
    rng: Cells,
    actions: Cells,
    child_of: Cells,
    path: Cells,
    points: Cells,
    result: Any,
    nodes: Any,
    values: Any,
    iterations: int,
    exploration: float,
    deepest: int,
    horizon: int,
) -> None:
    """Grow the tree by so many iterations.

    `root` is what the observer knows; `work` two records to play on; `deepest` how many decisions
    the tree may hold; `horizon` how many are played beyond it before the position is judged.
    """
    for _ in range(iterations):
        imagine(root, work, seats, rng)
        s = work[0]
        depth = descend(s, rng, actions, child_of, path, nodes, values, exploration, deepest)
        judge(s, rng, actions, points, result, horizon)
        for i in range(depth):
            node = path[i]
            nodes[node, VISITS] += 1
            for seat in range(s.players):
                values[node, seat] += result[seat]


def imagine(root: Any, work: Any, seats: int, rng: Cells) -> None:
    """Deal what the seats don't know: one of some deals, by what the game believes of them."""
    work[0] = root[0]
    resample(work[0], seats, rng)
    if WORLDS > 1:
        total = believe(work[0])
        for _ in range(WORLDS - 1):
            work[1] = root[0]
            resample(work[1], seats, rng)
            chance = believe(work[1])
            total += chance
            if draw(rng) * total < chance * 4294967296.0:
                work[0] = work[1]


def descend(
    s: Any,
    rng: Cells,
    actions: Cells,
    child_of: Cells,
    path: Cells,
    nodes: Any,
    values: Any,
    exploration: float,
    deepest: int,
) -> int:
    """Walk down, add a node where something is untried; how many nodes were passed."""
    node = ROOT
    path[0] = ROOT
    depth = 1
    while s.seat != OVER and depth <= deepest:
        n = legal(s, actions)
        child = nodes[node, FIRST]
        while child != NONE:
            child_of[nodes[child, ACTION]] = child
            child = nodes[child, NEXT]
        untried = 0
        new_action = 0
        best = NONE
        best_worth = -1.0
        for i in range(n):
            child = child_of[actions[i]]
            if child == NONE:
                untried += 1
                if below(rng, untried) == 0:
                    new_action = actions[i]
            else:
                nodes[child, CHANCES] += 1
                worth = values[child, s.seat] / nodes[child, VISITS] + exploration * sqrt(
                    log(nodes[child, CHANCES]) / nodes[child, VISITS]
                )
                if worth > best_worth:
                    best_worth = worth
                    best = child
        child = nodes[node, FIRST]
        while child != NONE:
            child_of[nodes[child, ACTION]] = NONE
            child = nodes[child, NEXT]
        count = nodes[ROOT, ACTION]
        if untried and count < len(nodes):
            fresh(nodes, values, count, new_action)
            nodes[count, CHANCES] = 1
            nodes[count, NEXT] = nodes[node, FIRST]
            nodes[node, FIRST] = count
            nodes[ROOT, ACTION] = count + 1
            path[depth] = count
            apply(s, new_action, rng, None)
            return depth + 1
        if best == NONE:
            return depth
        node = best
        path[depth] = node
        depth += 1
        apply(s, nodes[node, ACTION], rng, None)
    return depth


def judge(s: Any, rng: Cells, actions: Cells, points: Cells, result: Any, horizon: int) -> None:
    """Play on for a while, then every seat's share of the win, certain or guessed."""
    for _ in range(horizon):
        if s.seat == OVER:
            break
        n = legal(s, actions)
        apply(s, actions[lean(s, actions, n, rng)], rng, None)
    if s.seat == OVER:
        scores(s, points)
        for seat in range(s.players):
            result[seat] = points[seat]
        places(s, points)
        share(s.players, points, result)
    else:
        heat = guess(s, points, result)
        warm(s.players, result, heat)


def share(players: int, place: Cells, result: Any) -> None:
    """Turn final points into shares: the win, and a little for the margin."""
    winners = 0
    best = -1e9
    second = -1e9
    for seat in range(players):
        if place[seat] == 1:
            winners += 1
        if result[seat] > best:
            second = best
            best = result[seat]
        elif result[seat] > second:
            second = result[seat]
    for seat in range(players):
        rival = second if result[seat] == best else best
        margin = result[seat] - rival
        part = 0.5 + 0.5 * margin / (abs(margin) + 10.0)
        won = 1.0 / winners if place[seat] == 1 else 0.0
        result[seat] = (1.0 - SCORE_WEIGHT) * won + SCORE_WEIGHT * part


def warm(players: int, result: Any, heat: float) -> None:
    """Turn expected points into shares: the hotter, the less a lead is worth."""
    best = -1e9
    for seat in range(players):
        best = max(best, result[seat])
    total = 0.0
    for seat in range(players):
        result[seat] = exp((result[seat] - best) / heat)
        total += result[seat]
    for seat in range(players):
        result[seat] = result[seat] / total


def tally(nodes: Any, values: Any, seat: int, visits: Any) -> None:
    """Add the root's visits to the actions they went to, and the mean value as a tie-break."""
    child = nodes[ROOT, FIRST]
    while child != NONE:
        if nodes[child, VISITS]:
            mean = values[child, seat] / nodes[child, VISITS]
            visits[nodes[child, ACTION]] += nodes[child, VISITS] + mean
        child = nodes[child, NEXT]
