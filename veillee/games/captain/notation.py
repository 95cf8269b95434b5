"""Oh Captain!: actions as text and as data. Seats are numbered from 0, as everywhere in data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from veillee.engine.refusal import Refusal
from veillee.games.captain.core import actions as a
from veillee.games.captain.core.names import ADVENTURERS, LOOT, TOOLS
from veillee.games.captain.core.state import KINDS, SEATS, State

PLAIN = {
    a.PASS: "pass",
    a.MUTINY: "mutiny",
    a.ALLEGIANCE: "allegiance",
    a.BUY: "buy",
    a.LEAVE: "leave",
    a.ACCEPT: "accept",
    a.ACCUSE: "accuse",
}
OF_A_CARD = {"fish": a.FISH, "take": a.TAKE, "give": a.GIVE, "turn": a.TURN}
OF_A_SEAT = {"target": a.TARGET, "rob": a.ROB}


def parts(action: int) -> dict[str, Any]:
    """Return the action as data."""
    if action in PLAIN:
        return {"do": PLAIN[action]}
    if action == a.TAKE_HIDDEN:
        return {"do": "take", "hidden": True}
    if a.GIVE_HIDDEN <= action < a.GIVE_HIDDEN + KINDS:
        return {"do": "give", "hidden": True, "card": LOOT[action - a.GIVE_HIDDEN]}
    for do, first in OF_A_CARD.items():
        if first <= action < first + KINDS:
            return {"do": do, "card": LOOT[action - first]}
    for do, first in OF_A_SEAT.items():
        if first <= action < first + SEATS:
            return {"do": do, "seat": action - first}
    if a.ANNOUNCE <= action < a.ANNOUNCE + len(TOOLS):
        return {"do": "announce", "tool": TOOLS[action - a.ANNOUNCE]}
    return {"do": "adventurer", "adventurer": ADVENTURERS[action - a.ADVENTURER]}


def describe(s: State, action: int) -> dict[str, Any]:
    return parts(action)


def wording_keys(s: State, actions: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all of the state that the words of each action depend on.

    The finder, the phase; what a variant changes of prices and powers.
    """
    return [_wording_key(s, action) for action in actions]


def _wording_key(s: State, action: int) -> tuple[int, ...]:
    if action == a.LEAVE:
        return (s.turn,)
    if action in (a.BUY, a.ALLEGIANCE):
        return s.price, s.tribute
    if a.ADVENTURER <= action < a.MUTINY:
        return s.moon_cards, s.red_coins, s.ulrich_coins, s.stake
    if action >= a.ROB:
        return (s.red_coins,)
    return (s.phase,) if action == a.PASS else ()


@cache
def text(action: int) -> str:
    """Return the notation of an action."""
    return " ".join("hidden" if value is True else str(value) for value in parts(action).values())


@lru_cache(8192)
def parse(notation: str) -> int:
    """Return the action that a notation stands for, or refuse it."""
    try:
        return _read(notation.split())
    except ValueError:
        raise Refusal("unreadable", "captain.notation", what=notation[:80]) from None


def _read(words: list[str]) -> int:
    match words:
        case [word] if word in PLAIN.values():
            return next(action for action, plain in PLAIN.items() if plain == word)
        case ["take", "hidden"]:
            return a.TAKE_HIDDEN
        case ["give", "hidden", *card]:
            return a.GIVE_HIDDEN + LOOT.index(" ".join(card))
        case ["announce", tool]:
            return a.ANNOUNCE + TOOLS.index(tool)
        case ["adventurer", name]:
            return a.ADVENTURER + ADVENTURERS.index(name)
        case ["target" | "rob" as do, seat] if seat in map(str, range(SEATS)):
            return OF_A_SEAT[do] + int(seat)
        case ["fish" | "take" | "give" | "turn" as do, *card]:
            return OF_A_CARD[do] + LOOT.index(" ".join(card))
    raise ValueError(words)


def kind(action: int) -> str:
    """Return what is played, without at whom: `announce hook`, `target`."""
    data = parts(action)
    return str(data["do"]) if data["do"] in OF_A_SEAT else text(action)
