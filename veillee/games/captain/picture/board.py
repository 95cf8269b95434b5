"""Oh Captain!: the public layer of the picture, put together from its parts."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.engine.drawing.picture import Shape, counted, each_has
from veillee.engine.drawing.svg import Canvas, group, moves
from veillee.engine.i18n import Words
from veillee.games.captain.core.rules import scores
from veillee.games.captain.core.state import KINDS, NOBODY, Phase, State
from veillee.games.captain.outline import announced, not_shown
from veillee.games.captain.picture.layout import LAYOUTS
from veillee.games.captain.picture.middle import (
    answers,
    draw_answers,
    draw_choice,
    draw_middle,
    draw_reserve,
    draw_saying,
    draw_tools,
    on_stage,
)
from veillee.games.captain.picture.piece_ids import Ids, named
from veillee.games.captain.picture.scene import draw_backdrop
from veillee.games.captain.picture.seats import (
    choosable,
    draw_inventory,
    draw_loot,
    draw_purse,
    draw_result,
    draw_seat,
    draw_who,
    won_by,
)


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
    """Draw everything public."""
    lay = LAYOUTS[shape]
    if ids is None:
        ids = named(s)
    canvas = Canvas() if canvas is None else canvas
    section, add, language, players = canvas.section, canvas.add, words.language, s.players
    coins = tuple(s.coins.tolist()[:players])
    told = each_has(language, "captain.coins", names, coins)
    canvas.begin("captain", lay.width, lay.height, words("captain.title"), told)
    add(draw_backdrop, shape)
    add(draw_middle, language, shape, s.size - s.drawn, s.discards, ids["down"][-1])
    add(draw_reserve, language, shape, ids["coins"][-1])
    phase, row = s.phase, s.row
    adventurers = s.adventurer.tobytes()
    add(draw_saying, language, shape, on_stage(s, names, ids["found"], seat))
    if section(1, phase, adventurers, s.taking_part):
        add(group, draw_choice(words, s, lay) if phase == Phase.ADVENTURER else "")
    in_play = phase not in (Phase.ADVENTURER, Phase.OVER)
    tool = s.told[row] - 1 if in_play and phase >= Phase.CHOICE else NOBODY
    add(draw_tools, language, shape, in_play, phase == Phase.ANNOUNCE, tool)
    add(draw_answers, shape, answers(words, s) if in_play else ())
    over = phase == Phase.OVER
    shown = (points or counted(scores, s)) if over else None
    down, heard = s.down.tobytes(), announced(s)
    for other, name in enumerate(names):
        add(draw_seat, shape, other == seat, other == s.seat, players, other)
        who = (adventurers[other], other == s.captain, len(ids["coins"][other]), heard[other])
        add(draw_who, language, shape, other == seat, players, other, name, *who)
        add(draw_purse, language, shape, players, other, name, ids["coins"][other])
        known = down[other * KINDS : (other + 1) * KINDS]
        heap = (s.hidden[other], ids["down"][other], known)
        open_, closed = choosable(s, other)
        loot = (ids["up"][other], *heap, open_, closed, over)
        add(draw_loot, language, shape, players, other, name, *loot)
        result = (shown[other], won_by(s, other)) if shown else ()
        add(draw_result, language, shape, players, other, *result)
    add(draw_inventory, language, shape, s.total.tobytes(), tuple(not_shown(s)))
    add(moves, ids["moves"])
    return canvas.end()
