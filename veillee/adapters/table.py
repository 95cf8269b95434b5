"""One game with its list of legal actions, stepped in machine code: what the adapters for single
games share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.adapters import kernel
from veillee.adapters.compiled import compiled, copied, row_length
from veillee.engine.contract import Contract
from veillee.engine.record import OVER, States
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Row, fast_row
from veillee.engine.words import Words

Row8 = npt.NDArray[np.int8]


class Table:
    """A game in play. `seat` is whose decision it is, -1 at the end."""

    def __init__(self, contract: Contract, players: int, options: Mapping[str, Any]) -> None:
        self.contract = contract
        self.players = players
        self.template = contract.template(players, options)
        self.states: States = copied(self.template)
        self.size = row_length(contract)
        self.seat = OVER
        self.n = 0
        self._kernel = compiled(contract)
        self._list = np.zeros(contract.actions, np.int16)
        self._mask = np.zeros(contract.actions, np.int8)
        self._nothing = np.zeros(contract.actions, np.int8)
        self._row = np.zeros(self.size, np.int8)
        self._rng: Row = fast_row(0)
        self._seats = self.states["seat"]
        self._places = np.zeros(players, np.float32)

    def deal(self, rng: Row) -> None:
        """Begin a game with this chance."""
        self._rng = rng
        self.play(kernel.DEAL)

    def play(self, action: int) -> None:
        """Carry out an action that is known to be legal."""
        self.n = self._kernel.act(
            self.template,
            self.states,
            0,
            action,
            self._rng,
            self._list,
            self.n,
            self._mask,
            self._row,
        )
        self.seat = int(self._seats[0])

    @property
    def over(self) -> bool:
        return self.seat == OVER

    @property
    def legal(self) -> npt.NDArray[np.int16]:
        """The legal actions: overwritten by the next."""
        return self._list[: self.n]

    def refuse(self, action: Any) -> Refusal:
        """Why an action is not legal."""
        if not isinstance(action, int | np.integer) or not 0 <= action < self.contract.actions:
            return Refusal("unknown", "veillee.action", "veillee.action", action=str(action)[:40])
        seen = self.contract.twin(self.seen_by(self.seat))
        return Refusal("illegal", self.contract.forbids(seen, int(action)))

    def may(self, action: int) -> bool:
        """Whether an action is legal now."""
        return bool(0 <= action < len(self._mask) and self._mask[action])

    def observe(self, seat: int) -> Row8:
        """What a seat may know, a row as the game's `PLANES` tell."""
        if seat == self.seat:
            return self._row.copy()
        out = np.empty(self.size, np.int8)
        self._kernel.observe_at(self.states, 0, seat, out)
        return out

    def mask(self, seat: int) -> Row8:
        """1 for what a seat may do now."""
        return self._mask.copy() if seat == self.seat else self._nothing.copy()

    def rewards(self) -> list[float]:
        """At the end: 1 for who won alone; it sums to 0 (see `kernel.reward`)."""
        self._kernel.reward_at(self.states, 0, self._places)
        found: list[float] = self._places.tolist()
        return found

    def seen_by(self, seat: int | None) -> States:
        """The state as a seat (None: a watcher) may know it."""
        seen = copied(self.states)
        self.contract.compiled.view_at(seen, 0, 0 if seat is None else 1 << seat)
        return seen

    def text(self, seat: int | None = None) -> str:
        """The board as plain text, as a seat (None: a watcher) may know it."""
        from rich.text import Text

        names = [f"player_{seat}" for seat in range(self.players)]
        seen = self.contract.twin(self.seen_by(seat))
        return Text.from_markup(self.contract.board(Words("en"), seen, names)).plain

    def image(self, seat: int | None = None) -> npt.NDArray[np.uint8]:
        """The board as an array of pixels."""
        from veillee.adapters.image import picture

        names = [f"player_{seat}" for seat in range(self.players)]
        return picture(self.contract, self.seen_by(seat), names, seat)
