"""Statistics of a study: games are played in chunks, and each chunk is summed up at once.

Random games, and games of bots of one level that have no time limit, are played by compiled code.
Other games go through Python, with the same compiled functions counting. Everything that is summed
is a whole number, so that sums are the same to the bit in whatever order chunks are added: shares
of a win are counted in sixtieths, other ratios in thousandths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from veillee.bots import bot
from veillee.bots.bot import Budget
from veillee.bots.characters import RANDOM
from veillee.bots.jit import search
from veillee.bots.jit.search import Parameters
from veillee.bots.weights import weights_for, with_character, with_taste
from veillee.engine.batch import SEED_BITS
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import rng as chance
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import OVER, States, copies_of
from veillee.engine.precompile import Calls, WarmUp
from veillee.engine.registry import game as spec_named
from veillee.engine.seed import fast_row
from veillee.lab.jit import bot_games
from veillee.lab.jit import study as kernel
from veillee.lab.jit.bot_games import Level, Minds
from veillee.lab.jit.study import SIXTIETHS, THOUSANDTHS
from veillee.lab.players import budget_without_clock, player

Numbers = npt.NDArray[Any]

MIX = "+"
"""Between the players of a mixed table: they take the seats in turn."""
CHUNK = 16_384
"""Random games that make a task."""
ITERATIONS = 25_600
"""Iterations for each decision of a task's games together, if bots play them: some seconds."""
FEWEST = 8
"""Games of bots that make a task at least."""
BATCH = 512
"""Games that are played before their results are summed: few enough that the states in which they
ended stay in the processor's cache."""
TRACED = 128
"""The lead is tracked in one of this many games, because it costs as much as playing."""
LOGGED = 512
"""Decisions of random games that are logged before they are counted."""
LONGEST = 4096
"""Decisions up to which the lead is followed."""

SCALES = {
    "seats": SIXTIETHS,
    "roles": SIXTIETHS,
    "with": SIXTIETHS,
    "without": SIXTIETHS,
    "forced": THOUSANDTHS,
    "choices": THOUSANDTHS,
    "decided": THOUSANDTHS,
}
"""Divisors of the sums of a quantity; 1 for those that are not listed."""
LOWEST_SCORE, SCORE_BINS = -50, 256
LENGTH_BINS = 1024


