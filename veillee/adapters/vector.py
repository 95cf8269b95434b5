"""Thousands of games stepped together in machine code, as `gymnasium.vector` environments.

Observations, masks, rewards and the rest are written into arrays that are allocated once. With
`copy=False`, `reset` and `step` return these arrays themselves, which the next step overwrites.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.adapters import NEEDED
from veillee.adapters.build import compiled, planes, row_length
from veillee.adapters.jit import kernel
from veillee.adapters.make import new_seed, setting
from veillee.engine.jit.layout import copies_of
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(NEEDED) from error

OPPONENTS = {"random": kernel.RANDOM, "greedy": kernel.GREEDY}
AUTORESET_MODES = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
SEED_BITS = (1 << 63) - 1
FAST_CELLS = 8
"""Cells that the fast random number generator uses: one cache line."""

Observed = dict[str, npt.NDArray[np.int8]]
Actions = npt.NDArray[np.integer[Any]]
Stepped = tuple[
    Observed, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]


class GamesVector(VectorEnv[Observed, Actions, npt.NDArray[Any]]):
    """What `SelfPlay` and `Versus` share. Environments can be copied and pickled, also in play.

    An observation is a dict of `observation` (see the game's `PLANES`) and `action_mask`. Infos:

    - `seat`: the seat that decides next in each game.
    - `legal`, `count`: the legal actions of each game as a list, and how many there are.
    - `rewards`: the rewards of all seats, where a game ended.
    - `final_obs`, in the mode SAME_STEP: the last observation of a game that ended, from the seat
      that decided last; in `Versus` that is the agent's. `_final_obs` tells where there is one.

    A game that ended is dealt again in the same step (SAME_STEP, the default), or in the next one
    (NEXT_STEP). In the mode NEXT_STEP the step that ends a game returns its last observation with
    the action mask of the next game, and the action that follows it is ignored.

    Args:
        name: The game.
        players: The number of players; by default the smallest.
        num_envs: The number of games.
        opponent: Who plays the other seats, as the kernel numbers it.
        copy: Return new arrays from each step, not the ones that the next step overwrites.
        autoreset_mode: When a game that ended is dealt again.
        options: Options of the game; `small=True` is its small variant.
    """

    def __init__(
        self,
        name: str,
        players: int | None,
        num_envs: int,
        opponent: int,
        copy: bool,
        autoreset_mode: AutoresetMode | str,
        **options: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        if mode not in AUTORESET_MODES:
            raise ValueError("games are dealt again in the same step or in the next one")
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        spec, count, chosen = setting(name, players, options)
        self.game_spec = spec
        self.players = count
        self.num_envs = num_envs
        self.copy = copy
        self.planes = planes(spec)
        size = row_length(spec)
        self.single_observation_space = spaces.Dict(
            observation=spaces.Box(-128, 127, (size,), np.int8),
            action_mask=spaces.Box(0, 1, (spec.actions,), np.int8),
        )
        self.single_action_space = spaces.Discrete(spec.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

        self._kernel = compiled(spec)
        self._template = spec.template(count, chosen)
        self._opponent = opponent
        self.states = copies_of(self._template, num_envs)
        self._rngs = np.zeros((num_envs, FAST_CELLS), np.int64)
        self.observations = np.zeros((num_envs, size), np.int8)
        self.masks = np.zeros((num_envs, spec.actions), np.int8)
        self.legal = np.zeros((num_envs, spec.actions), np.int16)
        self.counts = np.zeros(num_envs, np.int16)
        self.seats = np.zeros(num_envs, np.int8)
        self.rewards = np.zeros((num_envs, count), np.float32)
        self._gains = np.zeros(num_envs, np.float32)
        self.done = np.zeros(num_envs, np.bool_)
        self.final = np.zeros((num_envs, size), np.int8)
        self._mine = np.full(num_envs, kernel.ANYONE, np.int8)
        self._actions = np.zeros(num_envs, np.int64)
        self._trial = copies_of(self._template, 2)
        self._score = np.zeros(count, np.int16)
        self._never = np.zeros(num_envs, np.bool_)
        self._lot = fast_row(0)
        self._observed = {"observation": self.observations, "action_mask": self.masks}
        self._infos: dict[str, Any] = {
            "seat": self.seats,
            "legal": self.legal,
            "count": self.counts,
            "rewards": self.rewards,
        }
        if mode == AutoresetMode.SAME_STEP:
            self._infos |= {"final_obs": self.final, "_final_obs": self.done}
        self._seed = new_seed()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_kernel"}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._kernel = compiled(self.game_spec)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal every game.

        With one seed, each game gets a random stream of its own from it. With a list of seeds,
        equal seeds give equal games; None draws one.
        """
        if isinstance(seed, Sequence):
            self._seed_each(seed)
        else:
            self._seed = self._seed + 1 if seed is None else seed
            self._kernel.seed_all(self._rngs, self._seed & SEED_BITS)
        self._lot[:] = fast_row(self._seed & SEED_BITS, self.num_envs)
        self.rewards.fill(0)
        self._gains.fill(0)
        self.done.fill(False)
        self._advance(np.full(self.num_envs, kernel.DEAL))
        return self._returned(self._observed), self._returned(self._infos)

    def _seed_each(self, seeds: Sequence[int | None]) -> None:
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} games take {self.num_envs} seeds, not {len(seeds)}")
        chosen = [new_seed() if seed is None else seed for seed in seeds]
        for i, seed in enumerate(chosen):
            self._rngs[i] = fast_row(seed & SEED_BITS)[:FAST_CELLS]
        self._seed = chosen[0]

    def step(self, actions: npt.ArrayLike, *, checked: bool = True) -> Stepped:
        """Carry out one decision in each game. An illegal action is refused; no game changes."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(
                f"{self.num_envs} games take {self.num_envs} actions, not {chosen.shape}"
            )
        waiting = self.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
        if waiting:
            chosen = np.where(self.done, self.legal[:, 0], chosen)
        if checked:
            self._check(chosen)
        if waiting:
            chosen[self.done] = kernel.DEAL
        self._advance(chosen)
        if waiting:
            self.observations[self.done] = self.final[self.done]
        return (
            self._returned(self._observed),
            self._gains.copy() if self.copy else self._gains,
            self.done.copy() if self.copy else self.done,
            self._never.copy() if self.copy else self._never,
            self._returned(self._infos),
        )

    def _returned(self, arrays: dict[str, Any]) -> dict[str, Any]:
        return {name: each.copy() for name, each in arrays.items()} if self.copy else arrays

    def _advance(self, chosen: npt.NDArray[np.int64]) -> None:
        self._kernel.step_all(
            self._template,
            self.states,
            self._rngs,
            chosen,
            self.seats,
            self._mine,
            self._opponent,
            self.legal,
            self.counts,
            self.masks,
            self.observations,
            self.final,
            self.rewards,
            self._gains,
            self.done,
            self._trial,
            self._score,
        )

    def _check(self, chosen: npt.NDArray[np.int64]) -> None:
        wrong = self._kernel.first_illegal(self.masks, chosen)
        if wrong < 0:
            return
        action = int(chosen[wrong])
        if not 0 <= action < self.game_spec.actions:
            raise Refusal("unknown", "veillee.action", "veillee.action", action=action)
        seen = self.states[wrong : wrong + 1].copy()
        self.game_spec.compiled.view_at(seen, 0, 1 << int(self.seats[wrong]))
        raise Refusal("illegal", self.game_spec.forbids(self.game_spec.twin(seen), action))

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Draw a legal action for each game, into an array that the next call overwrites."""
        self._kernel.random_choices(self.legal, self.counts, self._lot, self._actions)
        return self._actions

    def greedy_actions(self) -> npt.NDArray[np.int64]:
        """Choose the best action one step ahead in each game (see `kernel.greedy`)."""
        self._kernel.greedy_choices(
            self.states,
            self.legal,
            self.counts,
            self._lot,
            self._trial,
            self._score,
            self._actions,
        )
        return self._actions


