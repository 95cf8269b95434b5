"""Oh Captain!: actions, events and the board in words."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from veillee.engine.contract import Names
from veillee.engine.events import Event
from veillee.engine.words import Words
from veillee.games.captain.names import ADVENTURERS, CARDS, TOOLS
from veillee.games.captain.notation import parts
from veillee.games.captain.state import KINDS, NOBODY, UNKNOWN, How, Phase

COLOURS = ("yellow", "yellow", "magenta", "grey70", "green3", "red", "orange3", "cyan1")
SYMBOLS = ("☼", "☼", "◯", "⚓", "§", "⌐", "$", "☾")


def say(words: Words, s: Any, action: int) -> str:
    """An action as a line that a person chooses."""
    data = parts(action)
    do = data["do"]
    facts: dict[str, Any] = {}
    if "adventurer" in data:
        name = data["adventurer"]
        facts["name"] = words(f"captain.adventurer.{name}")
        facts["power"] = words(f"captain.power.{name}")
    if "tool" in data:
        facts["tool"] = words(f"captain.tool.{data['tool']}")
    if "card" in data:
        facts["card"] = words(_key(data["card"]))
    if "seat" in data:
        facts["seat"] = seat_name(words, s, data["seat"])
    if "hidden" in data:
        do += ".hidden"
    if do == "pass":
        do += ".fish" if s.phase == Phase.FISH else ".turn"
    return words(f"captain.do.{do}", **facts)


def seat_name(words: Words, s: Any, seat: int) -> str:
    """A seat by its Adventurer, which everyone at the table sees."""
    adventurer = s.adventurer[seat]
    if not adventurer:
        return str(seat + 1)
    return f"{words(f'captain.adventurer.{ADVENTURERS[adventurer - 1]}')} ({seat + 1})"


def _key(card: str) -> str:
    return f"captain.card.{card.replace(' ', '_')}"


def tell(words: Words, event: Event, names: Names) -> str | None:
    """An event as a line of the log; what a Captain sees under the Bottle only to that one."""
    values = event.values
    facts: dict[str, Any] = {}
    n = None
    for field, value in values.items():
        if value is None:
            continue
        match field:
            case "seat" | "captain" | "old" | "attacker" | "target" | "to" | "victim":
                facts[field] = names[value] if value != NOBODY else ""
            case "card":
                facts["card"] = words(_key(CARDS[value]))
            case "tool":
                facts["tool"] = words(f"captain.tool.{TOOLS[value]}")
            case "adventurer":
                facts["adventurer"] = words(f"captain.adventurer.{ADVENTURERS[value - 1]}")
            case "coins" | "cards":
                n = value
    if event.name == "look" and values["card"] is None:
        return None
    line = words(f"captain.log.{event.name}{_manner(event)}", n=n, **facts)
    return f"{line} {words('captain.log.given')}" if values.get("how") == How.GIVEN else line


def _manner(event: Event) -> str:
    """The ending of the key for how it happened."""
    values = event.values
    if "card" in values and values["card"] is None:
        return ".unseen"
    if event.name in ("hook", "shoot") and values["how"] != How.FACE_UP:
        return ".down"
    if "honest" in values:
        return ".true" if values["honest"] else ".lie"
    if event.name == "mutiny" and not values["coins"]:
        return ".poor"
    return ".nobody" if event.name == "token" and values["seat"] == NOBODY else ""


def board(words: Words, s: Any, names: Names) -> str:
    """The middle of the table, then what lies in front of each."""
    middle = words(
        "captain.board.middle",
        cave=s.size - s.drawn,
        reserve=s.reserve,
        discard=_pile(words, [s.discard[card] for card in range(KINDS)], s.discards),
    )
    lines = [f" {middle}"]
    if s.phase in (Phase.ANNOUNCE, Phase.CHOICE) and s.cave[s.drawn - 1] != UNKNOWN:
        card = _card(words, s.cave[s.drawn - 1])
        lines.append(f" {words('captain.board.found', card=card)}")
    if s.phase > Phase.ANNOUNCE and s.phase != Phase.OVER and s.told[s.row]:
        tool = words(f"captain.tool.{TOOLS[s.told[s.row] - 1]}")
        lines.append(f" {words('captain.board.announced', name=escape(names[s.turn]), tool=tool)}")
    lines += [_seat(words, s, seat, names) for seat in range(s.players)]
    return "\n".join(lines)


def _seat(words: Words, s: Any, seat: int, names: Names) -> str:
    mark = "▶" if s.seat == seat else " "
    bottle = f" [bold blue]{words('captain.captain')}[/]" if s.captain == seat else ""
    adventurer = s.adventurer[seat]
    who = f" ({words(f'captain.adventurer.{ADVENTURERS[adventurer - 1]}')})" if adventurer else ""
    up = _pile(words, [s.up[seat, card] for card in range(KINDS)], 0)
    down = _pile(words, [s.down[seat, card] for card in range(KINDS)], s.hidden[seat])
    coins = words("captain.coins", n=s.coins[seat])
    line = words("captain.board.seat", coins=coins, up=up, down=down)
    return f"{mark}[bold]{escape(names[seat])}[/]{who}{bottle}: {line}"


def _pile(words: Words, cards: list[int], n: int) -> str:
    """Cards that can be seen, or as many backs."""
    if UNKNOWN in cards:
        return "▒" * n or "–"
    shown = [
        f"{_card(words, card)}{f' ×{many}' if many > 1 else ''}"
        for card, many in enumerate(cards)
        if many
    ]
    return ", ".join(shown) or "–"


def _card(words: Words, card: int) -> str:
    return f"[{COLOURS[card]}]{SYMBOLS[card]} {words(_key(CARDS[card]))}[/]"
