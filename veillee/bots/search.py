"""Information-set Monte Carlo tree search, once for all games, compiled with each.

One tree for one observer: every iteration deals what the observer does not know anew (`resample`),
walks down the tree by actions that are legal in that deal, adds to it, plays on for a while, and
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
veiled: Any = None
BELIEVES: Any = None

NONE = -1
ROOT = 0

FIRST, NEXT, ACTION, VISITS, CHANCES = range(5)
"""Columns of a node: first child, next sibling, the action that leads here, how often it was taken,
and how often it could have been."""
COLUMNS = 5

CHAIN = 3
WORK = CHAIN + 1
"""How many records a search plays on: the deal, two to try things on, and the deal before."""
FIRST_DEALS = 8

LONGEST_PATH = 256
SCORE_WEIGHT = 0.15
"""How much of a result is by how far one is ahead or behind: keeps a lost seat from resigning."""


def clear(nodes: Any, values: Any) -> None:
    """An empty tree: the root alone, which is node 0. Node count lies in the root's ACTION."""
    fresh(nodes, values, ROOT, 1)


def keep(nodes: Any, values: Any, moved: Cells, action: int) -> None:
    """Make the node behind an action of the root the new root, and forget all that is not below it.

    Children lie behind their parents, so one walk finds all that stays, and a second moves it up.
    """
    count = nodes[ROOT, ACTION]
    node = nodes[ROOT, FIRST]
    while node != NONE and nodes[node, ACTION] != action:
        node = nodes[node, NEXT]
    if node == NONE:
        clear(nodes, values)
        return
    nodes[node, NEXT] = NONE
    for i in range(count):
        moved[i] = NONE
    moved[node] = ROOT
    staying = 0
    for i in range(node, count):
        if moved[i] != NONE:
            moved[i] = staying
            staying += 1
            child = nodes[i, FIRST]
            while child != NONE:
                moved[child] = ROOT
                child = nodes[child, NEXT]
    for i in range(node, count):
        to = moved[i]
        if to != NONE:
            for column in range(COLUMNS):
                at = nodes[i, column]
                link = column <= NEXT and at != NONE
                nodes[to, column] = moved[at] if link else at
            for seat in range(values.shape[1]):
                values[to, seat] = values[i, seat]
    nodes[ROOT, ACTION] = staying


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
    width: int,
    deepest: int,
    opens: int,
    horizon: int,
) -> None:
    """Grow the tree by so many iterations.

    `root` is what the observer knows; `work` records to play on; `width` how many actions it
    thinks of at the root; `deepest` how many decisions the tree may hold; `horizon` how many are
    played beyond it before the position is judged. A node met `opens` times is opened: each of its
    actions is judged at once, by `guess`; with 0, actions are tried one by one, by playing on.
    """
    begin(root, work, seats, rng)
    for _ in range(iterations):
        imagine(root, work, seats, rng)
        s = work[0]
        depth = descend(
            s,
            work,
            seats,
            rng,
            actions,
            child_of,
            path,
            points,
            result,
            nodes,
            values,
            exploration,
            width,
            deepest,
            opens,
        )
        judge(s, rng, actions, points, result, horizon)
        for i in range(depth):
            node = path[i]
            nodes[node, VISITS] += 1
            for seat in range(s.players):
                values[node, seat] += result[seat]


def imagine(root: Any, work: Any, seats: int, rng: Cells) -> None:
    """Deal what the seats don't know.

    A game that believes some deals more than others goes from one to the next by a Markov chain
    (Metropolis and Hastings): to a new one as often as it is the likelier one, else stays. The last
    record is where it stands.
    """
    work[0] = root[0]
    resample(work[0], seats, rng)
    if BELIEVES:
        if draw(rng) * believe(work[CHAIN]) < believe(work[0]) * 4294967296.0:
            work[CHAIN] = work[0]
        else:
            work[0] = work[CHAIN]


def begin(root: Any, work: Any, seats: int, rng: Cells) -> None:
    """Lead the chain of deals away from where it starts."""
    if BELIEVES:
        work[CHAIN] = root[0]
        resample(work[CHAIN], seats, rng)
        for _ in range(FIRST_DEALS):
            imagine(root, work, seats, rng)


def descend(
    s: Any,
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
    exploration: float,
    width: int,
    deepest: int,
    opens: int,
) -> int:
    """Walk down to a node that is new or not yet open; how many nodes were passed."""
    node = ROOT
    path[0] = ROOT
    depth = 1
    while s.seat != OVER and depth <= deepest:
        if node != ROOT and nodes[node, VISITS] < opens:
            return depth
        n = legal(s, actions)
        if veiled(s) and not seats >> s.seat & 1:
            actions[0] = actions[lean(s, actions, n, rng)]
            n = 1
        room = width if node == ROOT else len(actions)
        child = nodes[node, FIRST]
        while child != NONE:
            child_of[nodes[child, ACTION]] = child
            child = nodes[child, NEXT]
            room -= 1
        untried = 0
        new_action = 0
        best = NONE
        best_worth = -1.0
        for i in range(n):
            action = actions[i]
            child = child_of[action]
            if child == NONE and opens:
                child = opened(s, work, rng, points, result, nodes, values, node, action)
            if child == NONE:
                untried += 1
                if below(rng, untried) == 0:
                    new_action = action
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
        if untried and room > 0 and not opens:
            child = added(nodes, values, node, new_action)
            if child != NONE:
                path[depth] = child
                apply(s, new_action, rng, None)
                return depth + 1
        if best == NONE:
            return depth
        node = best
        path[depth] = node
        depth += 1
        apply(s, nodes[node, ACTION], rng, None)
    return depth


def added(nodes: Any, values: Any, node: int, action: int) -> int:
    """A new child of a node; none when memory is full."""
    count: int = nodes[ROOT, ACTION]
    if count == len(nodes):
        return NONE
    fresh(nodes, values, count, action)
    nodes[count, NEXT] = nodes[node, FIRST]
    nodes[node, FIRST] = count
    nodes[ROOT, ACTION] = count + 1
    return count


def opened(
    s: Any,
    work: Any,
    rng: Cells,
    points: Cells,
    result: Any,
    nodes: Any,
    values: Any,
    node: int,
    action: int,
) -> int:
    """A new child of a node, judged as it is reached in this deal."""
    child = added(nodes, values, node, action)
    if child != NONE:
        work[1] = work[0]
        after = work[1]
        apply(after, action, rng, None)
        value(after, points, result)
        nodes[child, VISITS] = 1
        for seat in range(s.players):
            values[child, seat] = result[seat]
    return child


def judge(s: Any, rng: Cells, actions: Cells, points: Cells, result: Any, horizon: int) -> None:
    """Play on for a while, then tell every seat's share of the win."""
    for _ in range(horizon):
        if s.seat == OVER:
            break
        n = legal(s, actions)
        apply(s, actions[lean(s, actions, n, rng)], rng, None)
    value(s, points, result)


def value(s: Any, points: Cells, result: Any) -> None:
    """Every seat's share of the win, certain at the end, guessed before it."""
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


def mixes(root: Any) -> bool:
    """Whether a decision must not be readable."""
    return veiled(root[0])  # type: ignore[no-any-return]
