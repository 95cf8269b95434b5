"""What the adapters do for each step, compiled together with a game's rules.

The names below stand for the game's own functions: `Build` puts them in.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.cells import copy_record
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import ASKED, FIRST_DRAW, KIND, SCRIPT, TOLD, below, seed_fast

setup: Any = None
legal: Any = None
apply: Any = None
scores: Any = None
places: Any = None
resample: Any = None
observe: Any = None

ANYONE = -1
"""In place of the agent's seat: the one who decides."""
DEAL = -1
"""In place of an action: set the game up."""
RANDOM = 0
GREEDY = 1
BLOCK = 16
"""Games whose masks are cleared together: their lists come from far memory, and are waited for at
once."""
INLINED = ("step_one", "show")
"""Functions that take so many arrays that the call itself takes time."""
INTERNAL = (*INLINED, "reward", "restart", "others_play", "greedy", "are_same", "find_same")
"""Functions that only compiled code calls."""


# ---------------------------------------------------------------- one game


def observe_at(states: Any, i: int, seat: int, out: Cells) -> None:
    observe(states[i], seat, out)


def act(
    template: Any,
    states: Any,
    i: int,
    action: int,
    rng: Cells,
    actions: Cells,
    n: int,
    mask: Cells,
    row: Cells,
) -> int:
    """One decision in game i, or its set-up for `DEAL`; how many actions there are next.

    They are listed in `actions`, where there were n before, and marked in `mask`; what the seat
    to decide may know is written into `row`.
    """
    for k in range(n):
        mask[actions[k]] = 0
    if action == DEAL:
        copy_record(states[i], template[0])
        setup(states[i], rng, actions, None)
    else:
        apply(states[i], action, rng, None)
    if states[i].seat == OVER:
        return 0
    n = legal(states[i], actions)
    for k in range(n):
        mask[actions[k]] = 1
    observe(states[i], states[i].seat, row)
    return n


def reward(s: Any, out: Any) -> None:
    """Winners share what the others lose: sums to 0; 1 for who wins alone."""
    places(s, out)
    winners = 0
    for seat in range(s.players):
        if out[seat] == 1:
            winners += 1
    for seat in range(s.players):
        share = s.players / winners - 1 if out[seat] == 1 else -1.0
        out[seat] = share / (s.players - 1)


def reward_at(states: Any, i: int, out: Any) -> None:
    reward(states[i], out)


# ---------------------------------------------------------------- many games


def first_illegal(masks: Any, chosen: Cells) -> int:
    """The first game in which the chosen action is not legal; -1 if there is none."""
    last = masks.shape[1]
    for i in range(len(chosen)):
        if chosen[i] < 0 or chosen[i] >= last or masks[i, chosen[i]] == 0:
            return i
    return -1


def seed_all(rngs: Any, seed: int) -> None:
    """A stream of chance of its own for each game."""
    for i in range(len(rngs)):
        seed_fast(rngs[i], seed, i)


def random_choices(legals: Any, counts: Cells, rng: Cells, chosen: Cells) -> None:
    """A legal action for each game, each as likely."""
    for i in range(len(counts)):
        chosen[i] = legals[i, below(rng, counts[i])]


def greedy_choices(
    states: Any,
    legals: Any,
    counts: Cells,
    rng: Cells,
    trial: Any,
    score: Cells,
    chosen: Cells,
) -> None:
    """For each game, what `greedy` would do."""
    for i in range(len(counts)):
        chosen[i] = greedy(states[i], legals[i], counts[i], rng, trial, score)


def step_all(
    template: Any,
    states: Any,
    rngs: Any,
    chosen: Cells,
    seats: Cells,
    mine: Cells,
    opponent: int,
    legals: Any,
    counts: Cells,
    masks: Any,
    observations: Any,
    final: Any,
    rewards: Any,
    gains: Cells,
    done: Cells,
    trial: Any,
    score: Cells,
) -> None:
    """Play each game of an array up to the agent's next decision; a game that is over is reset.

    `DEAL` in place of an action only deals.
    """
    for first in range(0, len(states), BLOCK):
        end = min(first + BLOCK, len(states))
        for i in range(first, end):
            for k in range(counts[i]):
                masks[i, legals[i, k]] = 0
        for i in range(first, end):
            step_one(
                template,
                states,
                i,
                rngs[i],
                chosen,
                seats,
                mine,
                opponent,
                legals[i],
                final,
                rewards,
                gains,
                done,
                trial,
                score,
            )
            show(states[i], i, seats, legals[i], counts, masks, observations)


