"""A study: many games of a variant and of what it is compared with, for each strength of play.

A study has a cell for each variant, number of players and level. A cell's games are played in
chunks, which any worker can play and which are kept one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from veillee.bots.bot import WARM_UPS
from veillee.bots.characters import RANDOM
from veillee.engine.game_spec import GameSpec
from veillee.engine.precompile import WarmUp
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.variant import Variant
from veillee.lab.executor import Workers, borrowed
from veillee.lab.gather import BOT_STUDY, MIX, STUDY, Setting, Tally, gather
from veillee.lab.match import Result, Terms, match
from veillee.lab.players import check
from veillee.lab.results import Line, ResultFile
from veillee.lab.versions import versions

PRINTED = "printed"
SKILL_PART = 10
"""Games of the study for each game of a match between two levels."""
SPAN = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")
Chunks = dict[int, tuple[Setting, int, int]]
"""By number: the setting, the first game, and how many games there are."""
Progress = Callable[[str, int, int], None]
"""Called with the title of a cell or match, the games played so far and their total."""


@dataclass(frozen=True)
class Plan:
    """Everything that the result of a study depends on."""

    game: str
    variants: tuple[Variant, ...]
    """The variant, then what it is compared with, if anything."""
    players: tuple[int, ...]
    levels: tuple[str, ...]
    games: int
    """Random games in each cell."""
    bot_games: int
    """Games in each cell whose players search."""
    seed: int = 1
    first: int | None = None
    """The number of the first game of a shard; None for a whole study."""

    def games_of(self, level: str) -> int:
        return self.games if level == RANDOM else self.bot_games


@dataclass(frozen=True)
class Cell:
    """One variant with one number of players of one level."""

    variant: str
    players: int
    level: str


@dataclass
class Study:
    """The tally of each cell, and the matches between levels: stronger against weaker."""

    plan: Plan
    cells: dict[Cell, Tally] = field(default_factory=dict)
    skill: dict[tuple[str, int, str, str], Result] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)
    """Processor time, also of chunks and matches played in an earlier run."""


def warm_ups(levels: Iterable[str]) -> tuple[WarmUp, ...]:
    """Return everything to compile of a game for studies with players of these levels."""
    return (STUDY,) if set(levels) == {RANDOM} else (*WARM_UPS, STUDY, BOT_STUDY)


def printed(game: str) -> Variant:
    """Return the printed game as a variant without values."""
    return Variant(game, PRINTED, {})


def study(
    plan: Plan,
    *,
    file: Path | None = None,
    pool: Workers | None = None,
    chunk: int | None = None,
    progress: Progress = lambda *_: None,
) -> Study:
    """Play what is planned; chunks that a file holds are not played again.

    Chunks have at most `chunk` games, if it is given, with the same tallies. A file needs those of
    the usual size.
    """
    assert not (file and chunk)
    check_plan(plan)
    found = Study(plan)
    with borrowed(pool) as running:
        for (place, variant), players, level in product(
            enumerate(plan.variants), plan.players, plan.levels
        ):
            # Variants get games of their own, so that two alike differ by chance only.
            seed = plan.seed * len(plan.variants) + place
            options = dealt(spec_named(plan.game), variant.values)
            setting = Setting(plan.game, players, level, seed, options, variant.hash)
            cell = Cell(variant.name, players, level)
            chunks = chunks_of(setting, plan.first, plan.games_of(level), chunk)
            title = f"{variant.name}, {players}, {level}"
            tally, seconds = _play(setting, chunks, title, file, running, progress)
            found.cells[cell] = tally
            found.seconds += seconds
            for weaker, stronger in pairwise(plan.levels):
                if level == stronger and MIX not in weaker + stronger:
                    blocks = max(plan.bot_games // SKILL_PART // players, 2)
                    terms = Terms(
                        plan.game,
                        players,
                        stronger,
                        weaker,
                        seed,
                        options,
                        {"name": variant.name, "hash": variant.hash},
                    )
                    result = match(
                        terms,
                        blocks,
                        first=(plan.first or 0) // SKILL_PART // players,
                        file=file,
                        pool=running,
                        progress=_of_match(f"{title} – {weaker}", blocks, progress),
                    )
                    found.skill[variant.name, players, stronger, weaker] = result
                    found.seconds += result.seconds
    return found


def dealt(spec: GameSpec, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a variant with roles dealt, unless it says otherwise.

    Chosen roles would tell what players like, not what is strong.
    """
    return {"adventurers": "deal", **values} if spec.roles else dict(values)


