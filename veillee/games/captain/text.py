"""Oh Captain!: actions, events and the board in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rich.markup import escape

from veillee.engine.events import Event
from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import ADVENTURERS, CARDS, TOOLS
from veillee.games.captain.core.rules import attacker
from veillee.games.captain.core.state import KINDS, NOBODY, UNKNOWN, How, Phase, State
from veillee.games.captain.notation import parts

COLOURS = ("yellow", "yellow", "magenta", "grey70", "green3", "red", "orange3", "cyan1")
SYMBOLS = ("☼", "☼", "◯", "⚓", "§", "⌐", "$", "☾")


def say(words: Words, s: State, action: int, names: Names) -> str:
    """Return an action in words, as a choice."""
    data = parts(action)
    do = data["do"]
    facts: dict[str, Any] = {}
    if "adventurer" in data:
        name = data["adventurer"]
        facts["name"] = words(f"captain.adventurer.{name}")
        facts["power"] = power(words, s, name)
    for field in ("tool", "card"):
        if field in data:
            facts[field] = _some(words, data[field])
    if "seat" in data:
        facts["seat"] = names[data["seat"]]
    if do == "leave":
        facts["seat"] = names[s.turn]
    if "hidden" in data:
        do += ".hidden"
    if do == "pass":
        do += ".fish" if s.phase == Phase.FISH else ".turn"
    return answer(words, s, do, **facts)


def kind_words(words: Words, kind: str) -> str:
    """Return a kind of action (`announce hook`, `take lantern 3`) in words."""
    match kind.split(maxsplit=1):
        case ["adventurer", name]:
            return words("captain.kind.adventurer", name=words(f"captain.adventurer.{name}"))
        case ["announce", tool]:
            return words("captain.kind.announce", tool=_some(words, tool))
        case ["take", "hidden"]:
            return words("captain.do.take.hidden")
        case ["give", card] if card.startswith("hidden "):
            hidden = _some(words, card.removeprefix("hidden "))
            return words("captain.kind.give.hidden", card=hidden)
        case ["give", card]:
            return words("captain.kind.give", card=_some(words, card))
        case [do, card]:
            return words(f"captain.do.{do}", card=_some(words, card))
    return words(f"captain.kind.{kind}")


def answer(words: Words, s: State, do: str, **facts: str) -> str:
    """Return an action in words, with the coins that it costs or brings where it says so."""
    coins = {"buy": s.price, "allegiance": s.tribute, "rob": s.red_coins}.get(do)
    return words(f"captain.do.{do}{'.free' if coins == 0 else ''}", n=coins, **facts)


def power(words: Words, s: State, name: str) -> str:
    """Return an Adventurer's power in words, with its number where a variant changes it."""
    numbers = {
        "moon": (s.moon_cards, 2),
        "red": (s.red_coins, 1),
        "ulrich": (s.ulrich_coins - s.stake, 1),
    }
    n, printed = numbers.get(name, (1, 1))
    if n == printed and (name != "ulrich" or s.stake == 1):
        return words(f"captain.power.{name}")
    if name == "ulrich" and n:
        return words("captain.power.ulrich.variant", n=s.ulrich_coins)
    return words(f"captain.power.{name}.variant", n=n) if n else words("captain.power.none")


def _key(card: str) -> str:
    return f"captain.card.{card.replace(' ', '_')}"


def _some(words: Words, thing: str, n: int = 1) -> str:
    """Cards of a kind, or a tool, with an article or their number."""
    return words(f"captain.some.{thing.replace(' ', '_')}", n=n)


def tell(words: Words, event: Event, names: Names) -> str | None:
    """Return an event in words; None for a look under the Bottle by somebody else."""
    line = _line(words.language, event.name, tuple(event.values.items()))
    return line and line.format(*names)


