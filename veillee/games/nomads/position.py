"""Nomads: positions as JSON data, out and in.

Piles and stacks stand bottom first, spaces count from 1, cards stand by what they score. A tile
that the reader may not know is null; then all those under the tops are. What a position leaves out
and can be told from the rest (the discs in the box, the cards on offer, the tiles that left the
game) need not be written.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.position import Reader
from veillee.engine.refusal import Refusal
from veillee.games.nomads.invariants import CLAUSES, broken
from veillee.games.nomads.names import ADVENTURERS, DISCS, PHASES, TILES
from veillee.games.nomads.options import agreed
from veillee.games.nomads.rules import asleep_in_box, can_write, has_covered_disc, right_of
from veillee.games.nomads.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    SONGS,
    TALLEST_PILE,
    TALLEST_STACK,
    UNKNOWN,
    Disc,
    Phase,
    Tile,
)

HELD = TILES[: Tile.MOON]


def write(s: Any) -> dict[str, Any]:
    """The whole position; a view's unknown tiles are null."""
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
        "seat": None if s.seat == NOBODY else s.seat,
        "phase": PHASES[s.phase],
        "first": s.first,
        "keeper": s.keeper,
        "lys_moved": bool(s.lys_moved),
        "heard": bool(s.heard),
        "idle": s.idle,
        "last_writers": s.last_writers,
        "gone": {name: s.gone[kind] for kind, name in enumerate(TILES) if s.gone[kind]},
        "options": agreed(s),
    }


def _tile(kind: int) -> str | None:
    return None if kind == UNKNOWN else TILES[kind]


def _card(s: Any, legend: int, card: int) -> int | str:
    """A card by its value, or, where two of a legend have the same, by its number."""
    row = [s.value[legend, k] for k in range(CARDS)]
    return row[card] if row.count(row[card]) == 1 else f"#{card + 1}"


def _song(s: Any, song: int) -> int | str:
    row = [s.song_points[k] for k in range(SONGS)]
    return row[song] if row.count(row[song]) == 1 else f"#{song + 1}"


def read(position: Any, s: Any) -> None:
    """Fill a state, prepared with the position's options and players, from a position."""
    p = Reader(position, "nomads.position")
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
    s.first = p.number("first", 0, s.players - 1, s.turn)
    s.keeper = p.number("keeper", 0, s.players - 1, right_of(s, s.first))
    s.lys_moved = p.flag("lys_moved", False)
    s.heard = p.flag("heard", False)
    s.idle = p.number("idle", 0, s.patience, 0)
    s.last_writers = p.number("last_writers", 0, s.players, 0)
    _own(s)
    _count_tiles(p, s)
    _read_decision(p, s)
    p.done()
    check(s)


def _read_seat(at: Reader, s: Any, seat: int) -> None:
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


def _which(at: Reader, key: str, found: Any, row: list[int]) -> int:
    """The place in its row of a card given by value, or as "#2"."""
    numbered = [f"#{k + 1}" for k in range(len(row))]
    if isinstance(found, str) and found in numbered:
        return numbered.index(found)
    if isinstance(found, bool) or not isinstance(found, int) or found not in row:
        raise at.wrong(key, found, ", ".join(map(str, row)))
    return row.index(found)


LAID_BY: dict[int, str] = {Disc.NOMAD: "nomads.setup.nomads", Disc.FROG: "nomads.setup.frog"}


def _own(s: Any) -> None:
    """What follows from who plays whom and from what lies on the board."""
    for seat in range(s.players):
        disc = s.adventurer[seat]
        if disc:
            if s.owner[disc] != NOBODY:
                raise Refusal("impossible", "nomads.setup.adventurers")
            s.owner[disc] = seat
    if s.phase > Phase.ADVENTURER:
        s.owner[Disc.FROG] = s.owner[Disc.NOSTROMO]
    for disc in range(len(Disc)):
        whole_set = s.ring if disc == Disc.NOMAD else 1 if disc == Disc.FROG else 2
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


def _count_tiles(p: Reader, s: Any) -> None:
    """nomads.material.tiles: what lies nowhere has left the game, or is not known."""
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
    rest = []
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
    if not unknown and told is not None and sum(rest):
        raise Refusal("impossible", "nomads.material.tiles", "nomads.position.lost", n=sum(rest))
    for kind in range(len(TILES)):
        s.gone[kind] = gone[kind] + (0 if unknown else rest[kind])
        s.unseen[kind] = rest[kind] if unknown else 0
    for space in range(s.ring):
        for height in range(s.tiles[space] - 1):
            if s.stack[space, height] != UNKNOWN:
                s.unseen[s.stack[space, height]] += 1


def _read_decision(p: Reader, s: Any) -> None:
    """Whose decision it is: by default, who is on turn; refused if the phase can't ask them."""
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
        wrong = bool(s.adventurer[s.seat])
    elif s.phase == Phase.DISCS:
        wrong = not s.adventurer[s.seat] or s.box[s.adventurer[s.seat]] == 0
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


def check(s: Any) -> None:
    """Refuse a state that can't be."""
    clause = broken(s)
    if clause:
        raise Refusal("impossible", CLAUSES[clause])
