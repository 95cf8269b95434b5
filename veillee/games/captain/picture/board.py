"""Oh Captain!: the public layer of the picture, put together from its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from itertools import chain, repeat
from operator import eq
from typing import Any, NamedTuple

from veillee.engine.drawing.picture import Shape, counted, each_has, rows
from veillee.engine.drawing.svg import Canvas, Part, Section, group, head, moves
from veillee.engine.i18n import Words
from veillee.games.captain.core.rules import scores
from veillee.games.captain.core.state import KINDS, NOBODY, SEATS, Phase, State
from veillee.games.captain.outline import all_shown, announced, hidden_of
from veillee.games.captain.picture.layout import LAYOUTS
from veillee.games.captain.picture.middle import (
    Answers,
    Stage,
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
    if ids is None:
        ids = named(s)
    canvas = Canvas() if canvas is None else canvas
    phase, players, adventurers = s.phase, s.players, s.adventurer.tobytes()
    coins, over = ids["coins"], phase == Phase.OVER
    in_play = not over and phase != Phase.ADVENTURER
    tool = s.told[s.row] - 1 if in_play and phase >= Phase.CHOICE else NOBODY
    to_choose = draw_choice(words, s, LAYOUTS[shape]) if phase == Phase.ADVENTURER else ""
    asked = answers(words, s) if in_play else ()
    results: Iterable[tuple[Any, ...]] = repeat(())
    if over:
        shown = points or counted(scores, s)
        results = [(shown[other], won_by(s, other)) for other in range(players)]
    chosen: Iterable[tuple[int, bool]] = repeat((0, False))
    if phase >= Phase.CARD:
        chosen = [choosable(s, other) for other in range(players)]
    who = zip(
        names,
        adventurers,
        map(eq, repeat(s.captain), range(players)),
        coins,
        announced(s),
        strict=False,
    )
    loot = zip(
        ids["up"],
        s.hidden.tobytes(),
        ids["down"],
        LOOT_KNOWN(s.down.tobytes()),
        chosen,
        repeat(over),
        strict=False,
    )
    players_shown = zip(who, loot, results, strict=False)
    lit = [(other == s.seat,) for other in range(players)]
    return canvas.draw(
        _sections(Setting(words.language, shape, players, seat, s.total.tobytes())),
        [
            (names, s.coins.tolist()[:players]),
            (s.size - s.drawn, s.discards, ids["down"][-1], coins[-1]),
            (on_stage(s, names, ids["found"], seat),),
            (to_choose,),
            (in_play, phase == Phase.ANNOUNCE, tool, asked),
            *chain.from_iterable(zip(lit, players_shown, strict=True)),
            (all_shown(s),),
            (ids["moves"],),
        ],
    )


LOOT_KNOWN = rows(SEATS, KINDS)


class Setting(NamedTuple):
    """What stays the same in the pictures of a game for a viewer."""

    language: str
    shape: Shape
    players: int
    viewer: int | None
    total: bytes


@lru_cache(256)
def _sections(it: Setting) -> list[Section]:
    """Return the sections of the board."""
    sections: list[Section] = [
        partial(part, it) for part in (_head, _middle, _saying, _choice, _answers)
    ]
    for seat in range(it.players):
        sections += [partial(_panel, it, seat), partial(_player, it, seat)]
    return [*sections, partial(_inventory, it), _moves]


def _head(it: Setting, names: Sequence[str], coins: Sequence[int]) -> list[Part]:
    lay = LAYOUTS[it.shape]
    told = each_has(it.language, "captain.coins", names, coins)
    return head("captain", lay.width, lay.height, Words(it.language)("captain.title"), told)


def _middle(
    it: Setting, cave: int, discards: int, discard: str, reserve: Sequence[str]
) -> list[Part]:
    return [
        (draw_backdrop, it.shape),
        (draw_middle, it.language, it.shape, cave, discards, discard),
        (draw_reserve, it.language, it.shape, reserve),
    ]


def _saying(it: Setting, stage: Stage | None) -> list[Part]:
    return [(draw_saying, it.language, it.shape, stage)]


def _choice(_: Setting, to_choose: str) -> list[Part]:
    return [(group, to_choose)]


def _answers(it: Setting, in_play: bool, announcing: bool, tool: int, asked: Answers) -> list[Part]:
    return [
        (draw_tools, it.language, it.shape, in_play, announcing, tool),
        (draw_answers, it.shape, asked),
    ]


def _panel(it: Setting, seat: int, lit: bool) -> list[Part]:
    return [(draw_seat, it.shape, seat == it.viewer, lit, it.players, seat)]


def _player(
    it: Setting, seat: int, who: tuple[Any, ...], loot: tuple[Any, ...], result: tuple[Any, ...]
) -> list[Part]:
    name, adventurer, chief, purse, heard = who
    *cards, chosen, over = loot
    place = (it.players, seat)
    about = (seat == it.viewer, *place, name, adventurer, chief, len(purse), heard)
    return [
        (draw_who, it.language, it.shape, *about),
        (draw_purse, it.language, it.shape, *place, name, purse),
        (draw_loot, it.language, it.shape, *place, name, *cards, *chosen, over),
        (draw_result, it.language, it.shape, *place, *result),
    ]


def _inventory(it: Setting, shown: bytes) -> list[Part]:
    return [(draw_inventory, it.language, it.shape, it.total, tuple(hidden_of(it.total, shown)))]


def _moves(moved: Sequence[str]) -> list[Part]:
    return [(moves, moved)]