class SelfPlay(GamesVector):
    """One program plays all seats; `infos["seat"]` tells for which it decides next.

    >>> env = SelfPlay("nomads", players=3, num_envs=64)
    >>> observed, infos = env.reset(seed=1)
    >>> observed, rewards, ends, cuts, infos = env.step(env.random_actions())

    The rewards returned are those of the seats that just decided; `infos["rewards"]` has all.
    """

    def __init__(
        self,
        name: str,
        players: int | None = None,
        num_envs: int = 1024,
        *,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        super().__init__(name, players, num_envs, kernel.RANDOM, copy, autoreset_mode, **options)


class Versus(GamesVector):
    """One agent in each game, on a seat drawn for each, against opponents in machine code.

    >>> env = Versus("nomads", players=2, num_envs=64, opponents="greedy")

    `opponents` is "random", or "greedy" for the action that looks best one step ahead. For bots
    that search, use `gymnasium.make_vec` with `vectorization_mode="async"`.
    """

    def __init__(
        self,
        name: str,
        players: int | None = None,
        num_envs: int = 1024,
        opponents: str = "random",
        *,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        if opponents not in OPPONENTS:
            raise ValueError(f"opponents are one of {', '.join(OPPONENTS)}, not {opponents!r}")
        kind = OPPONENTS[opponents]
        super().__init__(name, players, num_envs, kind, copy, autoreset_mode, **options)
        self._mine.fill(0)
