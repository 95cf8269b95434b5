"""Nomads: what is true of every state, as numbers for compiled checks and clauses for people."""

from __future__ import annotations

from veillee.games.nomads.rules import ones
from veillee.games.nomads.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SEATS,
    SONGS,
    TALLEST_PILE,
    TALLEST_STACK,
    UNKNOWN,
    Disc,
    Phase,
    State,
    Tile,
)

CLAUSES = (
    "",
    "nomads.material.discs",
    "nomads.material.tiles",
    "nomads.material.legends",
    "nomads.material.songs",
    "nomads.material.lys",
    "nomads.setup.adventurers",
    "nomads.moons.when",
    "nomads.setup.limit",
    "nomads.public",
    "nomads.turn.order",
    "nomads.setup.frog",
    "nomads.setup.nomads",
)
DISCS, TILES, CARDS_BROKEN, SONGS_BROKEN, LYS, ADVENTURERS, CHART, LIMIT, UNSEEN, TURN = range(
    1, 11
)
FROG, NOMADS = 11, 12


def broken(s: State) -> int:
    """0, or the number of the first clause that the state breaks."""
    if s.lys < 0 or s.lys >= s.ring:
        return LYS
    if owners_wrong(s):
        return ADVENTURERS
    for disc in range(Disc.FROG + 1):
        if discs_wrong(s, disc):
            return DISCS
    if frog_wrong(s):
        return FROG
    if nomads_wrong(s):
        return NOMADS
    if heights_wrong(s):
        return LIMIT
    for kind in range(9):
        if tiles_wrong(s, kind):
            return TILES
    if unseen_wrong(s) or summary_wrong(s):
        return UNSEEN
    for legend in range(LEGENDS):
        if cards_wrong(s, legend):
            return CARDS_BROKEN
    if songs_wrong(s):
        return SONGS_BROKEN
    if s.phase <= Phase.TURN and s.chart >= 9:
        return CHART
    if s.seat < -1 or s.seat >= s.players or s.turn < 0 or s.turn >= s.players:
        return TURN
    if (s.seat == -1) != (s.phase == Phase.OVER):
        return TURN
    return 0


def owners_wrong(s: State) -> bool:
    """nomads.setup.adventurers: nobody plays two, no two play one."""
    seen = 0
    for seat in range(SEATS):
        disc = s.adventurer[seat]
        if disc:
            if seat >= s.players or disc > Disc.NOSTROMO or disc < 0:
                return True
            if s.owner[disc] != seat:
                return True
            seen |= 1 << disc
        elif seat < s.players and s.phase > Phase.ADVENTURER:
            return True
    for disc in range(Disc.ULRICH, Disc.FROG):
        if not seen >> disc & 1 and s.owner[disc] != NOBODY:
            return True
    if s.phase > Phase.ADVENTURER and s.owner[Disc.FROG] != s.owner[Disc.NOSTROMO]:
        return True
    return s.owner[Disc.NOMAD] != NOBODY


def discs_wrong(s: State, disc: int) -> bool:
    """nomads.material.discs"""
    found = s.box[disc]
    if found < 0:
        return True
    for space in range(s.ring):
        for height in range(s.discs[space]):
            if s.pile[space, height] == disc:
                found += 1
    if disc == Disc.NOMAD:
        return found != s.ring
    if disc == Disc.FROG:
        return found != 1
    if found != 2:
        return True
    if s.phase <= Phase.FROG:
        return s.box[disc] != 2
    if s.phase == Phase.SLEEPERS:
        return s.owner[disc] != NOBODY and s.box[disc] != 2
    if s.phase == Phase.DISCS:
        return s.owner[disc] == NOBODY and s.box[disc] != 0
    return s.box[disc] != 0


def frog_wrong(s: State) -> bool:
    """nomads.setup.frog: on the board from his player's first decision on, if he is played."""
    laid = s.phase > Phase.FROG and s.owner[Disc.NOSTROMO] != NOBODY
    return s.box[Disc.FROG] != (0 if laid else 1)


def nomads_wrong(s: State) -> bool:
    """nomads.setup.nomads: all on the board once the Frog is."""
    return s.box[Disc.NOMAD] != (0 if s.phase > Phase.FROG else s.ring)


def heights_wrong(s: State) -> bool:
    """nomads.setup.limit, and cells above a pile or stack are empty."""
    for space in range(s.ring):
        if s.discs[space] < 0 or s.tiles[space] < 0:
            return True
        if s.phase <= Phase.LYS and s.discs[space] > 4:
            return True
        for height in range(s.discs[space], TALLEST_PILE):
            if s.pile[space, height]:
                return True
        for height in range(s.tiles[space], TALLEST_STACK):
            if s.stack[space, height]:
                return True
    return False


def tiles_wrong(s: State, kind: int) -> bool:
    """nomads.material.tiles, nomads.write.discard"""
    found = s.gone[kind] + s.unseen[kind]
    if s.gone[kind] < 0 or s.unseen[kind] < 0:
        return True
    for space in range(s.ring):
        if s.tiles[space] and s.stack[space, s.tiles[space] - 1] == kind:
            found += 1
    for seat in range(s.players):
        if kind == Tile.MOON:
            found += s.moons[seat]
        else:
            found += s.hand[seat, kind]
            if s.hand[seat, kind] < 0:
                return True
            # A coin is its owner's only.
            if kind == Tile.WILD and s.hand[seat, kind] > s.total[kind] + (s.coins >> seat & 1):
                return True
    if kind == Tile.MOON:
        return s.chart < 0 or found + s.chart != s.total[kind]
    if kind == Tile.WILD:
        return found != s.total[kind] + ones(s.coins)
    return found != s.total[kind]


def unseen_wrong(s: State) -> bool:
    """nomads.public: the count of unseen tiles is that of those under the tops."""
    buried = 0
    counted = 0
    for kind in range(9):
        counted += s.unseen[kind]
    for space in range(s.ring):
        buried += max(0, s.tiles[space] - 1)
    if buried != counted:
        return True
    for kind in range(9):
        known = 0
        for space in range(s.ring):
            for height in range(s.tiles[space] - 1):
                if s.stack[space, height] == UNKNOWN:
                    return False
                if s.stack[space, height] == kind:
                    known += 1
        if known != s.unseen[kind]:
            return True
    return False


def cards_wrong(s: State, legend: int) -> bool:
    """nomads.material.legends: each card is on offer or with one player."""
    for card in range(CARDS):
        found = s.offer[legend, card]
        for seat in range(s.players):
            if s.legend[seat, legend] == card + 1:
                found += 1
        if found != 1:
            return True
    return False


def songs_wrong(s: State) -> bool:
    """nomads.material.songs: each Song is on offer or with one player."""
    for song in range(SONGS):
        found = s.song_offer[song]
        for seat in range(s.players):
            if s.song[seat] == song + 1:
                found += 1
        if found != 1:
            return True
    return False


def summary_wrong(s: State) -> bool:
    """What is kept for speed is what it would be, counted anew."""
    stacks = 0
    for space in range(s.ring):
        stacks += s.tiles[space] > 0
        present = 0
        for height in range(s.discs[space]):
            present |= 1 << s.pile[space, height]
        if present != s.present[space]:
            return True
    for seat in range(s.players):
        for legend in range(LEGENDS):
            if (s.kinds[seat] >> legend & 1) != (s.hand[seat, legend] > 0):
                return True
    return stacks != s.stacks