def step_one(
    template: Any,
    states: Any,
    i: int,
    rng: Cells,
    chosen: Cells,
    seats: Cells,
    mine: Cells,
    opponent: int,
    actions: Cells,
    final: Any,
    rewards: Any,
    gains: Cells,
    done: Cells,
    trial: Any,
    score: Cells,
) -> None:
    """Play one game up to the agent's next decision; reset it if it is over."""
    actor = seats[i]
    if chosen[i] == DEAL:
        restart(template, states, i, rng, mine, opponent, actions, trial, score)
    else:
        apply(states[i], chosen[i], rng, None)
        if mine[i] != ANYONE:
            others_play(states[i], mine[i], opponent, rng, actions, trial, score)
    if done[i]:
        done[i] = 0
        gains[i] = 0
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0
    if states[i].seat == OVER:
        done[i] = 1
        reward(states[i], rewards[i])
        gains[i] = rewards[i, actor]
        observe(states[i], actor, final[i])
        restart(template, states, i, rng, mine, opponent, actions, trial, score)


def show(
    s: Any, i: int, seats: Cells, actions: Cells, counts: Cells, masks: Any, observations: Any
) -> None:
    """Tell the seat to decide what it may know and do."""
    seats[i] = s.seat
    n = legal(s, actions)
    counts[i] = n
    for k in range(n):
        masks[i, actions[k]] = 1
    observe(s, s.seat, observations[i])


def restart(
    template: Any,
    states: Any,
    i: int,
    rng: Cells,
    mine: Cells,
    opponent: int,
    actions: Cells,
    trial: Any,
    score: Cells,
) -> None:
    """Deal until there is a game in which the agent decides something, and play up to that."""
    while True:
        copy_record(states[i], template[0])
        setup(states[i], rng, actions, None)
        if mine[i] != ANYONE:
            mine[i] = below(rng, states[i].players)
            others_play(states[i], mine[i], opponent, rng, actions, trial, score)
        if states[i].seat != OVER:
            return


def others_play(
    s: Any, mine: int, opponent: int, rng: Cells, actions: Cells, trial: Any, score: Cells
) -> None:
    while s.seat != OVER and s.seat != mine:
        n = legal(s, actions)
        if opponent == GREEDY:
            action = greedy(s, actions, n, rng, trial, score)
        else:
            action = actions[below(rng, n)]
        apply(s, action, rng, None)


def greedy(s: Any, actions: Cells, n: int, rng: Cells, trial: Any, score: Cells) -> int:
    """The action after which the seat's points lead the best of the others' by most.

    What the seat may not know is resampled first. Ties are broken at random.
    """
    seat = s.seat
    copy_record(trial[0], s)
    resample(trial[0], 1 << seat, rng)
    best = -30000
    equals = 0
    chosen = actions[0]
    for k in range(n):
        copy_record(trial[1], trial[0])
        apply(trial[1], actions[k], rng, None)
        scores(trial[1], score)
        others = -10000
        for other in range(s.players):
            if other != seat:
                others = max(others, score[other])
        lead = score[seat] - others
        if lead > best:
            best = lead
            equals = 0
        if lead == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = actions[k]
    return chosen


# ---------------------------------------------------------------- every way chance can go


def every_way(
    before: Any,
    action: int,
    script: Cells,
    scratch: Cells,
    found: Any,
    raw: Any,
    marks: Cells,
    odds: Any,
    budget: int,
) -> int:
    """All states that an action (`DEAL`: the set-up) can lead to, each once, with its probability.

    `found` and `raw` are the same memory as records and as bytes; `marks` keeps a hash of each.
    Returns how many there are, or -1 if there are more than `found` has room for, or than `budget`
    ways to try. `script[ASKED]` tells whether chance was asked at all.
    """
    room = len(found) - 1
    n = 0
    told = 0
    same = 0
    for _ in range(budget):
        found[n] = before[0]
        script[KIND] = SCRIPT
        script[ASKED] = 0
        script[TOLD] = told
        if action == DEAL:
            setup(found[n], script, scratch, None)
        else:
            apply(found[n], action, script, None)
        likely = 1.0
        for at in range(script[ASKED]):
            likely /= script[FIRST_DRAW + 2 * at]
        told = script[ASKED]
        if told == 0:
            odds[0] = 1.0
            return 1
        if n == 0 or not are_same(raw, same, n):
            same = find_same(raw, marks, n)
        if same == n:
            if n == room:
                return -1
            odds[n] = 0.0
            n += 1
        odds[same] += likely
        while told and script[FIRST_DRAW + 2 * told - 2] == script[FIRST_DRAW + 2 * told - 1] + 1:
            told -= 1
        if told == 0:
            return n
        script[FIRST_DRAW + 2 * told - 1] += 1
    return -1


def are_same(raw: Any, i: int, n: int) -> bool:
    """Whether two states are equal byte for byte."""
    differing = 0
    for k in range(raw.shape[1]):
        differing |= raw[i, k] ^ raw[n, k]
    return differing == 0


def find_same(raw: Any, marks: Cells, n: int) -> int:
    """The first state that is equal to state n byte for byte."""
    size = raw.shape[1]
    mark = 0
    for k in range(size):
        mark = (mark * 31 + raw[n, k]) & 0xFFFFFFFFFF
    marks[n] = mark
    for i in range(n):
        if marks[i] == mark and are_same(raw, i, n):
            return i
    return n
