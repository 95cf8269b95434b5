"""Oh Captain!: why an action is not legal, as the clause that forbids it."""

from __future__ import annotations

from typing import Any

from veillee.games.captain.names import LOOT
from veillee.games.captain.notation import parts
from veillee.games.captain.rules import attacker
from veillee.games.captain.state import Card, Phase, Tool

AWAITED = {
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
"""What is awaited in each phase."""
TIMES = {
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


def forbids(s: Any, action: int) -> str:
    """The clause that forbids the seat to decide to do this now."""
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
    if do == "adventurer" and action > s.many:
        return "captain.material.adventurers"
    return AWAITED[s.phase]


def _target(s: Any, seat: int) -> str:
    if seat == attacker(s):
        return "captain.effect.own"
    if seat == s.captain:
        return "captain.turn.leave"
    return "captain.effect.can" if seat < s.players else "captain.turn.order"


def _gift(s: Any, card: int) -> str:
    if card != Card.EGG and s.told[s.row] - 1 == Tool.LANTERN and s.up[s.seat, card]:
        return "captain.effect.lantern"
    return "captain.siana"

