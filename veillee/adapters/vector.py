"""Thousands of games stepped together in machine code, as `gymnasium.vector` environments.

Observations, masks, rewards and the rest are written into arrays that are allocated once: what
`step` returns are these arrays themselves, and the next step overwrites them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from veillee.adapters import kernel
from veillee.adapters.compiled import compiled, planes, row_length
from veillee.adapters.games import new_seed, setting
from veillee.engine.record import copies_of
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row

OPPONENTS = {"random": kernel.RANDOM, "greedy": kernel.GREEDY}
SEED_BITS = (1 << 63) - 1
FAST_CELLS = 8
"""As much of a row of chance as a fast generator uses, in one line of the processor's cache."""

Observed = dict[str, npt.NDArray[np.int8]]
Actions = npt.NDArray[np.integer[Any]]


class GamesVector(VectorEnv[Observed, Actions, npt.NDArray[Any]]):
    """What both environments share. A game that is over is dealt anew in the same step.

    An observation is a dict of `observation` (see the game's `PLANES`) and `action_mask`. Infos:
    `seat`, whose decision it is; `legal` and `count`, the legal actions of each game as a list;
    `rewards` of every seat where a game ended; `final_obs` there.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self, name: str, players: int | None, num_envs: int, opponent: int, **options: Any
    ) -> None:
        contract, count, chosen = setting(name, players, options)
        self.contract = contract
        self.players = count
        self.num_envs = num_envs
        self.planes = planes(contract)
        size = row_length(contract)
        self.single_observation_space = spaces.Dict(
            observation=spaces.Box(-128, 127, (size,), np.int8),
            action_mask=spaces.Box(0, 1, (contract.actions,), np.int8),
        )
        self.single_action_space = spaces.Discrete(contract.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

        self._kernel = compiled(contract)
        self._template = contract.template(count, chosen)
        self._opponent = opponent
        self.states = copies_of(self._template, num_envs)
        self._rngs = np.zeros((num_envs, FAST_CELLS), np.int64)
        self.observations = np.zeros((num_envs, size), np.int8)
        self.masks = np.zeros((num_envs, contract.actions), np.int8)
        self.legal = np.zeros((num_envs, contract.actions), np.int16)
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
            "final_obs": self.final,
            "_final_obs": self.done,
        }
        self._seed = new_seed()

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal every game. The same seed gives the same games; none goes on from the last."""
        if isinstance(seed, list):
            raise ValueError("one seed deals all games; each gets a stream of its own from it")
        self._seed = self._seed + 1 if seed is None else seed
        self._lot[:] = fast_row(self._seed & SEED_BITS, self.num_envs)
        self.rewards.fill(0)
        self._gains.fill(0)
        self.done.fill(False)
        self._kernel.seed_all(self._rngs, self._seed & SEED_BITS)
        self._advance(np.full(self.num_envs, kernel.DEAL))
        return self._observed, self._infos

    def step(
        self, actions: npt.ArrayLike, *, checked: bool = True
    ) -> tuple[
        Observed, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """One decision in each game. An illegal action is refused, and no game changes."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(
                f"{self.num_envs} games take {self.num_envs} actions, not {chosen.shape}"
            )
        if checked:
            self._check(chosen)
        self._advance(chosen)
        return self._observed, self._gains, self.done, self._never, self._infos

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
        if not 0 <= action < self.contract.actions:
            raise Refusal("unknown", "veillee.action", "veillee.action", action=action)
        seen = self.states[wrong : wrong + 1].copy()
        self.contract.compiled.view_at(seen, 0, 1 << int(self.seats[wrong]))
        raise Refusal("illegal", self.contract.forbids(self.contract.twin(seen), action))

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A legal action for each game, each as likely: an array that the next call overwrites."""
        self._kernel.random_choices(self.legal, self.counts, self._lot, self._actions)
        return self._actions

    def greedy_actions(self) -> npt.NDArray[np.int64]:
        """For each game the action that looks best one step ahead (see `kernel.greedy`)."""
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
    """One program plays all seats: `infos["seat"]` tells for which it decides next.

    >>> env = SelfPlay("nomads", players=3, num_envs=64)
    >>> observed, infos = env.reset(seed=1)
    >>> observed, rewards, ends, cuts, infos = env.step(env.random_actions())

    The rewards returned are those of the seats that just decided; `infos["rewards"]` has all.
    """

    def __init__(
        self, name: str, players: int | None = None, num_envs: int = 1024, **options: Any
    ) -> None:
        super().__init__(name, players, num_envs, kernel.RANDOM, **options)


class Versus(GamesVector):
    """One agent in each game, on a seat drawn anew for each, against opponents in machine code:
    "random", or "greedy" for the action that looks best one step ahead.

    >>> env = Versus("nomads", players=2, num_envs=64, opponents="greedy")
    """

    def __init__(
        self,
        name: str,
        players: int | None = None,
        num_envs: int = 1024,
        opponents: str = "random",
        **options: Any,
    ) -> None:
        if opponents not in OPPONENTS:
            raise ValueError(f"opponents are one of {', '.join(OPPONENTS)}, not {opponents!r}")
        super().__init__(name, players, num_envs, OPPONENTS[opponents], **options)
        self._mine.fill(0)
