"""Nomads: positions as JSON.

Piles and stacks are listed from the bottom, spaces count from 1, cards are named by their points.
An unknown tile is null; then all those under the tops are. What follows from the rest (the discs in
the box, the cards on offer, the tiles out of the game) can be left out.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.position import PositionReader
from veillee.engine.refusal import Refusal
from veillee.games.nomads.core.invariants import CLAUSES, broken, choosing_wrong, placing_wrong
from veillee.games.nomads.core.names import ADVENTURERS, DISCS, PHASES, TILES
from veillee.games.nomads.core.rules import asleep_in_box, can_write, has_covered_disc, right_of
from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SONGS,
    TALLEST_PILE,
    TALLEST_STACK,
    UNKNOWN,
    Disc,
    Phase,
    State,
    Tile,
)
from veillee.games.nomads.options import agreed

HELD = TILES[: Tile.MOON]


def write(s: State) -> dict[str, Any]:
    """Return the whole position; unknown tiles are null."""
    return {
        "spaces": [
            {
                "discs": [DISCS[s.pile[space, height]] for height in range(s.discs[space])],
                "tiles": [_tile(s.stack[space, height]) for height in range(s.tiles[space])],
            }
            for space in range(s.ring)
        ],
        "lys": s.lys + 1,
        "chart": s.chart,
        "seats": [
            {
                "adventurer": DISCS[s.adventurer[seat]] if s.adventurer[seat] else None,
                "tiles": {
                    name: s.hand[seat, kind] for kind, name in enumerate(HELD) if s.hand[seat, kind]
                },
                "legends": {
                    TILES[legend]: _card(s, legend, s.legend[seat, legend] - 1)
                    for legend in range(LEGENDS)
                    if s.legend[seat, legend]
                },
                "song": _song(s, s.song[seat] - 1) if s.song[seat] else None,
                "moons": s.moons[seat],
            }
            for seat in range(s.players)
        ],
        "turn": s.turn,
        "seat": _seat(s.seat),
        "phase": PHASES[s.phase],
        "first": _seat(s.first),
        "keeper": _seat(s.keeper),
        "lys_moved": bool(s.lys_moved) if _most_uses(s) <= 1 else s.lys_moved,
        "heard": bool(s.heard),
        "idle": s.idle,
        "last_writers": s.last_writers,
        "gone": {name: s.gone[kind] for kind, name in enumerate(TILES) if s.gone[kind]},
        "options": agreed(s),
    }


def _most_uses(s: State) -> int:
    """Return how often Moon or Red may use their power in a turn."""
    return max(s.moon_moves, s.red_lifts)


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _tile(kind: int) -> str | None:
    return None if kind == UNKNOWN else TILES[kind]


def _card(s: State, legend: int, card: int) -> int | str:
    """Return a card by its value, or by its number if two of a legend have the same value."""
    row = [s.value[legend, k] for k in range(CARDS)]
    return row[card] if row.count(row[card]) == 1 else f"#{card + 1}"


def _song(s: State, song: int) -> int | str:
    row = [s.song_points[k] for k in range(SONGS)]
    return row[song] if row.count(row[song]) == 1 else f"#{song + 1}"


def read(position: Any, s: State) -> None:
    """Read a position into a state prepared for its players and options, or refuse it."""
    p = PositionReader(position, "nomads.position")
    p.raw("options", {})
    s.phase = p.name("phase", PHASES, "turn")
    p.clause = "nomads.material.ring"
    for space, at in enumerate(p.objects("spaces", [s.ring])):
        at.clause = "nomads.material.discs"
        for height, disc in enumerate(at.names("discs", DISCS, TALLEST_PILE, [])):
            s.pile[space, height] = disc
            s.discs[space] += 1
            s.present[space] |= 1 << disc
        at.clause = "nomads.material.tiles"
        for height, tile in enumerate(at.names("tiles", TILES, TALLEST_STACK, [], unknown=True)):
            s.stack[space, height] = tile
            s.tiles[space] += 1
        s.stacks += s.tiles[space] > 0
        at.done()
    p.clause = "nomads.position"
    s.lys = p.number("lys", 1, s.ring, clause="nomads.material.lys") - 1
    s.chart = p.number("chart", 0, s.total[Tile.MOON], 0)
    for seat, at in enumerate(p.objects("seats", [s.players])):
        _read_seat(at, s, seat)
    s.turn = p.number("turn", 0, s.players - 1, 0)
    s.first = s.keeper = NOBODY
    if p.raw("first", s.turn) is not None:
        s.first = p.number("first", 0, s.players - 1, s.turn)
    by_default = right_of(s, s.first) if s.first != NOBODY else None
    if p.raw("keeper", by_default) is not None:
        s.keeper = p.number("keeper", 0, s.players - 1, by_default)
    s.lys_moved = (
        p.flag("lys_moved", False)
        if _most_uses(s) <= 1
        else p.number("lys_moved", 0, _most_uses(s), 0)
    )
    s.heard = p.flag("heard", False)
    s.idle = p.number("idle", 0, s.patience, 0)
    s.last_writers = p.number("last_writers", 0, s.players, 0)
    _own(s)
    _count_tiles(p, s)
    _read_decision(p, s)
    p.done()
    check(s)


def _read_seat(at: PositionReader, s: State, seat: int) -> None:
    adventurer = at.raw("adventurer", None)
    if adventurer is not None:
        s.adventurer[seat] = at.name("adventurer", ADVENTURERS) + Disc.ULRICH
    for kind, n in enumerate(at.counts("tiles", HELD, 112, {})):
        s.hand[seat, kind] = n
        if n and kind < LEGENDS:
            s.kinds[seat] |= 1 << kind
    cards = at.inner("legends", {})
    for legend in range(LEGENDS):
        found = cards.raw(TILES[legend], None)
        if found is not None:
            s.legend[seat, legend] = 1 + _which(
                cards, TILES[legend], found, [s.value[legend, k] for k in range(CARDS)]
            )
    cards.done()
    song = at.raw("song", None)
    if song is not None:
        s.song[seat] = 1 + _which(at, "song", song, list(s.song_points))
    s.moons[seat] = at.number("moons", 0, s.total[Tile.MOON], 0)
    at.done()


def _which(at: PositionReader, key: str, found: Any, row: list[int]) -> int:
    """Return the index of a card given by value, or as "#2"."""
    numbered = [f"#{k + 1}" for k in range(len(row))]
    if isinstance(found, str) and found in numbered:
        return numbered.index(found)
    if isinstance(found, bool) or not isinstance(found, int) or found not in row:
        raise at.wrong(key, found, ", ".join(map(str, row)))
    return row.index(found)


LAID_BY: dict[int, str] = {Disc.NOMAD: "nomads.setup.nomads", Disc.FROG: "nomads.setup.frog"}


def _own(s: State) -> None:
    """Derive owners, discs in the box and cards on offer."""
    for seat in range(s.players):
        disc = s.adventurer[seat]
        if disc:
            if s.owner[disc] != NOBODY:
                raise Refusal("impossible", "nomads.setup.adventurers")
            s.owner[disc] = seat
    if s.phase > Phase.ADVENTURER:
        s.owner[Disc.FROG] = s.owner[Disc.NOSTROMO]
    for disc in range(len(Disc)):
        whole_set = {Disc.NOMAD: s.ring, Disc.FROG: s.frogs}.get(Disc(disc), s.pieces)
        laid = sum(
            s.pile[space, height] == disc
            for space in range(s.ring)
            for height in range(s.discs[space])
        )
        if laid > whole_set:
            raise Refusal(
                "impossible",
                "nomads.material.discs",
                "nomads.position.discs",
                disc=DISCS[disc],
                n=laid,
                most=whole_set,
            )
        s.box[disc] = whole_set - laid
        in_play = disc != Disc.FROG or s.owner[disc] != NOBODY
        if s.phase >= Phase.TURN and in_play and laid < whole_set:
            raise Refusal(
                "impossible",
                LAID_BY.get(disc, "nomads.material.discs"),
                "nomads.position.missing",
                disc=DISCS[disc],
                n=laid,
                all=whole_set,
            )
    for legend in range(LEGENDS):
        for card in range(CARDS):
            held = [s.legend[seat, legend] for seat in range(s.players)].count(card + 1)
            if held > 1:
                raise Refusal("impossible", "nomads.material.legends", "nomads.position.cards")
            s.offer[legend, card] = 1 - held
    for song in range(SONGS):
        held = [s.song[seat] for seat in range(s.players)].count(song + 1)
        if held > 1:
            raise Refusal("impossible", "nomads.material.songs", "nomads.position.cards")
        s.song_offer[song] = 1 - held


def _count_tiles(p: PositionReader, s: State) -> None:
    """nomads.material.tiles: tiles that lie nowhere are out of the game, or unknown."""
    told = p.raw("gone", None)
    gone = p.counts("gone", TILES, 112, {})
    unknown = 0
    for space in range(s.ring):
        for height in range(s.tiles[space]):
            kind = s.stack[space, height]
            if kind == UNKNOWN:
                unknown += 1
                if height == s.tiles[space] - 1:
                    raise Refusal("impossible", "nomads.setup.stacks", "nomads.position.top")
    coins = s.coins.bit_count()
    rest: list[int] = []
    for kind in range(len(TILES)):
        lying = sum(
            s.stack[space, height] == kind
            for space in range(s.ring)
            for height in range(s.tiles[space])
        )
        held = (
            s.chart + sum(s.moons)
            if kind == Tile.MOON
            else sum(s.hand[seat, kind] for seat in range(s.players))
        )
        most = s.total[kind] + (coins if kind == Tile.WILD else 0)
        left = most - lying - held - gone[kind]
        if left < 0:
            raise Refusal(
                "impossible",
                "nomads.material.tiles",
                "nomads.position.tiles",
                tile=TILES[kind],
                n=most - left,
                most=most,
            )
        rest.append(left)
    buried = sum(max(0, s.tiles[space] - 1) for space in range(s.ring))
    if 0 < unknown < buried:
        raise Refusal("impossible", "nomads.public")
    if unknown and sum(rest) != unknown:
        raise Refusal(
            "impossible",
            "nomads.material.tiles",
            "nomads.position.unknown",
            n=unknown,
            rest=sum(rest),
        )
    if not unknown and told is not None and any(rest):
        raise Refusal("impossible", "nomads.material.tiles", "nomads.position.lost", n=sum(rest))
    for kind in range(len(TILES)):
        s.gone[kind] = gone[kind] + (0 if unknown else rest[kind])
        s.unseen[kind] = rest[kind] if unknown else 0
    for space in range(s.ring):
        for height in range(s.tiles[space] - 1):
            if s.stack[space, height] != UNKNOWN:
                s.unseen[s.stack[space, height]] += 1


def _read_decision(p: PositionReader, s: State) -> None:
    """Read whose decision it is, by default the seat on turn; refuse a seat that can't be asked."""
    seat = p.raw("seat", s.turn)
    if s.phase == Phase.OVER:
        s.seat = NOBODY
        return
    s.seat = p.number("seat", 0, s.players - 1, s.turn) if seat is not None else s.turn
    expected = s.seat
    if s.phase in (Phase.TURN, Phase.BONUS, Phase.LIFT):
        expected = s.turn
    elif s.phase == Phase.FROG:
        expected = s.owner[Disc.NOSTROMO]
    elif s.phase == Phase.SLEEPERS:
        expected = s.keeper
    elif s.phase == Phase.LYS:
        expected = right_of(s, s.first)
    elif s.phase == Phase.LAST:
        expected = (s.turn + s.last_writers) % s.players
    wrong = s.seat != expected
    if s.phase == Phase.ADVENTURER:
        wrong = choosing_wrong(s)
    elif s.phase == Phase.DISCS:
        wrong = placing_wrong(s)
    elif s.phase == Phase.SLEEPERS:
        wrong = wrong or not asleep_in_box(s)
    elif s.phase >= Phase.TURN:
        own = [disc for disc in range(len(Disc)) if s.owner[disc] == s.seat]
        wrong = wrong or not any(s.box[disc] == 0 for disc in own)
    clause = "nomads.turn.order"
    if s.phase == Phase.LIFT and not wrong:
        clause = "nomads.move.red"
        wrong = s.adventurer[s.turn] != Disc.RED or not has_covered_disc(s)
    elif s.phase == Phase.LAST and not wrong:
        clause = "nomads.end.write"
        wrong = not can_write(s, s.seat)
    if wrong:
        raise Refusal("impossible", clause, "nomads.position.seat", phase=PHASES[s.phase])


def check(s: State) -> None:
    """Refuse a state that breaks an invariant."""
    clause = broken(s)
    if clause:
        raise Refusal("impossible", CLAUSES[clause])


def hides(s: State) -> bool:
    """Whether a tile is unknown."""
    return any(
        s.stack[space, height] == UNKNOWN
        for space in range(s.ring)
        for height in range(s.tiles[space])
    )
