"""Bots: players that are given a seat's view and return an action, found by search."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from veillee.bots.jit import evaluation, heuristics, search
from veillee.bots.jit.search import Parameters, Workspace
from veillee.bots.jit.search import Tree as TreeArrays
from veillee.bots.thought import Estimate, Thought
from veillee.bots.weights import Weights, has_features, weights_for, with_character, with_taste
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.cache import module_key
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import OVER, States
from veillee.engine.jit.rng import draw
from veillee.engine.precompile import KERNEL, Calls, WarmUp
from veillee.engine.seed import fast_row

USED = 0.95
"""Fraction of the time limit that a bot uses; the rest is a margin for a busy machine."""
LEAST_ODDS = 1e-3
"""What a policy's odds count at least, so that they forbid nothing."""
EXCLUDED = -1e6
"""The value of an action that is not to be tried."""
BATCHES = 8
"""Into how many parts a search is divided to estimate its standard error."""
LOGS = np.array([-math.inf, *map(math.log, range(1, 1024))])
CHUNK = 256
"""The most iterations between two readings of the clock."""


@dataclass(frozen=True)
class Budget:
    """Limits and parameters of a search.

    The limit is a number of iterations, a number for `each` legal action, or seconds; if several
    are given, the first one reached counts. See `jit.search.Parameters` for the others.
    """

    iterations: int | None = None
    each: int | None = None
    seconds: float | None = None
    width: int = 10_000
    deepest: int = search.LONGEST_PATH - 1
    opens: int = 0
    horizon: int = 24
    exploration: float = 0.7
    nodes: int = 100_000
    mixing: float = 8.0
    """Exponent applied to visit counts when the choice must stay unpredictable. Higher is
    greedier; 0 disables mixing."""

    instinct: float = 0.0
    """Part of the decisions that are mixed in which the rollout policy is followed, not the
    search."""
    character: Mapping[str, float] = field(default_factory=dict)
    """Weights by name that differ for the bot's own policy: `{"honest": 0.7}`."""
    lean: float = 0.0
    """How much a decision that is mixed leans to the bot's own policy: the exponent of its odds,
    by which those of the search are multiplied."""
    taste: Mapping[str, float] = field(default_factory=dict)
    """What is added to weights of the search, by name: `{"song": 0.3}`."""
    weights: Path | None = None
    """A file of weights in place of the game's own (`bots.weights`)."""


@cache
def compiled(spec: GameSpec) -> SimpleNamespace:
    """Return the search as machine code, bound to a game's rules and heuristics."""
    build = Build(spec.tag, spec.package, compiled=True)
    return build.module(search, search_modules(spec))


def fingerprint(spec: GameSpec, players: int) -> str:
    """Return a hash of all that the choices of bots follow from: rules, search and weights."""
    packages = frozenset({"veillee", spec.package.partition(".")[0]})
    code = module_key((search, *search_modules(spec)), packages)
    return hashlib.sha256(code.encode() + weights_for(spec, players).tobytes()).hexdigest()[:16]


def search_modules(spec: GameSpec) -> tuple[ModuleType, ...]:
    """Return the modules that fill the open names of the search."""
    own = [spec.heuristics] if spec.heuristics else []
    by_features = [evaluation] if has_features(spec) else []
    return (*spec.compiled_modules, heuristics, *own, *by_features)


def search_calls(spec: GameSpec) -> Calls:
    """Yield calls of all that must be compiled before a bot plays."""
    players = max(spec.player_counts)
    game = game_class(spec)(players, 0, compiled=True)
    bot = Bot(spec, players, Budget(iterations=1, nodes=8))
    tree = Tree(spec, players, 8)
    yield "search", lambda: bot.choose(game.seen_by(game.seat))
    yield "reroot", lambda: tree.reroot(0)
    yield "policy", lambda: bot.follow_policy(game.seen_by(game.seat))


SEARCH = WarmUp("veillee.bots.bot:search_calls", lambda spec: (search, *search_modules(spec)))
WARM_UPS = (KERNEL, SEARCH)
"""Everything to compile for games against bots."""


def workspace(spec: GameSpec) -> Workspace:
    """Return the buffers of one search."""
    return Workspace(
        states=np.zeros(search.STATES, spec.dtype),
        actions=np.zeros(spec.actions, np.int16),
        path=np.zeros(search.LONGEST_PATH, np.int32),
        points=np.zeros(heuristics.BUFFER, np.int16),
        # Longer than needed, so that threads don't share a cache line.
        result=np.zeros(heuristics.BUFFER, np.float64),
        logs=LOGS,
    )


