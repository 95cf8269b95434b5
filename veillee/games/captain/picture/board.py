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
    coins, cave, discard = ids["coins"], s.size - s.drawn, ids["down"][-1]
    canvas.renew()
    if section(2, (names, s.coins.tobytes())):
        told = each_has(language, "captain.coins", names, s.coins.tolist()[:players])
        canvas.begin("captain", lay.width, lay.height, words("captain.title"), told)
    if section(3, (cave, s.discards, discard, coins[-1])):
        add(draw_backdrop, shape)
        add(draw_middle, language, shape, cave, s.discards, discard)
        add(draw_reserve, language, shape, coins[-1])
    phase, row = s.phase, s.row
    adventurers = s.adventurer.tobytes()
    add(draw_saying, language, shape, on_stage(s, names, ids["found"], seat))
    if section(1, (phase, adventurers)):
        add(group, draw_choice(words, s, lay) if phase == Phase.ADVENTURER else "")
    in_play = phase not in (Phase.ADVENTURER, Phase.OVER)
    tool = s.told[row] - 1 if in_play and phase >= Phase.CHOICE else NOBODY
    if section(2, (phase, tool)):
        add(draw_tools, language, shape, in_play, phase == Phase.ANNOUNCE, tool)
        add(draw_answers, shape, answers(words, s) if in_play else ())
    over = phase == Phase.OVER
    shown = (points or counted(scores, s)) if over else None
    up, down, heard = s.up.tobytes(), s.down.tobytes(), announced(s)
    awaited, captain, hidden = s.seat, s.captain, s.hidden.tobytes()
    for other, name in enumerate(names):
        lit, purse = other == awaited, coins[other]
        who = (name, adventurers[other], other == captain, len(purse), heard[other])
        known = down[other * KINDS : (other + 1) * KINDS]
        chosen = choosable(s, other) if phase >= Phase.CARD else (0, False)
        loot = (ids["up"][other], hidden[other], ids["down"][other], known, *chosen, over)
        result = (shown[other], won_by(s, other)) if shown else ()
        add(draw_seat, shape, other == seat, lit, players, other)
        if section(4, (who, purse, loot, result)):
            add(draw_who, language, shape, other == seat, players, other, *who)
            add(draw_purse, language, shape, players, other, name, purse)
            add(draw_loot, language, shape, players, other, name, *loot)
            add(draw_result, language, shape, players, other, *result)
    if section(1, (up, over)):
        add(draw_inventory, language, shape, s.total.tobytes(), tuple(not_shown(s)))
    add(moves, ids["moves"])
    return canvas.end()
