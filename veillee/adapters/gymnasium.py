"""The games for one agent, against bots; a Gymnasium environment.

Registered as `veillee/nomads-v1` and so on. For many games at once see `vector.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from veillee.adapters.compiled import compiled
from veillee.adapters.games import new_seed, setting
from veillee.adapters.table import Table
from veillee.bots.levels import NAMES as LEVELS
from veillee.bots.levels import bot
from veillee.engine.contract import Contract
from veillee.engine.library import games
from veillee.engine.record import States
from veillee.engine.seed import Row, fast_row

Choose = Callable[[States], int]
"""Is handed a seat's view, and answers with its action."""
Observed = dict[str, npt.NDArray[np.int8]]

ILLEGAL = -1.0


class AgainstBots(gymnasium.Env[Observed, np.int64]):
    """One agent on a seat (drawn for each game, unless `seat` is given) against opponents.

    `opponents`: "random", "greedy", one of the bots' levels, a function from a view to an action,
    or a list of these, one for each other seat in turn order. An illegal action loses the game;
    with `strict` it raises.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        players: int | None = None,
        opponents: str | Choose | Sequence[str | Choose] = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        strict: bool = False,
        **options: Any,
    ) -> None:
        contract, count, chosen = setting(name, players, options)
        self.table = Table(contract, count, chosen)
        self.seat = seat
        self.strict = strict
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(contract.actions)
        self.observation_space: spaces.Space[Any] = spaces.Dict(
            observation=spaces.Box(-128, 127, (self.table.size,), np.int8),
            action_mask=spaces.Box(0, 1, (contract.actions,), np.int8),
        )
        given = (
            [opponents] * (count - 1)
            if callable(opponents) or isinstance(opponents, str)
            else opponents
        )
        if len(given) != count - 1:
            raise ValueError(f"{count} players are {count - 1} opponents, not {len(given)}")
        self._opponents = list(given)
        self._next_seed = new_seed()
        self._mine = 0
        self._choose: dict[int, Choose] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal until there is a game in which the agent decides something."""
        super().reset(seed=seed)
        if seed is not None:
            self._next_seed = seed
        self.table.seat = -1
        while self.table.over:
            self._deal()
        return self._observed()

    def _deal(self) -> None:
        row = fast_row(self._next_seed)
        self._next_seed += 1
        self.table.deal(row)
        players = self.table.players
        self._mine = row[1] % players if self.seat is None else self.seat
        for k, opponent in enumerate(self._opponents, 1):
            at = (self._mine + k) % players
            self._choose[at] = opponent_of(self.table.contract, players, opponent, row)
        self._others()

    def _others(self) -> None:
        table = self.table
        while table.seat >= 0 and table.seat != self._mine:
            table.play(self._choose[table.seat](table.seen_by(table.seat)))

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """The agent's decision, then the others' up to its next."""
        if self.table.seat != self._mine:
            raise gymnasium.error.ResetNeeded("the game is over: reset")
        if not self.table.may(int(action)):
            if self.strict:
                raise self.table.refuse(action)
            self.table.seat = -1
            observed, info = self._observed()
            return observed, ILLEGAL, True, False, info | {"illegal": int(action)}
        self.table.play(int(action))
        self._others()
        reward = self.table.rewards()[self._mine] if self.table.over else 0.0
        observed, info = self._observed()
        if self.render_mode == "human":
            self.render()
        return observed, reward, self.table.over, False, info

    def _observed(self) -> tuple[Observed, dict[str, Any]]:
        mask = self.table.mask(self._mine)
        observed = {"observation": self.table.observe(self._mine), "action_mask": mask}
        return observed, {"seat": self._mine, "action_mask": mask}

    def render(self) -> Any:
        """The board as the agent sees it."""
        if self.render_mode == "rgb_array":
            return self.table.image(self._mine)
        text = self.table.text(self._mine)
        if self.render_mode == "human":
            print(text)
            return None
        return text


def opponent_of(contract: Contract, players: int, opponent: str | Choose, row: Row) -> Choose:
    """Somebody to play against, by name."""
    if not isinstance(opponent, str):
        return opponent
    if opponent in LEVELS:
        return bot(contract, players, opponent, seed=int(row[2])).choose
    if opponent not in ("random", "greedy"):
        raise ValueError(
            f"opponents are random, greedy, {', '.join(LEVELS)}, or a function; not {opponent!r}"
        )
    functions = compiled(contract)
    legals = np.zeros((1, contract.actions), np.int16)
    counts, chosen = np.zeros(1, np.int16), np.zeros(1, np.int64)
    trial, score = np.zeros(2, contract.dtype), np.zeros(players, np.int16)

    def choose(view: States) -> int:
        contract.compiled.legal_all(view, legals, counts)
        if opponent == "greedy":
            functions.greedy_choices(view, legals, counts, row, trial, score, chosen)
        else:
            functions.random_choices(legals, counts, row, chosen)
        return int(chosen[0])

    return choose


def register() -> None:
    """Make every game known to `gymnasium.make`."""
    for contract in games().values():
        title = f"veillee/{contract.name}-v{contract.version}"
        if contract.observation and title not in gymnasium.registry:
            gymnasium.register(
                title,
                entry_point="veillee.adapters.gymnasium:AgainstBots",
                kwargs={"name": contract.name},
            )


register()

__all__ = ["AgainstBots"]
