"""Puzzles found in games that bots play: positions with one clear best choice.

Decisions are screened with a short search; those with a lead are confirmed with a long one and
several seeds (`analysis.puzzles.confirm`). What weak bots always get right is too easy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from veillee.analysis.decision import WHOLE, searcher
from veillee.analysis.puzzles import MARGIN, Puzzle, confirm, puzzles, read, seat_names
from veillee.bots.levels import NAMES, bot
from veillee.engine.game import Game, game_class, view_position
from veillee.engine.game_spec import GameSpec, Position
from veillee.engine.jit.layout import States
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.lab.executor import Workers
from veillee.lab.players import player

SCREENING = 3000
ITERATIONS = 40_000
SEEDS = (1, 2, 3)
PER_GAME = 4
"""The most puzzles from one game, so that they differ; never two with such an answer."""
LARGEST_KIND = 0.4
"""The largest part of the puzzles that is of one kind, unless only one is asked for."""
ROUND = 6
"""Games after which answers are no longer looked for of which there are enough."""
APART = 8
"""Decisions between two puzzles from one game."""
TRIES = 8
"""How often a weak bot tries a puzzle, to tell how difficult it is."""


class Search(NamedTuple):
    """Parameters of a search for puzzles."""

    game: str
    players: int
    entrant: str
    """The players (`lab.players`)."""
    seed: int
    kind: str = ""
    """The only kind of puzzle that is wanted; "" for all."""
    enough: frozenset[tuple[str, str]] = frozenset()
    """Answers of which there are enough (`Puzzle.side`)."""


def find(
    game: str,
    players: list[int],
    entrants: Sequence[str],
    games: int,
    count: int,
    seed: int,
    kind: str,
    pool: Workers,
    progress: Callable[[int, list[Puzzle]], None],
    older: Sequence[Puzzle] = (),
) -> list[Puzzle]:
    """Find `count` puzzles in at most `games` games, with a fair share of each answer.

    Args:
        game: The name of the game.
        players: Numbers of players, in turn.
        entrants: Who plays (`lab.players`): one after another, each a whole game.
        games: How many games to play at most.
        count: How many puzzles to find.
        seed: Seed of the first game.
        kind: The only kind of puzzle that is wanted; "" for all.
        pool: Where the work is done.
        progress: Is told how many games were played, and the puzzles found.
        older: Puzzles from before, of which those are kept that are still clear.
    """
    most = count if kind else max(1, int(LARGEST_KIND * count))
    found = [puzzle for puzzle in pool.map(check, zip(older)) if puzzle]
    kept = fair(found, count, most)
    progress(0, kept)
    for first in range(0, games, ROUND):
        if len(kept) == count:
            break
        sides = Counter(puzzle.side() for puzzle in found)
        enough = frozenset(side for side, n in sides.items() if n >= _half(most))
        numbers = range(first, min(first + ROUND, games))
        searches = [
            Search(
                game,
                players[n % len(players)],
                entrants[n % len(entrants)],
                seed + n,
                kind,
                enough,
            )
            for n in numbers
        ]
        for number, more in zip(numbers, pool.map(find_in_game, zip(searches)), strict=True):
            known = {puzzle.id for puzzle in found}
            found += [puzzle for puzzle in more if puzzle.id not in known]
            kept = fair(found, count, most)
            progress(number + 1, kept)
    return kept


def fair(found: Sequence[Puzzle], count: int, most: int) -> list[Puzzle]:
    """Return up to `count` puzzles, `most` of a kind, and of these at most half with one answer.

    The half is rounded up. If one answer were nearly always right, it could be guessed.
    """
    sided = [(puzzle, puzzle.side()) for puzzle in found]
    numbers = Counter(side for _, side in sided)
    sizes = {
        kind: max(
            size
            for size in range(most + 1)
            if size <= sum(min(n, _half(size)) for (of, _), n in numbers.items() if of == kind)
        )
        for kind, _ in numbers
    }
    while sum(sizes.values()) > count:
        sizes[max(sizes, key=lambda kind: sizes[kind])] -= 1
    kept: list[Puzzle] = []
    kinds: Counter[str] = Counter()
    sides: Counter[tuple[str, str]] = Counter()
    for puzzle, side in sided:
        size = sizes[puzzle.kind]
        if kinds[puzzle.kind] < size and sides[side] < _half(size):
            kinds[puzzle.kind] += 1
            sides[side] += 1
            kept.append(puzzle)
    return kept


def _half(size: int) -> int:
    return (size + 1) // 2


def find_in_game(search: Search) -> list[Puzzle]:
    """Let bots play a game, and return the puzzles in it."""
    spec = spec_named(search.game)
    game = game_class(spec)(search.players, search.seed, compiled=True)
    seats = [
        player(spec, search.players, search.entrant, search.seed + seat)
        for seat in range(search.players)
    ]
    found: list[Puzzle] = []
    last = -APART
    while not game.over:
        view = game.seen_by(game.seat)
        far = len(game.steps) - last
        if len(found) < PER_GAME and far > APART and _leads(search, spec, game, view, found):
            puzzle = _puzzle(search, spec, game, view)
            if puzzle:
                found.append(puzzle)
                last = len(game.steps)
        game.play(seats[game.seat](view))
    return found


def _leads(
    search: Search, spec: GameSpec, game: Game, view: States, found: Sequence[Puzzle]
) -> bool:
    """Tell whether a short search clearly prefers a new answer to all others it tried often."""
    had = search.enough.union(puzzle.side() for puzzle in found)
    wanted = _wanted(search, spec, view, game.legal_numbers(), had)
    if not wanted:
        return False
    thought = searcher(spec, search.players, SCREENING, len(game.steps)).think(view)
    order = np.argsort(-thought.preference, kind="stable")
    first, second = thought.results[order[:2], thought.seat]
    return thought.best in wanted and bool(first - second > MARGIN / WHOLE)


def _wanted(
    search: Search,
    spec: GameSpec,
    view: States,
    choices: Sequence[int],
    had: frozenset[tuple[str, str]],
) -> set[int]:
    """Return which of the choices would be the answer of a puzzle that is wanted."""
    if len(choices) < 2 or spec.puzzles is None:
        return set()
    s = spec.twin(view)
    kinds = {choice: spec.puzzles.kind(s, choices, choice) for choice in choices}
    return {
        choice
        for choice, kind in kinds.items()
        if kind
        and search.kind in ("", kind)
        and (kind, spec.puzzles.side(s, kind, choice)) not in had
    }


def _puzzle(search: Search, spec: GameSpec, game: Game, view: States) -> Puzzle | None:
    position = view_position(spec, spec.twin(view), game.seat)
    again = type(game).from_position(position, 1)
    if again.seen_by(game.seat).tobytes() != view.tobytes():
        return None
    number = len(game.steps)
    source = f"{search.players} players, seed {search.seed}, {search.entrant}, decision {number}"
    return _puzzle_at(spec, view, position, f"{search.players}-{search.seed}-{number}", source)


def read_older(file: Path, game: str) -> Sequence[Puzzle]:
    """Read puzzles of a game from before, or refuse the file."""
    try:
        older = read(file)
    except (OSError, msgspec.MsgspecError) as error:
        raise Refusal("unreadable", "lab.puzzles.file", path=str(file)) from error
    if any(puzzle.game != game for puzzle in older):
        raise Refusal("impossible", "lab.puzzles.game", path=str(file), game=game)
    return older


def check(puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle as the bots judge it now; None if its answer is not clear any more."""
    spec = spec_named(puzzle.game, puzzle.rules)
    view = puzzle.position().seen_by(puzzle.seat)
    return _puzzle_at(spec, view, puzzle.view, puzzle.id, puzzle.source)


