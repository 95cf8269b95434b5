"""Nomads: the rules, from set-up to the last scoring, in the order in which they are played.

Plain functions on the state record; each names in its docstring the clauses that it carries out.
"""

from __future__ import annotations

from veillee.engine.jit.bits import number_of
from veillee.engine.jit.events import ALL, emit
from veillee.engine.jit.layout import OVER, Cells
from veillee.engine.jit.rng import below
from veillee.games.nomads.core.actions import (
    ADVENTURER,
    KEEP,
    KINDS,
    LEFT,
    LIFT,
    LYS,
    PASS,
    PLACE,
    RIGHT,
    SING,
    SOW,
    WAYS,
    WRITE,
)
from veillee.games.nomads.core.events import EventCode
from veillee.games.nomads.core.payments import FIRST, SETS
from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    MOST_WILDS,
    NOBODY,
    SONGS,
    SPACES,
    STACK_SLACK,
    TALLEST_PILE,
    UNKNOWN,
    Disc,
    Phase,
    State,
    Tile,
)

SETUP_LIMIT = 4
EVERY_LEGEND = (1 << LEGENDS) - 1

LANE = 8
LAST_LANE = LANE * (LEGENDS - 1)
ALL_LANES = (1 << LANE * LEGENDS) - 1
EACH = ALL_LANES // ((1 << LANE) - 1)
HIGH_BITS = EACH << (LANE - 1)
"""Masks for seven 8-bit lanes in one integer: a 1 in each lane, and the high bit of each."""

# ---------------------------------------------------------------- set-up


def setup(s: State, rng: Cells, scratch: Cells, events: Cells | None) -> None:
    """Set the game up to its first decision.

    nomads.material.discs, nomads.material.legends, nomads.material.songs, nomads.setup.cards,
    nomads.setup.first, nomads.setup.adventurers, nomads.setup.quick
    """
    for disc in range(Disc.ULRICH, Disc.FROG):
        s.box[disc] = s.pieces
    s.box[Disc.NOMAD] = s.ring
    s.box[Disc.FROG] = s.frogs
    build_stacks(s, rng)
    for legend in range(LEGENDS):
        for card in range(CARDS):
            s.offer[legend, card] = 1
    for song in range(SONGS):
        s.song_offer[song] = 1
    if s.cast_early and s.adventurer[0] == 0:
        s.phase = Phase.ADVENTURER
        s.seat = 0
    else:
        choose_first(s, rng, events)
    while s.phase < Phase.TURN and (s.quick or (s.dealt and s.phase == Phase.ADVENTURER)):
        n = legal(s, scratch)
        apply(s, scratch[below(rng, n)], rng, events)


def choose_first(s: State, rng: Cells, events: Cells | None) -> None:
    """nomads.setup.first, nomads.setup.adventurers"""
    if s.first == NOBODY:
        s.first = below(rng, s.players)
    if s.keeper == NOBODY:
        s.keeper = right_of(s, s.first)
    emit(events, EventCode.CAMP, ALL, s.first, 0, 0, 0, 0)
    if s.adventurer[s.first]:
        for seat in range(s.players):
            s.owner[s.adventurer[seat]] = seat
        place_frog(s, events)
    else:
        s.phase = Phase.ADVENTURER
        s.seat = s.first


