"""Nomads: what speaks for an action, in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import twin_class
from veillee.engine.seed import fast_row
from veillee.games.nomads.core.names import TILES
from veillee.games.nomads.core.rules import apply, standing, top_tile
from veillee.games.nomads.core.state import NOBODY, Disc, Phase, State, Tile
from veillee.games.nomads.notation import parts
from veillee.games.nomads.text import counted


def reason(words: Words, s: Any, action: int, names: Names, _: Any) -> str | None:
    """Say who would take what, what a card is worth, or what a place is good for."""
    data = parts(action)
    match data["do"]:
        case "sow":
            return _sown(words, s, action, names)
        case "write" | "sing":
            now = standing(s, s.seat)
            return words("nomads.reason.write", n=standing(_after(s, action), s.seat) - now)
        case "place" if s.phase == Phase.FROG:
            return words("nomads.reason.frog")
        case "place" | "lift":
            return _on_top(words, s, data["space"] - 1)
        case "lys" if s.phase == Phase.BONUS:
            return _bonus(words, s, data["space"] - 1)
        case "lys":
            return words("nomads.reason.point")
        case "adventurer":
            return words("nomads.reason.adventurer")
    return None


def _after(s: Any, action: int) -> Any:
    after = twin_class(State)(memoryview(bytearray(s.bytes)))
    apply(after, action, fast_row(0).data, None)
    return after


def _sown(words: Words, s: Any, action: int, names: Names) -> str | None:
    """Say what would be taken; before a lift, which can still change it, only one's own tiles."""
    after = _after(s, action)
    if after.phase == Phase.LIFT:
        mine = _tiles(s, after)[s.seat]
        return _take(words, mine) if mine else None
    said = [_taken(words, s, after, names)]
    if after.phase == Phase.BONUS:
        said.append(words("nomads.reason.lys"))
    return " ".join(said)


def _on_top(words: Words, s: Any, space: int) -> str | None:
    """Say what a disc on top of a pile would listen to; None if no Story tile lies there."""
    tile = top_tile(s, space) if s.tiles[space] else Tile.MOON
    if tile == Tile.MOON:
        asleep = s.phase == Phase.SLEEPERS and s.tiles[space]
        return words("nomads.reason.asleep.moon") if asleep else None
    key = "nomads.reason.asleep" if s.phase == Phase.SLEEPERS else "nomads.reason.top"
    return words(key, tile=words(f"nomads.one.{TILES[tile]}"))


def _bonus(words: Words, s: Any, space: int) -> str | None:
    """Say what a tile goes with."""
    if not s.tiles[space]:
        return None
    tile = top_tile(s, space)
    if tile == Tile.WILD:
        return words("nomads.reason.wild")
    if tile == Tile.MOON:
        return words("nomads.reason.chart", n=s.chart + 1)
    return words("nomads.reason.kind", n=s.hand[s.seat, tile] + 1)


def _tiles(s: Any, after: Any) -> list[Counter[str]]:
    """Return the tiles that each seat would take by listening."""
    taken: list[Counter[str]] = [Counter() for _ in range(s.players)]
    for space in range(s.ring):
        height, discs = s.tiles[space], after.discs[space]
        top = after.pile[space, discs - 1] if discs else Disc.NOMAD
        if top == Disc.NOMAD or s.owner[top] == NOBODY or not height:
            continue
        tile = s.stack[space, height - 1]
        if tile != Tile.MOON:
            taken[s.owner[top]][TILES[tile]] += 1
    return taken


def _several(words: Words, tiles: Counter[str]) -> str:
    """Return tiles in words: "a Whale and 2 Storms"."""
    return words.listed([counted(words, tile, n) for tile, n in tiles.items()])


def _take(words: Words, tiles: Counter[str]) -> str:
    return words("nomads.reason.take", tiles=_several(words, tiles))


def _taken(words: Words, s: Any, after: Any, names: Names) -> str:
    """Say which tiles the seat would take by listening, and what the others would get."""
    taken = _tiles(s, after)
    mine = _take(words, taken[s.seat]) if taken[s.seat] else words("nomads.reason.nothing")
    others = [
        words("nomads.reason.theirs.take", name=name, tiles=_several(words, taken[seat]))
        for seat, name in enumerate(names)
        if seat != s.seat and taken[seat]
    ]
    return " ".join([mine, *others])
