"""Information-set Monte Carlo tree search, once for all games, compiled with each.

One tree for one observer. Every iteration samples what the observer does not know (`determinise`),
walks down the tree by actions that are legal in that sample (`select`), adds to it (`expand`),
plays on for a while (`simulate`), and adds every seat's result to the nodes it passed
(`backpropagate`). Each seat maximises its own share of the win; chance and hidden information are
averaged over.

The names set to None below stand for the game's functions: `Build` fills them in.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any, NamedTuple

from veillee.engine.jit.cells import copy_record
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below, draw

legal: Any = None
apply: Any = None
scores: Any = None
places: Any = None
resample: Any = None
evaluate: Any = None
rollout_policy: Any = None
likelihood: Any = None
hides_intent: Any = None
must_mix: Any = None
HAS_LIKELIHOOD: Any = None

INLINED = ("determinise", "select", "choose_child", "expand", "simulate", "backpropagate")
"""Functions that are called with so many arrays that the call itself takes time."""
INTERNAL = (
    *INLINED,
    "init_node",
    "start_chain",
    "find_child",
    "last_child",
    "children_of",
    "add_child",
    "value",
    "final_shares",
    "softmax",
)
"""Functions that only compiled code calls."""

NONE = -1
ROOT = 0

FIRST, NEXT, ACTION, VISITS, AVAILABLE, VALUES = range(6)
"""Columns of a node: first child, next sibling, the action that leads here, how often it was taken,
how often it was available, and from VALUES on each seat's sum of results, as float32."""

CURRENT, TRIAL, SPARE, CHAIN = range(4)
STATES = 4
"""Records that a search works on: the sampled deal, two to try actions on, and the state of the
Markov chain of deals."""
BURN_IN = 8
LAST_LIKELIHOOD = 32
"""Cell of the results, behind those of all seats, that keeps the likelihood of the chain's deal."""

LONGEST_PATH = 256
SCORE_WEIGHT = 0.15
"""Share of a result that comes from the margin: keeps a lost seat from playing at random."""


class Tree(NamedTuple):
    """Nodes, a row each; `values` are the same bytes read as float32.

    The children of a node that is expanded lie side by side, in the order of the legal actions.
    """

    nodes: Any
    values: Any


class Workspace(NamedTuple):
    """Buffers that a search works in."""

    states: Any
    actions: Any
    path: Any
    points: Any
    result: Any
    logs: Any
    """Logarithms of the first numbers."""


class Parameters(NamedTuple):
    """How a search grows its tree."""

    exploration: float
    """Weight of the exploration term."""
    width: int
    """How many actions are considered at the root."""
    deepest: int
    """How many decisions deep the tree may grow."""
    opens: int
    """Visits after which a node is expanded, all its actions being evaluated at once; with 0,
    actions are added one by one and evaluated by simulation."""
    horizon: int
    """How many decisions are simulated beyond the tree before the position is evaluated."""
    weights: Any
    """Fitted numbers for the game's heuristics, a row for each `Weight`."""


def clear(tree: Tree) -> None:
    """Empty the tree. The root is node 0; its ACTION column holds the number of nodes."""
    init_node(tree, ROOT, 1)


def reroot(tree: Tree, moved: Cells, action: int) -> None:
    """Make the child of the root behind an action the new root and drop all that is not below it.

    Children lie behind their parents, so one pass finds all nodes that stay, and a second moves
    them up.
    """
    nodes = tree.nodes
    count = nodes[ROOT, ACTION]
    node = nodes[ROOT, FIRST]
    while node != NONE and nodes[node, ACTION] != action:
        node = nodes[node, NEXT]
    if node == NONE:
        clear(tree)
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
            for column in range(nodes.shape[1]):
                at = nodes[i, column]
                link = column <= NEXT and at != NONE
                nodes[to, column] = moved[at] if link else at
    nodes[ROOT, ACTION] = staying


def init_node(tree: Tree, node: int, action: int) -> None:
    nodes, values = tree
    nodes[node, FIRST] = NONE
    nodes[node, NEXT] = NONE
    nodes[node, ACTION] = action
    nodes[node, VISITS] = 0
    nodes[node, AVAILABLE] = 0
    for column in range(VALUES, values.shape[1]):
        values[node, column] = 0.0


