"""An AEC environment of one game.

PettingZoo's wrappers for illegal actions and for calls out of order cost several times as much as a
step of the game, so `Environment` does the same checks itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.adapters import NEEDED
from veillee.adapters.make import OBSERVATION, Dtype, new_seed, setting
from veillee.adapters.single import Table
from veillee.engine.seed import fast_row

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.env_logger import EnvLogger
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(NEEDED) from error

RENDER_MODES = ["human", "ansi", "rgb_array"]
ILLEGAL = -1.0
"""Reward for trying an illegal action."""

Observed = dict[str, npt.NDArray[Any]]


class RawEnvironment(AECEnv[str, Observed, "int | None"]):  # type: ignore[misc]
    """A game whose agents are `player_0`, `player_1` …, by seat. An illegal action raises.

    Rewards come at the end and sum to 0. Environments can be copied and pickled, also in play.

    Args:
        name: The game.
        players: The number of players; by default the smallest.
        render_mode: "human", "ansi" or "rgb_array".
        max_cycles: Truncate a game after this many decisions.
        observation_key: The key of the observation, beside `action_mask`. PettingZoo's name is
            "observation"; RLlib's action masking looks for "observations".
        observation_dtype: The type of the observation's numbers. Libraries that don't convert
            int8 by themselves, such as RLlib, need float32.
        options: Options of the game; `small=True` is its small variant.
    """

    def __init__(
        self,
        name: str,
        players: int | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        observation_key: str = OBSERVATION,
        observation_dtype: Dtype = np.int8,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render modes are {', '.join(RENDER_MODES)}, not {render_mode!r}")
        spec, count, chosen = setting(name, players, options)
        self.table = Table(spec, count, chosen)
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.observation_key = observation_key
        self.observation_dtype = observation_dtype
        self.metadata = {
            "name": f"{spec.name}_v{spec.version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {
            agent: spaces.Discrete(spec.actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    observation_key: spaces.Box(-128, 127, (self.table.size,), observation_dtype),
                    "action_mask": spaces.Box(0, 1, (spec.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_space = spaces.Box(0, 255, (spec.dtype.itemsize,), np.uint8)
        self._next_seed = new_seed()
        self._cycles = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. The same seed gives the same game; without a seed, the next one is used."""
        if seed is not None:
            self._next_seed = seed
        self.table.deal(fast_row(self._next_seed))
        self._next_seed += 1
        self._cycles = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.seat]
        self._show()

    def observe(self, agent: str) -> Observed:
        seat = self._seats[agent]
        table = self.table
        row = table.observe(seat).astype(self.observation_dtype, copy=False)
        return {self.observation_key: row, "action_mask": table.mask(seat)}

    def state(self) -> npt.NDArray[np.uint8]:
        """Return the whole state record, with everything hidden."""
        return np.frombuffer(self.table.states.tobytes(), np.uint8)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        if action is None or not table.may(action):
            self._illegal(agent, action)
            return
        table.play(int(action))
        self._cycles += 1
        if table.seat >= 0 and self._cycles != self.max_cycles:
            self.agent_selection = self.possible_agents[table.seat]
        else:
            self._end()
        if self.render_mode == "human":
            self._show()

    def _end(self) -> None:
        if self.table.over:
            self.rewards = dict(zip(self.agents, self.table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _illegal(self, agent: str, action: int | None) -> None:
        raise self.table.refuse(action)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> npt.NDArray[np.uint8] | str | list[Any] | None:
        """Return the board as a spectator sees it, as text or pixels; print it for "human"."""
        if self.render_mode is None:
            EnvLogger.warn(
                "render() shows nothing: give render_mode, one of human, ansi, rgb_array"
            )
            return None
        if self.render_mode == "rgb_array":
            return self.table.image()
        text = self.table.text()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass

    def __str__(self) -> str:
        return str(self.metadata["name"])


class Environment(RawEnvironment):
    """A game that checks how it is used.

    An illegal action ends the game and costs its agent 1, as with PettingZoo's
    `TerminateIllegalWrapper`. Before `reset` nothing can be read.
    """

    def __getattr__(self, name: str) -> Any:
        # Python asks here only for attributes that are missing, as some are before `reset`.
        if name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "agents"):
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def step(self, action: int | None) -> None:
        if "agents" not in self.__dict__:
            EnvLogger.error_step_before_reset()
        elif not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        else:
            super().step(action)

    def observe(self, agent: str) -> Observed:
        if "agents" not in self.__dict__:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def render(self) -> npt.NDArray[np.uint8] | str | list[Any] | None:
        if "agents" not in self.__dict__:
            EnvLogger.error_render_before_reset()
        return super().render()

    def _illegal(self, agent: str, action: int | None) -> None:
        if action is None or not self.action_spaces[agent].contains(action):
            raise AssertionError(f"{action!r} is not in the action space of {agent}")
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]
