"""A bot: is handed what a seat may know, and answers with an action."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from veillee.bots import knowledge, search
from veillee.engine.build import Build
from veillee.engine.chance import draw
from veillee.engine.contract import Contract
from veillee.engine.game import game_of
from veillee.engine.record import OVER, States
from veillee.engine.seed import fast_row

THOUGHT = 0.95
"""The part of its seconds that a bot thinks; the rest is for a machine that has more to do."""
CHUNK = 256
"""Iterations between two looks at the clock."""


@dataclass(frozen=True)
class Budget:
    """How much a bot may think: iterations, so many for each legal action, or seconds."""

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
    """Where the others must not be able to read it: the higher, the rather the best; 0: always."""


@cache
def compiled(contract: Contract) -> SimpleNamespace:
    """The search in machine code, with this game's rules and knowledge in it."""
    build = Build(contract.name, contract.package, compiled=True)
    rules = build.module(contract.rules)
    known = vars(build.module(knowledge, rules))
    if contract.knowledge:
        known |= vars(build.module(contract.knowledge, rules))
    return build.module(search, SimpleNamespace(**(vars(rules) | known)))


def entries(contract: Contract) -> Iterator[tuple[str, Callable[[], Any]]]:
    """A call of all that must be compiled before a bot plays."""
    players = max(contract.seats)
    game = game_of(contract)(players, 0, compiled=True)
    bot = Bot(contract, players, Budget(iterations=1, nodes=8))
    yield "search", lambda: bot.choose(game.seen_by(game.seat))
    yield "going on", lambda: bot._trees[0].keep(0)


class Tree:
    """One growing tree and the memory it works in."""

    def __init__(self, contract: Contract, players: int, nodes: int) -> None:
        self.search = compiled(contract)
        self.nodes = np.zeros((nodes, search.COLUMNS), np.int32)
        self.values = np.zeros((nodes, players), np.float32)
        self.moved = np.zeros(nodes, np.int32)
        self.work = np.zeros(search.WORK, contract.dtype)
        self.actions = np.zeros(contract.actions, np.int16)
        self.child_of = np.full(contract.actions, search.NONE, np.int32)
        self.path = np.zeros(search.LONGEST_PATH, np.int32)
        self.points = np.zeros(knowledge.ROOM, np.int16)
        # Longer than it need be, so that no other thread's memory lies beside it.
        self.result = np.zeros(knowledge.ROOM, np.float64)
        self.clear()

    def clear(self) -> None:
        self.search.clear(self.nodes, self.values)

    def keep(self, action: int) -> None:
        """Only what lies behind an action."""
        self.search.keep(self.nodes, self.values, self.moved, action)

    def grow(self, root: States, seats: int, rng: Any, iterations: int, budget: Budget) -> None:
        self.search.search(
            root,
            self.work,
            seats,
            rng,
            self.actions,
            self.child_of,
            self.path,
            self.points,
            self.result,
            self.nodes,
            self.values,
            iterations,
            budget.exploration,
            budget.width,
            budget.deepest,
            budget.opens,
            budget.horizon,
        )


class Bot:
    """Searches for a seat. It never sees more than that seat's view."""

    def __init__(
        self, contract: Contract, players: int, budget: Budget, seed: int = 0, threads: int = 1
    ) -> None:
        self.contract = contract
        self.budget = budget
        self.seed = seed
        self._decisions = 0
        self._last: tuple[States, int] | None = None
        self._trees = [Tree(contract, players, budget.nodes) for _ in range(threads)]
        self.iterations = 0
        """How many iterations the last decision took."""

    def choose(self, view: States) -> int:
        """The action for the seat to decide, from that seat's view."""
        seat = int(view[0]["seat"])
        if seat == OVER:
            raise ValueError("the game is over")
        legal = np.zeros(self.contract.actions, np.int16)
        n = int(self.contract.compiled.legal_at(view, 0, legal))
        if n == 1:
            return int(legal[0])
        visits = self.think(view, seat, n)[legal[:n]]
        mixes = self.budget.mixing and self._trees[0].search.mixes(view)
        chosen = int(legal[self._mixed(visits) if mixes else np.argmax(visits)])
        self._last = (view.copy(), chosen)
        return chosen

    def think(self, view: States, seat: int, choices: int) -> Any:
        """How often the search went to each action; of those tried alike, the better more."""
        self._decisions += 1
        follows = self._follows(view, seat)
        for tree in self._trees:
            if follows and self._last:
                tree.keep(self._last[1])
            else:
                tree.clear()
        rows = [fast_row(self.seed + i, self._decisions) for i in range(len(self._trees))]
        with _pool(len(self._trees)) as run:
            self.iterations = sum(
                run(
                    lambda at: self._grow(at[0], view, seat, choices, at[1]),
                    zip(self._trees, rows, strict=True),
                )
            )
        visits = np.zeros(self.contract.actions, np.float64)
        for tree in self._trees:
            tree.search.tally(tree.nodes, tree.values, seat, visits)
        return visits

    def _follows(self, view: States, seat: int) -> bool:
        """Whether this is what the last choice led to at once, as when a turn has several parts:
        then the tree goes on from there."""
        if self._last is None:
            return False
        after, chosen = self._last[0].copy(), self._last[1]
        if after[0]["seat"] != seat:
            return False
        row = fast_row(self.seed, self._decisions)
        rules = self.contract.compiled
        rules.resample_at(after, 0, 1 << seat, row)
        rules.apply_at(after, 0, chosen, row, None)
        rules.view_at(after, 0, 1 << seat)
        return after.tobytes() == view.tobytes()

    def _mixed(self, visits: Any) -> int:
        """One of the choices by chance: those that the search went to most are likely."""
        odds = np.cumsum((visits / visits.max()) ** self.budget.mixing)
        at = draw(fast_row(self.seed + len(self._trees), self._decisions)) / 2**32
        return int(np.searchsorted(odds, at * odds[-1], side="right"))

    def _grow(self, tree: Tree, view: States, seat: int, choices: int, rng: Any) -> int:
        def grow(n: int) -> None:
            tree.grow(view, 1 << seat, rng, n, self.budget)

        return self._spend(grow, choices, len(self._trees))

    def _spend(self, grow: Callable[[int], None], choices: int, threads: int) -> int:
        """Call for iterations until the budget is spent; how many there were."""
        budget = self.budget
        if budget.seconds is None:
            n = budget.iterations or min(choices, budget.width) * (budget.each or 1)
            n = max(1, n // threads)
            grow(n)
            return n
        end = time.perf_counter() + budget.seconds * THOUGHT
        done = 0
        chunk = 16
        while True:
            before = time.perf_counter()
            grow(chunk)
            done += chunk
            now = time.perf_counter()
            if now >= end or (budget.iterations and done >= budget.iterations):
                return done
            # As many as surely fit into a part of what is left.
            rate = chunk / max(now - before, 1e-6)
            chunk = max(1, min(CHUNK, int(rate * (end - now) / 4)))


@contextmanager
def _pool(threads: int) -> Iterator[Any]:
    if threads == 1:
        yield map
    else:
        with ThreadPoolExecutor(threads) as pool:
            yield pool.map
