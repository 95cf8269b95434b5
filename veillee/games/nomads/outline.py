"""Nomads: the position in words, for those who can't see the picture."""

from __future__ import annotations

from veillee.engine.game_spec import Names, Section
from veillee.engine.i18n import Words
from veillee.games.nomads.core.names import DISCS, TILES
from veillee.games.nomads.core.rules import standing
from veillee.games.nomads.core.state import CARDS, LEGENDS, SONGS, Phase, State, Tile


def outline(words: Words, s: State, names: Names, seat: int | None) -> list[Section]:
    """Return the spaces, the cards that can be written, and what each player has."""
    ring = [_space(words, s, space) for space in range(s.ring)]
    if s.phase > Phase.LYS:
        ring.append(words("nomads.outline.lys", space=s.lys + 1))
    ring.append(words("nomads.outline.chart", n=s.chart))
    found = [Section(words("nomads.outline.ring"), ring)]
    found.append(Section(words("nomads.outline.offer"), _offer(words, s)))
    found += [_player(words, s, names, other, other == seat) for other in range(s.players)]
    return found


def _space(words: Words, s: State, space: int) -> str:
    discs = [words(f"nomads.disc.{DISCS[s.pile[space, h]]}") for h in range(s.discs[space])]
    n = s.tiles[space]
    pile = words("nomads.outline.pile", discs=", ".join(discs)) if discs else ""
    stack = words("nomads.outline.stack.none")
    if n:
        top = words(f"nomads.tile.{TILES[s.stack[space, n - 1]]}")
        stack = words("nomads.outline.stack", n=n, tile=top)
    pile = pile or words("nomads.outline.pile.none")
    return words("nomads.outline.space", space=space + 1, pile=pile, stack=stack)


def _offer(words: Words, s: State) -> list[str]:
    lines = []
    for legend in range(LEGENDS):
        there = [
            str(s.value[legend, card])
            for card in range(CARDS)
            if s.total[legend] and s.offer[legend, card]
        ]
        if there:
            name = words(f"nomads.tile.{TILES[legend]}")
            lines.append(words("nomads.outline.cards", name=name, cards=", ".join(there)))
    songs = [str(s.song_points[card]) for card in range(SONGS) if s.song_offer[card]]
    if songs:
        name = words("nomads.picture.song")
        lines.append(words("nomads.outline.cards", name=name, cards=", ".join(songs)))
    return lines


def _player(words: Words, s: State, names: Names, seat: int, mine: bool) -> Section:
    disc = s.adventurer[seat]
    title = words("veillee.you") if mine else names[seat]
    if disc:
        title += f" ({words(f'nomads.disc.{DISCS[disc]}')})"
    tiles = [
        words(f"nomads.some.{TILES[kind]}", n=s.hand[seat, kind])
        for kind in range(Tile.MOON)
        if s.hand[seat, kind]
    ]
    cards = [
        f"{words(f'nomads.tile.{TILES[legend]}')} {s.value[legend, s.legend[seat, legend] - 1]}"
        for legend in range(LEGENDS)
        if s.legend[seat, legend]
    ]
    if s.song[seat]:
        cards.append(f"{words('nomads.picture.song')} {s.song_points[s.song[seat] - 1]}")
    none = words("veillee.none")
    return Section(
        title,
        [
            words("nomads.points", n=standing(s, seat) + s.moons[seat]),
            words("nomads.outline.tiles", tiles=", ".join(tiles) or none),
            words("nomads.outline.written", cards=", ".join(cards) or none),
            words("nomads.outline.moons", n=s.moons[seat]),
        ],
    )
