"""Oh Captain!: all that a seat may know, as a row of small integers. See `engine/observation.py`.

A seat remembers: what it knows of cards that lie face down it has from what it saw. So the story of
the game is told too, a row for each card drawn, with the cards that this seat saw.
"""

from __future__ import annotations

from veillee.engine.jit.cells import copy_cells, rotate_cells
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.observation import Plane, length, start
from veillee.games.captain.core.names import ADVENTURERS, ANSWERS, CARDS, FATES, LOOT, PHASES, TOOLS
from veillee.games.captain.core.state import DISCARD, KINDS, POOLS, ROWS, SEATS, How, Phase, State
from veillee.games.captain.core.view import AFTER, BEFORE, saw_discard, saw_draw, saw_hit

WHO = ("none", *(f"seat {k} from here" for k in range(SEATS)))
SEEN = ("none", *CARDS, "not seen")
NOT_SEEN = len(CARDS) + 1
WAYS = ("none", "face up", "face down", "given by Siana")
SAID = ("none", *TOOLS)

PLANES = (
    Plane("phase", (len(PHASES),), "which decision it is: one is set"),
    Plane("decider", (SEATS,), "who decides, counted from this seat; none after the end"),
    Plane("turn", (SEATS,), "whose turn it is"),
    Plane("captain", (SEATS,), "who has the Bottle"),
    Plane("first", (SEATS,), "who had it first"),
    Plane("players", (1,), "how many play"),
    Plane("reserve", (1,), "coins in the reserve"),
    Plane("coins", (SEATS,), "for each seat, its coins"),
    Plane("adventurer", (SEATS,), "for each seat, its Adventurer", ("none", *ADVENTURERS)),
    Plane("up", (SEATS, KINDS), "for each seat, its cards of each kind that lie face up"),
    Plane("hidden", (SEATS,), "for each seat, how many of its cards lie face down"),
    Plane("down", (SEATS, KINDS), "which these are: this seat's; after the end, everyone's"),
    Plane("purses", (POOLS,), "for each seat, and last in the discard, the Purses there at first"),
    Plane("discard", (KINDS,), "the cards under the Bottle, for the Captain"),
    Plane("discards", (1,), "how many there are"),
    Plane("laid", (KINDS,), "those that lay there at first, for the first Captain"),
    Plane("drawn", (1,), "how many cards left the Cave, those laid at first among them"),
    Plane("card", (ROWS,), "for each card drawn, what it was", SEEN),
    Plane("finder", (ROWS,), "who drew it", WHO),
    Plane("chief", (ROWS,), "who was Captain then", WHO),
    Plane("mutinies", (ROWS,), "how many mutinies came just before"),
    Plane("pledged", (ROWS,), "whether the finder swore allegiance"),
    Plane("told", (ROWS,), "as what it was announced", SAID),
    Plane("fate", (ROWS,), "what became of it", FATES),
    Plane("target", (ROWS,), "who was attacked with it", WHO),
    Plane("answer", (ROWS,), "what the one attacked answered", ANSWERS),
    Plane("how", (ROWS,), "how a card of theirs was hit", WAYS),
    Plane("only_eggs", (ROWS,), "whether Siana had shown that all she has are Eggs"),
    Plane("hit", (ROWS,), "which card that was", SEEN),
    Plane("turned", (ROWS, 2), "the cards that Moon turned down after it", ("none", *LOOT)),
    Plane("robbed", (ROWS,), "whom Red took a coin from after it", WHO),
    Plane("took", (ROWS,), "what Nostromo took from under the Bottle before it", SEEN),
    Plane("looked", (ROWS, KINDS), "what this seat, by mutiny, found there"),
)
SIZE = length(PLANES)
TURNED_IN_ALL = 2 * ROWS
OPTIONS = (
    *("dealt", "taking_part", "captain_coins", "explorer_coins", "total", "bottom", "laid"),
    *("size", "worth", "token", "price", "tribute", "stake"),
    *("moon_cards", "red_coins", "ulrich_coins"),
)
"""Fields that hold options, which an observation does not repeat."""
DERIVED = ("shown", "row", "known", "rest", "blanks", "eggless", "where")
"""Fields that follow from the others, or are scratch memory of the rules."""

PHASE = start(PLANES, "phase")
DECIDER = start(PLANES, "decider")
TURN = start(PLANES, "turn")
CAPTAIN = start(PLANES, "captain")
FIRST = start(PLANES, "first")
PLAYERS = start(PLANES, "players")
RESERVE = start(PLANES, "reserve")
COINS = start(PLANES, "coins")
ADVENTURER = start(PLANES, "adventurer")
UP = start(PLANES, "up")
HIDDEN = start(PLANES, "hidden")
DOWN = start(PLANES, "down")
PURSES = start(PLANES, "purses")
IN_DISCARD = start(PLANES, "discard")
DISCARDS = start(PLANES, "discards")
LAID = start(PLANES, "laid")
DRAWN = start(PLANES, "drawn")
CARD = start(PLANES, "card")
FINDER = start(PLANES, "finder")
CHIEF = start(PLANES, "chief")
MUTINIES = start(PLANES, "mutinies")
PLEDGED = start(PLANES, "pledged")
TOLD = start(PLANES, "told")
FATE = start(PLANES, "fate")
TARGET = start(PLANES, "target")
ANSWER = start(PLANES, "answer")
HOW = start(PLANES, "how")
EGGS = start(PLANES, "only_eggs")
HIT = start(PLANES, "hit")
TURNED = start(PLANES, "turned")
ROBBED = start(PLANES, "robbed")
TOOK = start(PLANES, "took")
LOOKED = start(PLANES, "looked")


