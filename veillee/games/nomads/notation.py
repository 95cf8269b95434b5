"""Nomads: actions as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from veillee.engine.refusal import Refusal
from veillee.games.nomads.core import actions as a
from veillee.games.nomads.core.names import DIRECTIONS, DISCS, NUMERALS, TILES
from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    MOST_WILDS,
    NOBODY,
    SPACES,
    TALLEST_PILE,
    Disc,
    State,
)

PAYMENTS = MOST_WILDS + 1


def parts(action: int) -> dict[str, Any]:
    """Return the action as data, as far as its number alone tells."""
    return _parts(action).copy()


@cache
def _parts(action: int) -> dict[str, Any]:
    if action >= a.SING:
        song, paid = divmod(action - a.SING, a.KINDS)
        tiles = [TILES[legend] for legend in range(LEGENDS) if paid >> legend & 1]
        return {"do": "sing", "song": song + 1, "tiles": tiles}
    if action >= a.WRITE:
        card, wilds = divmod(action - a.WRITE, PAYMENTS)
        legend, card = divmod(card, CARDS)
        return {"do": "write", "legend": TILES[legend], "card": card + 1, "wilds": wilds}
    if action >= a.SOW:
        start, way = divmod(action - a.SOW, a.WAYS)
        space, direction = divmod(start, 2)
        data = {"do": "sow", "space": space + 1, "direction": DIRECTIONS[direction]}
        if way > TALLEST_PILE:
            data["skip"] = way - TALLEST_PILE
        elif way:
            data["double"] = way
        return data
    if action >= a.LIFT:
        space, height = divmod(action - a.LIFT, TALLEST_PILE)
        return {"do": "lift", "space": space + 1, "height": height + 1}
    if action == a.KEEP:
        return {"do": "keep"}
    if action >= a.LYS:
        return {"do": "lys", "space": action - a.LYS + 1}
    if action >= a.PLACE:
        disc, space = divmod(action - a.PLACE, SPACES)
        return {"do": "place", "disc": DISCS[disc + 1], "space": space + 1}
    if action >= a.ADVENTURER:
        return {"do": "adventurer", "adventurer": DISCS[action - a.ADVENTURER + 1]}
    return {"do": "pass"}


def describe(s: State, action: int) -> dict[str, Any]:
    """Return the action as data, with value and price of a card.

    Wilds come before tiles, so that it is clear how many tiles are left to choose.
    """
    data = parts(action)
    if data["do"] == "sing":
        song, tiles = data["song"] - 1, data.pop("tiles")
        data["wilds"] = s.song_cost[song] - len(tiles)
        data["tiles"] = tiles
        data["value"] = s.song_points[song]
    elif data["do"] == "write":
        data["value"] = s.value[TILES.index(data["legend"]), data["card"] - 1]
    return data


def wording_keys(s: State, actions: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all of the state that the data and the words of each action depend on.

    The value of a card, the top tile of a stack, the height of a pile, whether its last disc falls
    by Lys.
    """
    ring, dropped, skipped, lys = s.ring, s.ulrich_discs, s.siana_skips, s.lys
    discs = s.discs.tobytes()
    keys: list[tuple[int, ...]] = []
    for action in actions:
        if a.SOW <= action < a.WRITE:
            facts = ring, discs[(action - a.SOW) // (2 * a.WAYS)], dropped, skipped
            keys.append((*facts, falls_last(action, *facts) == lys))
        else:
            keys.append(_wording_key(s, action))
    return keys


def _wording_key(s: State, action: int) -> tuple[int, ...]:
    if action >= a.SING:
        song = (action - a.SING) // a.KINDS
        return s.song_cost[song], s.song_points[song]
    if action >= a.WRITE:
        legend, card = divmod((action - a.WRITE) // PAYMENTS, CARDS)
        held = s.legend[s.seat, legend]
        return s.value[legend, card], s.value[legend, held - 1] if held else 0
    if a.LYS <= action < a.KEEP:
        space = action - a.LYS
        height = s.tiles[space]
        return s.phase, s.stack[space, height - 1] if height else NOBODY
    if a.ADVENTURER <= action < a.PLACE:
        return s.moon_moves, s.red_lifts, s.siana_skips, s.ulrich_discs, s.frogs, s.pieces
    return ()


def way_facts(s: State, action: int) -> tuple[int, int, int, int]:
    """Return what the way of a pile depends on: spaces, its height, Ulrich's and Siana's powers."""
    return s.ring, s.discs[(action - a.SOW) // (2 * a.WAYS)], s.ulrich_discs, s.siana_skips


@lru_cache(8192)
def falls_last(action: int, ring: int, discs: int, dropped: int, skipped: int) -> int:
    """Return the space on which the last disc of a pile falls."""
    start, way = divmod(action - a.SOW, a.WAYS)
    space, direction = divmod(start, 2)
    visits = discs
    if way:
        visits += skipped if way > TALLEST_PILE else 1 - dropped
    return (space - visits if direction else space + visits) % ring


@cache
def text(action: int) -> str:
    """Return the notation of an action."""
    data = parts(action)
    match data["do"]:
        case "sing":
            return " ".join(["sing", NUMERALS[data["song"] - 1], *data["tiles"]])
        case "write":
            wilds = f" wilds {data['wilds']}" if data["wilds"] else ""
            return f"write {data['legend']} {NUMERALS[data['card'] - 1]}{wilds}"
        case "sow":
            way = "".join(f" {key} {data[key]}" for key in ("double", "skip") if key in data)
            return f"sow {data['space']} {data['direction']}{way}"
        case _:
            return " ".join(str(value) for value in data.values())


@lru_cache(8192)
def parse(notation: str) -> int:
    """Return the action that a notation stands for, or refuse it."""
    words = notation.split()
    try:
        return _read(words)
    except (ValueError, IndexError):
        raise Refusal("unreadable", "nomads.notation", what=notation[:80]) from None


def _read(words: list[str]) -> int:
    match words:
        case ["pass"]:
            return a.PASS
        case ["keep"]:
            return a.KEEP
        case ["adventurer", name]:
            return a.ADVENTURER + _within(DISCS.index(name), Disc.ULRICH, Disc.NOSTROMO) - 1
        case ["place", name, space]:
            disc = _within(DISCS.index(name), Disc.ULRICH, Disc.FROG)
            return a.PLACE + (disc - 1) * SPACES + _number(space, SPACES) - 1
        case ["lys", space]:
            return a.LYS + _number(space, SPACES) - 1
        case ["lift", space, height]:
            at = (_number(space, SPACES) - 1) * TALLEST_PILE
            return a.LIFT + at + _number(height, TALLEST_PILE) - 1
        case ["sow", space, direction, *way]:
            start = (_number(space, SPACES) - 1) * 2 + DIRECTIONS.index(direction)
            return a.SOW + start * a.WAYS + _way(way)
        case ["write", legend, card, *wilds]:
            number = _within(TILES.index(legend), 0, LEGENDS - 1) * CARDS + NUMERALS.index(card)
            return a.WRITE + number * PAYMENTS + _wilds(wilds)
        case ["sing", song, *tiles]:
            paid = {_within(TILES.index(tile), 0, LEGENDS - 1) for tile in tiles}
            if len(paid) != len(tiles):
                raise ValueError(tiles)
            return a.SING + NUMERALS.index(song) * a.KINDS + sum(1 << legend for legend in paid)
    raise ValueError(words)


def _way(words: list[str]) -> int:
    match words:
        case []:
            return 0
        case ["double", visit]:
            return _number(visit, TALLEST_PILE)
        case ["skip", visit]:
            return TALLEST_PILE + _number(visit, TALLEST_PILE)
    raise ValueError(words)


def _wilds(words: list[str]) -> int:
    match words:
        case []:
            return 0
        case ["wilds", n]:
            return _number(n, MOST_WILDS)
    raise ValueError(words)


def _number(text: str, most: int) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(text)
    return _within(int(text), 1, most)


def _within(value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(value)
    return value


def kind(action: int) -> str:
    """Return what is played, without where: `sow skip`, `write whale II`, `sing III`."""
    match parts(action):
        case {"do": "sing", "song": song}:
            return f"sing {NUMERALS[song - 1]}"
        case {"do": "write", "legend": legend, "card": card}:
            return f"write {legend} {NUMERALS[card - 1]}"
        case {"do": "sow", **rest}:
            return " ".join(["sow", *(power for power in ("double", "skip") if power in rest)])
        case {"do": "adventurer", "adventurer": name}:
            return f"adventurer {name}"
        case {"do": do}:
            return str(do)
    raise ValueError(action)