class Tree:
    """A search tree and its working memory."""

    def __init__(self, spec: GameSpec, players: int, nodes: int) -> None:
        self.search = compiled(spec)
        rows = np.zeros((nodes, search.VALUES + players), np.int32)
        self.arrays = TreeArrays(nodes=rows, values=rows.view(np.float32))
        self._moved = np.zeros(nodes, np.int32)
        self._work = workspace(spec)
        self.clear()

    def clear(self) -> None:
        """Empty the tree."""
        self.search.clear(self.arrays)

    def reroot(self, action: int) -> None:
        """Keep only the subtree of an action."""
        self.search.reroot(self.arrays, self._moved, action)

    def grow(
        self, root: States, seats: int, rng: Any, iterations: int, parameters: Parameters
    ) -> None:
        """Search from a view for the seats that know it."""
        self.search.search(root, seats, rng, self._work, self.arrays, parameters, iterations)

    def restrict(self, legal: Any, action: int) -> None:
        """Empty the tree, and let the root try one of its legal actions only.

        The others become children whose value is too low to be chosen.
        """
        self.clear()
        nodes, values = self.arrays
        others = [int(other) for other in legal if other != action]
        for child, other in enumerate(others, start=search.ROOT + 1):
            nodes[child, search.FIRST] = search.NONE
            nodes[child, search.NEXT] = search.NONE if child == len(others) else child + 1
            nodes[child, search.ACTION] = other
            nodes[child, search.VISITS] = nodes[child, search.AVAILABLE] = 1
            values[child, search.VALUES :] = EXCLUDED
        nodes[search.ROOT, search.FIRST] = search.ROOT + 1 if others else search.NONE
        nodes[search.ROOT, search.ACTION] = 1 + len(others)

    def add_root_values(self, visits: Any, totals: Any) -> None:
        """Add the visits and the sums of results of the root's actions."""
        self.search.add_root_values(self.arrays, visits, totals)

    @property
    def root(self) -> tuple[int, Any]:
        """The root's visits, and the sum of results of each seat."""
        nodes, values = self.arrays
        return int(nodes[search.ROOT, search.VISITS]), values[search.ROOT, search.VALUES :].astype(
            np.float64
        )

    def must_mix(self, view: States) -> bool:
        """Tell whether the choice must stay unpredictable."""
        return bool(self.search.root_mixes(view))


