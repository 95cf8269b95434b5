"""Nomads: what holds in every state.

`broken` returns a number, which compiled checks can compare; `CLAUSES` says which rule it breaks.
"""

from __future__ import annotations

from veillee.games.nomads.core.rules import left_of, ones
from veillee.games.nomads.core.state import (
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
    "nomads.setup.discs",
    "nomads.setup.first",
    "nomads.move.lys",
)
DISCS, TILES, CARDS_BROKEN, SONGS_BROKEN, LYS, ADVENTURERS, CHART, LIMIT, UNSEEN, TURN = range(
    1, 11
)
FROG, NOMADS, PLACING, FIRST, BONUS = range(11, 16)


def broken(s: State) -> int:
    """Return 0, or the number of the first clause that the state breaks."""
    if s.lys < 0 or s.lys >= s.ring:
        return LYS
    if first_wrong(s):
        return FIRST
    if owners_wrong(s) or choosing_wrong(s):
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
    if s.phase == Phase.DISCS and placing_wrong(s):
        return PLACING
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
    if s.phase <= Phase.TURN and s.chart >= s.moons_to_score + 5:
        return CHART
    if s.seat < -1 or s.seat >= s.players or s.turn < 0 or s.turn >= s.players:
        return TURN
    if (s.seat == -1) != (s.phase == Phase.OVER):
        return TURN
    if s.phase == Phase.BONUS and s.discs[s.lys] == 0:
        return BONUS
    return 0


def first_wrong(s: State) -> bool:
    """nomads.setup.first: open only while Adventurers are chosen before it."""
    if s.first == NOBODY or s.keeper == NOBODY:
        return not s.cast_early or s.phase != Phase.ADVENTURER
    return s.first < 0 or s.first >= s.players or s.keeper < 0 or s.keeper >= s.players


def choosing_wrong(s: State) -> bool:
    """nomads.setup.adventurers: those before the seat to decide have chosen, and no others."""
    if s.phase != Phase.ADVENTURER:
        return False
    asked = False
    seat = 0 if s.cast_early else s.first
    for _ in range(s.players):
        asked = asked or seat == s.seat
        if (s.adventurer[seat] == 0) != asked:
            return True
        seat = left_of(s, seat)
    return not asked


def placing_wrong(s: State) -> bool:
    """nomads.setup.discs: one at a time, from the first player clockwise."""
    placed = 0
    for seat in range(s.players):
        placed += s.pieces - s.box[s.adventurer[seat]]
    seat = s.first
    for k in range(s.players):
        expected = placed // s.players + (k < placed % s.players)
        if s.pieces - s.box[s.adventurer[seat]] != expected:
            return True
        if (k == placed % s.players) != (seat == s.seat):
            return True
        seat = left_of(s, seat)
    return placed == s.pieces * s.players


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
        return found != s.frogs
    if found != s.pieces:
        return True
    if s.phase <= Phase.FROG:
        return s.box[disc] != s.pieces
    if s.phase == Phase.SLEEPERS:
        return s.owner[disc] != NOBODY and s.box[disc] != s.pieces
    if s.phase == Phase.DISCS:
        return s.owner[disc] == NOBODY and s.box[disc] != 0
    return s.box[disc] != 0


def frog_wrong(s: State) -> bool:
    """nomads.setup.frog: on the board from his player's first decision on, if he is played."""
    if s.phase == Phase.FROG:
        return s.box[Disc.FROG] == 0
    laid = s.phase > Phase.FROG and s.owner[Disc.NOSTROMO] != NOBODY
    return s.box[Disc.FROG] != (0 if laid else s.frogs)


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
    """nomads.public: the unseen tiles are those under the tops."""
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
    """Whether a derived field differs from what it is derived from."""
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
