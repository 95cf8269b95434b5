"""Nomads: the clause that makes an action illegal."""

from __future__ import annotations

from typing import Any

from veillee.games.nomads.core.names import DISCS, TILES
from veillee.games.nomads.core.rules import SETUP_LIMIT, discs_of, ones
from veillee.games.nomads.core.state import NOBODY, Disc, Phase, State, Tile
from veillee.games.nomads.notation import parts

AWAITED: dict[int, str] = {
    Phase.ADVENTURER: "nomads.setup.adventurers",
    Phase.FROG: "nomads.setup.frog",
    Phase.SLEEPERS: "nomads.setup.sleepers",
    Phase.DISCS: "nomads.setup.discs",
    Phase.LYS: "nomads.setup.lys",
    Phase.TURN: "nomads.turn.choice",
    Phase.BONUS: "nomads.move.lys",
    Phase.LIFT: "nomads.move.red",
}
"""The clause of what each phase asks for."""


def forbids(s: State, action: int) -> str:
    """Return the clause that forbids the seat to decide this action."""
    data = parts(action)
    match data["do"]:
        case "adventurer":
            return "nomads.setup.adventurers"
        case "place":
            return _placing(s, DISCS.index(data["disc"]), data["space"] - 1)
        case "lys":
            return _lys(s, data["space"] - 1)
        case "lift" | "keep":
            return "nomads.move.red"
        case "sow":
            return _sowing(s, data)
        case "write":
            return _writing(s, data)
        case "sing":
            return _singing(s, data)
        case _:
            return _out_of_turn(s)


def _placing(s: State, disc: int, space: int) -> str:
    if s.phase > Phase.DISCS:
        return _out_of_turn(s)
    if disc == Disc.FROG and s.phase == Phase.FROG:
        return _room(s, space)
    if disc == Disc.FROG or s.phase == Phase.FROG:
        return "nomads.setup.frog"
    if s.phase == Phase.ADVENTURER:
        return "nomads.setup.adventurers"
    if s.owner[disc] == NOBODY or s.phase == Phase.SLEEPERS:
        if s.phase == Phase.SLEEPERS and s.owner[disc] == NOBODY and s.box[disc]:
            return _room(s, space)
        return "nomads.setup.sleepers"
    if s.owner[disc] == s.seat and s.box[disc]:
        return _room(s, space)
    return "nomads.setup.discs"


def _room(s: State, space: int) -> str:
    if space >= s.ring or s.discs[space] < SETUP_LIMIT:
        return "nomads.material.ring"
    return "nomads.setup.limit"


def _lys(s: State, space: int) -> str:
    if space >= s.ring:
        return "nomads.material.ring"
    if s.phase == Phase.TURN:
        return "nomads.turn.moon" if s.adventurer[s.turn] == Disc.MOON else "nomads.turn.powers"
    if s.phase in (Phase.BONUS, Phase.LIFT):
        return "nomads.move.lys"
    return "nomads.setup.lys" if s.phase < Phase.TURN else "nomads.end.write"


def _sowing(s: State, data: dict[str, Any]) -> str:
    space = data["space"] - 1
    if s.phase != Phase.TURN:
        return _out_of_turn(s)
    if space >= s.ring:
        return "nomads.material.ring"
    if not s.present[space] & discs_of(s, s.turn):
        return "nomads.move.pile"
    power = "nomads.move.ulrich" if "double" in data else "nomads.move.siana"
    mine = Disc.ULRICH if "double" in data else Disc.SIANA
    return power if s.adventurer[s.turn] == mine else "nomads.turn.powers"


def _writing(s: State, data: dict[str, Any]) -> str:
    if s.phase not in (Phase.TURN, Phase.LAST):
        return _out_of_turn(s)
    legend = TILES.index(data["legend"])
    card = data["card"] - 1
    held = s.legend[s.seat, legend]
    if held and s.value[legend, card] <= s.value[legend, held - 1]:
        return "nomads.write.upgrade"
    if not s.offer[legend, card]:
        return "nomads.write.one"
    price = s.value[legend, card] - (s.value[legend, held - 1] if held else 0)
    wilds = data["wilds"]
    if wilds > s.hand[s.seat, Tile.WILD] or wilds > price:
        return "nomads.write.wild"
    return "nomads.write.upgrade" if held else "nomads.write.legend"


def _singing(s: State, data: dict[str, Any]) -> str:
    if s.phase not in (Phase.TURN, Phase.LAST):
        return _out_of_turn(s)
    song = data["song"] - 1
    if s.song[s.seat]:
        return "nomads.write.song"
    if not s.song_offer[song]:
        return "nomads.write.one"
    paid = sum(1 << TILES.index(tile) for tile in data["tiles"])
    if ones(paid & s.kinds[s.seat]) < len(data["tiles"]):
        return "nomads.write.song"
    return "nomads.write.wild" if len(data["tiles"]) < s.song_cost[song] else "nomads.write.song"


def _out_of_turn(s: State) -> str:
    """Return the clause of what is awaited instead."""
    return AWAITED.get(s.phase, "nomads.end.write")


def because(s: State, action: int) -> list[tuple[str, object]]:
    """Return what to look at: one's own piles, the full one, or the tiles that don't suffice."""
    data = parts(action)
    match forbids(s, action):
        case "nomads.move.pile":
            own = discs_of(s, s.turn)
            return [("space", space + 1) for space in range(s.ring) if s.present[space] & own]
        case "nomads.write.legend" | "nomads.write.upgrade":
            return [("tiles", data["legend"])]
        case "nomads.write.song":
            return [("tiles", TILES[kind]) for kind in range(Tile.WILD) if s.hand[s.seat, kind]]
        case _:
            return [("space", data["space"])] if "space" in data else []
