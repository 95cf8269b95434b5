"""A state of a game, as OpenSpiel's algorithms use it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pyspiel

from veillee.adapters.open_spiel.position import CHANCE, TERMINAL, Position
from veillee.engine.seed import fast_row


class State(pyspiel.State):  # type: ignore[misc]
    """A state that holds one `Position`, so that cloning is cheap."""

    def __init__(self, game: Any, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        return self.position.player

    def is_terminal(self) -> bool:
        return self.position.player == TERMINAL

    def is_chance_node(self) -> bool:
        return self.position.player == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.outcomes()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"{'deal' if self.position.dealing else 'way'} {action}"
        return self.position.rules.spec.notation.text(action)

    def returns(self) -> list[float]:
        rules = self.position.rules
        if self.position.player != TERMINAL:
            return [0.0] * rules.players
        return rules.returns(self.position.states)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """Return a state that the player can't tell from this one, drawn by Bayes' rule."""
        return resampled(self, player, sampler)

    def __str__(self) -> str:
        rules = self.position.rules
        if self.position.dealing:
            return "dealing" + "".join(f" {digit}" for digit in self.position.digits)
        waiting = " and chance" if self.position.player == CHANCE else ""
        return rules.text(self.position.states) + waiting


def resampled(state: State, player: int, sampler: Callable[[], float] = random.random) -> State:
    """Resample a state; a function as OpenSpiel's Python `ISMCTSBot.set_resampler` takes it."""
    found = state.clone()
    row = fast_row(int(sampler() * (1 << 53)))
    found.position = state.position.resampled(player, row)
    return found  # type: ignore[no-any-return]
