"""Oh Captain!: what speaks for an action, in words."""

from __future__ import annotations

from typing import Any

from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.captain.core.actions import ANNOUNCE
from veillee.games.captain.core.heuristics import Weight, honesty, truth
from veillee.games.captain.core.names import LOOT, TOOLS
from veillee.games.captain.core.rules import attacker, found, tool_of
from veillee.games.captain.core.state import KINDS, Adventurer, Answer, Card, Phase, Tool
from veillee.games.captain.notation import parts

FEW = 2
"""So few cards that are left make a lie hard to believe."""
IN_MAJORITIES = (Card.HOOK, Card.LIZARD, Card.PISTOL)


def reason(words: Words, s: Any, action: int, names: Names, weights: Any) -> str | None:
    """How likely an announcement is true or believed, or what a choice wins and costs."""
    data = parts(action)
    match s.phase:
        case Phase.ANNOUNCE:
            return _announced(words, s, action - ANNOUNCE)
        case Phase.CHOICE | Phase.ANSWER:
            truth_of_it = _truth(words, s, names, weights)
            return f"{truth_of_it} {_stakes(words, data['do'], names[s.turn])}".strip()
        case Phase.ADVENTURER:
            return words("captain.reason.adventurer")
        case Phase.RICH:
            return words(f"captain.reason.{data['do']}")
        case Phase.TARGET:
            return _target(words, s, data["seat"], names)
        case Phase.RED:
            seat = data["seat"]
            return words("captain.reason.coins", name=names[seat], n=s.coins[seat])
        case Phase.SIANA:
            return words("captain.reason.least")
        case Phase.MOON:
            return words("captain.reason.down" if "card" in data else "captain.reason.up")
        case Phase.FISH | Phase.CARD if "card" in data:
            return _card(words, s, LOOT.index(data["card"]))
        case Phase.CARD:
            return words("captain.reason.unseen")
    return None


def _truth(words: Words, s: Any, names: Names, weights: Any) -> str:
    """Say how likely what was announced is true."""
    tool = s.told[s.row] - 1
    honest = honesty(s, s.turn, weights[Weight.TRUST, 0])
    percent = words.percent(truth(s, s.seat, tool, honest))
    said = words(f"captain.some.{TOOLS[tool]}", n=1)
    return words("captain.reason.truth", name=names[s.turn], tool=said, percent=percent)


def _stakes(words: Words, answer: str, name: str) -> str:
    """Say what buying or accusing brings, whether or not the announcement is true."""
    return words(f"captain.reason.{answer}", name=name) if answer in ("buy", "accuse") else ""


def _announced(words: Words, s: Any, tool: int) -> str:
    """Say whether the announcement would be true, and whether it could be."""
    if tool_of(found(s)) == tool:
        return words("captain.reason.honest")
    return " ".join([words("captain.reason.lie"), _believable(words, s, tool) or ""]).strip()


def _believable(words: Words, s: Any, tool: int) -> str | None:
    """Count the cards of a tool that don't lie face up."""
    hidden = 0
    for card in range(KINDS):
        if tool_of(card) == tool:
            hidden += s.total[card] - sum(s.up[seat, card] for seat in range(s.players))
    if not hidden:
        return None
    key = "believable" if hidden > FEW else "doubtful"
    return words(f"captain.reason.{key}", n=hidden)


def _target(words: Words, s: Any, seat: int, names: Names) -> str | None:
    """Say what a target has to lose, and how often it has accused."""
    name, tool = names[seat], s.told[s.row] - 1
    shown = [card for card in range(KINDS) if s.up[seat, card]]
    said: list[str] = []
    if tool == Tool.LIZARD:
        said = [words("captain.reason.coins", name=name, n=s.coins[seat])]
    elif tool == Tool.LANTERN or not shown:
        said = [words("captain.reason.hidden", name=name, n=s.hidden[seat])]
    elif s.adventurer[seat] != Adventurer.SIANA:
        dearest = max(shown, key=lambda card: (s.worth[card], card in IN_MAJORITIES))
        card = words(f"captain.some.{LOOT[dearest].replace(' ', '_')}", n=1)
        said = [words("captain.reason.shown", name=name, card=card)]
    rows = [row for row in range(s.row) if s.target[row] == seat + 1 and s.answer[row]]
    if rows and attacker(s) != s.captain:
        accused = sum(s.answer[row] == Answer.ACCUSED for row in rows)
        said.append(words("captain.reason.accuses", name=name, part=accused, n=len(rows)))
    return " ".join(said) or None


def _card(words: Words, s: Any, card: int) -> str | None:
    """Say what a card is worth at the end."""
    if card in IN_MAJORITIES:
        mine, other = _after_taking(s, card)
        count = words(f"captain.reason.count{'' if other else '.alone'}", n=mine, other=other)
        return f"{words('captain.reason.majority', n=s.token)} {count}"
    return words("captain.reason.worth", n=s.worth[card]) if s.worth[card] > 0 else None


def _after_taking(s: Any, card: int) -> tuple[int, int]:
    """Count a card once it is taken: one's own, and the most that another has face up."""
    victim = s.target[s.row] - 1 if s.phase == Phase.CARD else -1
    shown = [s.up[seat, card] - (seat == victim) for seat in range(s.players) if seat != s.seat]
    return s.up[s.seat, card] + s.down[s.seat, card] + 1, max(shown)
