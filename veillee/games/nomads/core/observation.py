"""Nomads: all that a seat may know, as a row of small integers. See `engine/observation.py`.

Nothing is private here: what is hidden, the tiles under the tops, is hidden from all.
"""

from __future__ import annotations

from veillee.engine.jit.cells import CODE_BITS, copy_cells, translate_cells
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.observation import Plane, length, start
from veillee.games.nomads.core.names import ADVENTURERS, DISCS, PHASES, TILES
from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SEATS,
    SONGS,
    SPACES,
    TALLEST_PILE,
    Disc,
    State,
)

WHOSE = (
    *("none", "nomad", *(f"of seat {k} from here" for k in range(SEATS)), "frog"),
    *(f"{name}, asleep" for name in ADVENTURERS),
)

PLANES = (
    Plane("phase", (len(PHASES),), "which decision it is: one is set"),
    Plane("decider", (SEATS,), "who decides, counted from this seat; none after the end"),
    Plane("turn", (SEATS,), "whose turn it is"),
    Plane("first", (SEATS,), "who begins; none while it is open"),
    Plane("keeper", (SEATS,), "who places the sleepers; none while it is open"),
    Plane("players", (1,), "how many play"),
    Plane("lys", (SPACES,), "where Lys stands"),
    Plane("lys_moved", (1,), "how often Moon has moved Lys, or Red lifted a disc, in this turn"),
    Plane("heard", (1,), "whether a tile was taken or a card written in this turn"),
    Plane("idle", (1,), "turns in a row without either"),
    Plane("last_writers", (1,), "how many had their last chance to write"),
    Plane("chart", (1,), "moons on the chart"),
    Plane("pile", (SPACES, TALLEST_PILE), "each disc, the lowest first", WHOSE),
    Plane("discs", (SPACES,), "the height of each pile"),
    Plane("top", (SPACES,), "the disc on top of each pile", WHOSE),
    Plane("adventurer", (SEATS, 5), "for each seat, the Adventurer it plays: one is set"),
    Plane("box", (len(DISCS),), "discs of each kind not yet on the board"),
    Plane("tiles", (SPACES,), "the height of each stack of tiles"),
    Plane("story", (SPACES,), "the tile on top of each stack", ("none", *TILES)),
    Plane("unseen", (len(TILES),), "tiles of each kind that lie under the tops"),
    Plane("gone", (len(TILES),), "tiles of each kind that left the game"),
    Plane("hand", (SEATS, LEGENDS + 1), "for each seat, its tiles of each kind"),
    Plane("legend", (SEATS, LEGENDS), "for each seat, its card of each legend, 1 to 4; 0 is none"),
    Plane("song", (SEATS,), "for each seat, its Song, 1 to 4; 0 is none"),
    Plane("moons", (SEATS,), "for each seat, the moons it won"),
    Plane("points", (SEATS,), "for each seat, its points as they stand"),
    Plane("offer", (LEGENDS, CARDS), "which Legend cards are on offer"),
    Plane("song_offer", (SONGS,), "which Songs are on offer"),
)
SIZE = length(PLANES)
KINDS_OF_TILES = len(TILES)
KINDS_OF_DISCS = len(DISCS)
ALL_CARDS = LEGENDS * CARDS
HELD = LEGENDS + 1
"""Kinds of tiles that a hand can hold."""
OPTIONS = (
    *("ring", "quick", "camp", "dealt", "rough", "cast_early", "stacks_at_end", "patience"),
    *("taking_part", "moon_moves", "moons_to_score", "moons_for_first"),
    *("pieces", "frogs", "ulrich_discs", "siana_skips", "red_lifts"),
    *("coins", "total", "value", "song_cost", "song_points"),
)
"""Fields that hold options, which an observation does not repeat."""
DERIVED = ("owner", "present", "kinds", "stacks")
"""Fields that follow from the others."""

PHASE = start(PLANES, "phase")
DECIDER = start(PLANES, "decider")
TURN = start(PLANES, "turn")
FIRST = start(PLANES, "first")
KEEPER = start(PLANES, "keeper")
PLAYERS = start(PLANES, "players")
LYS = start(PLANES, "lys")
LYS_MOVED = start(PLANES, "lys_moved")
HEARD = start(PLANES, "heard")
IDLE = start(PLANES, "idle")
LAST_WRITERS = start(PLANES, "last_writers")
CHART = start(PLANES, "chart")
PILE = start(PLANES, "pile")
HEIGHT = start(PLANES, "discs")
TOP = start(PLANES, "top")
ADVENTURER = start(PLANES, "adventurer")
BOX = start(PLANES, "box")
TILE_HEIGHT = start(PLANES, "tiles")
STORY = start(PLANES, "story")
UNSEEN = start(PLANES, "unseen")
GONE = start(PLANES, "gone")
HAND = start(PLANES, "hand")
LEGEND = start(PLANES, "legend")
SONG = start(PLANES, "song")
MOONS = start(PLANES, "moons")
POINTS = start(PLANES, "points")
OFFER = start(PLANES, "offer")
SONG_OFFER = start(PLANES, "song_offer")