def search(
    root: Any,
    seats: int,
    rng: Cells,
    work: Workspace,
    tree: Tree,
    parameters: Parameters,
    iterations: int,
) -> None:
    """Grow the tree by a number of iterations. `root` holds the observer's view."""
    weights = parameters.weights
    start_chain(root, seats, rng, work, weights)
    for _ in range(iterations):
        determinise(root, seats, rng, work, weights)
        s = work.states[CURRENT]
        depth = select(s, seats, rng, work, tree, parameters)
        simulate(s, rng, work, parameters.horizon, weights)
        backpropagate(s.players, depth, work, tree)


def determinise(root: Any, seats: int, rng: Cells, work: Workspace, weights: Any) -> None:
    """Sample what the seats don't know.

    Where a game has a likelihood, samples form a Markov chain (Metropolis-Hastings): a new deal is
    taken with the ratio of the likelihoods, else the last one stays.
    """
    states = work.states
    copy_record(states[CURRENT], root[0])
    resample(states[CURRENT], seats, rng)
    if HAS_LIKELIHOOD:
        last = work.result[LAST_LIKELIHOOD]
        new = likelihood(states[CURRENT], weights)
        if draw(rng) * last < new * 4294967296.0:
            copy_record(states[CHAIN], states[CURRENT])
            work.result[LAST_LIKELIHOOD] = new
        else:
            copy_record(states[CURRENT], states[CHAIN])


def start_chain(root: Any, seats: int, rng: Cells, work: Workspace, weights: Any) -> None:
    """Start the Markov chain of deals and let it burn in."""
    if HAS_LIKELIHOOD:
        copy_record(work.states[CHAIN], root[0])
        resample(work.states[CHAIN], seats, rng)
        work.result[LAST_LIKELIHOOD] = likelihood(work.states[CHAIN], weights)
        for _ in range(BURN_IN):
            determinise(root, seats, rng, work, weights)


def select(
    s: Any, seats: int, rng: Cells, work: Workspace, tree: Tree, parameters: Parameters
) -> int:
    """Walk down to a node that is new or not expanded yet; return how many nodes were passed."""
    nodes = tree.nodes
    actions, path = work.actions, work.path
    node = ROOT
    path[0] = ROOT
    depth = 1
    while s.seat != OVER and depth <= parameters.deepest:
        if node != ROOT and nodes[node, VISITS] < parameters.opens:
            return depth
        n = legal(s, actions)
        if hides_intent(s) and not seats >> s.seat & 1:
            actions[0] = actions[rollout_policy(s, parameters.weights, actions, n, rng)]
            n = 1
        node = choose_child(s, n, rng, work, tree, node, parameters)
        if node == NONE:
            return depth
        path[depth] = node
        depth += 1
        apply(s, nodes[node, ACTION], rng, None)
        if nodes[node, VISITS] == 0:
            return depth
    return depth


def choose_child(
    s: Any, n: int, rng: Cells, work: Workspace, tree: Tree, node: int, parameters: Parameters
) -> int:
    """Return the child with the highest upper confidence bound, or a new one; NONE if none is left.

    The list of children is read along with the legal actions: they are mostly in the same order.
    """
    nodes, values = tree
    actions, logs = work.actions, work.logs
    opens = parameters.opens
    column = VALUES + s.seat
    following = nodes[node, FIRST]
    is_new = following == NONE
    last = NONE
    untried = 0
    new_action = 0
    best = NONE
    best_bound = -1.0
    available = 0
    log_available = 0.0
    for i in range(n):
        action = actions[i]
        child = NONE if is_new else find_child(nodes, node, following, action)
        if child == NONE and opens:
            if last == NONE and not is_new:
                last = last_child(nodes, node)
            child = expand(s, rng, work, tree, node, last, action, parameters.weights)
            last = child
        if child == NONE:
            untried += 1
            if below(rng, untried) == 0:
                new_action = action
            continue
        following = nodes[child, NEXT]
        nodes[child, AVAILABLE] += 1
        if n == 1:
            return child
        # The logarithm is what costs time here, and siblings were mostly available equally often.
        if nodes[child, AVAILABLE] != available:
            available = nodes[child, AVAILABLE]
            log_available = logs[available] if available < len(logs) else log(available)
        visits = nodes[child, VISITS]
        bound = values[child, column] / visits + parameters.exploration * sqrt(
            log_available / visits
        )
        if bound > best_bound:
            best_bound = bound
            best = child
    if untried and not opens and (node != ROOT or children_of(nodes, node) < parameters.width):
        child = add_child(tree, node, last_child(nodes, node), new_action)
        if child != NONE:
            return child
    return best


