"""The games for one agent against bots, as Gymnasium environments.

Importing this module registers `veillee/nomads-v2` and so on. For many games at once see
`vector.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.adapters import NEEDED
from veillee.adapters.build import compiled
from veillee.adapters.make import OBSERVATION, Dtype, new_seed, setting
from veillee.adapters.single import Table
from veillee.bots.bot import SEARCH
from veillee.bots.levels import NAMES as LEVELS
from veillee.bots.levels import VERSION as BOTS_VERSION
from veillee.bots.levels import BotName, bot, is_bot_name
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.precompile import ensure_compiled
from veillee.engine.registry import games
from veillee.engine.seed import Row, fast_row

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(NEEDED) from error

Choose = Callable[[States], int]
"""From the view of a seat to its action."""
Observed = dict[str, npt.NDArray[Any]]

ILLEGAL = -1.0
"""Reward for an illegal action."""


class AgainstBots(gymnasium.Env[Observed, np.int64]):
    """One agent against opponents. An illegal action loses the game.

    Environments can be copied and pickled, also in play; opponents that search start a new tree
    then.

    Args:
        name: The game.
        players: The number of players; by default the smallest.
        opponents: "random", "greedy", the name of a bot (a level or a strength: `bots.levels`), a
            function from a view to an action, or a list of these, one for each other seat in turn
            order.
        seat: The agent's seat; by default drawn for each game.
        render_mode: "human", "ansi" or "rgb_array".
        strict: Raise on an illegal action instead of losing the game.
        observation_key: The key of the observation, beside `action_mask`.
        observation_dtype: The type of the observation's numbers.
        options: Options of the game; `small=True` is its small variant.
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
        observation_key: str = OBSERVATION,
        observation_dtype: Dtype = np.int8,
        **options: Any,
    ) -> None:
        spec, count, chosen = setting(name, players, options)
        self.table = Table(spec, count, chosen)
        self.seat = seat
        self.strict = strict
        self.render_mode = render_mode
        self.observation_key = observation_key
        self.observation_dtype = observation_dtype
        self.action_space = spaces.Discrete(spec.actions)
        self.observation_space: spaces.Space[Any] = spaces.Dict(
            {
                observation_key: spaces.Box(-128, 127, (self.table.size,), observation_dtype),
                "action_mask": spaces.Box(0, 1, (spec.actions,), np.int8),
            }
        )
        given = (
            [opponents] * (count - 1)
            if callable(opponents) or isinstance(opponents, str)
            else opponents
        )
        if len(given) != count - 1:
            raise ValueError(f"{count} players are {count - 1} opponents, not {len(given)}")
        for opponent in given:
            check_opponent(spec, opponent)
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
        self._mine = int(row[1] % players) if self.seat is None else self.seat
        self._seat_opponents(row)
        self._others()

    def _seat_opponents(self, row: Row) -> None:
        players = self.table.players
        for k, opponent in enumerate(self._opponents, 1):
            at = (self._mine + k) % players
            self._choose[at] = opponent_of(self.table.spec, players, opponent, row)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_choose": {}}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._seat_opponents(self.table.rng)

    def _others(self) -> None:
        """Let the others decide, up to the agent's next decision."""
        table = self.table
        while table.seat >= 0 and table.seat != self._mine:
            table.play(self._choose[table.seat](table.seen_by(table.seat)))

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Carry out the agent's decision, then the others' up to its next."""
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

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, as sb3-contrib asks for it."""
        return self.table.mask(self._mine).astype(np.bool_)

    def _observed(self) -> tuple[Observed, dict[str, Any]]:
        mask = self.table.mask(self._mine)
        row = self.table.observe(self._mine).astype(self.observation_dtype, copy=False)
        observed = {self.observation_key: row, "action_mask": mask}
        return observed, {"seat": self._mine, "action_mask": mask}

    def render(self) -> Any:
        """Return the board as the agent sees it; print it for "human"."""
        if self.render_mode == "rgb_array":
            return self.table.image(self._mine)
        text = self.table.text(self._mine)
        if self.render_mode == "human":
            print(text)
            return None
        return text


def check_opponent(spec: GameSpec, opponent: str | Choose) -> None:
    """Refuse an opponent that there is not; compile the search if it is one of the bots."""
    if isinstance(opponent, str) and is_bot_name(opponent):
        BotName.parse(opponent).budget_for(spec)
        ensure_compiled(spec, (SEARCH,))
    elif isinstance(opponent, str) and opponent not in ("random", "greedy"):
        raise ValueError(
            f"opponents are random, greedy, {', '.join(LEVELS)}, or a function; not {opponent!r}"
        )


def opponent_of(spec: GameSpec, players: int, opponent: str | Choose, row: Row) -> Choose:
    """Return an opponent by name; `row` is its random number generator."""
    if not isinstance(opponent, str):
        return opponent
    if is_bot_name(opponent):
        return bot(spec, players, opponent, seed=int(row[2])).choose
    functions = compiled(spec)
    legals = np.zeros((1, spec.actions), np.int16)
    counts, chosen = np.zeros(1, np.int16), np.zeros(1, np.int64)
    trial, score = np.zeros(2, spec.dtype), np.zeros(players, np.int16)

    def choose(view: States) -> int:
        spec.compiled.legal_all(view, legals, counts)
        if opponent == "greedy":
            functions.greedy_choices(view, legals, counts, row, trial, score, chosen)
        else:
            functions.random_choices(legals, counts, row, chosen)
        return int(chosen[0])

    return choose


def version(spec: GameSpec) -> int:
    """Return the version of a game's environments: it rises with the rules and with the bots."""
    return spec.version + BOTS_VERSION - 1


def register() -> None:
    """Register every game for `gymnasium.make` and `gymnasium.make_vec`."""
    for spec in games().values():
        name = f"veillee/{spec.name}-v{version(spec)}"
        if spec.observation and name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="veillee.adapters.gymnasium:AgainstBots",
                vector_entry_point="veillee.adapters.vector:Versus",
                kwargs={"name": spec.name},
            )


register()

__all__ = ["AgainstBots"]