def build_stacks(s: State, rng: Cells) -> None:
    """nomads.material.tiles, nomads.setup.stacks"""
    tiles = 0
    for kind in range(9):
        s.unseen[kind] = s.total[kind]
        tiles += s.total[kind]
    for space in range(s.ring):
        s.tiles[space] = tiles // s.ring
        if space < tiles % s.ring:
            s.tiles[space] += 1
    if s.rough:
        shift_tiles(s, tiles // s.ring, rng)
    s.stacks = s.ring
    deal(s, 0, rng)
    for space in range(s.ring):
        s.unseen[top_tile(s, space)] -= 1


def shift_tiles(s: State, even: int, rng: Cells) -> None:
    """Make the stacks differ in height, as piles do that nobody counts. nomads.setup.stacks"""
    for _ in range(2 * s.ring):
        lower = below(rng, s.ring)
        higher = below(rng, s.ring)
        if s.tiles[lower] > max(1, even - STACK_SLACK) and s.tiles[higher] < even + STACK_SLACK:
            s.tiles[lower] -= 1
            s.tiles[higher] += 1


def deal(s: State, seen: int, rng: Cells) -> None:
    """Deal the unseen tiles under the top `seen` tiles of each stack, all orders equally likely.

    The numbers of tiles left of the seven legends are packed into one integer, eight bits each:
    prefix sums and comparisons of all seven are then one operation each.
    """
    tales = 0
    stories = 0
    for legend in range(LEGENDS):
        tales |= s.unseen[legend] << (LANE * legend)
        stories += s.unseen[legend]
    wilds = s.unseen[Tile.WILD]
    left = stories + wilds + s.unseen[Tile.MOON]
    for space in range(s.ring):
        for height in range(s.tiles[space] - seen):
            at = below(rng, left)
            left -= 1
            up_to_each = tales * EACH & ALL_LANES
            passed = ((at * EACH | HIGH_BITS) - up_to_each) & HIGH_BITS
            kind = ((passed >> (LANE - 1)) * EACH >> LAST_LANE) & 7
            # Without branches: which kind it is can't be predicted.
            story = kind < LEGENDS
            moon = at >= stories + wilds
            tales -= story << (LANE * kind)
            wilds -= (not story) & (not moon)
            stories -= story
            s.stack[space, height] = kind + moon


def choose_adventurer(s: State, disc: int, rng: Cells, events: Cells | None) -> None:
    """nomads.setup.adventurers"""
    s.adventurer[s.seat] = disc
    s.owner[disc] = s.seat
    emit(events, EventCode.ADVENTURER, ALL, s.seat, disc, 0, 0, 0)
    s.seat = left_of(s, s.seat)
    if s.adventurer[s.seat]:
        if s.cast_early:
            choose_first(s, rng, events)
        else:
            place_frog(s, events)


def place_frog(s: State, events: Cells | None) -> None:
    """nomads.setup.frog"""
    if s.camp:
        pitch_camp(s, events)
    else:
        s.owner[Disc.FROG] = s.owner[Disc.NOSTROMO]
        if s.owner[Disc.FROG] != NOBODY and s.frogs:
            s.phase = Phase.FROG
            s.seat = s.owner[Disc.FROG]
        else:
            place_nomads(s, events)


def pitch_camp(s: State, events: Cells | None) -> None:
    """Place all discs and Lys on fixed spaces: an option for analysis."""
    s.owner[Disc.FROG] = s.owner[Disc.NOSTROMO]
    if s.owner[Disc.FROG] != NOBODY:
        for space in range(s.frogs):
            put(s, Disc.FROG, space)
            emit(events, EventCode.PLACE, ALL, s.owner[Disc.FROG], Disc.FROG, space, 0, 0)
    for space in range(s.ring):
        put(s, Disc.NOMAD, space)
    emit(events, EventCode.NOMADS, ALL, 0, 0, 0, 0, 0)
    for piece in range(s.pieces):
        for disc in range(Disc.ULRICH, Disc.FROG):
            space = (disc - Disc.ULRICH + piece * (s.ring // 2)) % s.ring
            placer = s.keeper if s.owner[disc] == NOBODY else s.owner[disc]
            put(s, disc, space)
            emit(events, EventCode.PLACE, ALL, placer, disc, space, 0, 0)
    emit(events, EventCode.LYS, ALL, right_of(s, s.first), s.lys, Phase.LYS, 0, 0)
    start_turn(s, s.first, events)


def place_nomads(s: State, events: Cells | None) -> None:
    """nomads.setup.nomads, nomads.setup.sleepers"""
    for space in range(s.ring):
        put(s, Disc.NOMAD, space)
    emit(events, EventCode.NOMADS, ALL, 0, 0, 0, 0, 0)
    if asleep_in_box(s):
        s.phase = Phase.SLEEPERS
        s.seat = s.keeper
    else:
        s.phase = Phase.DISCS
        s.seat = s.first


def place(s: State, disc: int, space: int, events: Cells | None) -> None:
    """nomads.setup.frog, nomads.setup.sleepers, nomads.setup.discs"""
    put(s, disc, space)
    emit(events, EventCode.PLACE, ALL, s.seat, disc, space, 0, 0)
    if s.phase == Phase.FROG:
        if s.box[Disc.FROG] == 0:
            place_nomads(s, events)
    elif s.phase == Phase.SLEEPERS:
        if not asleep_in_box(s):
            s.phase = Phase.DISCS
            s.seat = s.first
    else:
        s.seat = left_of(s, s.seat)
        if s.box[s.adventurer[s.seat]] == 0:
            s.phase = Phase.LYS
            s.seat = right_of(s, s.first)


def put(s: State, disc: int, space: int) -> None:
    """nomads.setup.discs: on top of what is there."""
    s.box[disc] -= 1
    lay(s, disc, space)


def lay(s: State, disc: int, space: int) -> None:
    s.pile[space, s.discs[space]] = disc
    s.discs[space] += 1
    s.present[space] |= 1 << disc


def asleep_in_box(s: State) -> bool:
    for disc in range(Disc.ULRICH, Disc.FROG):
        if s.owner[disc] == NOBODY and s.box[disc]:
            return True
    return False


# ---------------------------------------------------------------- a turn


def start_turn(s: State, seat: int, events: Cells | None) -> None:
    """nomads.turn.order, nomads.end.when, nomads.end.stall"""
    s.turn = seat
    s.lys_moved = 0
    s.heard = 0
    if s.stacks <= s.stacks_at_end or s.idle >= s.patience:
        emit(events, EventCode.LAST, ALL, seat, s.stacks, 0, 0, 0)
        s.last_writers = 0
        ask_last_writer(s)
    else:
        s.phase = Phase.TURN
        s.seat = seat


def end_turn(s: State, events: Cells | None) -> None:
    """nomads.moons.when, nomads.end.stall"""
    if s.chart >= s.moons_to_score:
        score_moons(s, events)
    if s.heard:
        s.idle = 0
    else:
        s.idle += 1
    start_turn(s, left_of(s, s.turn), events)


def left_of(s: State, seat: int) -> int:
    return seat + 1 if seat + 1 < s.players else 0


def right_of(s: State, seat: int) -> int:
    return seat - 1 if seat > 0 else s.players - 1


def legal(s: State, out: Cells) -> int:
    """Fill `out` with the legal actions of the seat to decide; return how many there are.

    nomads.turn.choice, nomads.turn.powers, nomads.setup.limit
    """
    n = 0
    if s.phase == Phase.TURN:
        n = list_moon_power(s, out, n)
        n = list_sowing(s, out, n)
        return list_writing(s, out, n)
    if s.phase == Phase.BONUS:
        for space in range(s.ring):
            if space != s.lys:
                out[n] = LYS + space
                n += 1
        return n
    if s.phase == Phase.LIFT:
        out[0] = KEEP
        return list_lifts(s, out, 1)
    if s.phase == Phase.LAST:
        out[0] = PASS
        return list_writing(s, out, 1)
    if s.phase == Phase.ADVENTURER:
        for disc in range(Disc.ULRICH, Disc.FROG):
            if s.owner[disc] == NOBODY and s.taking_part >> disc & 1:
                out[n] = ADVENTURER + disc - 1
                n += 1
        return n
    if s.phase == Phase.LYS:
        for space in range(s.ring):
            out[n] = LYS + space
            n += 1
        return n
    return list_placing(s, out)


def apply(s: State, action: int, rng: Cells, events: Cells | None) -> None:
    """Carry out one legal action."""
    if SOW <= action < WRITE:
        at = action - SOW
        sow(s, at // WAYS // 2, at // WAYS % 2, at % WAYS, events)
    elif action >= SING:
        sing(s, (action - SING) // KINDS, (action - SING) % KINDS, events)
    elif action >= WRITE:
        at = action - WRITE
        wilds = at % (MOST_WILDS + 1)
        card = at // (MOST_WILDS + 1)
        write(s, card // CARDS, card % CARDS, wilds, events)
    elif action >= LIFT:
        at = action - LIFT
        lift(s, at // TALLEST_PILE, at % TALLEST_PILE, events)
        after_moving(s, events)
    elif action == KEEP:
        listen(s, events)
    elif action >= LYS:
        move_lys(s, action - LYS, events)
    elif action >= PLACE:
        at = action - PLACE
        place(s, at // SPACES + 1, at % SPACES, events)
    elif action >= ADVENTURER:
        choose_adventurer(s, action - ADVENTURER + 1, rng, events)
    else:
        pass_last(s, events)


def list_placing(s: State, out: Cells) -> int:
    """nomads.setup.limit, nomads.setup.sleepers, nomads.setup.discs"""
    n = 0
    for disc in range(Disc.ULRICH, Disc.FROG + 1):
        if s.box[disc] and may_place(s, disc):
            for space in range(s.ring):
                if s.discs[space] < SETUP_LIMIT:
                    out[n] = PLACE + (disc - 1) * SPACES + space
                    n += 1
    return n


def may_place(s: State, disc: int) -> bool:
    """Whether the seat to decide may place this disc in this phase."""
    if s.phase == Phase.FROG:
        return disc == Disc.FROG
    if disc == Disc.FROG:
        return False
    if s.phase == Phase.SLEEPERS:
        return s.owner[disc] == NOBODY
    return s.owner[disc] == s.seat


def list_moon_power(s: State, out: Cells, n: int) -> int:
    """nomads.turn.moon"""
    if s.adventurer[s.turn] == Disc.MOON and s.lys_moved < s.moon_moves:
        out[n] = LYS + next_space(s, s.lys, LEFT)
        out[n + 1] = LYS + next_space(s, s.lys, RIGHT)
        n += 2
    return n


def move_lys(s: State, space: int, events: Cells | None) -> None:
    """nomads.material.lys, nomads.setup.lys, nomads.turn.moon, nomads.move.lys"""
    s.lys = space
    emit(events, EventCode.LYS, ALL, s.seat, space, s.phase, 0, 0)
    if s.phase == Phase.LYS:
        start_turn(s, s.first, events)
    elif s.phase == Phase.TURN:
        s.lys_moved += 1
    else:
        if s.tiles[space]:
            take_tile(s, s.turn, space, events)
        after_moving(s, events)


# ---------------------------------------------------------------- A. move


def list_sowing(s: State, out: Cells, n: int) -> int:
    """nomads.move.pile, nomads.move.nostromo, nomads.move.ulrich, nomads.move.siana"""
    mine = s.adventurer[s.turn]
    own = discs_of(s, s.turn)
    for space in range(s.ring):
        if s.present[space] & own:
            height = s.discs[space]
            for direction in range(2):
                plain = SOW + (space * 2 + direction) * WAYS
                out[n] = plain
                n += 1
                if mine == Disc.ULRICH and s.ulrich_discs > 1:
                    for visit in range(1, height + 2 - s.ulrich_discs):
                        out[n] = plain + visit
                        n += 1
                elif mine == Disc.SIANA and s.siana_skips:
                    for visit in range(1, height + 1):
                        out[n] = plain + TALLEST_PILE + visit
                        n += 1
    return n


def discs_of(s: State, seat: int) -> int:
    """Return the discs that a seat plays, a bit each. nomads.move.pile, nomads.move.nostromo"""
    own = 1 << s.adventurer[seat]
    if s.owner[Disc.FROG] == seat:
        own |= 1 << Disc.FROG
    return own


def sow(s: State, space: int, direction: int, way: int, events: Cells | None) -> None:
    """Take a whole pile and drop its discs, the lowest first, one on each space.

    `way` 1 to 19 is the visit at which Ulrich drops several, 20 to 38 the first that Siana skips.

    nomads.move.sow, nomads.move.ulrich, nomads.move.siana
    """
    double = way if way <= TALLEST_PILE else 0
    skip = way - TALLEST_PILE
    height = s.discs[space]
    emit(events, EventCode.SOW, ALL, s.turn, space, direction, height, 0)
    s.discs[space] = 0
    s.present[space] = 0
    at = space
    visit = 0
    dropped = 0
    while dropped < height:
        at = next_space(s, at, direction)
        visit += 1
        if (skip > 0) & (visit >= skip) & (visit < skip + s.siana_skips):
            emit(events, EventCode.SKIP, ALL, s.turn, at, 0, 0, 0)
        else:
            # A pile that goes round drops on its own space, into cells already emptied.
            drop(s, taken(s, space, dropped), at, events)
            dropped += 1
            if visit == double:
                for _ in range(s.ulrich_discs - 1):
                    drop(s, taken(s, space, dropped), at, events)
                    dropped += 1
    if at == s.lys:
        s.phase = Phase.BONUS
    else:
        after_moving(s, events)


def next_space(s: State, space: int, direction: int) -> int:
    """nomads.material.ring: left is clockwise."""
    if direction == LEFT:
        return space + 1 if space + 1 < s.ring else 0
    return space - 1 if space > 0 else s.ring - 1


def taken(s: State, space: int, height: int) -> int:
    disc = s.pile[space, height]
    s.pile[space, height] = 0
    return disc


def drop(s: State, disc: int, space: int, events: Cells | None) -> None:
    lay(s, disc, space)
    emit(events, EventCode.DROP, ALL, disc, space, 0, 0, 0)


def after_moving(s: State, events: Cells | None) -> None:
    """nomads.move.red: after Lys's bonus, before listening."""
    may_lift = s.adventurer[s.turn] == Disc.RED and s.lys_moved < s.red_lifts
    if may_lift and has_covered_disc(s):
        s.phase = Phase.LIFT
    else:
        listen(s, events)


def has_covered_disc(s: State) -> bool:
    for space in range(s.ring):
        for height in range(s.discs[space] - 1):
            if s.pile[space, height] == Disc.RED:
                return True
    return False


def list_lifts(s: State, out: Cells, n: int) -> int:
    """nomads.move.red"""
    for space in range(s.ring):
        for height in range(s.discs[space] - 1):
            if s.pile[space, height] == Disc.RED:
                out[n] = LIFT + space * TALLEST_PILE + height
                n += 1
    return n


def lift(s: State, space: int, height: int, events: Cells | None) -> None:
    """nomads.move.red"""
    top = s.discs[space] - 1
    for below_it in range(height, top):
        s.pile[space, below_it] = s.pile[space, below_it + 1]
    s.pile[space, top] = Disc.RED
    s.lys_moved += 1
    emit(events, EventCode.LIFT, ALL, s.turn, space, height, 0, 0)


# ---------------------------------------------------------------- A. listen


def listen(s: State, events: Cells | None) -> None:
    """nomads.listen.order, nomads.listen.empty, nomads.listen.sleeper, nomads.listen.nomad"""
    hearing = 0
    sleeping = 0
    for space in range(s.ring):
        # Branch-free: the owner of the top disc is hard to predict.
        disc = top_disc(s, space)
        place = s.owner[disc] - s.turn
        place += s.players * (place < 0)
        told = s.tiles[space] > 0
        awake = s.owner[disc] != NOBODY
        hearing |= (told & awake) << (place * SPACES + space)
        sleeping |= (told & (not awake) & (disc != Disc.NOMAD)) << space
    while hearing:
        bit = hearing & -hearing
        hearing ^= bit
        at = number_of(bit)
        seat = s.turn + at // SPACES
        take_tile(s, seat - s.players * (seat >= s.players), at % SPACES, events)
    while sleeping:
        bit = sleeping & -sleeping
        sleeping ^= bit
        space = number_of(bit)
        discard_tile(s, space, top_disc(s, space), events)
    end_turn(s, events)


def top_disc(s: State, space: int) -> int:
    """Return the top disc; an empty space counts as a Nomad. nomads.listen.nomad"""
    return s.pile[space, max(0, s.discs[space] - 1)]


def take_tile(s: State, seat: int, space: int, events: Cells | None) -> None:
    """nomads.listen.story, nomads.listen.moon, nomads.move.lys"""
    tile = uncover(s, space)
    emit(events, EventCode.TAKE, ALL, seat, space, tile, top_tile(s, space), 0)
    if tile == Tile.MOON:
        s.chart += 1
    else:
        s.hand[seat, tile] += 1
        s.kinds[seat] |= 1 << tile & EVERY_LEGEND


def discard_tile(s: State, space: int, disc: int, events: Cells | None) -> None:
    """nomads.listen.sleeper"""
    tile = uncover(s, space)
    emit(events, EventCode.LOSE, ALL, disc, space, tile, top_tile(s, space), 0)
    if tile == Tile.MOON:
        s.chart += 1
    else:
        s.gone[tile] += 1


def uncover(s: State, space: int) -> int:
    """Take the top tile off a stack, which reveals the one below."""
    height = s.tiles[space] - 1
    s.tiles[space] = height
    s.heard = 1
    tile = s.stack[space, height]
    s.stack[space, height] = 0
    if height > 0:
        s.unseen[s.stack[space, height - 1]] -= 1
    else:
        s.stacks -= 1
    return tile


def top_tile(s: State, space: int) -> int:
    if s.tiles[space] == 0:
        return UNKNOWN
    return s.stack[space, s.tiles[space] - 1]


# ---------------------------------------------------------------- B. write


def list_writing(s: State, out: Cells, n: int) -> int:
    """nomads.write.one, nomads.write.wild"""
    seat = s.seat
    wilds = s.hand[seat, Tile.WILD]
    legends = s.kinds[seat] if wilds == 0 else EVERY_LEGEND
    while legends:
        bit = legends & -legends
        legends ^= bit
        legend = number_of(bit)
        held = s.hand[seat, legend]
        worth = held_value(s, seat, legend)
        for card in range(CARDS):
            price = price_above(s, worth, legend, card)
            if (price > 0) & (price <= held + wilds):
                first = WRITE + (legend * CARDS + card) * (MOST_WILDS + 1)
                for paid in range(max(0, price - held), min(wilds, price) + 1):
                    out[n] = first + paid
                    n += 1
    if s.song[seat] == 0:
        kinds = s.kinds[seat]
        different = ones(kinds)
        for song in range(SONGS):
            cost = s.song_cost[song]
            if s.song_offer[song] and cost <= different + wilds:
                n = list_payments(out, n, SING + song * KINDS, kinds, cost, wilds)
    return n


def list_payments(out: Cells, n: int, first: int, kinds: int, cost: int, wilds: int) -> int:
    """List every set of different tiles that pays for a Song, Wilds making up the rest."""
    most = min(cost, LEGENDS)
    least = max(cost - wilds, 0)
    for at in range(int(FIRST[kinds, most + 1]), int(FIRST[kinds, least])):
        out[n] = first + int(SETS[at])
        n += 1
    return n


def can_write(s: State, seat: int) -> bool:
    wilds = s.hand[seat, Tile.WILD]
    for legend in range(LEGENDS):
        for card in range(CARDS):
            price = legend_price(s, seat, legend, card)
            if 0 < price <= s.hand[seat, legend] + wilds:
                return True
    if s.song[seat] == 0:
        different = ones(s.kinds[seat]) + wilds
        for song in range(SONGS):
            if s.song_offer[song] and s.song_cost[song] <= different:
                return True
    return False


def legend_price(s: State, seat: int, legend: int, card: int) -> int:
    """Return the price of a card for a seat, in tiles; 0 if it can't be had.

    nomads.write.legend, nomads.write.upgrade
    """
    return price_above(s, held_value(s, seat, legend), legend, card)


def price_above(s: State, worth: int, legend: int, card: int) -> int:
    """Return the price of a card, in tiles, above a card of that legend worth `worth`.

    nomads.write.upgrade
    """
    return max(0, s.value[legend, card] - worth) * s.offer[legend, card]


def held_value(s: State, seat: int, legend: int) -> int:
    """Return the value of a seat's card of a legend; 0 for none. nomads.material.table"""
    card = s.legend[seat, legend]
    return s.value[legend, max(card - 1, 0)] * (card > 0)


def ones(bits: int) -> int:
    """Count the set bits of a 7-bit number."""
    bits = (bits & 0x55) + ((bits >> 1) & 0x55)
    bits = (bits & 0x33) + ((bits >> 2) & 0x33)
    return (bits & 0x0F) + (bits >> 4)


def write(s: State, legend: int, card: int, wilds: int, events: Cells | None) -> None:
    """nomads.write.legend, nomads.write.upgrade, nomads.write.wild, nomads.write.discard"""
    seat = s.seat
    price = legend_price(s, seat, legend, card)
    value = s.value[legend, card]
    emit(events, EventCode.WRITE, ALL, seat, legend, value, price - wilds, wilds)
    pay(s, seat, legend, price - wilds)
    pay(s, seat, Tile.WILD, wilds)
    if s.legend[seat, legend]:
        s.offer[legend, s.legend[seat, legend] - 1] = 1
    s.offer[legend, card] = 0
    s.legend[seat, legend] = card + 1
    after_writing(s, events)


def sing(s: State, song: int, paid: int, events: Cells | None) -> None:
    """nomads.write.song, nomads.write.wild, nomads.write.discard"""
    seat = s.seat
    wilds = s.song_cost[song] - ones(paid)
    emit(events, EventCode.SING, ALL, seat, s.song_points[song], paid, wilds, 0)
    for legend in range(LEGENDS):
        if paid >> legend & 1:
            pay(s, seat, legend, 1)
    pay(s, seat, Tile.WILD, wilds)
    s.song_offer[song] = 0
    s.song[seat] = song + 1
    after_writing(s, events)


def pay(s: State, seat: int, tile: int, n: int) -> None:
    """nomads.write.discard"""
    s.hand[seat, tile] -= n
    s.gone[tile] += n
    if s.hand[seat, tile] == 0:
        s.kinds[seat] &= ~(1 << tile)


def after_writing(s: State, events: Cells | None) -> None:
    """nomads.turn.choice, nomads.end.write"""
    if s.phase == Phase.LAST:
        s.last_writers += 1
        ask_last_writer(s)
    else:
        s.heard = 1
        end_turn(s, events)


# ---------------------------------------------------------------- moons


def standing(s: State, seat: int) -> int:
    """nomads.moons.score"""
    points = 0
    for legend in range(LEGENDS):
        points += held_value(s, seat, legend)
    if s.song[seat]:
        points += s.song_points[s.song[seat] - 1]
    for tile in range(8):
        points -= s.hand[seat, tile]
    return points


def score_moons(s: State, events: Cells | None) -> None:
    """nomads.moons.when, nomads.moons.award, nomads.moons.tie"""
    best = -1000
    second = -1000
    firsts = 0
    seconds = 0
    for seat in range(s.players):
        points = standing(s, seat)
        if points > best:
            second = best
            seconds = firsts
            best = points
            firsts = 1
        elif points == best:
            firsts += 1
        elif points > second:
            second = points
            seconds = 1
        elif points == second:
            seconds += 1
    s.chart -= s.moons_to_score
    unsplit = s.moons_to_score
    for seat in range(s.players):
        points = standing(s, seat)
        won = 0
        if points == best:
            won = s.moons_for_first if firsts == 1 else s.moons_to_score // firsts
        elif points == second and firsts == 1 and seconds == 1:
            won = s.moons_to_score - s.moons_for_first
        emit(events, EventCode.MOONS, ALL, seat, points, won, 0, 0)
        s.moons[seat] += won
        unsplit -= won
    s.gone[Tile.MOON] += unsplit


# ---------------------------------------------------------------- end


def ask_last_writer(s: State) -> None:
    """nomads.end.write: seats that can't write are skipped."""
    while s.last_writers < s.players:
        seat = (s.turn + s.last_writers) % s.players
        if can_write(s, seat):
            s.phase = Phase.LAST
            s.seat = seat
            return
        s.last_writers += 1
    s.phase = Phase.OVER
    s.seat = OVER


def pass_last(s: State, events: Cells | None) -> None:
    """nomads.end.write"""
    emit(events, EventCode.PASS, ALL, s.seat, 0, 0, 0, 0)
    s.last_writers += 1
    ask_last_writer(s)


def scores(s: State, out: Cells) -> None:
    """nomads.end.score"""
    for seat in range(s.players):
        out[seat] = standing(s, seat) + s.moons[seat]


def places(s: State, out: Cells) -> None:
    """nomads.end.tie: 1 for a winner; those who are equal in all share a place."""
    for seat in range(s.players):
        out[seat] = 1
        for other in range(s.players):
            if ahead(s, other, seat):
                out[seat] += 1


def ahead(s: State, one: int, other: int) -> bool:
    """nomads.end.tie: by points, then by Legend cards."""
    mine = standing(s, one) + s.moons[one]
    theirs = standing(s, other) + s.moons[other]
    if mine != theirs:
        return mine > theirs
    return legends_written(s, one) > legends_written(s, other)


def legends_written(s: State, seat: int) -> int:
    written = 0
    for legend in range(LEGENDS):
        if s.legend[seat, legend]:
            written += 1
    return written