def _of_match(title: str, blocks: int, progress: Progress) -> Callable[[Result], None]:
    """Return what tells the progress of a match as that of a cell."""

    def told(result: Result) -> None:
        players = result.terms.players
        progress(title, len(result.shares) * players, blocks * players)

    return told


def chunks_of(
    setting: Setting, first: int | None, games: int, largest: int | None = None
) -> Chunks:
    """Return the chunks in which games are played.

    A shard has the whole of each chunk that it touches, so that shards fit together.
    """
    size = min(setting.chunk, largest or setting.chunk)
    if first is None:
        starts = range(0, games, size)
        return {start // size: (setting, start, min(size, games - start)) for start in starts}
    blocks = range(first // size, -(-(first + games) // size))
    return {block: (setting, block * size, size) for block in blocks}


def _play(
    setting: Setting,
    chunks: Chunks,
    title: str,
    file: Path | None,
    pool: Workers,
    progress: Progress,
) -> tuple[Tally, float]:
    """Return the tally of a cell and the processor time that it took."""
    spec = spec_named(setting.game)
    kept = ResultFile(file, {"what": "study", **asdict(setting), **versions(spec)})
    games = sum(n for _, _, n in chunks.values())
    tally, seconds = Tally({}, {}), 0.0
    progress(title, 0, games)

    def whole(line: Line) -> bool:
        return line.block in chunks and line.result["games"] == chunks[line.block][2]

    for line in kept.complete(pool, _chunk, chunks, whole):
        tally.add(Tally.of(line.result["tally"]))
        seconds += line.seconds
        progress(title, tally.games, games)
    return tally, seconds


def _chunk(setting: Setting, first: int, games: int) -> dict[str, Any]:
    return {"games": games, "tally": gather(setting, first, games)}


def check_plan(plan: Plan) -> None:
    """Refuse what can't be studied, before anything is started."""
    spec = spec_named(plan.game)
    for variant in plan.variants:
        for players in plan.players:
            spec.template(players, dealt(spec, variant.options(plan.game, {})))
    if len({variant.name for variant in plan.variants}) < len(plan.variants):
        raise Refusal("option", "lab.study.names", name=plan.variants[0].name)
    for level in plan.levels:
        check_level(spec, level)
    if plan.first is not None and plan.first < 0:
        raise Refusal("option", "lab.first", first=plan.first)
    if min(plan.games, plan.bot_games) < 1:
        fewest = min(plan.games, plan.bot_games)
        raise Refusal("option", "lab.games", games=fewest, fewest=1)


def check_level(spec: GameSpec, level: str) -> None:
    """Refuse a level, or a mix of levels, that there is not."""
    for entrant in level.split(MIX):
        check(spec, entrant)


def read_players(spec: GameSpec, text: str) -> tuple[int, ...]:
    """Read numbers of players, `2-4` or `2,3`; all that can play, for an empty text."""
    if not text:
        return tuple(spec.player_counts)
    found: list[int] = []
    for part in text.split(","):
        span = SPAN.fullmatch(part.strip())
        low, high = (int(span[1]), int(span[2] or span[1])) if span else (1, 0)
        if high < low:
            raise Refusal("unreadable", "lab.study.players", players=text[:40])
        found += range(low, high + 1)
    return tuple(dict.fromkeys(found))


def read_levels(text: str) -> tuple[str, ...]:
    """Read levels from the weakest to the strongest, `random,teller`.

    A comma that is followed by a setting belongs to the level before it.
    """
    found: list[str] = []
    for part in text.split(","):
        if "=" in part and ":" not in part and found:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return tuple(dict.fromkeys(found))