def _puzzle_at(
    spec: GameSpec, view: States, position: Position, number: str, source: str
) -> Puzzle | None:
    """Return the puzzle of a position; None if it has no clear answer, or too easy a one."""
    assert spec.puzzles is not None
    if len(_weak(spec, view)) < 2:
        return None
    found = confirm(spec, view, ITERATIONS, SEEDS, seat_names(int(view[0]["players"])))
    if found is None:
        return None
    kind = spec.puzzles.kind(spec.twin(view), sorted(found.chances), found.answer)
    if kind is None:
        return None
    text = spec.notation.text
    return Puzzle(
        id=number,
        game=spec.name,
        rules=spec.version,
        kind=kind,
        seat=int(view[0]["seat"]),
        view=position,
        choices=[text(action) for action in sorted(found.chances)],
        answer=text(found.answer),
        chances={text(action): chance for action, chance in found.chances.items()},
        difficulty=_graded(spec, view, found.answer),
        iterations=ITERATIONS,
        reasons=found.reasons,
        source=source,
    )


def _graded(spec: GameSpec, view: States, answer: int) -> int:
    """Return 1 to 3, by how often weak bots miss the answer."""
    missed = TRIES - _weak(spec, view)[answer]
    return 1 + (3 * missed > TRIES) + (3 * missed > 2 * TRIES)


def _weak(spec: GameSpec, view: States) -> Counter[int]:
    """Return how often weak bots choose what."""
    players = int(view[0]["players"])
    return Counter(bot(spec, players, NAMES[seed % 2], seed).choose(view) for seed in range(TRIES))


def write(found: list[Puzzle], path: Path) -> None:
    """Write puzzles as JSON, one on a line."""
    lines = ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in found)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    puzzles.cache_clear()
