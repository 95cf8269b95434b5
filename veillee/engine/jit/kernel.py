"""Generic code around a game's rules, compiled together with them.

The names set to None below stand for the game's functions: `Build` fills them in. From Python a
game is addressed as (array, index), which takes a quarter of the time of passing a record.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.cells import copy_record
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below, seed_fast

setup: Any = None
legal: Any = None
apply: Any = None
scores: Any = None
places: Any = None
view: Any = None
resample: Any = None
broken: Any = None

INTERNAL = ("playout",)
"""Functions that only compiled code calls."""


def setup_at(states: Any, i: int, rng: Cells, scratch: Cells, events: Cells | None) -> None:
    setup(states[i], rng, scratch, events)


def legal_at(states: Any, i: int, out: Cells) -> int:
    return legal(states[i], out)  # type: ignore[no-any-return]


def apply_at(states: Any, i: int, action: int, rng: Cells, events: Cells | None) -> None:
    apply(states[i], action, rng, events)


def scores_at(states: Any, i: int, out: Cells) -> None:
    scores(states[i], out)


def places_at(states: Any, i: int, out: Cells) -> None:
    places(states[i], out)


def view_at(states: Any, i: int, seats: int) -> None:
    """Redact, in place, what the seats together may not know of game i."""
    view(states[i], seats)


def resample_at(states: Any, i: int, seats: int, rng: Cells) -> None:
    """Replace game i, in place, by another that the seats together can't tell from it."""
    resample(states[i], seats, rng)


def broken_at(states: Any, i: int) -> int:
    """Return the number of an invariant that game i breaks, or 0."""
    return broken(states[i])  # type: ignore[no-any-return]


def playout(s: Any, rng: Cells, actions: Cells) -> int:
    """Play at random to the end; return the number of decisions."""
    decisions = 0
    while s.seat != OVER:
        n = legal(s, actions)
        apply(s, actions[below(rng, n)], rng, None)
        decisions += 1
    return decisions


def playouts(
    template: Any,
    state: Any,
    seed: int,
    first: int,
    rng: Cells,
    actions: Cells,
    score: Any,
    place: Any,
) -> int:
    """Set up and play a random game for each row of scores; return the number of decisions."""
    decisions = 0
    for i in range(len(score)):
        copy_record(state[0], template[0])
        seed_fast(rng, seed, first + i)
        setup(state[0], rng, actions, None)
        decisions += playout(state[0], rng, actions)
        scores(state[0], score[i])
        places(state[0], place[i])
    return decisions


def step(states: Any, chosen: Cells, rngs: Any) -> None:
    """Take one decision in each game of an array that is not over."""
    for i in range(len(states)):
        if states[i].seat != OVER:
            apply(states[i], chosen[i], rngs[i], None)


def legal_all(states: Any, actions: Any, counts: Cells) -> None:
    """Write the legal actions of each game of an array, and how many there are."""
    for i in range(len(states)):
        counts[i] = 0 if states[i].seat == OVER else legal(states[i], actions[i])


def view_all(states: Any, seats: int) -> None:
    for i in range(len(states)):
        view(states[i], seats)


def resample_all(states: Any, seats: int, rng: Cells) -> None:
    for i in range(len(states)):
        resample(states[i], seats, rng)


def audit(
    template: Any, states: Any, seed: int, first: int, rng: Cells, actions: Cells, snapshots: Any
) -> int:
    """Play an array of games at random, checking every state; keep one random state of each.

    Returns 0, or the number that `broken` gave.
    """
    for i in range(len(states)):
        copy_record(states[i], template[0])
        seed_fast(rng, seed, first + i)
        setup(states[i], rng, actions, None)
        decisions = 0
        while True:
            decisions += 1
            if below(rng, decisions) == 0:
                copy_record(snapshots[i], states[i])
            wrong = broken(states[i])
            if wrong:
                return wrong  # type: ignore[no-any-return]
            if states[i].seat == OVER:
                break
            n = legal(states[i], actions)
            if n <= 0:
                return -1
            apply(states[i], actions[below(rng, n)], rng, None)
    return 0


def setup_all(states: Any, seed: int, rngs: Any, scratch: Cells) -> None:
    """Set up an array of prepared games, each with a generator of its own."""
    for i in range(len(states)):
        seed_fast(rngs[i], seed, i)
        setup(states[i], rngs[i], scratch, None)


def first_illegal(states: Any, chosen: Cells, scratch: Cells) -> int:
    """Return the first game of an array in which the chosen action is not legal; -1 if none."""
    for i in range(len(states)):
        if states[i].seat != OVER:
            found = False
            for k in range(legal(states[i], scratch)):
                if scratch[k] == chosen[i]:
                    found = True
                    break
            if not found:
                return i
    return -1


def results_all(states: Any, score: Any, place: Any) -> None:
    for i in range(len(states)):
        scores(states[i], score[i])
        places(states[i], place[i])
