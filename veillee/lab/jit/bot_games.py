"""Games that bots of one level play among themselves, compiled whole.

`choose` decides as `bots.bot.Bot.choose` does with one thread and without a time limit, from the
same random streams, so that both play the same games; a test compares them. Between two decisions
no Python runs, which takes a quarter of the time of a game of quick bots.

The names set to None below stand for functions of the game, the search and the study.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from veillee.bots.jit.search import ACTION, FIRST, NEXT, NONE, ROOT, VALUES, VISITS, Tree
from veillee.engine.jit.cells import copy_record
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import draw, seed_fast

setup: Any = None
legal: Any = None
apply: Any = None
view: Any = None
resample: Any = None
rollout_policy: Any = None
must_mix: Any = None
search: Any = None
clear: Any = None
reroot: Any = None
begin: Any = None
note: Any = None
follow_lead: Any = None
finish: Any = None
sum_use: Any = None

WHOLE = 4294967296.0
"""What a draw divides by to be a part of 1."""


class Level(NamedTuple):
    """How all seats play: see `bots.bot.Budget`."""

    iterations: int
    """0: so many for `each` action instead."""
    each: int
    mixing: float
    instinct: float
    parameters: Any
    """`bots.jit.search.Parameters`."""
    character: Any
    """Weights of the bot's own policy."""


class Minds(NamedTuple):
    """What the bots of a table keep in mind, and buffers; the first four have a row for each seat.

    `seen` and `after` are records, `seen_bytes` and `after_bytes` the same memory.
    """

    nodes: Any
    values: Any
    last: Any
    """The view of the last decision that was searched."""
    told: Any
    """For each seat, the decisions it has thought about and the last action it chose."""
    moved: Any
    work: Any
    rng: Cells
    actions: Cells
    odds: Any
    seen: Any
    seen_bytes: Any
    after: Any
    after_bytes: Any


DECISIONS = 0
CHOSEN = 1


def play_bots(
    template: Any,
    ends: Any,
    seed: int,
    first: int,
    rng: Cells,
    actions: Cells,
    kind_of: Cells,
    facts: Any,
    used: Any,
    score: Any,
    place: Any,
    leaders: Cells,
    use: Any,
    level: Level,
    minds: Minds,
) -> None:
    """Play games of bots, following the lead, and keep the state in which each ended."""
    for i in range(len(ends)):
        number = first + i
        copy_record(ends[i], template[0])
        s = ends[i]
        seed_fast(rng, seed, number)
        setup(s, rng, actions, None)
        begin(facts[i], 1)
        forget(s.players, minds)
        decisions = 0
        while s.seat != OVER:
            n = legal(s, actions)
            minds.seen[0] = s
            view(minds.seen[0], 1 << s.seat)
            action = choose(s.seat, number * s.players + s.seat, level, minds)
            note(s, n, action, kind_of, facts[i], used)
            apply(s, action, rng, None)
            follow_lead(s, decisions, score[i], leaders)
            decisions += 1
        finish(s, facts[i], score[i], place[i], leaders)
        sum_use(place[i], used, use)


def forget(players: int, minds: Minds) -> None:
    """Let the bots begin a game: they keep nothing in mind of the one before."""
    for seat in range(players):
        minds.told[seat, DECISIONS] = 0
        minds.told[seat, CHOSEN] = NONE


def choose(seat: int, seed: int, level: Level, minds: Minds) -> int:
    """Return the action of the seat to decide, whose view is `minds.seen`."""
    actions, rng, told = minds.actions, minds.rng, minds.told
    s = minds.seen[0]
    n = legal(s, actions)
    if n == 1:
        return actions[0]
    mixes = must_mix(s)
    if mixes and level.instinct > 0:
        seed_fast(rng, seed + 1, told[seat, DECISIONS])
        if draw(rng) < level.instinct * WHOLE:
            told[seat, DECISIONS] += 1
            seed_fast(rng, seed, told[seat, DECISIONS])
            return actions[rollout_policy(s, level.character, actions, n, rng)]
    told[seat, DECISIONS] += 1
    tree = Tree(minds.nodes[seat], minds.values[seat])
    if follows(seat, seed, minds):
        reroot(tree, minds.moved, told[seat, CHOSEN])
    else:
        clear(tree)
    iterations = level.iterations
    if iterations == 0:
        iterations = min(n, level.parameters.width) * level.each
    seed_fast(rng, seed, told[seat, DECISIONS])
    search(minds.seen, 1 << seat, rng, minds.work, tree, level.parameters, iterations)
    best = prefer(tree, seat, actions, n, minds.odds)
    if mixes and level.mixing > 0:
        seed_fast(rng, seed + 1, told[seat, DECISIONS])
        best = mix(minds.odds, n, minds.odds[best], level.mixing, draw(rng) / WHOLE)
    minds.last[seat] = s
    told[seat, CHOSEN] = actions[best]
    return actions[best]


def follows(seat: int, seed: int, minds: Minds) -> bool:
    """Tell whether the seat's last choice led directly to what it sees now."""
    chosen = minds.told[seat, CHOSEN]
    if chosen == NONE:
        return False
    minds.after[0] = minds.last[seat]
    s = minds.after[0]
    seed_fast(minds.rng, seed, minds.told[seat, DECISIONS])
    resample(s, 1 << seat, minds.rng)
    apply(s, chosen, minds.rng, None)
    view(s, 1 << seat)
    differing = 0
    for at in range(len(minds.seen_bytes)):
        differing |= minds.seen_bytes[at] ^ minds.after_bytes[at]
    return differing == 0


def prefer(tree: Tree, seat: int, actions: Cells, n: int, preference: Any) -> int:
    """Write how much each action is preferred: by visits, then by result; return the best one."""
    nodes, values = tree
    best = 0
    for i in range(n):
        preference[i] = 0.0
        child = nodes[ROOT, FIRST]
        while child != NONE and nodes[child, ACTION] != actions[i]:
            child = nodes[child, NEXT]
        if child != NONE and nodes[child, VISITS] > 0:
            visits = nodes[child, VISITS]
            preference[i] = visits + values[child, VALUES + seat] / visits
        if preference[i] > preference[best]:
            best = i
    return best


def mix(odds: Any, n: int, most: float, mixing: float, at: float) -> int:
    """Draw one of the actions: those that the search visited most are likely."""
    total = 0.0
    for i in range(n):
        total += (odds[i] / most) ** mixing
        odds[i] = total
    chosen = 0
    while chosen < n - 1 and odds[chosen] <= at * total:
        chosen += 1
    return chosen
