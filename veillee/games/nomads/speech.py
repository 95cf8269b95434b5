"""Nomads: actions, events and the board in words."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from veillee.engine.contract import Names
from veillee.engine.events import Event
from veillee.engine.words import Words
from veillee.games.nomads.names import DIRECTIONS, DISCS, TILES
from veillee.games.nomads.notation import describe
from veillee.games.nomads.rules import standing
from veillee.games.nomads.state import CARDS, LEGENDS, SONGS, UNKNOWN, Phase, Tile

DISC_COLOURS = ("blue", "bright_black", "white", "red", "yellow", "green", "green")
TILE_COLOURS = (
    "dodger_blue1",
    "orange4",
    "green3",
    "medium_purple1",
    "grey70",
    "dark_orange",
    "pink1",
    "bright_white",
    "cyan1",
)
SYMBOLS = ("◠", "ψ", "♣", "☄", "ϟ", "▲", "@", "★", "☾")


def say(words: Words, s: Any, action: int) -> str:
    """An action as a line that a person chooses."""
    data = describe(s, action)
    match data["do"]:
        case "adventurer":
            name = words(f"nomads.disc.{data['adventurer']}")
            power = words(f"nomads.power.{data['adventurer']}")
            return words("nomads.do.adventurer", name=name, power=power)
        case "place":
            name = words(f"nomads.disc.{data['disc']}")
            return words("nomads.do.place", disc=name, space=data["space"])
        case "lys":
            top = top_of(words, s, data["space"] - 1)
            return words("nomads.do.lys", space=data["space"], tile=top)
        case "lift":
            return words("nomads.do.lift", space=data["space"], height=data["height"])
        case "sow":
            way = words(f"nomads.direction.{data['direction']}")
            line = words(
                "nomads.do.sow",
                n=s.discs[data["space"] - 1],
                space=data["space"],
                direction=way,
            )
            for power in ("double", "skip"):
                if power in data:
                    line += words(f"nomads.do.{power}", visit=data[power])
            return line
        case "write":
            line = words(
                "nomads.do.write",
                legend=words(f"nomads.tile.{data['legend']}"),
                value=data["value"],
            )
            return line + _with_wilds(words, data["wilds"])
        case "sing":
            line = words(
                "nomads.do.sing",
                value=data["value"],
                tiles=", ".join(words(f"nomads.tile.{tile}") for tile in data["tiles"]) or "–",
            )
            return line + _with_wilds(words, data["wilds"])
        case other:
            return words(f"nomads.do.{other}")


def _with_wilds(words: Words, wilds: int) -> str:
    return words("nomads.do.wilds", n=wilds) if wilds else ""


def top_of(words: Words, s: Any, space: int) -> str:
    if not s.tiles[space]:
        return words("nomads.stack.empty")
    return words(f"nomads.tile.{TILES[s.stack[space, s.tiles[space] - 1]]}")


def tell(words: Words, event: Event, names: Names) -> str | None:
    """An event as a line of the log; a sown disc or a single Nomad needs none."""
    values = event.values
    facts: dict[str, Any] = {}
    n = None
    for key, value in values.items():
        if value is None:
            continue
        match key:
            case "seat" | "first":
                facts["name"] = names[value]
            case "space":
                facts["space"] = value + 1
            case "disc":
                facts["disc"] = words(f"nomads.disc.{DISCS[value]}")
            case "direction":
                facts["direction"] = words(f"nomads.direction.{DIRECTIONS[value]}")
            case "tile":
                facts["tile"] = words(f"nomads.one.{TILES[value]}")
            case "legend":
                facts["legend"] = words(f"nomads.tile.{TILES[value]}")
            case "card" | "song":
                facts["card"] = value + 1
            case "height" | "won" | "stacks":
                n = value
            case _:
                facts[key] = value
    if event.name in ("drop", "nomads"):
        return None
    if event.name == "lys":
        return words("nomads.log.lys", **facts)
    if event.name == "lift":
        return words("nomads.log.lift", **facts)
    return words(f"nomads.log.{event.name}", n=n, **facts)


def board(words: Words, s: Any, names: Names) -> str:
    """The fire from above as eight lines, then what lies in front of each."""
    lines = []
    for space in range(s.ring):
        discs = " ".join(_disc(words, s.pile[space, h]) for h in range(s.discs[space]))
        bare = sum(len(_letter(words, s.pile[space, h])) + 2 for h in range(s.discs[space]))
        lys = f" [bold magenta]◀ {words('nomads.lys')}[/]" if _lys_stands(s, space) else ""
        top = s.stack[space, s.tiles[space] - 1] if s.tiles[space] else UNKNOWN
        tile = _tile(words, top) if top != UNKNOWN else f"[dim]{words('nomads.stack.empty')}[/]"
        depth = f"[dim]({s.tiles[space]})[/]" if s.tiles[space] else ""
        lines.append(
            f" [bold]{space + 1}[/]  {discs}{' ' * max(1, 20 - bare)}│ {tile} {depth}{lys}"
        )
    lines.append(f" {words('nomads.chart')}: {'☾' * s.chart or '–'}")
    lines.append(f" {words('nomads.offer')}: {_offer(words, s)}")
    for seat in range(s.players):
        lines.append(_seat(words, s, seat, names))
    return "\n".join(lines)


def _lys_stands(s: Any, space: int) -> bool:
    return bool(s.lys == space and s.phase > Phase.LYS)


def _letter(words: Words, disc: int) -> str:
    return words(f"nomads.short.{DISCS[disc]}")


def _disc(words: Words, disc: int) -> str:
    return f"[{DISC_COLOURS[disc]}]●{_letter(words, disc)}[/]"


def _tile(words: Words, tile: int) -> str:
    return f"[{TILE_COLOURS[tile]}]{SYMBOLS[tile]} {words(f'nomads.tile.{TILES[tile]}')}[/]"


def _offer(words: Words, s: Any) -> str:
    parts = []
    for legend in range(LEGENDS):
        left = [str(s.value[legend, card]) for card in range(CARDS) if s.offer[legend, card]]
        if left and s.total[legend]:
            parts.append(f"{_tile(words, legend)} {'·'.join(left)}")
    songs = [str(s.song_points[song]) for song in range(SONGS) if s.song_offer[song]]
    if songs:
        parts.append(f"♪ {words('nomads.song')} {'·'.join(songs)}")
    return "  ".join(parts)


def _seat(words: Words, s: Any, seat: int, names: Names) -> str:
    mark = "▶" if s.seat == seat else " "
    disc = s.adventurer[seat]
    who = f" ({_disc(words, disc)} {words(f'nomads.disc.{DISCS[disc]}')})" if disc else ""
    tiles = " ".join(
        f"[{TILE_COLOURS[k]}]{SYMBOLS[k]}{s.hand[seat, k]}[/]"
        for k in range(Tile.MOON)
        if s.hand[seat, k]
    )
    cards = " ".join(
        f"[{TILE_COLOURS[k]}]{SYMBOLS[k]}={s.value[k, s.legend[seat, k] - 1]}[/]"
        for k in range(LEGENDS)
        if s.legend[seat, k]
    )
    if s.song[seat]:
        cards += f" ♪={s.song_points[s.song[seat] - 1]}"
    total = standing(s, seat) + s.moons[seat]
    return (
        f"{mark}[bold]{escape(names[seat])}[/]{who}: {tiles or '–'} │ {cards.strip() or '–'} │ "
        f"☾{s.moons[seat]} │ {words('nomads.points', n=total)}"
    )
