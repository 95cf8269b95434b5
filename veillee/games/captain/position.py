"""Oh Captain!: positions as JSON data, out and in.

The Cave stands top card first. What the reader may not know is null. `history` tells what became of
each card drawn, `now` of the turn in progress; what a key would say by its default is left out.

A position written by hand needs no history. Then the cards on the table count as drawn one by one
by those who have them and left to them or, face up, shown; each starting Purse lies where it was
dealt; cards missing from the Cave lie under those that are written, the Arrival last.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.position import Reader
from veillee.engine.refusal import Refusal
from veillee.games.captain.invariants import CLAUSES, broken, in_hand
from veillee.games.captain.names import ADVENTURERS, ANSWERS, CARDS, FATES, HOWS, LOOT, PHASES, TOOLS
from veillee.games.captain.options import DRAWN, agreed
from veillee.games.captain.state import (
    CAVE,
    DISCARD,
    KINDS,
    NOBODY,
    ROWS,
    SEATS,
    UNKNOWN,
    Answer,
    Card,
    Fate,
    How,
    Phase,
)

MOST = 35


def write(s: Any) -> dict[str, Any]:
    """The whole position; what a view blots out is null."""
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
    if s.drawn:
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


def _write_row(s: Any, row: int) -> dict[str, Any]:
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


def read(position: Any, s: Any) -> None:
    """Fill a state, prepared with the position's options and players, from a position."""
    p = Reader(position, "captain.position")
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
    _read_counts(p, "discard", s.discard)
    s.discards = p.number("discards", 0, MOST, max(0, sum(s.discard)), "captain.setup.discard")
    s.purses[DISCARD] = p.number("purses", 0, SEATS, max(0, s.discard[Card.PURSE]))
    s.turn = p.number("turn", 0, s.players - 1, (s.captain + 1) % s.players)
    if s.phase == Phase.ADVENTURER:
        _fill_cave(p, s)
    elif by_hand:
        _invent(p, s)
    else:
        _read_history(p, s)
    seat = p.raw("seat", s.turn)
    if s.phase == Phase.OVER:
        s.seat = NOBODY
    else:
        s.seat = p.number("seat", 0, s.players - 1, s.turn) if seat is not None else s.turn
    p.done()
    check(s)


def _read_seat(at: Reader, s: Any, seat: int) -> None:
    if at.raw("adventurer", None) is not None:
        s.adventurer[seat] = 1 + at.name(
            "adventurer", ADVENTURERS, clause="captain.material.adventurers"
        )
    s.coins[seat] = at.number("coins", 0, s.reserve, 0, "captain.material.cards")
    for card, n in enumerate(at.counts("up", LOOT, MOST, {})):
        s.up[seat, card] = n
        s.shown[seat] += n
    down = _Row(s.down, seat)
    _read_counts(at, "down", down)
    s.hidden[seat] = at.number("hidden", 0, MOST, max(0, sum(down)), "captain.know.public")
    s.purses[seat] = at.number("purses", 0, SEATS, max(0, s.down[seat, Card.PURSE]))
    at.done()


class _Row:
    """One seat's row of a table."""

    def __init__(self, cells: Any, seat: int) -> None:
        self.cells = cells
        self.seat = seat

    def __len__(self) -> int:
        return KINDS

    def __getitem__(self, card: int) -> int:
        if card >= KINDS:
            raise IndexError
        return int(self.cells[self.seat, card])

    def __setitem__(self, card: int, n: int) -> None:
        self.cells[self.seat, card] = n


def _read_counts(at: Reader, key: str, cells: Any) -> None:
    """Cards by kind; null is unknown."""
    if at.raw(key, {}) is None:
        for card in range(KINDS):
            cells[card] = UNKNOWN
    else:
        at.clause, before = "captain.material.cards", at.clause
        for card, n in enumerate(at.counts(key, LOOT, MOST, {})):
            cells[card] = n
        at.clause = before


def _fill_cave(p: Reader, s: Any) -> None:
    """The rest of the Cave: what is written, then what is missing, the Arrival last."""
    p.clause = "captain.setup.cave"
    written = p.names("cave", CARDS, s.size - s.drawn, [], unknown=True)
    p.clause = "captain.position"
    if UNKNOWN not in written:
        for card in range(Card.PURSE):
            lying = sum(s.cave[i] == card for i in range(s.drawn)) + written.count(card)
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


def _invent(p: Reader, s: Any) -> None:
    """A history for a position written by hand."""
    now = Reader(p.raw("now", {}), "captain.position", ".now")
    kept = now.raw("card", None)
    fate = now.name("fate", FATES, "open")
    shown = now.name("answer", ANSWERS, "none") == Answer.ACCUSED
    s.laid = sum(s.discard[card] for card in range(Card.PURSE))
    rows = []
    for seat in range(s.players):
        for card in range(Card.PURSE):
            up, down = s.up[seat, card], s.down[seat, card]
            if kept == CARDS[card]:
                if fate == Fate.BOUGHT and seat == s.captain or shown and seat == s.turn:
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


def _read_history(p: Reader, s: Any) -> None:
    for i, card in enumerate(p.names("laid", DRAWN, s.laid, unknown=True)):
        s.cave[i] = card
    s.drawn = s.laid
    rows = p.objects("history", range(ROWS))
    for row, at in enumerate([*rows, p.inner("now")]):
        if s.laid + row >= s.size:
            raise at.wrong("card", row, f"≤ {s.size - s.laid}")
        s.row = row
        _read_row(at, s, row)
    _fill_cave(p, s)


def _read_row(at: Reader, s: Any, row: int) -> None:
    last = s.players - 1
    s.chief[row] = at.number("captain", 0, last, s.chief[row])
    s.finder[row] = at.number("explorer", 0, last, s.finder[row])
    s.mutinies[row] = at.number("mutinies", 0, last, 0)
    if s.mutinies[row]:
        looked = [0] * KINDS
        _read_counts(at, "discard", looked)
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


def _one(at: Reader, key: str) -> int:
    return UNKNOWN if at.raw(key) is None else at.name(key, CARDS)


def check(s: Any) -> None:
    """Refuse a state that can't be."""
    clause = broken(s)
    if clause:
        raise Refusal("impossible", CLAUSES[clause])