def observe(s: State, seat: int, out: Cells) -> None:
    """captain.know.public, captain.know.memory, captain.know.loot, captain.know.hook

    Fill a row with what a seat knows. Reads nothing that `view` redacts.
    """
    for at in range(SIZE):
        out[at] = 0
    observe_turn(s, seat, out)
    for who in range(s.players):
        observe_seat(s, who, from_here(s, seat, who), out)
    if seat == s.captain:
        for card in range(KINDS):
            out[IN_DISCARD + card] = s.discard[card]
    if seat == s.first and s.drawn:
        for i in range(s.laid):
            out[LAID + s.cave[i]] += 1
    if s.drawn:
        observe_story(s, seat, out)


def from_here(s: State, seat: int, other: int) -> int:
    """Return by how many seats clockwise another seat is away from this one."""
    return other - seat if other >= seat else other - seat + s.players


def observe_turn(s: State, seat: int, out: Cells) -> None:
    out[PHASE + s.phase] = 1
    if s.seat != OVER:
        out[DECIDER + from_here(s, seat, s.seat)] = 1
    out[TURN + from_here(s, seat, s.turn)] = 1
    out[CAPTAIN + from_here(s, seat, s.captain)] = 1
    out[FIRST + from_here(s, seat, s.first)] = 1
    out[PLAYERS] = s.players
    out[RESERVE] = s.reserve
    out[DISCARDS] = s.discards
    out[DRAWN] = s.drawn
    out[PURSES + DISCARD] = s.purses[DISCARD]


def observe_seat(s: State, who: int, k: int, out: Cells) -> None:
    """Fill in what lies in front of one seat, the k-th clockwise."""
    out[COINS + k] = s.coins[who]
    out[ADVENTURER + k] = s.adventurer[who]
    out[HIDDEN + k] = s.hidden[who]
    out[PURSES + k] = s.purses[who]
    copy_cells(out, UP + k * KINDS, s.up, who, KINDS)
    if k == 0 or s.phase == Phase.OVER:
        copy_cells(out, DOWN + k * KINDS, s.down, who, KINDS)


def observe_story(s: State, seat: int, out: Cells) -> None:
    """Fill in what happened to each card drawn. In rows that are still to come all is 0."""
    rows = s.row + 1
    rotate_cells(out, FINDER, s.finder, 1, seat, s.players, rows)
    rotate_cells(out, CHIEF, s.chief, 1, seat, s.players, rows)
    rotate_cells(out, TARGET, s.target, 0, seat, s.players, rows)
    rotate_cells(out, ROBBED, s.robbed, 0, seat, s.players, rows)
    copy_cells(out, MUTINIES, s.mutinies, 0, ROWS)
    copy_cells(out, PLEDGED, s.pledged, 0, ROWS)
    copy_cells(out, TOLD, s.told, 0, ROWS)
    copy_cells(out, FATE, s.fate, 0, ROWS)
    copy_cells(out, ANSWER, s.answer, 0, ROWS)
    copy_cells(out, TURNED, s.turned, 0, TURNED_IN_ALL)
    for row in range(rows):
        observe_row(s, seat, row, out)


def observe_row(s: State, seat: int, row: int, out: Cells) -> None:
    """Fill in the cards of one row, as far as this seat saw them."""
    if s.laid + row < s.drawn:
        seen = saw_draw(s, row, 1 << seat)
        out[CARD + row] = 1 + s.cave[s.laid + row] if seen else NOT_SEEN
    if s.how[row]:
        how = s.how[row] & 3
        out[HOW + row] = how
        out[EGGS + row] = s.how[row] >> 2
        if how != How.NOT:
            seen = how == How.FACE_UP or saw_hit(s, row, 1 << seat)
            out[HIT + row] = 1 + s.hit[row] if seen else NOT_SEEN
    if s.mutinies[row]:
        observe_mutinies(s, seat, row, out)


def observe_mutinies(s: State, seat: int, row: int, out: Cells) -> None:
    """captain.nostromo, captain.know.memory"""
    seen = saw_discard(s, row, 1 << seat)
    if s.took[row]:
        whole = seen == BEFORE + AFTER
        out[TOOK + row] = s.took[row] if whole else NOT_SEEN
    if seen:
        for card in range(KINDS):
            found = s.looked[row, card >> 2] >> 3 * (card & 3) & 7
            out[LOOKED + row * KINDS + card] = found
        if seen == AFTER and s.took[row] > 0:
            out[LOOKED + row * KINDS + s.took[row] - 1] -= 1