NOMAD = 1
SEAT = 2
FROG = SEAT + SEATS
ASLEEP = FROG + 1
A_NUMBER = (1 << CODE_BITS) - 1


def observe(s: State, seat: int, out: Cells) -> None:
    """Fill a row with what a seat knows. nomads.public"""
    for at in range(SIZE):
        out[at] = 0
    observe_turn(s, seat, out)
    observe_fire(s, seat, out)
    for who in range(s.players):
        observe_seat(s, who, from_here(s, seat, who), out)
    copy_cells(out, UNSEEN, s.unseen, 0, KINDS_OF_TILES)
    copy_cells(out, GONE, s.gone, 0, KINDS_OF_TILES)
    copy_cells(out, OFFER, s.offer, 0, ALL_CARDS)
    copy_cells(out, SONG_OFFER, s.song_offer, 0, SONGS)


def from_here(s: State, seat: int, other: int) -> int:
    """Return by how many seats clockwise another seat is away from this one."""
    return other - seat if other >= seat else other - seat + s.players


def observe_turn(s: State, seat: int, out: Cells) -> None:
    out[PHASE + s.phase] = 1
    if s.seat != OVER:
        out[DECIDER + from_here(s, seat, s.seat)] = 1
    out[TURN + from_here(s, seat, s.turn)] = 1
    if s.first != NOBODY:
        out[FIRST + from_here(s, seat, s.first)] = 1
    if s.keeper != NOBODY:
        out[KEEPER + from_here(s, seat, s.keeper)] = 1
    out[PLAYERS] = s.players
    out[LYS + s.lys] = 1
    out[LYS_MOVED] = s.lys_moved
    out[HEARD] = s.heard
    out[IDLE] = s.idle
    out[LAST_WRITERS] = s.last_writers
    out[CHART] = s.chart


def whose(s: State, seat: int) -> int:
    """Return the indices into `WHOSE` of all kinds of discs, packed into one integer."""
    found = NOMAD | FROG << Disc.FROG * CODE_BITS
    for disc in range(Disc.ULRICH, Disc.FROG):
        owner = s.owner[disc]
        code = ASLEEP + disc - 1 if owner == NOBODY else SEAT + from_here(s, seat, owner)
        found |= code << disc * CODE_BITS
    return found


def observe_fire(s: State, seat: int, out: Cells) -> None:
    """Fill in the piles and stacks around the fire. Reads no tile but the tops."""
    codes = whose(s, seat)
    translate_cells(out, PILE, s.pile, s.discs, codes)
    copy_cells(out, HEIGHT, s.discs, 0, SPACES)
    copy_cells(out, TILE_HEIGHT, s.tiles, 0, SPACES)
    copy_cells(out, BOX, s.box, 0, KINDS_OF_DISCS)
    for space in range(SPACES):
        height = s.discs[space]
        top = codes >> s.pile[space, max(height - 1, 0)] * CODE_BITS & A_NUMBER
        out[TOP + space] = top * (height > 0)
        tiles = s.tiles[space]
        out[STORY + space] = (s.stack[space, max(tiles - 1, 0)] + 1) * (tiles > 0)


def observe_seat(s: State, who: int, k: int, out: Cells) -> None:
    """Fill in what lies in front of one seat, the k-th clockwise."""
    if s.adventurer[who]:
        out[ADVENTURER + k * 5 + s.adventurer[who] - 1] = 1
    points = s.moons[who]
    copy_cells(out, HAND + k * HELD, s.hand, who, HELD)
    copy_cells(out, LEGEND + k * LEGENDS, s.legend, who, LEGENDS)
    for tile in range(HELD):
        points -= s.hand[who, tile]
    for legend in range(LEGENDS):
        card = s.legend[who, legend]
        points += s.value[legend, max(card - 1, 0)] * (card > 0)
    song = s.song[who]
    points += s.song_points[max(song - 1, 0)] * (song > 0)
    out[SONG + k] = song
    out[MOONS + k] = s.moons[who]
    out[POINTS + k] = points
