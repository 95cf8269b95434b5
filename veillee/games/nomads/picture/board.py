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
    add, language, ring, players = canvas.add, words.language, s.ring, s.players
    worth = Worth(s.value.tobytes(), s.song_cost.tobytes(), s.song_points.tobytes())
    if points is None:
        points = counted(scores, s)
    told = each_has(language, "nomads.points", names, points)
    canvas.begin("nomads", lay.width, lay.height, words("nomads.title"), told)
    add(draw_backdrop, language, shape)
    add(draw_chart, language, shape, ids["chart"])
    heights, stacks, piles = s.tiles.tobytes(), s.stack.tobytes(), ids["piles"]
    for space in back_to_front(shape, ring):
        height = heights[space]
        top = stacks[space * TALLEST_STACK + height - 1] if height else NOBODY
        if canvas.section(3, height, top, piles[space]):
            add(draw_place, shape, ring, space)
            add(draw_stack, language, shape, ring, space, height, top)
            add(draw_pile, shape, ring, space, piles[space])
    phase = s.phase
    add(draw_lys, language, shape, ring, s.lys if phase > Phase.LYS else NOBODY)
    add(group, draw_to_place(words, s, lay, ids) if phase < Phase.LYS else "")
    add(draw_shop, language, shape)
    offer, songs, total = s.offer.tobytes(), s.song_offer.tobytes(), s.total.tobytes()
    if canvas.section(LEGENDS + 1, worth, offer, songs, total):
        for legend in range(LEGENDS):
            row = slice(legend * CARDS, (legend + 1) * CARDS)
            offered = offer[row] if total[legend] else bytes(CARDS)
            add(draw_column, language, shape, legend, worth.legends[row], offered)
        add(draw_songs, language, shape, worth, songs)
    awaited, adventurers, written = s.seat, s.adventurer.tobytes(), s.legend.tobytes()
    for other, name in enumerate(names):
        lit, hand, moons = other == awaited, ids["hands"][other], ids["moons"][other]
        who = (players, other, name, adventurers[other], points[other])
        cards = (written[other * LEGENDS : (other + 1) * LEGENDS], s.song[other])
        add(draw_seat, shape, other == seat, lit, players, other)
        add(draw_who, language, shape, other == seat, *who)
        if canvas.section(Tile.MOON + 1, hand, cards, moons):
            for kind, tiles in enumerate(hand):
                add(draw_kept, language, shape, players, other, kind, tiles)
            add(draw_held, language, shape, players, other, worth, *cards, moons)
    add(moves, ids["moves"])
    return canvas.end()


def private(words: Words, s: State, seat: int, shape: Shape = "wide") -> str:
    """Return an empty layer: in Nomads no seat knows more than another."""
    lay = LAYOUTS[shape]
    return overlay("nomads", "private", lay.width, lay.height, "")
