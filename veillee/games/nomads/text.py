"""Nomads: actions, events and the board in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from rich.markup import escape

from veillee.engine.events import Event
from veillee.engine.game_spec import Names
from veillee.engine.i18n import Words
from veillee.games.nomads.core.names import DIRECTIONS, DISCS, TILES
from veillee.games.nomads.core.rules import held_value, standing
from veillee.games.nomads.core.state import CARDS, LEGENDS, SONGS, UNKNOWN, Phase, State, Tile
from veillee.games.nomads.notation import describe, falls_last, way_facts

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


def say(words: Words, s: State, action: int, names: Names) -> str:
    """Return an action in words, as a choice."""
    data = describe(s, action)
    match data["do"]:
        case "adventurer":
            name = words(f"nomads.disc.{data['adventurer']}")
            told = power(words, s, data["adventurer"])
            return words("nomads.do.adventurer", name=name, power=told)
        case "place":
            disc = words(f"nomads.the.{data['disc']}")
            return words("nomads.do.place", disc=disc, space=data["space"])
        case "lys":
            return _say_lys(words, s, data["space"])
        case "lift":
            return words("nomads.do.lift", space=data["space"], height=data["height"])
        case "sow":
            return _say_sowing(words, s, action, data)
        case "write":
            return _say_writing(words, s, data)
        case "sing":
            paid = _paid(words, data["tiles"], data["wilds"])
            return words("nomads.do.sing", value=data["value"], tiles=paid)
        case other:
            return words(f"nomads.do.{other}")


def power(words: Words, s: State, name: str) -> str:
    """Return an Adventurer's power in words, with its number where a variant changes it."""
    n, printed = {
        "moon": (s.moon_moves, 1),
        "red": (s.red_lifts, 1),
        "siana": (s.siana_skips, 1),
        "ulrich": (s.ulrich_discs - 1, 1),
        "nostromo": (s.frogs, 1),
    }[name]
    if n == printed and (name != "nostromo" or s.pieces == 2):
        return words(f"nomads.power.{name}")
    return words(f"nomads.power.{name}.variant", n=n) if n else words("nomads.power.none")


def _say_lys(words: Words, s: State, space: int) -> str:
    """Return a move of Lys in words: in set-up, by Moon, or with her bonus."""
    if s.phase != Phase.BONUS:
        key = "nomads.do.walk" if s.phase == Phase.TURN else "nomads.do.lys"
        return words(key, space=space, tile=top_of(words, s, space - 1))
    if not s.tiles[space - 1]:
        return words("nomads.do.bonus.empty", space=space)
    tile = s.stack[space - 1, s.tiles[space - 1] - 1]
    key = "nomads.do.bonus.moon" if tile == Tile.MOON else "nomads.do.bonus"
    return words(key, space=space, tile=words(f"nomads.one.{TILES[tile]}"))


