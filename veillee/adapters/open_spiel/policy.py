"""Bots as policies, so that OpenSpiel can compute how exploitable they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from open_spiel.python import policy

from veillee.adapters.open_spiel.state import State
from veillee.engine.jit.layout import States


class BotPolicy(policy.Policy):  # type: ignore[misc]
    """The choices of a bot, which is asked once in each information state."""

    def __init__(self, game: Any, choose: Callable[[States], int]) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._choose = choose
        self._chosen: dict[tuple[int, bytes], int] = {}

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:
        at = state.position
        key = (at.player, at.key(at.player))
        if key not in self._chosen:
            self._chosen[key] = self._choose(at.rules.seen(at.states, 1 << at.player))
        return {self._chosen[key]: 1.0}


def policy_of(game: Any, choose: Callable[[States], int]) -> BotPolicy:
    """Return the policy of a bot; `choose` maps the deciding player's view to an action."""
    return BotPolicy(game, choose)