def find_child(nodes: Cells, node: int, following: int, action: int) -> int:
    """Return the child behind an action, looking first from sibling `following` on; or NONE."""
    child = following
    while child != NONE:
        if nodes[child, ACTION] == action:
            return child
        child = nodes[child, NEXT]
    child = nodes[node, FIRST]
    while child != following:
        if nodes[child, ACTION] == action:
            return child
        child = nodes[child, NEXT]
    return NONE


def last_child(nodes: Cells, node: int) -> int:
    """Return the last child of a node, or NONE."""
    last = NONE
    child = nodes[node, FIRST]
    while child != NONE:
        last = child
        child = nodes[child, NEXT]
    return last


def children_of(nodes: Cells, node: int) -> int:
    """Return how many children a node has."""
    children = 0
    child = nodes[node, FIRST]
    while child != NONE:
        children += 1
        child = nodes[child, NEXT]
    return children


def add_child(tree: Tree, node: int, last: int, action: int) -> int:
    """Add a child of a node behind its last one and return it; NONE when memory is full."""
    nodes = tree.nodes
    count: int = nodes[ROOT, ACTION]
    if count == len(nodes):
        return NONE
    init_node(tree, count, action)
    if last == NONE:
        nodes[node, FIRST] = count
    else:
        nodes[last, NEXT] = count
    nodes[ROOT, ACTION] = count + 1
    return count


def expand(
    s: Any, rng: Cells, work: Workspace, tree: Tree, node: int, last: int, action: int, weights: Any
) -> int:
    """Add a child to a node, with the value of the position it leads to in this deal."""
    child = add_child(tree, node, last, action)
    if child != NONE:
        copy_record(work.states[TRIAL], work.states[CURRENT])
        after = work.states[TRIAL]
        apply(after, action, rng, None)
        value(after, weights, work.points, work.result)
        tree.nodes[child, VISITS] = 1
        for seat in range(s.players):
            tree.values[child, VALUES + seat] = work.result[seat]
    return child


def simulate(s: Any, rng: Cells, work: Workspace, horizon: int, weights: Any) -> None:
    """Play on by the rollout policy, then write every seat's share of the win."""
    for _ in range(horizon):
        if s.seat == OVER:
            break
        n = legal(s, work.actions)
        chosen = rollout_policy(s, weights, work.actions, n, rng)
        apply(s, work.actions[chosen], rng, None)
    value(s, weights, work.points, work.result)


def backpropagate(players: int, depth: int, work: Workspace, tree: Tree) -> None:
    """Add the result to every node on the path."""
    for i in range(depth):
        node = work.path[i]
        tree.nodes[node, VISITS] += 1
        for seat in range(players):
            tree.values[node, VALUES + seat] += work.result[seat]


def value(s: Any, weights: Any, points: Cells, result: Any) -> None:
    """Write every seat's share of the win: certain at the end, estimated before it."""
    if s.seat == OVER:
        scores(s, points)
        for seat in range(s.players):
            result[seat] = points[seat]
        places(s, points)
        final_shares(s.players, points, result)
    else:
        temperature = evaluate(s, weights, points, result)
        softmax(s.players, result, temperature)


def final_shares(players: int, place: Cells, result: Any) -> None:
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


def softmax(players: int, result: Any, temperature: float) -> None:
    """Turn expected points into shares: at a higher temperature a lead is worth less."""
    best = -1e9
    for seat in range(players):
        best = max(best, result[seat])
    total = 0.0
    for seat in range(players):
        result[seat] = exp((result[seat] - best) / temperature)
        total += result[seat]
    for seat in range(players):
        result[seat] = result[seat] / total


def add_root_values(tree: Tree, visits: Any, totals: Any) -> None:
    """Add the visits of the root's actions, and their sums of results, at each action's number."""
    nodes, values = tree
    child = nodes[ROOT, FIRST]
    while child != NONE:
        action = nodes[child, ACTION]
        visits[action] += nodes[child, VISITS]
        for seat in range(totals.shape[1]):
            totals[action, seat] += values[child, VALUES + seat]
        child = nodes[child, NEXT]


def follow_policy(root: Any, weights: Any, actions: Cells, n: int, rng: Cells) -> int:
    """Return the action that the rollout policy takes."""
    return actions[rollout_policy(root[0], weights, actions, n, rng)]


def root_mixes(root: Any) -> bool:
    """Tell whether the decision must not be predictable."""
    return must_mix(root[0])  # type: ignore[no-any-return]