@dataclass(frozen=True)
class Setting:
    """One cell of a study: which game with which values, how many play, and who."""

    game: str
    players: int
    level: str
    seed: int
    options: Mapping[str, Any]
    variant: str
    """The hash of the variant."""

    @property
    def searches(self) -> bool:
        return self.level != RANDOM

    @property
    def chunk(self) -> int:
        """Number of games in a task."""
        if not self.searches:
            return CHUNK
        thinks = self.budget
        return max(ITERATIONS // (thinks.iterations or ITERATIONS), FEWEST) if thinks else FEWEST

    @property
    def budget(self) -> Budget | None:
        """The budget of all players; None if they differ, don't search or have a time limit."""
        return (
            None if MIX in self.level else budget_without_clock(spec_named(self.game), self.level)
        )


class Tally:
    """Sums over games: for each quantity its rows of (number, sum, sum of squares), and counts."""

    def __init__(self, moments: dict[str, Numbers], counts: dict[str, Numbers]) -> None:
        self.moments = moments
        self.counts = counts

    def add(self, other: Tally) -> None:
        for name, rows in other.moments.items():
            self.moments[name] = self.moments[name] + rows if name in self.moments else rows
        for name, bins in other.counts.items():
            self.counts[name] = self.counts[name] + bins if name in self.counts else bins

    @property
    def games(self) -> int:
        return int(self.moments["length"][0, 0]) if self.moments else 0

    def data(self) -> dict[str, Any]:
        """Return the sums as JSON data; counts without the zeros at their end."""
        return {
            "moments": {name: rows.astype(int).tolist() for name, rows in self.moments.items()},
            "counts": {
                name: np.trim_zeros(bins, "b").tolist() for name, bins in self.counts.items()
            },
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        lengths = {"score": SCORE_BINS, "length": LENGTH_BINS}
        return cls(
            {name: np.array(rows, np.float64) for name, rows in data["moments"].items()},
            {
                name: np.pad(np.array(bins, np.int64), (0, lengths[name] - len(bins)))
                for name, bins in data["counts"].items()
            },
        )


@cache
def kinds(spec: GameSpec) -> tuple[tuple[str, ...], Numbers]:
    """Return the kinds of actions, and the number of the kind of each action."""
    of_each = [spec.action_kind(action) for action in range(spec.actions)]
    names = tuple(dict.fromkeys(of_each))
    return names, np.array([names.index(kind) for kind in of_each], np.int16)


@cache
def compiled(spec: GameSpec) -> SimpleNamespace:
    """Return `jit/study.py` bound to a game's rules."""
    return Build(spec.tag, spec.package, compiled=True).module(kernel, spec.compiled_modules)


@cache
def compiled_bots(spec: GameSpec) -> SimpleNamespace:
    """Return `jit/bot_games.py` bound to a game's rules, the search and the study."""
    return bound_to_bots(spec)


def bound_to_bots(spec: GameSpec, *more: ModuleType) -> SimpleNamespace:
    """Return the games of bots, or the last of more modules that build on them, bound to a game."""
    build = Build(spec.tag, spec.package, compiled=True)
    playing = bot.SEARCH.modules(spec)[1:]
    build.module(search, playing)
    build.module(kernel, spec.compiled_modules)
    bound = (*playing, search, kernel)
    for module in (bot_games, *more):
        built = build.module(module, bound)
        bound = (*bound, module)
    return built


def study_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before games are counted."""
    players = max(spec.player_counts)
    batch = Batch(Setting(spec.name, players, RANDOM, 1, {}, ""), 1)
    yield "random games", lambda: batch.play(0, 1)
    count, state, spare = compiled(spec), batch.template.copy(), np.zeros(players, np.int16)
    yield "begin", lambda: count.begin_at(batch.facts, 0, 1)
    yield "note", lambda: count.note_at(state, 1, 0, batch.kind_of, batch.facts, 0, batch._used)
    yield "follow", lambda: count.follow_at(state, batch.facts, 0, batch.score, batch._leaders)
    ended = batch.ends, batch.facts, 0, batch.score, batch.place, batch._leaders
    yield "finish", lambda: count.finish_at(*ended)
    spare[0] = 1
    yield "use", lambda: count.sum_use(spare, batch._used, batch.use)
    yield "sum", lambda: Sums(batch).add(batch)


def bot_study_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before games of bots are counted."""
    setting = Setting(spec.name, max(spec.player_counts), "search:iterations=1", 1, {}, "")
    yield "games of bots", lambda: Batch(setting, 1).play(0, 1)


STUDY = WarmUp("veillee.lab.gather:study_calls", lambda spec: (kernel, *spec.compiled_modules))
"""Everything to compile of a game for studies."""
BOT_STUDY = WarmUp(
    "veillee.lab.gather:bot_study_calls",
    lambda spec: (bot_games, kernel, *bot.SEARCH.modules(spec)),
)
"""Everything else to compile for studies with bots."""


def gather(setting: Setting, first: int, games: int) -> dict[str, Any]:
    """Play games of a setting, numbered from `first`; return their tally as JSON data."""
    batch = Batch(setting, min(games, BATCH))
    sums = Sums(batch)
    for start in range(first, first + games, BATCH):
        batch.play(start, min(BATCH, first + games - start))
        sums.add(batch)
    return sums.tally().data()


class Batch:
    """Arrays for the results of some games, used again and again."""

    def __init__(self, setting: Setting, games: int) -> None:
        self.setting = setting
        self.spec = spec = spec_named(setting.game)
        self.template = spec.template(setting.players, setting.options)
        self.names, self.kind_of = kinds(spec)
        self._ends = copies_of(self.template, games)
        self._facts = np.zeros((games, kernel.FACTS), np.int64)
        self._score = np.zeros((games, setting.players), np.int16)
        self._place = np.zeros((games, setting.players), np.int16)
        self._leaders = np.zeros(LONGEST, np.int8)
        self._used = np.zeros((setting.players, len(self.names)), np.int32)
        self._log = np.zeros(LOGGED, np.int64)
        budget = setting.budget
        self._table = table_of_bots(self.spec, setting.players, budget) if budget else None

    def play(self, first: int, games: int) -> None:
        """Play games and keep how they ended."""
        self.ends, self.facts = self._ends[:games], self._facts[:games]
        self.score, self.place = self._score[:games], self._place[:games]
        self.use = np.zeros((kernel.USE_ROWS, len(self.names)), np.int32)
        kept = (
            self.template,
            self.ends,
            self.setting.seed & SEED_BITS,
            first,
            np.zeros(chance.SIZE, np.int64),
            np.zeros(self.spec.actions, np.int16),
            self.kind_of,
            self.facts,
            self._used,
            self.score,
            self.place,
            self._leaders,
            self.use,
        )
        if not self.setting.searches:
            compiled(self.spec).play_random(*kept, self._log, TRACED)
        elif self._table:
            compiled_bots(self.spec).play_bots(*kept, *self._table)
        else:
            for i in range(games):
                self._play_bots(i, first + i)

    def _play_bots(self, i: int, number: int) -> None:
        """Play game i of the batch with bots, following the lead."""
        count = compiled(self.spec)
        count.begin_at(self.facts, i, 1)
        game = BotGame(self.setting, number)
        while not game.over:
            n, action = game.decide()
            count.note_at(game.state, n, action, self.kind_of, self.facts, i, self._used)
            game.apply(action)
            count.follow_at(game.state, self.facts, i, self.score, self._leaders)
        count.finish_at(game.state, self.facts, i, self.score, self.place, self._leaders)
        count.sum_use(self.place[i], self._used, self.use)
        self.ends[i] = game.state[0]


def table_of_bots(spec: GameSpec, players: int, budget: Budget) -> tuple[Level, Minds]:
    """Return how bots play and the memory they need, for the compiled games of bots."""
    weights = with_taste(spec, weights_for(spec, players, budget.weights), budget.taste)
    parameters = Parameters(
        float(budget.exploration),
        budget.width,
        budget.deepest,
        budget.opens,
        budget.horizon,
        weights,
    )
    level = Level(
        budget.iterations or 0,
        budget.each or 1,
        float(budget.mixing),
        float(budget.instinct),
        parameters,
        with_character(spec, weights, budget.character),
    )
    rows = np.zeros((players, budget.nodes, search.VALUES + players), np.int32)
    seen, after = np.zeros(1, spec.dtype), np.zeros(1, spec.dtype)
    minds = Minds(
        nodes=rows,
        values=rows.view(np.float32),
        last=np.zeros(players, spec.dtype),
        told=np.zeros((players, 2), np.int64),
        moved=np.zeros(budget.nodes, np.int32),
        work=bot.workspace(spec),
        rng=np.zeros(chance.SIZE, np.int64),
        actions=np.zeros(spec.actions, np.int16),
        odds=np.zeros(spec.actions, np.float64),
        seen=seen,
        seen_bytes=seen.view(np.int8),
        after=after,
        after_bytes=after.view(np.int8),
    )
    return level, minds


class BotGame:
    """The game of a number in a setting, played by bots."""

    def __init__(self, setting: Setting, number: int) -> None:
        self._spec = spec = spec_named(setting.game)
        players = setting.players
        mix = setting.level.split(MIX)
        self._choosers = [
            player(spec, players, mix[(seat + number) % len(mix)], number * players + seat)
            for seat in range(players)
        ]
        self._rng = fast_row(setting.seed & SEED_BITS, number)
        self._actions = np.zeros(spec.actions, np.int16)
        self.state = spec.template(players, setting.options)
        spec.compiled.setup_at(self.state, 0, self._rng, self._actions, None)

    @property
    def over(self) -> bool:
        return int(self.state[0]["seat"]) == OVER

    def decide(self) -> tuple[int, int]:
        """Return how many actions are legal, and the one chosen."""
        seat = int(self.state[0]["seat"])
        n = self._spec.compiled.legal_at(self.state, 0, self._actions)
        view = self.state.copy()
        self._spec.compiled.view_at(view, 0, 1 << seat)
        return n, self._choosers[seat](view)

    def apply(self, action: int) -> None:
        self._spec.compiled.apply_at(self.state, 0, action, self._rng, None)


IN_EACH = {
    "tie": kernel.TIE,
    "margin": kernel.MARGIN,
    "length": kernel.LENGTH,
    "turns": kernel.LENGTH_IN_TURNS,
    "forced": kernel.PART_FORCED,
    "choices": kernel.MEAN_CHOICES,
    "lead changes": kernel.CHANGES,
    "decided": kernel.PART_DECIDED,
    "behind": kernel.FROM_BEHIND,
}
"""The row of the sums for each quantity of a game."""


class Sums:
    """Sums over finished games, for which the compiled code has an array each."""

    def __init__(self, batch: Batch) -> None:
        self._count = compiled(batch.spec).sum_games
        self._players = batch.setting.players
        self._roles = len(batch.spec.roles)
        rows = kernel.SEAT_ROWS + 2 * self._players + self._roles
        self._rows = np.zeros((rows, 3), np.int64)
        self._use = np.zeros((kernel.USE_ROWS, len(batch.names)), np.int64)
        self._scores = np.zeros(SCORE_BINS, np.int64)
        self._lengths = np.zeros(LENGTH_BINS, np.int64)

    def add(self, batch: Batch) -> None:
        """Add the games of a batch."""
        roles = batch.ends["adventurer"][:, : self._players] if self._roles else np.zeros((1, 0))
        self._count(
            batch.facts,
            batch.score,
            batch.place,
            in_order(batch.ends, self._players)[:, 0].copy(),
            roles.astype(np.int64),
            self._rows,
            self._scores,
            LOWEST_SCORE,
            self._lengths,
        )
        self._use += batch.use

    def tally(self) -> Tally:
        first, end = kernel.SEAT_ROWS, kernel.SEAT_ROWS + self._players
        uses, squared_uses, *of_users = self._use
        seats, scores = self._rows[first:end], self._rows[end : end + self._players]
        everyone = seats.sum(0)
        with_it = np.stack(of_users, 1)
        moments: dict[str, Numbers] = {
            "seats": seats,
            "scores": scores,
            **{name: self._rows[row : row + 1] for name, row in IN_EACH.items()},
            "use": np.stack([np.full_like(uses, everyone[0]), uses, squared_uses], 1),
            "with": with_it,
            "without": everyone - with_it,
        }
        if self._roles:
            moments["roles"] = self._rows[end + self._players :]
        return Tally(moments, {"score": self._scores, "length": self._lengths})


def in_order(states: States, players: int) -> Numbers:
    """Return the seats of each game in turn order, from the first player on."""
    fields = states.dtype.names or ()
    first = states["first"] if "first" in fields else np.zeros(len(states), np.int64)
    return (first[:, None].astype(np.int64) + np.arange(players)) % players
