"""Play games and count what happens in them, compiled together with a game's rules.

`play_random` draws from its generator exactly as the engine's `playouts` does, so both play the
same games. `note`, `follow_lead` and `finish` are also called from Python, for games of bots that
`bot_games` can't play.
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

# Columns of the facts of a game.
DECISIONS = 0
TURNS = 1
FORCED = 2
CHOICES = 3
"""Legal actions, summed over all decisions."""
LAST_SEAT = 4
TRACED = 5
"""Whether the lead was followed in this game: then the columns below hold."""
LEAD_CHANGES = 6
DECIDED = 7
"""The decision from which on the winner led alone; -1 if several won."""
BEHIND = 8
"""Whether somebody else led alone when half of the decisions were taken."""
FACTS = 9

# Rows of the sums for each kind of action.
USES = 0
SQUARED_USES = 1
USERS = 2
"""Seats that used it in a game."""
SHARES = 3
"""Their shares of the win, in sixtieths."""
SQUARED_SHARES = 4
USE_ROWS = 5

# Sums over games: rows of (number, sum, sum of squares). The first rows are those of one number a
# game; then come the seats in turn order, their scores, and the roles.
TIE = 0
MARGIN = 1
LENGTH = 2
LENGTH_IN_TURNS = 3
PART_FORCED = 4
"""In thousandths, as is the next."""
MEAN_CHOICES = 5
CHANGES = 6
"""Of games whose lead was followed."""
PART_DECIDED = 7
"""In thousandths, of such games with one winner; so is the next."""
FROM_BEHIND = 8
SEAT_ROWS = 9
THOUSANDTHS = 1000

# Columns of the log of a game.
LOG_SEAT = 0
LOG_PHASE = 1
LOG_CHOICES = 2
LOG_ACTION = 3
LOG_COLUMNS = 4

WIDE = 16
"""Bits of each of the three numbers that tell a decision of a random game: the action, how many
were legal, and the seat."""
MOST = (1 << WIDE) - 1

NO_LEADER = -1
SIXTIETHS = 60
"""Every number of winners divides it, so that shares of a win are whole numbers."""


def play_random(
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
    log: Cells,
    every: int,
) -> None:
    """Play games at random and keep the state in which each ended.

    The lead is followed in one game of `every`.
    """
    for i in range(len(ends)):
        copy_record(ends[i], template[0])
        s = ends[i]
        seed_fast(rng, seed, first + i)
        setup(s, rng, actions, None)
        begin(facts[i], (first + i) % every == 0)
        play_on(s, rng, actions, kind_of, facts[i], used, score[i], leaders, log)
        finish(s, facts[i], score[i], place[i], leaders)
        sum_use(place[i], used, use)


def play_on(
    s: Any,
    rng: Cells,
    actions: Cells,
    kind_of: Cells,
    facts: Cells,
    used: Any,
    score: Cells,
    leaders: Cells,
    log: Cells,
) -> None:
    """Play a game to its end at random.

    Decisions are logged, and counted when the log is full or the game over: counting them one by
    one, between two calls of the rules, took twice the time.
    """
    traced = facts[TRACED]
    at = 0
    while s.seat != OVER:
        n = legal(s, actions)
        action = actions[below(rng, n)]
        log[at] = (action << WIDE | n) << WIDE | s.seat
        at += 1
        apply(s, action, rng, None)
        if traced:
            follow_lead(s, facts[DECISIONS] + at - 1, score, leaders)
        if at == len(log):
            count_log(log, at, kind_of, facts, used)
            at = 0
    count_log(log, at, kind_of, facts, used)


def count_log(log: Cells, length: int, kind_of: Cells, facts: Cells, used: Any) -> None:
    """Do what `note` does for each decision of a log."""
    last = facts[LAST_SEAT]
    turns = 0
    forced = 0
    choices = 0
    for i in range(length):
        seat = log[i] & MOST
        turns += seat != last
        last = seat
        n = log[i] >> WIDE & MOST
        choices += n
        forced += n == 1
        # What is masked is known not to be negative, and costs no check for an index from the end.
        used[seat, kind_of[log[i] >> 2 * WIDE & MOST] & MOST] += 1
    facts[LAST_SEAT] = last
    facts[DECISIONS] += length
    facts[TURNS] += turns
    facts[FORCED] += forced
    facts[CHOICES] += choices


def begin(facts: Cells, traced: int) -> None:
    for column in range(FACTS):
        facts[column] = 0
    facts[LAST_SEAT] = -1
    facts[TRACED] = traced


def note(s: Any, n: int, action: int, kind_of: Cells, facts: Cells, used: Any) -> None:
    """Count a decision that is about to be taken."""
    seat = s.seat
    facts[DECISIONS] += 1
    facts[CHOICES] += n
    if n == 1:
        facts[FORCED] += 1
    if seat != facts[LAST_SEAT]:
        facts[LAST_SEAT] = seat
        facts[TURNS] += 1
    used[seat, kind_of[action]] += 1


def follow_lead(s: Any, at: int, score: Cells, leaders: Cells) -> None:
    """Keep who leads alone after decision number `at`, if `leaders` has room."""
    if at < len(leaders):
        scores(s, score)
        leaders[at] = leader(score, s.players)


def leader(score: Cells, players: int) -> int:
    """Return the seat that has more points than any other, or `NO_LEADER`."""
    best = 0
    alone = True
    for seat in range(1, players):
        if score[seat] > score[best]:
            best = seat
            alone = True
        elif score[seat] == score[best]:
            alone = False
    return best if alone else NO_LEADER


def finish(s: Any, facts: Cells, score: Cells, place: Cells, leaders: Cells) -> None:
    """Write scores and places, and what the course of the lead comes to."""
    scores(s, score)
    places(s, place)
    length = min(facts[DECISIONS], len(leaders))
    if not facts[TRACED]:
        return
    winner = NO_LEADER
    for seat in range(s.players):
        if place[seat] == 1:
            winner = seat if winner == NO_LEADER else s.players
    leading = NO_LEADER
    for at in range(length):
        if leaders[at] != NO_LEADER and leaders[at] != leading:
            if leading != NO_LEADER:
                facts[LEAD_CHANGES] += 1
            leading = leaders[at]
    if winner == s.players:
        facts[DECIDED] = -1
        return
    facts[DECIDED] = length
    while facts[DECIDED] > 0 and leaders[facts[DECIDED] - 1] == winner:
        facts[DECIDED] -= 1
    half = leaders[length // 2]
    if half != NO_LEADER and half != winner:
        facts[BEHIND] = 1


def sum_use(place: Cells, used: Any, use: Any) -> None:
    """Add what each seat used to the sums, and set it back to 0.

    The rows of `use` are described above. There is no branch in the inner loops: it would be
    mispredicted so often that it took a tenth of the time of a random game of Oh Captain!. Only
    winners have shares to add.
    """
    winners = 0
    for seat in range(len(place)):
        if place[seat] == 1:
            winners += 1
    share = SIXTIETHS // winners
    for seat in range(len(place)):
        if place[seat] == 1:
            for kind in range(used.shape[1]):
                took = min(used[seat, kind], 1)
                use[SHARES, kind] += took * share
                use[SQUARED_SHARES, kind] += took * share * share
        for kind in range(used.shape[1]):
            n = used[seat, kind]
            use[USES, kind] += n
            use[SQUARED_USES, kind] += n * n
            use[USERS, kind] += min(n, 1)
            used[seat, kind] = 0


def sum_games(
    facts: Any,
    score: Any,
    place: Any,
    first: Cells,
    roles: Any,
    sums: Any,
    score_bins: Cells,
    lowest: int,
    length_bins: Cells,
) -> None:
    """Add finished games to the sums and to the counts of scores and lengths."""
    players = place.shape[1]
    of_scores = SEAT_ROWS + players
    of_roles = of_scores + players
    for row in range(of_roles):
        if row < CHANGES or row >= SEAT_ROWS:
            sums[row, 0] += len(facts)
    for i in range(len(facts)):
        winners = 0
        best = score[i, 0]
        second = -30000
        for seat in range(players):
            winners += place[i, seat] == 1
            if seat:
                second = max(second, min(best, score[i, seat]))
                best = max(best, score[i, seat])
        share = SIXTIETHS // winners
        for seat in range(players):
            won = share * (place[i, seat] == 1)
            order = seat - first[i] + players * (seat < first[i])
            add(sums, SEAT_ROWS + order, won)
            add(sums, of_scores + order, score[i, seat])
            if roles.shape[1] and roles[i, seat]:
                count(sums, of_roles + roles[i, seat] - 1, won)
            score_bins[clipped(score[i, seat] - lowest, len(score_bins))] += 1
        decisions = max(facts[i, DECISIONS], 1)
        length_bins[clipped(decisions, len(length_bins))] += 1
        add(sums, TIE, winners > 1)
        add(sums, MARGIN, best - second)
        add(sums, LENGTH, decisions)
        add(sums, LENGTH_IN_TURNS, facts[i, TURNS])
        add(sums, PART_FORCED, facts[i, FORCED] * THOUSANDTHS // decisions)
        add(sums, MEAN_CHOICES, facts[i, CHOICES] * THOUSANDTHS // decisions)
        if facts[i, TRACED]:
            count(sums, CHANGES, facts[i, LEAD_CHANGES])
            if facts[i, DECIDED] >= 0:
                count(sums, PART_DECIDED, facts[i, DECIDED] * THOUSANDTHS // decisions)
                count(sums, FROM_BEHIND, facts[i, BEHIND])


def add(sums: Any, row: int, value: int) -> None:
    sums[row, 1] += value
    sums[row, 2] += value * value


def count(sums: Any, row: int, value: int) -> None:
    sums[row, 0] += 1
    add(sums, row, value)


def clipped(at: int, length: int) -> int:
    return min(max(at, 0), length - 1)


def log_random(
    template: Any,
    state: Any,
    seed: int,
    number: int,
    rng: Cells,
    actions: Cells,
    log: Any,
    score: Any,
) -> int:
    """Play the game of a number at random, with a row for each decision; return how many.

    Ends early when the log is full.
    """
    copy_record(state[0], template[0])
    seed_fast(rng, seed, number)
    setup(state[0], rng, actions, None)
    decisions = 0
    while state[0].seat != OVER and decisions < len(log):
        n = legal(state[0], actions)
        action = actions[below(rng, n)]
        log_decision(state[0], n, action, log[decisions], score[decisions])
        apply(state[0], action, rng, None)
        decisions += 1
    return decisions


def log_decision(s: Any, n: int, action: int, row: Cells, score: Cells) -> None:
    """Write what stood before a decision, and the decision."""
    row[LOG_SEAT] = s.seat
    row[LOG_PHASE] = s.phase
    row[LOG_CHOICES] = n
    row[LOG_ACTION] = action
    scores(s, score)


def log_at(state: Any, n: int, action: int, log: Any, i: int, score: Any) -> None:
    log_decision(state[0], n, action, log[i], score[i])


def begin_at(facts: Any, i: int, traced: int) -> None:
    begin(facts[i], traced)


def note_at(state: Any, n: int, action: int, kind_of: Cells, facts: Any, i: int, used: Any) -> None:
    note(state[0], n, action, kind_of, facts[i], used)


def follow_at(state: Any, facts: Any, i: int, score: Any, leaders: Cells) -> None:
    follow_lead(state[0], facts[i, DECISIONS] - 1, score[i], leaders)


def finish_at(state: Any, facts: Any, i: int, score: Any, place: Any, leaders: Cells) -> None:
    finish(state[0], facts[i], score[i], place[i], leaders)
