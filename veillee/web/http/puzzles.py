"""`/puzzles`: the puzzle of the day, and a trainer with all puzzles of each game."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from litestar import Response, get
from markupsafe import Markup

from veillee.analysis.chart import percent
from veillee.analysis.puzzles import Puzzle, puzzles, seat_names
from veillee.engine.drawing.picture import overlaid
from veillee.engine.game import Game
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.web.delivery.rendering import Layout
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, limit
from veillee.web.http.pages import Pages


class Choice(NamedTuple):
    """One of the choices of a puzzle, in words."""

    notation: str
    said: str
    percent: int
    chance: str
    best: bool


def shelves() -> dict[str, tuple[Puzzle, ...]]:
    """The puzzles of each game that has some."""
    found = {name: puzzles(spec) for name, spec in games().items()}
    return {name: each for name, each in found.items() if each}


def daily(today: date) -> tuple[str, int]:
    """Game and number of the puzzle of a day. The games take turns."""
    numbered = [[(name, n) for n in range(1, len(each) + 1)] for name, each in shelves().items()]
    mixed = [one for line in zip_longest(*numbered) for one in line if one is not None]
    if not mixed:
        raise Refusal("unknown", "analysis.puzzles.none", "analysis.puzzles.none")
    return mixed[today.toordinal() % len(mixed)]


@lru_cache(256)
def position_of(puzzle_game: str, number: int) -> Game:
    """The position of a puzzle, to read."""
    return _puzzle(puzzle_game, number).position()


def _puzzle(name: str, number: int) -> Puzzle:
    found = shelves().get(name, ())
    if not 1 <= number <= len(found):
        raise Refusal("unknown", "analysis.puzzles.none", "analysis.puzzles.none")
    return found[number - 1]


def _choices(puzzle: Puzzle, game: Game, words: Words, names: list[str]) -> list[Choice]:
    spec = game.spec
    s = spec.twin(game.seen_by(puzzle.seat))
    return [
        Choice(
            each,
            spec.text.say(words, s, spec.notation.parse(each), names).rstrip("."),
            round(puzzle.chances[each] / 100),
            words("analysis.puzzle.chance", percent=percent(words, puzzle.chances[each])),
            each == puzzle.answer,
        )
        for each in puzzle.choices
    ]


def _picture(puzzle: Puzzle, game: Game, layout: Layout, names: list[str]) -> Markup:
    """The board as the seat that decides sees it."""
    draw = game.spec.picture
    if draw is None:
        return Markup()
    words, seat = layout.words, puzzle.seat
    public = game.spec.twin(game.seen_by())
    own = game.spec.twin(game.seen_by(seat))
    board = draw.board(words, public, names, layout.shape, seat)
    private = draw.private(words, own, seat, layout.shape)
    return Markup(overlaid(board.parts, private))  # noqa: S704 - drawn by us


def _render(
    pages: Pages, layout: Layout, name: str, number: int, answer: str, title: str
) -> Response[Any]:
    words = layout.words
    puzzle, total = _puzzle(name, number), len(shelves()[name])
    game = position_of(name, number)
    names = seat_names(game.players)[layout.language]
    kinds = game.spec.puzzles
    assert kinds is not None
    choices = _choices(puzzle, game, words, names)
    return pages.render(
        "puzzle.html",
        title=title,
        game=name,
        number=number,
        puzzle=puzzle,
        picture=_picture(puzzle, game, layout, names),
        shape=layout.shape,
        question=kinds.question(
            words, game.spec.twin(game.seen_by(puzzle.seat)), puzzle.kind, names
        ),
        daily=title == words("analysis.puzzle.daily"),
        choices=choices,
        answer=next((each for each in choices if each.notation == answer), None),
        reason=puzzle.reasons[layout.language],
        following=number % total + 1,
        shelves=shelves(),
    )


@get("/puzzles")
async def puzzles_page(
    context: AppContext, caller: Caller, pages: Pages, layout: Layout
) -> Response[Any]:
    """The puzzle of the day, and the list of all."""
    limit(context, context.limits.expensive, caller.network)
    name, number = daily(datetime.now(UTC).date())
    return _render(pages, layout, name, number, "", layout.words("analysis.puzzle.daily"))


@get("/puzzles/{game:str}/{number:int}")
async def puzzle_page(
    context: AppContext, caller: Caller, pages: Pages, layout: Layout, game: str, number: int
) -> Response[Any]:
    """One puzzle, or its solution to somebody who has answered."""
    limit(context, context.limits.expensive, caller.network)
    words = layout.words
    _puzzle(game, number)
    title = words(
        "analysis.puzzle.number",
        n=number,
        game=words(f"{game}.title"),
        total=len(shelves()[game]),
    )
    return _render(pages, layout, game, number, caller.asks("answer"), title)


HANDLERS = [puzzles_page, puzzle_page]
