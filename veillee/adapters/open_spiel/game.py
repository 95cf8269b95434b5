"""The games, registered in OpenSpiel."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, unquote

import pyspiel

from veillee.adapters.make import SMALL
from veillee.adapters.open_spiel.observer import Observer
from veillee.adapters.open_spiel.position import DIGIT, MOST_WAYS, SEED_DIGITS, Position, rules_of
from veillee.adapters.open_spiel.state import State
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import game as spec_named
from veillee.engine.registry import games

PREFIX = "veillee_"


def register() -> tuple[str, ...]:
    """Register every game that has an observation; return their names in OpenSpiel."""
    known = set(pyspiel.registered_names())
    found = []
    for spec in games().values():
        if spec.observation:
            kind = game_type(spec)
            found.append(kind.short_name)
            if kind.short_name not in known:
                pyspiel.register_game(kind, game_class(spec, kind))
    return tuple(found)


def game_name(name: str, players: int | None = None, **options: Any) -> str:
    """Return what `pyspiel.load_game` takes, with options of any kind.

    >>> game_name("captain", players=4, cards={"egg": 2, "hook": 2})
    'veillee_captain(players=4,cards=%7B%22egg%22%3A%202%2C%20%22hook%22%3A%202%7D)'
    """
    spec = spec_named(name)
    given: dict[str, Any] = {} if players is None else {"players": players}
    given |= {option: _written(spec, option, value) for option, value in options.items()}
    inside = ",".join(f"{option}={value}" for option, value in given.items())
    return f"{PREFIX}{name}({inside})"


def _written(spec: GameSpec, option: str, value: Any) -> Any:
    """Return the value of an option as OpenSpiel's parameters hold it.

    Flags and numbers stay as they are. Anything else is percent-encoded text, so that OpenSpiel
    neither takes its commas and brackets for its own nor reads it as a number.
    """
    if option in ("players", SMALL) or isinstance(_defaults(spec).get(option), bool | int):
        return value
    text = unquote(value) if isinstance(value, str) else json.dumps(value)
    return quote(text) if not text.isalnum() or text.isalpha() else f"%{ord(text[0]):02X}{text[1:]}"


def _read(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = unquote(value)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _defaults(spec: GameSpec) -> dict[str, Any]:
    return {option.name: option.default for option in spec.options.OPTIONS}


def _parameters(spec: GameSpec) -> dict[str, Any]:
    """Return the parameters with their defaults: "" for options that are not flags or numbers."""
    plain = {
        name: default if isinstance(default, bool | int) else ""
        for name, default in _defaults(spec).items()
    }
    return {"players": min(spec.player_counts), SMALL: False, **plain}


def _load(name: str) -> Any:
    return pyspiel.load_game(name)


def game_type(spec: GameSpec) -> Any:
    """Return OpenSpiel's description of a game."""
    return pyspiel.GameType(
        short_name=PREFIX + spec.name,
        long_name=f"Veillée: {spec.name}, rules {spec.version}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(spec.player_counts),
        min_num_players=min(spec.player_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(spec),
    )


def game_class(spec: GameSpec, kind: Any) -> type[Any]:
    """Return the class of a game, as `pyspiel.register_game` takes it."""

    class Game(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            # As OpenSpiel writes them when it serialises a game.
            given = {name: _written(spec, name, each) for name, each in (params or {}).items()}
            players = given.get("players", min(spec.player_counts))
            defaults = _parameters(spec)
            options = {
                name: _read(value)
                for name, value in given.items()
                if name != "players" and value != defaults.get(name)
            }
            self.rules = rules_of(spec.name, players, json.dumps(options, sort_keys=True))
            deals = self.rules.deals
            info = pyspiel.GameInfo(
                num_distinct_actions=spec.actions,
                max_chance_outcomes=max(MOST_WAYS, DIGIT if deals is None else len(deals[1])),
                num_players=players,
                min_utility=-1.0,
                max_utility=players - 1.0,
                utility_sum=0.0,
                max_game_length=self.rules.longest,
            )
            super().__init__(kind, info, given)

        def new_initial_state(self) -> State:
            return State(self, Position.root(self.rules))

        def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
            if params:
                raise ValueError(f"there are no parameters for observations, so not {params}")
            return Observer(self.rules, kind or pyspiel.IIGObservationType(perfect_recall=False))

        def __reduce__(self) -> tuple[Any, ...]:
            return _load, (str(self),)

        def max_chance_nodes_in_history(self) -> int:
            return self.rules.longest + SEED_DIGITS

    # The name under which pickle finds the class.
    Game.__name__ = Game.__qualname__ = f"{spec.name.title()}Game"
    globals()[Game.__name__] = Game
    return Game
