"""Nomads: the public layer of the picture, put together from its parts."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.engine.drawing.picture import Shape, counted, each_has
from veillee.engine.drawing.svg import Canvas, group, moves, overlay
from veillee.engine.i18n import Words
from veillee.games.nomads.core.rules import scores
from veillee.games.nomads.core.state import (
    CARDS,
    LEGENDS,
    NOBODY,
    TALLEST_STACK,
    Phase,
    State,
    Tile,
)
from veillee.games.nomads.picture.cards import Worth, draw_chart, draw_column, draw_shop, draw_songs
from veillee.games.nomads.picture.layout import LAYOUTS
from veillee.games.nomads.picture.piece_ids import Ids, named
from veillee.games.nomads.picture.ring import (
    back_to_front,
    draw_lys,
    draw_pile,
    draw_place,
    draw_stack,
    draw_to_place,
)
from veillee.games.nomads.picture.scene import draw_backdrop
from veillee.games.nomads.picture.seats import draw_held, draw_kept, draw_seat, draw_who


def board(
    words: Words,
    s: State,
    names: Sequence[str],
    shape: Shape = "wide",
    seat: int | None = None,
    ids: Ids | None = None,
    canvas: Canvas | None = None,
    points: Sequence[int] | None = None,
) -> Canvas:
    """Draw the whole table; of the tiles under the tops only their number is shown."""
    lay = LAYOUTS[shape]
    if ids is None:
        ids = named(s)
    canvas = Canvas() if canvas is None else canvas
    add, section, language = canvas.add, canvas.section, words.language
    ring, players = s.ring, s.players
    if points is None:
        points = counted(scores, s)
    canvas.renew()
    if section(4, (names, points, ids["chart"])):
        told = each_has(language, "nomads.points", names, points)
        canvas.begin("nomads", lay.width, lay.height, words("nomads.title"), told)
        add(draw_backdrop, language, shape)
        add(draw_chart, language, shape, ids["chart"])
    heights, stacks, piles = s.tiles.tobytes(), s.stack.tobytes(), ids["piles"]
    for space in back_to_front(shape, ring):
        height = heights[space]
        top = stacks[space * TALLEST_STACK + height - 1] if height else NOBODY
        if section(3, (height, top, piles[space])):
            add(draw_place, shape, ring, space)
            add(draw_stack, language, shape, ring, space, height, top)
            add(draw_pile, shape, ring, space, piles[space])
    phase, offer, songs = s.phase, s.offer.tobytes(), s.song_offer.tobytes()
    lys = s.lys if phase > Phase.LYS else NOBODY
    placing = draw_to_place(words, s, shape, ids) if phase < Phase.LYS else ""
    if section(LEGENDS + 4, (lys, placing, offer, songs)):
        add(draw_lys, language, shape, ring, lys)
        add(group, placing)
        add(draw_shop, language, shape)
        worth, total = Worth.of(s), s.total.tobytes()
        for legend in range(LEGENDS):
            row = slice(legend * CARDS, (legend + 1) * CARDS)
            offered = offer[row] if total[legend] else bytes(CARDS)
            add(draw_column, language, shape, legend, worth.legends[row], offered)
        add(draw_songs, language, shape, worth, songs)
    awaited, adventurers, written = s.seat, s.adventurer.tobytes(), s.legend.tobytes()
    for other, name in enumerate(names):
        lit, hand, moons = other == awaited, ids["hands"][other], ids["moons"][other]
        who = (name, adventurers[other], points[other])
        cards = (written[other * LEGENDS : (other + 1) * LEGENDS], s.song[other])
        if section(2, (lit, who)):
            add(draw_seat, shape, other == seat, lit, players, other)
            add(draw_who, language, shape, other == seat, players, other, *who)
        if section(Tile.MOON + 1, (hand, cards, moons)):
            for kind in canvas.changed_in(hand):
                add(draw_kept, language, shape, players, other, kind, hand[kind])
            add(draw_held, language, shape, players, other, Worth.of(s), *cards, moons)
    add(moves, ids["moves"])
    return canvas.end()


def private(words: Words, s: State, seat: int, shape: Shape = "wide") -> str:
    """Return an empty layer: in Nomads no seat knows more than another."""
    lay = LAYOUTS[shape]
    return overlay("nomads", "private", lay.width, lay.height, "")