class Bot:
    """A player that searches. It never sees more than the view of the seat that decides.

    Args:
        spec: The game.
        players: The number of seats.
        budget: Limits and parameters of the search.
        seed: Seed of its random generator: with equal seeds and no time limit, equal choices.
        threads: Trees that are searched side by side; their visits are added.
        weights: Weights of the heuristics, in place of those that the budget or the game names.
    """

    def __init__(
        self,
        spec: GameSpec,
        players: int,
        budget: Budget,
        seed: int = 0,
        threads: int = 1,
        weights: Weights | None = None,
    ) -> None:
        self.spec = spec
        self.players = players
        self.budget = budget
        self.seed = seed
        given = weights_for(spec, players, budget.weights) if weights is None else weights
        self._weights = with_taste(spec, given, budget.taste)
        self._character = with_character(spec, self._weights, budget.character)
        self._decisions = 0
        self._last: tuple[States, int] | None = None
        self._trees = [Tree(spec, players, budget.nodes) for _ in range(threads)]

    def choose(self, view: States) -> int:
        """Return the action for the seat to decide, from that seat's view."""
        legal = self._legal(view)
        if len(legal) == 1:
            return int(legal[0])
        mixes = self._trees[0].must_mix(view)
        if mixes and self._by_instinct():
            return self.follow_policy(view)
        thought = self.think(view)
        chosen = self.draw_mixed(thought, view) if mixes and self.budget.mixing else thought.best
        self._last = (view.copy(), chosen)
        return chosen

    def follow_policy(self, view: States) -> int:
        """Return what the game's rollout policy does, with this bot's character."""
        self._decisions += 1
        legal = self._legal(view)
        rng = fast_row(self.seed, self._decisions)
        policy = self._trees[0].search.follow_policy
        return int(policy(view, self._character, legal, len(legal), rng))

    def think(self, view: States) -> Thought:
        """Search, and return what every action is worth to every seat."""
        legal = self._legal(view)
        seat = int(view[0]["seat"])
        self._decisions += 1
        follows = self._follows(view, seat)
        for tree in self._trees:
            if follows and self._last:
                tree.reroot(self._last[1])
            else:
                tree.clear()
        rows = [fast_row(self.seed + i, self._decisions) for i in range(len(self._trees))]
        with _pool(len(self._trees)) as run:
            iterations = sum(
                run(
                    lambda at: self._grow(at[0], view, seat, len(legal), at[1]),
                    zip(self._trees, rows, strict=True),
                )
            )
        return self._thought(seat, legal, iterations)

    def weigh(self, view: States, action: int, iterations: int) -> Estimate:
        """Search what one action is worth to every seat, with all iterations spent on it.

        `think` visits poor actions seldom and so knows little of them; here two actions can be
        compared. The standard errors come from batch means.
        """
        self._decisions += 1
        legal, tree, seat = self._legal(view), self._trees[0], int(view[0]["seat"])
        tree.restrict(legal, action)
        rng = fast_row(self.seed, self._decisions)
        sums = np.zeros((BATCHES + 1, self.players))
        for batch in range(1, BATCHES + 1):
            tree.grow(view, 1 << seat, rng, iterations // BATCHES, self._parameters)
            sums[batch] = tree.root[1]
        means = np.diff(sums, axis=0) / (iterations // BATCHES)
        return Estimate(means.mean(axis=0), means.std(axis=0, ddof=1) / BATCHES**0.5)

    def _legal(self, view: States) -> Any:
        if view[0]["seat"] == OVER:
            raise ValueError("the game is over")
        out = np.zeros(self.spec.actions, np.int16)
        return out[: int(self.spec.compiled.legal_at(view, 0, out))]

    def _thought(self, seat: int, legal: Any, iterations: int) -> Thought:
        """Return what all trees together found."""
        visits = np.zeros(self.spec.actions, np.int64)
        totals = np.zeros((self.spec.actions, self.players))
        for tree in self._trees:
            tree.add_root_values(visits, totals)
        roots = [tree.root for tree in self._trees]
        with np.errstate(invalid="ignore"):
            return Thought(
                spec=self.spec,
                seat=seat,
                actions=legal,
                visits=visits[legal],
                results=totals[legal] / visits[legal, None],
                expected=sum(total for _, total in roots) / sum(n for n, _ in roots),
                iterations=iterations,
            )

    def _follows(self, view: States, seat: int) -> bool:
        """Tell whether the last choice led directly to this view, as in a turn of several parts.

        Then its subtree is searched further.
        """
        if self._last is None:
            return False
        after, chosen = self._last[0].copy(), self._last[1]
        if after[0]["seat"] != seat:
            return False
        row = fast_row(self.seed, self._decisions)
        rules = self.spec.compiled
        rules.resample_at(after, 0, 1 << seat, row)
        rules.apply_at(after, 0, chosen, row, None)
        rules.view_at(after, 0, 1 << seat)
        return after.tobytes() == view.tobytes()

    def _by_instinct(self) -> bool:
        if not self.budget.instinct:
            return False
        rng = fast_row(self.seed + len(self._trees), self._decisions)
        return draw(rng) < self.budget.instinct * 2**32

    def draw_mixed(self, thought: Thought, view: States | None = None) -> int:
        """Draw one of the actions: those that the search visited most are likely.

        With a view, those that the bot's own policy would take are likelier (`Budget.lean`).
        """
        preference = thought.preference
        shares = (preference / preference.max()) ** self.budget.mixing
        if self.budget.lean and view is not None:
            shares *= self._policy_odds(view, thought.actions) ** self.budget.lean
        odds = np.cumsum(shares)
        at = draw(fast_row(self.seed + len(self._trees), self._decisions)) / 2**32
        return int(thought.actions[np.searchsorted(odds, at * odds[-1], side="right")])

    def _policy_odds(self, view: States, legal: Any) -> Any:
        """Return how likely the bot's own policy makes each action; all alike if it has none."""
        odds = np.ones(len(legal))
        policy = vars(self.spec.heuristics).get("policy_odds") if self.spec.heuristics else None
        if policy:
            policy(self.spec.twin(view), self._character, legal, len(legal), odds)
        return np.maximum(odds, LEAST_ODDS)

    @property
    def _parameters(self) -> Parameters:
        of = self.budget
        return Parameters(of.exploration, of.width, of.deepest, of.opens, of.horizon, self._weights)

    def _grow(self, tree: Tree, view: States, seat: int, choices: int, rng: Any) -> int:
        def grow(n: int) -> None:
            tree.grow(view, 1 << seat, rng, n, self._parameters)

        return self._spend(grow, choices, len(self._trees))

    def _spend(self, grow: Callable[[int], None], choices: int, threads: int) -> int:
        """Run iterations until the budget is spent; return how many there were."""
        budget = self.budget
        if budget.seconds is None:
            n = budget.iterations or min(choices, budget.width) * (budget.each or 1)
            n = max(1, n // threads)
            grow(n)
            return n
        end = time.perf_counter() + budget.seconds * USED
        done = 0
        chunk = 16
        while True:
            before = time.perf_counter()
            grow(chunk)
            done += chunk
            now = time.perf_counter()
            if now >= end or (budget.iterations and done >= budget.iterations):
                return done
            # A quarter of what fits into the time left, in case the machine slows down.
            rate = chunk / max(now - before, 1e-6)
            chunk = max(1, min(CHUNK, int(rate * (end - now) / 4)))


@contextmanager
def _pool(threads: int) -> Iterator[Any]:
    if threads == 1:
        yield map
    else:
        with ThreadPoolExecutor(threads) as pool:
            yield pool.map
