"""The information of a player, as an OpenSpiel observer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from veillee.adapters.build import planes
from veillee.adapters.open_spiel.position import Rules
from veillee.adapters.open_spiel.state import State
from veillee.engine.observation import named


class Observer:
    """Writes the player's number, then the game's `PLANES` from that seat, into the tensor.

    With perfect recall the string also has a hash of all that the player saw and did. The tensor
    has not: it is the same with and without, so several information states may share one.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        self._rules = rules
        self._recall = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info != pyspiel.PrivateInfoType.NONE
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._public and self._private:
            self.tensor = np.zeros(rules.players + rules.size, np.float32)
            self._who = self.tensor[: rules.players]
            self._row = self.tensor[rules.players :]
            self.dict = {"player": self._who, **named(planes(rules.spec), self._row)}

    def set_from(self, state: State, player: int) -> None:
        if self.tensor is not None:
            self._who.fill(0)
            self._who[player] = 1
            self._row[:] = state.position.row(player)

    def string_from(self, state: State, player: int) -> str | None:
        if not self._public:
            return None
        if not self._private:
            return state.position.seen(None)
        seen = state.position.seen(player)
        if self._recall:
            return f"player {player} {state.position.key(player).hex()} {seen}"
        return f"player {player} {seen}"
