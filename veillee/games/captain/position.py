"""Oh Captain!: positions as JSON.

The Cave is listed from the top. Unknown cards are null. `history` has a row for each card drawn,
`now` is the row of the turn in progress; values that are defaults are left out.

A position written by hand needs no history. Then the cards on the table count as drawn by those who
have them, and left or, if face up, revealed; each face-down Purse lies where it was dealt, other
Purses are out of the game; cards missing from the Cave lie under those that are listed, the Arrival
last.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.position import PositionReader
from veillee.engine.refusal import Refusal
from veillee.games.captain.core.history import is_complete
from veillee.games.captain.core.invariants import CLAUSES, broken, in_hand
from veillee.games.captain.core.names import (
    ADVENTURERS,
    ANSWERS,
    CARDS,
    FATES,
    HOWS,
    LOOT,
    PHASES,
    TOOLS,
)
from veillee.games.captain.core.state import (
    CAVE,
    DISCARD,
    KINDS,
    MOST_OF_A_KIND,
    NOBODY,
    ROWS,
    SEATS,
    UNKNOWN,
    Answer,
    Card,
    Fate,
    How,
    Phase,
    State,
)
from veillee.games.captain.options import DRAWN, agreed


def write(s: State) -> dict[str, Any]:
    """Return the whole position; what a view hides is null."""
    position = {
        "seats": [
            {
                "adventurer": ADVENTURERS[s.adventurer[seat] - 1] if s.adventurer[seat] else None,
                "coins": s.coins[seat],
                "up": _counts([s.up[seat, card] for card in range(KINDS)]),
                "down": _counts([s.down[seat, card] for card in range(KINDS)]),
                "hidden": s.hidden[seat],
                "purses": s.purses[seat],
            }
            for seat in range(s.players)
        ],
        "captain": s.captain,
        "first": s.first,
        "reserve": s.reserve,
        "discard": _counts([s.discard[card] for card in range(KINDS)]),
        "discards": s.discards,
        "purses": s.purses[DISCARD],
        "cave": [_card(s.cave[i]) for i in range(s.drawn, s.size)],
        "turn": s.turn,
        "seat": None if s.seat == NOBODY else s.seat,
        "phase": PHASES[s.phase],
        "options": agreed(s),
    }
    if s.total[Card.PURSE] != s.players - 1:
        position["all_purses"] = s.total[Card.PURSE]
    if s.phase != Phase.ADVENTURER:
        position["laid"] = [_card(s.cave[i]) for i in range(s.laid)]
        position["history"] = [_write_row(s, row) for row in range(s.row)]
        position["now"] = _write_row(s, s.row)
    return position


def _card(card: int) -> str | None:
    return None if card == UNKNOWN else CARDS[card]


def _counts(cards: list[int]) -> dict[str, int] | None:
    if UNKNOWN in cards:
        return None
    return {LOOT[card]: n for card, n in enumerate(cards) if n}


def _write_row(s: State, row: int) -> dict[str, Any]:
    told: dict[str, Any] = {"captain": s.chief[row], "explorer": s.finder[row]}
    if s.mutinies[row]:
        told["mutinies"] = s.mutinies[row]
        packed = s.looked[row, 0], s.looked[row, 1]
        looked = [packed[card >> 2] >> 3 * (card & 3) & 7 for card in range(KINDS)]
        told["discard"] = None if UNKNOWN in packed else _counts(looked)
        if s.took[row]:
            told["took"] = None if s.took[row] == UNKNOWN else LOOT[s.took[row] - 1]
    if s.pledged[row]:
        told["allegiance"] = True
    if s.laid + row < s.drawn:
        told["card"] = _card(s.cave[s.laid + row])
    if s.told[row]:
        told["announced"] = TOOLS[s.told[row] - 1]
    if s.fate[row]:
        told["fate"] = FATES[s.fate[row]]
    if s.target[row]:
        told["target"] = s.target[row] - 1
    if s.answer[row]:
        told["answer"] = ANSWERS[s.answer[row]]
    if s.how[row] >= How.ONLY_EGGS:
        told["only_eggs"] = True
    if s.how[row] & 3:
        told["how"] = HOWS[s.how[row] & 3]
        told["hit"] = _card(s.hit[row])
    turned = [LOOT[s.turned[row, k] - 1] for k in range(2) if s.turned[row, k]]
    if turned:
        told["turned"] = turned
    if s.robbed[row]:
        told["robbed"] = s.robbed[row] - 1
    return told


def read(position: Any, s: State) -> None:
    """Read a position into a state prepared for its players and options, or refuse it."""
    p = PositionReader(position, "captain.position")
    p.raw("options", {})
    coins = s.reserve
    s.phase = p.name("phase", PHASES, "announce")
    s.captain = p.number("captain", 0, s.players - 1, 0, "captain.setup.roles")
    s.first = p.number("first", 0, s.players - 1, s.captain, "captain.setup.roles")
    by_hand = p.raw("history", None) is None and s.phase != Phase.ADVENTURER
    for seat, at in enumerate(p.objects("seats", [s.players])):
        _read_seat(at, s, seat)
    s.reserve = p.number(
        "reserve",
        0,
        coins,
        max(0, coins - sum(s.coins[seat] for seat in range(SEATS))),
        "captain.material.cards",
    )
    if s.reserve + sum(s.coins[seat] for seat in range(SEATS)) != coins:
        raise Refusal("impossible", "captain.material.cards", "captain.position.coins", n=coins)
    for card, n in enumerate(_read_counts(p, "discard")):
        s.discard[card] = n
    s.discards = p.number("discards", 0, CAVE, max(0, sum(s.discard)), "captain.setup.discard")
    s.purses[DISCARD] = p.number("purses", 0, SEATS, max(0, s.discard[Card.PURSE]))
    s.turn = p.number("turn", 0, s.players - 1, (s.captain + 1) % s.players)
    if s.phase == Phase.ADVENTURER:
        _fill_cave(p, s)
    elif by_hand:
        _invent(p, s)
    else:
        _read_history(p, s)
    _count_purses(p, s)
    seat = p.raw("seat", s.turn)
    if s.phase == Phase.OVER:
        s.seat = NOBODY
    else:
        s.seat = p.number("seat", 0, s.players - 1, s.turn) if seat is not None else s.turn
    p.done()
    check(s)


def _count_purses(p: PositionReader, s: State) -> None:
    """captain.setup.purses: a position written by hand may have fewer than set-up deals."""
    lying = [s.discard[Card.PURSE]]
    lying += [cells[seat, Card.PURSE] for cells in (s.up, s.down) for seat in range(SEATS)]
    most = s.total[Card.PURSE]
    told = most if UNKNOWN in lying else min(most, sum(lying))
    s.total[Card.PURSE] = p.number("all_purses", 0, most, told, "captain.setup.purses")


def _read_seat(at: PositionReader, s: State, seat: int) -> None:
    if at.raw("adventurer", None) is not None:
        s.adventurer[seat] = 1 + at.name(
            "adventurer", ADVENTURERS, clause="captain.material.adventurers"
        )
    s.coins[seat] = at.number("coins", 0, s.reserve, 0, "captain.material.cards")
    for card, n in enumerate(at.counts("up", LOOT, MOST_OF_A_KIND, {})):
        s.up[seat, card] = n
        s.shown[seat] += n
    down = _read_counts(at, "down")
    for card, n in enumerate(down):
        s.down[seat, card] = n
    s.hidden[seat] = at.number("hidden", 0, CAVE, max(0, sum(down)), "captain.know.public")
    s.purses[seat] = at.number("purses", 0, SEATS, max(0, s.down[seat, Card.PURSE]))
    at.done()


def _read_counts(at: PositionReader, key: str) -> list[int]:
    """Read numbers of cards by kind; null is unknown."""
    if at.raw(key, {}) is None:
        return [UNKNOWN] * KINDS
    at.clause, before = "captain.material.cards", at.clause
    found = at.counts(key, LOOT, MOST_OF_A_KIND, {})
    at.clause = before
    return found


def _fill_cave(p: PositionReader, s: State) -> None:
    """Read the rest of the Cave, then add the missing cards, the Arrival last."""
    p.clause = "captain.setup.cave"
    written = p.names("cave", CARDS, s.size - s.drawn, [], unknown=True)
    p.clause = "captain.position"
    if UNKNOWN not in [*written, *(s.cave[i] for i in range(s.drawn))]:
        for card in range(Card.PURSE):
            lying = sum(s.cave[i] == card for i in range(s.drawn)) + written.count(card)
            if lying > s.total[card]:
                raise Refusal(
                    "impossible",
                    "captain.material.cards",
                    "captain.position.cards",
                    n=lying,
                    most=s.total[card],
                )
            written += [card] * (s.total[card] - lying)
        if len(written) < s.size - s.drawn:
            written.append(Card.ARRIVAL)
    if len(written) != s.size - s.drawn:
        raise Refusal(
            "impossible",
            "captain.material.cards",
            "captain.position.cards",
            n=s.drawn + len(written),
            most=s.size,
        )
    for i, card in enumerate(written):
        s.cave[s.drawn + i] = card


def _invent(p: PositionReader, s: State) -> None:
    """Make up a history for a position written by hand."""
    now = PositionReader(p.raw("now", {}), "captain.position", ".now")
    kept = now.raw("card", None)
    fate = now.name("fate", FATES, "open")
    shown = now.name("answer", ANSWERS, "none") == Answer.ACCUSED
    s.laid = sum(s.discard[card] for card in range(Card.PURSE))
    rows = []
    for seat in range(s.players):
        for card in range(Card.PURSE):
            up, down = s.up[seat, card], s.down[seat, card]
            if kept == CARDS[card]:
                if (fate == Fate.BOUGHT and seat == s.captain) or (shown and seat == s.turn):
                    up -= 1
                elif fate == Fate.LEFT and not shown and seat == s.turn:
                    down -= 1
            rows += [(seat, card, Answer.NONE)] * down + [(seat, card, Answer.ACCUSED)] * up
    if min([s.discard[0], *(s.down[seat, 0] for seat in range(s.players))]) == UNKNOWN:
        raise Refusal("impossible", "captain.know.memory", "captain.position.history")
    if s.laid + len(rows) >= min(s.size, CAVE):
        raise Refusal(
            "impossible",
            "captain.material.cards",
            "captain.position.cards",
            n=s.laid + len(rows),
            most=s.size - 1,
        )
    laid = [card for card in range(Card.PURSE) for _ in range(s.discard[card])]
    for i, card in enumerate(laid + [card for _, card, _ in rows]):
        s.cave[i] = card
    for row, (seat, _, answer) in enumerate(rows):
        s.finder[row] = seat
        s.chief[row] = s.captain
        s.fate[row] = Fate.LEFT
        s.answer[row] = answer
    s.row = len(rows)
    s.drawn = s.laid + s.row
    s.finder[s.row] = s.turn
    s.chief[s.row] = s.captain
    _read_row(now, s, s.row)
    if in_hand(s) and s.drawn == s.laid + s.row:
        raise now.wrong("card", None, ", ".join(DRAWN))
    _fill_cave(p, s)


def _read_history(p: PositionReader, s: State) -> None:
    laid = p.names("laid", DRAWN, s.laid, unknown=True)
    if len(laid) != s.laid:
        raise p.wrong("laid", len(laid), str(s.laid), "captain.material.cards")
    for i, card in enumerate(sorted(laid)):
        s.cave[i] = card
    s.drawn = s.laid
    rows = p.objects("history", range(ROWS))
    for row, at in enumerate([*rows, p.inner("now")]):
        if s.laid + row >= s.size:
            raise at.wrong("card", row, f"≤ {s.size - s.laid}")
        s.row = row
        _read_row(at, s, row)
    _fill_cave(p, s)


def _read_row(at: PositionReader, s: State, row: int) -> None:
    last = s.players - 1
    s.chief[row] = at.number("captain", 0, last, s.chief[row])
    s.finder[row] = at.number("explorer", 0, last, s.finder[row])
    s.mutinies[row] = at.number("mutinies", 0, last, 0)
    if s.mutinies[row]:
        looked = _read_counts(at, "discard")
        for half in range(2):
            s.looked[row, half] = UNKNOWN if UNKNOWN in looked else 0
        if UNKNOWN not in looked:
            for card in range(KINDS):
                s.looked[row, card >> 2] += looked[card] << 3 * (card & 3)
        took = at.raw("took", "")
        if took != "":
            s.took[row] = UNKNOWN if took is None else at.name("took", LOOT) + 1
    s.pledged[row] = at.flag("allegiance", False)
    if at.raw("card", "") != "":
        s.cave[s.drawn] = _one(at, "card")
        s.drawn += 1
    if at.raw("announced", None) is not None:
        s.told[row] = at.name("announced", TOOLS) + 1
    s.fate[row] = at.name("fate", FATES, FATES[0])
    if at.raw("target", None) is not None:
        s.target[row] = at.number("target", 0, last) + 1
    s.answer[row] = at.name("answer", ANSWERS, ANSWERS[0])
    s.how[row] = at.name("how", HOWS[: How.ONLY_EGGS], HOWS[0])
    if s.how[row]:
        s.hit[row] = _one(at, "hit")
    if at.flag("only_eggs", False):
        s.how[row] += How.ONLY_EGGS
    for k, card in enumerate(at.names("turned", LOOT, 2, [])):
        s.turned[row, k] = card + 1
    if at.raw("robbed", None) is not None:
        s.robbed[row] = at.number("robbed", 0, last) + 1
    at.done()


def _one(at: PositionReader, key: str) -> int:
    return UNKNOWN if at.raw(key) is None else at.name(key, CARDS)


def check(s: State) -> None:
    """Refuse a state that breaks an invariant."""
    clause = broken(s)
    if clause:
        raise Refusal("impossible", CLAUSES[clause])


def hides(s: State) -> bool:
    """Whether a card is unknown."""
    return not is_complete(s)
