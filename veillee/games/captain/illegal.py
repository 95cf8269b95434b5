"""Oh Captain!: the clause that makes an action illegal."""

from __future__ import annotations

from veillee.games.captain.core.names import LOOT
from veillee.games.captain.core.rules import attacker
from veillee.games.captain.core.state import Card, Phase, State, Tool
from veillee.games.captain.notation import parts

AWAITED: dict[int, str] = {
    Phase.ADVENTURER: "captain.setup.adventurers",
    Phase.RICH: "captain.turn.rich",
    Phase.FISH: "captain.nostromo",
    Phase.ANNOUNCE: "captain.turn.announce",
    Phase.CHOICE: "captain.turn.choice",
    Phase.TARGET: "captain.turn.leave",
    Phase.ANSWER: "captain.turn.answer",
    Phase.CARD: "captain.effect.choose",
    Phase.SIANA: "captain.siana",
    Phase.MOON: "captain.moon",
    Phase.RED: "captain.red",
}
"""The clause of what each phase asks for."""
TIMES: dict[str, int] = {
    "adventurer": Phase.ADVENTURER,
    "mutiny": Phase.RICH,
    "allegiance": Phase.RICH,
    "fish": Phase.FISH,
    "announce": Phase.ANNOUNCE,
    "buy": Phase.CHOICE,
    "leave": Phase.CHOICE,
    "target": Phase.TARGET,
    "accept": Phase.ANSWER,
    "accuse": Phase.ANSWER,
    "take": Phase.CARD,
    "give": Phase.SIANA,
    "turn": Phase.MOON,
    "rob": Phase.RED,
}


def forbids(s: State, action: int) -> str:
    """Return the clause that forbids the seat to decide this action."""
    data = parts(action)
    do = data["do"]
    if do in ("mutiny", "allegiance") and s.phase == Phase.ANNOUNCE:
        return "captain.turn.rich"
    if TIMES.get(do) != s.phase:
        return AWAITED[s.phase]
    if do == "target":
        return _target(s, data["seat"])
    if do == "give":
        return _gift(s, LOOT.index(data["card"]))
    if do == "adventurer" and not s.taking_part >> action & 1:
        return "captain.material.adventurers"
    return AWAITED[s.phase]


def _target(s: State, seat: int) -> str:
    if seat == attacker(s):
        return "captain.effect.own"
    if seat == s.captain:
        return "captain.turn.leave"
    return "captain.effect.can" if seat < s.players else "captain.turn.order"


def _gift(s: State, card: int) -> str:
    if card != Card.EGG and s.told[s.row] - 1 == Tool.LANTERN and s.up[s.seat, card]:
        return "captain.effect.lantern"
    return "captain.siana"


def because(s: State, action: int) -> list[tuple[str, object]]:
    """Return what to look at: the seat that can't be attacked."""
    data = parts(action)
    return [("seat", data["seat"])] if data["do"] == "target" else []