def _say_sowing(words: Words, s: State, action: int, data: dict[str, Any]) -> str:
    """Return in words which pile goes where, and where its last disc falls."""
    ring, direction, start = s.ring, data["direction"], data["space"] - 1
    n = s.discs[start]
    way = words(f"nomads.direction.{direction}")
    line = words("nomads.do.sow", n=n, space=start + 1, direction=way)
    for used in ("double", "skip"):
        if visit := data.get(used):
            at = start + visit if direction == "left" else start - visit
            times = s.ulrich_discs if used == "double" else s.siana_skips
            key = f"nomads.do.{used}{'.variant' if used == 'double' and times != 2 else ''}"
            line += words(key, n=times, at=at % ring + 1)
            if visit > ring:
                line += words("nomads.do.lap", lap=(visit - 1) // ring + 1)
    last = falls_last(action, *way_facts(s, action))
    line += words("nomads.do.last", n=n, last=last + 1)
    return line + words("nomads.do.meet") if last == s.lys else line


def _say_writing(words: Words, s: State, data: dict[str, Any]) -> str:
    old = held_value(s, s.seat, TILES.index(data["legend"]))
    line = words(
        "nomads.do.upgrade" if old else "nomads.do.write",
        n=data["value"] - old,
        legend=words(f"nomads.legend.{data['legend']}"),
        value=data["value"],
        old=old,
    )
    return line + _with_wilds(words, data["wilds"])


def labels(words: Words, s: State, action: int) -> dict[str, str]:
    """Call a card by its value, as the board does, and not by its number."""
    data = describe(s, action)
    return {
        field: words(f"nomads.pick.{field}.each", value=data["value"])
        for field in ("card", "song")
        if field in data
    }


def _with_wilds(words: Words, wilds: int) -> str:
    return words("nomads.do.wilds", n=wilds) if wilds else ""


def _paid(words: Words, tiles: Sequence[str], wilds: int) -> str:
    """Return the payment for a Song in words."""
    kinds = Counter(tiles) + Counter(wild=wilds)
    return words.listed([counted(words, tile, n) for tile, n in kinds.items()])


def counted(words: Words, tile: str, n: int) -> str:
    """Return tiles of a kind in a sentence: "a Whale", "2 Storms"."""
    return words(f"nomads.one.{tile}") if n == 1 else words(f"nomads.some.{tile}", n=n)


def top_of(words: Words, s: State, space: int) -> str:
    if not s.tiles[space]:
        return words("nomads.stack.empty")
    return words(f"nomads.tile.{TILES[s.stack[space, s.tiles[space] - 1]]}")


def kind_words(words: Words, kind: str) -> str:
    """Return a kind of action (`write whale II`) in words."""
    match kind.split():
        case ["write", legend, card]:
            return words("nomads.kind.write", legend=words(f"nomads.tile.{legend}"), card=card)
        case ["sing", song]:
            return words("nomads.kind.sing", song=song)
        case ["adventurer", name]:
            return words("nomads.kind.adventurer", name=words(f"nomads.disc.{name}"))
        case ["sow", power]:
            return words(f"nomads.kind.{power}")
    return words(f"nomads.pick.do.{kind}")


def tell(words: Words, event: Event, names: Names) -> str | None:
    """Return an event in words; None for a sown disc and for the placing of the Nomads."""
    if event.name in ("drop", "nomads"):
        return None
    return _line(words.language, event.name, tuple(event.values.items())).format(*names)


@lru_cache(4096)
def _line(language: str, event: str, values: tuple[tuple[str, int], ...]) -> str:
    """Return an event in words, with "{0}" in place of the name of seat 0."""
    words = Words(language)
    key = f"nomads.log.{event}"
    facts: dict[str, Any] = dict([_fact(words, name, value) for name, value in values])
    match event:
        case "lys":
            key = f"nomads.log.{LYS_LOG.get(facts.pop('phase'), 'lys')}"
        case "lift":
            facts["disc"] = words("nomads.the.red")
        case "take" | "lose" if ("tile", Tile.MOON) in values:
            key += ".moon"
        case "write":
            wilds = facts["wilds"]
            facts["n"] = facts.pop("tiles") + wilds
            facts["wilds"] = _with_wilds(words, wilds)
        case "sing":
            tiles = [TILES[k] for k in range(LEGENDS) if facts["paid"] >> k & 1]
            facts["tiles"] = _paid(words, tiles, facts["wilds"])
        case "moons" if not facts["n"]:
            key += ".none"
    return words(key, **facts)


LYS_LOG = {Phase.TURN: "walk", Phase.BONUS: "bonus"}
"""Text keys for moving Lys, by phase."""


def _fact(words: Words, name: str, value: int) -> tuple[str, Any]:
    """Return a value of an event as it is named in the log, and its words."""
    match name:
        case "seat" | "first":
            return "name", f"{{{value}}}"
        case "space":
            return "space", value + 1
        case "disc":
            return "disc", words(f"nomads.the.{DISCS[value]}")
        case "direction":
            return "direction", words(f"nomads.direction.{DIRECTIONS[value]}")
        case "tile":
            return "tile", words(f"nomads.one.{TILES[value]}")
        case "legend":
            return "legend", words(f"nomads.legend.{TILES[value]}")
        case "points" | "value":
            return "points", words("nomads.points", n=value)
        case "height" | "won" | "stacks":
            return "n", value
    return name, value


def board(words: Words, s: State, names: Names) -> str:
    """Return the board: a line for each space, then each seat."""
    widths = [_width(words, s, space) for space in range(s.ring)]
    lines = []
    for space in range(s.ring):
        discs = " ".join(_disc(words, s.pile[space, h]) for h in range(s.discs[space]))
        gap = " " * (max(*widths, 18) - widths[space] + 1)
        lys = f" [bold magenta]◀ {words('nomads.lys')}[/]" if _lys_stands(s, space) else ""
        top = s.stack[space, s.tiles[space] - 1] if s.tiles[space] else UNKNOWN
        tile = _tile(words, top) if top != UNKNOWN else f"[dim]{words('nomads.stack.empty')}[/]"
        depth = f" [dim]({s.tiles[space]})[/]" if s.tiles[space] else ""
        lines.append(f" [bold]{space + 1}[/]  {discs}{gap}│ {tile}{depth}{lys}")
    lines.append(f" {words('nomads.board.chart', moons='☾' * s.chart or '–')}")
    lines.append(f" {words('nomads.board.offer', cards=_offer(words, s) or '–')}")
    lines += [_seat(words, s, seat, names) for seat in range(s.players)]
    return "\n".join(lines)


def _width(words: Words, s: State, space: int) -> int:
    """Return the width of a pile in columns."""
    letters = [_letter(words, s.pile[space, h]) for h in range(s.discs[space])]
    return len(" ".join(f"●{letter}" for letter in letters))


def _lys_stands(s: State, space: int) -> bool:
    return bool(s.lys == space and s.phase > Phase.LYS)


def _letter(words: Words, disc: int) -> str:
    return words(f"nomads.short.{DISCS[disc]}")


def _disc(words: Words, disc: int) -> str:
    return f"[{DISC_COLOURS[disc]}]●{_letter(words, disc)}[/]"


def _tile(words: Words, tile: int) -> str:
    return f"[{TILE_COLOURS[tile]}]{SYMBOLS[tile]} {words(f'nomads.tile.{TILES[tile]}')}[/]"


def _offer(words: Words, s: State) -> str:
    parts = []
    for legend in range(LEGENDS):
        left = [str(s.value[legend, card]) for card in range(CARDS) if s.offer[legend, card]]
        if left and s.total[legend]:
            parts.append(f"{_tile(words, legend)} {'·'.join(left)}")
    songs = [str(s.song_points[song]) for song in range(SONGS) if s.song_offer[song]]
    if songs:
        parts.append(f"♪ {words('nomads.songs')} {'·'.join(songs)}")
    return "  ".join(parts)


def _seat(words: Words, s: State, seat: int, names: Names) -> str:
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
    facts = words(
        "nomads.board.seat",
        name=f"[bold]{escape(names[seat])}[/]{who}",
        tiles=tiles or "–",
        cards=cards.strip() or "–",
        moons=s.moons[seat],
        points=words("nomads.points", n=standing(s, seat) + s.moons[seat]),
    )
    return mark + facts
