"""Lumens: the public layer of the picture, put together from its parts."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.engine.drawing.picture import Shape, counted, each_has, rows
from veillee.engine.drawing.svg import Canvas, moves
from veillee.engine.i18n import Words
from veillee.games.lumens.core.rules import scores
from veillee.games.lumens.core.state import KINDS, NO_TOKEN, SIDE, Phase, State
from veillee.games.lumens.picture.layout import LAYOUTS, colours_of, square_size
from veillee.games.lumens.picture.lights import draw_ground, draw_last, draw_row, draw_spots
from veillee.games.lumens.picture.piece_ids import Ids
from veillee.games.lumens.picture.rooms import (
    draw_plates,
    draw_tints,
    only_leaders,
    standings,
    tints,
)
from veillee.games.lumens.picture.seats import draw_awaited, draw_seat, draw_tokens, draw_who


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
    """Draw everything public: all but the tokens in hand."""
    lay = LAYOUTS[shape]
    side, players, language = s.side, s.players, words.language
    cell = square_size(s, lay)
    if points is None:
        points = counted(scores, s)
    canvas = Canvas() if canvas is None else canvas
    add, section = canvas.add, canvas.section
    canvas.renew()
    if section(2, (names, points)):
        told = each_has(language, "lumens.points", names, points)
        canvas.begin("lumens", lay.width, lay.height, words("lumens.title"), told)
    rooms, starts, pips = s.room.tobytes(), s.start.tobytes()[:players], s.pips.tobytes()
    colours = colours_of(s.colours)
    if section(2, (starts, colours, pips)):
        add(draw_ground, shape, cell, side, rooms, starts, colours)
        add(draw_tints, shape, cell, rooms, tints(standings(rooms, players, pips), colours))
    laid = list(zip(rows(s.top, SIDE, side), rows(s.covered, SIDE, side), strict=True))
    for row in canvas.changed_in(laid):
        add(draw_row, shape, cell, row * SIDE, *laid[row])
    add(draw_last, shape, cell, tuple(ids or ()))
    add(draw_spots, shape, cell, side, rooms)
    if section(1, pips):
        shown = standings(rooms, players, pips)
        shown = only_leaders(shown) if lay.tall else shown
        add(draw_plates, language, shape, cell, rooms, shown)
    awaited, left, out, hands = s.seat, s.left.tobytes(), s.out, s.hand.tolist()
    for other, name in enumerate(names):
        lit = other == awaited
        held = hands[other] if lay.across == 1 else max(hands[other], NO_TOKEN)
        who = (name, colours[other], points[other], out >> other & 1, held)
        tokens = left[other * KINDS : (other + 1) * KINDS]
        if out >> other & 1 and lay.across > 1:  # there the seat says that it is out
            tokens = b""
        add(draw_seat, shape, other == seat, lit, players, other)
        if section(2, (who, tokens)):
            add(draw_who, language, shape, other == seat, players, other, *who)
            add(draw_tokens, shape, players, other, tokens)
    add(draw_awaited, shape, awaited, names[awaited] if s.phase != Phase.OVER else "")
    add(moves, ids or ())
    return canvas.end()
