"""The pages of the rules: of each game, and of the Lumarathon."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from litestar import Response, get
from markupsafe import Markup

from veillee import lumarathon
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.lesson import Lesson
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.score_sheet import lines as score_lines
from veillee.engine.score_sheet import signed
from veillee.web.delivery import rendering
from veillee.web.delivery.rendering import Layout
from veillee.web.http.dependencies import Caller
from veillee.web.http.pages import Pages
from veillee.web.http.shelf import facts, has_marathon
from veillee.web.tables.lessons import lesson_seed
from veillee.web.tables.registry import TABLE_ID
from veillee.web.tables.table import BOT_NAMES
from veillee.web.templating import MARATHON

OTHERS = "powers"
"""The group of clauses whose id names no group: `captain.lys`."""


@get("/rules/{name:str}")
async def rules(
    caller: Caller, pages: Pages, words: Words, layout: Layout, name: str
) -> Response[str]:
    back = caller.asks("back")
    shared: dict[str, Any] = {"game": name, "back": back if TABLE_ID.fullmatch(back) else ""}
    if name == MARATHON and has_marathon():
        return pages.render("marathon.html", **shared, **facts(name), **_marathon(words))
    spec = games().get(name)
    if spec is None:
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    return pages.render(
        "rules.html",
        **shared,
        **facts(name),
        title=words(f"{name}.title"),
        summary=summary(spec, words),
        scored=spec.scoring is not None,
        book=_book(name, layout),
        lesson=spec.lesson is not None,
        groups=_groups(name, layout.language),
    )


def summary(spec: GameSpec, words: Words) -> list[str]:
    """The rules in a few paragraphs."""
    found: list[str] = []
    while (key := f"{spec.name}.summary.{len(found) + 1}") in words:
        found.append(words(key))
    return found


def _marathon(words: Words) -> dict[str, Any]:
    return {
        "title": words("web.marathon"),
        "about": words("web.marathon.about"),
        "clauses": [_clause(key, words) for key in lumarathon.CLAUSES],
        "parts": [(n, words(f"{n}.title")) for n in (lumarathon.FIRST, lumarathon.SECOND)],
    }


# ------------------------------------------------------------ the clauses


def _clause(key: str, words: Words) -> tuple[str, str, bool]:
    """The id of a clause, its text, and whether it is a ruling of ours."""
    text = words(key)
    plain = text.replace(f" ({words('web.rules.ruling')})", "")
    return key, plain, plain != text


@cache
def _groups(name: str, language: str) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """All clauses, by the phase that they belong to."""
    words, spec = Words(language), games()[name]
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for key in spec.clauses:
        if key in words:
            _, group, *rest = key.split(".")
            own = rest or f"{name}.rules.group.{group}" in words
            found.setdefault(group if own else OTHERS, []).append(_clause(key, words))
    return [(_heading(name, group, words), clauses) for group, clauses in found.items()]


def _heading(name: str, group: str, words: Words) -> str:
    key = f"{name}.rules.group.{group}"
    return words(key) if key in words else ""


# ------------------------------------------------------------ the rulebook


@cache
def _book(name: str, layout: Layout) -> dict[str, Any] | None:
    """The game's own page, with its diagrams; None if it has none."""
    spec, words = games()[name], layout.words
    book, lesson = spec.rulebook, spec.lesson
    if book is None or lesson is None or spec.picture is None:
        return None
    own, *others = BOT_NAMES[: lesson.players]
    names = [words("web.rules.you", name=own), *others]
    figures = _Figures(spec, lesson, layout, names)
    steps = [
        (words(step.text), "" if step.moves is None else figures.draw(step.moves, step.preview))
        for step in book.step
    ]
    end = _after(spec, lesson, len(lesson.moves))
    return {
        "goal": words(book.goal),
        "steps": steps,
        "tables": [
            (
                words(table.title),
                [
                    (row.symbol and figures.symbol(row.symbol), words(row.name), _text(row, words))
                    for row in table.row
                ],
            )
            for table in book.table
        ],
        "end": words(book.end),
        "example": figures.draw(len(lesson.moves)),
        "names": names,
        "totals": [signed(score) for score in end.scores],
        "sheet": [
            (row[0].said(words), [cell.counted() for cell in row])
            for row in score_lines([end.score_sheet(seat) for seat in range(end.players)])
        ],
    }


def _text(row: Any, words: Words) -> str:
    return _clause(row.text, words)[1]


def _after(spec: GameSpec, lesson: Lesson, moves: int) -> Game:
    """Return the lesson's game after a number of moves."""
    game = game_class(spec)(lesson.players, lesson_seed(lesson), **lesson.options)
    for move in lesson.moves[:moves]:
        game.play(move)
    return game


class _Figures:
    """Draws diagrams of one page. Each has ids of its own, so that several can be in a page."""

    def __init__(self, spec: GameSpec, lesson: Lesson, layout: Layout, names: list[str]) -> None:
        self._spec, self._lesson, self._layout, self._names = spec, lesson, layout, names
        self._drawn = 0
        self._groups: set[str] = set()

    def draw(self, moves: int, preview: bool = False) -> Markup:
        """Draw the lesson's position after a number of moves, as the learner sees it."""
        spec, layout = self._spec, self._layout
        game = _after(spec, self._lesson, moves)
        drawn = rendering.picture(spec, layout, rendering.view_of(game, ()), self._names, 0)
        seen = rendering.view_of(game, (0,))
        if not game.over:
            drawn += rendering.overlay(spec, layout, seen, 0)
        if preview:
            number = spec.notation.parse(self._lesson.moves[moves])
            drawn += rendering.preview(spec, layout, seen, number, 0)
        self._drawn += 1
        self._groups |= set(re.findall(r'<g id="([^"]+)"', drawn))
        return Markup(_with_ids(drawn, f"f{self._drawn}-"))  # noqa: S704 - drawn by us

    def symbol(self, name: str) -> Markup:
        """A symbol that the first diagram defines, or a group around the origin."""
        place = "" if name in self._groups else ' x="-20" y="-20" width="40" height="40"'
        return Markup(  # noqa: S704 - drawn by us
            '<svg class="picture symbol" viewBox="-20 -20 40 40" aria-hidden="true">'
            f'<use href="#f1-{name}"{place}/></svg>'
        )


def _with_ids(drawn: str, prefix: str) -> str:
    """Put a prefix before all ids of a picture, and before all that refers to them."""
    drawn = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", drawn)
    return re.sub(
        r'(aria-labelledby=")([^"]*)',
        lambda found: found[1] + " ".join(prefix + name for name in found[2].split()),
        drawn,
    )


HANDLERS = [rules]