@lru_cache(4096)
def _line(language: str, event: str, known: tuple[tuple[str, int | None], ...]) -> str | None:
    """Return an event in words, with "{0}" in place of the name of seat 0."""
    words, values = Words(language), dict(known)
    facts: dict[str, Any] = {}
    n = values.get("cards", values.get("coins", 1))
    for field, value in known:
        if value is None:
            continue
        match field:
            case "seat" | "captain" | "old" | "attacker" | "target" | "to" | "victim":
                facts[field] = f"{{{value}}}" if value != NOBODY else ""
            case "card" if event == "token":
                facts["most"] = words(f"captain.tally.{CARDS[value]}")
                facts["points"] = values.get("points", 4)
            case "card":
                facts["card"] = _some(words, CARDS[value], values.get("cards") or 1)
            case "tool":
                facts["tool"] = _some(words, TOOLS[value])
            case "adventurer":
                facts["adventurer"] = words(f"captain.adventurer.{ADVENTURERS[value - 1]}")
    if event == "look" and values["card"] is None:
        return None
    line = words(f"captain.log.{event}{_manner(event, values)}", n=n, **facts)
    if event == "buy" and "coins" in values:
        line = f"{line} {words('captain.log.price', n=n)}"
    return f"{line} {words('captain.log.given')}" if values.get("how") == How.GIVEN else line


def _manner(event: str, values: Mapping[str, int | None]) -> str:
    """Return the suffix of the text key for how it happened."""
    if "card" in values and values["card"] is None:
        return ".unseen"
    if event in ("hook", "shoot") and values["how"] != How.FACE_UP:
        return ".down"
    if "honest" in values:
        return ".true" if values["honest"] else ".lie"
    if event == "mutiny" and not values["coins"]:
        return ".poor"
    if event == "allegiance" and values.get("coins") == 0:
        return ".free"
    return ".nobody" if event == "token" and values["seat"] == NOBODY else ""


def board(words: Words, s: State, names: Names) -> str:
    """Return the board: the middle of the table, then each seat."""
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
        tool = _some(words, TOOLS[s.told[s.row] - 1])
        lines.append(f" {words('captain.board.announced', name=escape(names[s.turn]), tool=tool)}")
    lines += [_seat(words, s, seat, names) for seat in range(s.players)]
    return "\n".join(lines)


def _seat(words: Words, s: State, seat: int, names: Names) -> str:
    mark = "▶" if s.seat == seat else " "
    bottle = f" [bold blue]{words('captain.captain')}[/]" if s.captain == seat else ""
    adventurer = s.adventurer[seat]
    who = f" ({words(f'captain.adventurer.{ADVENTURERS[adventurer - 1]}')})" if adventurer else ""
    up = _pile(words, [s.up[seat, card] for card in range(KINDS)], 0)
    down = _pile(words, [s.down[seat, card] for card in range(KINDS)], s.hidden[seat])
    coins = words("captain.coins", n=s.coins[seat])
    name = f"[bold]{escape(names[seat])}[/]{who}{bottle}"
    return mark + words("captain.board.seat", name=name, coins=coins, up=up, down=down)


def _pile(words: Words, cards: list[int], n: int) -> str:
    """Return cards by name, or as many backs."""
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


def saying(words: Words, s: State, names: Names) -> str:
    """Return who announces what to the Captain, or attacks whom with it; "" if nobody does."""
    told = s.told[s.row]
    if s.phase <= Phase.ANNOUNCE or s.phase == Phase.OVER or not told:
        return ""
    tool = _some(words, TOOLS[told - 1])
    target = s.target[s.row]
    if target:
        return words(
            "captain.stage.attack",
            attacker=names[attacker(s)],
            target=names[target - 1],
            tool=tool,
        )
    return words("captain.stage.announce", name=names[s.turn], tool=tool)


def turn_of(s: State) -> int:
    """Return whose turn it is; others may have to decide in it."""
    return int(s.seat if s.phase == Phase.ADVENTURER else s.turn)
