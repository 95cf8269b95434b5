"""The games, registered in OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel

from veillee.adapters.games import SMALL
from veillee.adapters.open_spiel.observer import Observer
from veillee.adapters.open_spiel.position import DIGIT, MOST_WAYS, SEED_DIGITS, Position, rules_of
from veillee.adapters.open_spiel.state import State
from veillee.engine.contract import Contract
from veillee.engine.library import games

PREFIX = "veillee_"
LONGEST = 20_000
"""No game takes so many decisions."""


def register() -> tuple[str, ...]:
    """Register every game that has an observation; their names in OpenSpiel."""
    known = set(pyspiel.registered_names())
    found = []
    for contract in games().values():
        if contract.observation:
            kind = game_type(contract)
            found.append(kind.short_name)
            if kind.short_name not in known:
                pyspiel.register_game(kind, game_class(contract, kind))
    return tuple(found)


def plain_options(contract: Contract) -> dict[str, Any]:
    """The options that a game's name in OpenSpiel can carry: flags and numbers."""
    return {
        option.name: option.default
        for option in contract.options
        if isinstance(option.default, bool | int)
    }


def game_type(contract: Contract) -> Any:
    return pyspiel.GameType(
        short_name=PREFIX + contract.name,
        long_name=f"Veillée: {contract.name}, rules {contract.version}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(contract.seats),
        min_num_players=min(contract.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": min(contract.seats),
            SMALL: False,
            **plain_options(contract),
        },
    )


def game_class(contract: Contract, kind: Any) -> type[Any]:
    class Game(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = dict(params or {})
            players = given.pop("players", min(contract.seats))
            defaults = plain_options(contract)
            options = {k: v for k, v in given.items() if v != defaults.get(k)}
            self.rules = rules_of(contract.name, players, tuple(sorted(options.items())))
            deals = self.rules.deals
            info = pyspiel.GameInfo(
                num_distinct_actions=contract.actions,
                max_chance_outcomes=max(MOST_WAYS, DIGIT if deals is None else len(deals[1])),
                num_players=players,
                min_utility=-1.0,
                max_utility=players - 1.0,
                utility_sum=0.0,
                max_game_length=LONGEST,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> State:
            return State(self, Position.root(self.rules))

        def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
            if params:
                raise ValueError(f"there are no parameters for observations, so not {params}")
            return Observer(self.rules, kind or pyspiel.IIGObservationType(perfect_recall=False))

        def max_chance_nodes_in_history(self) -> int:
            return LONGEST + SEED_DIGITS

    # Where pickle looks for it.
    Game.__name__ = Game.__qualname__ = f"{contract.name.title()}Game"
    globals()[Game.__name__] = Game
    return Game
