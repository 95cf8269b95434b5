"""One game with its legal actions, stepped in machine code: shared by all adapters for one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.adapters.build import compiled, copied, row_length
from veillee.adapters.jit import kernel
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import OVER, States
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Row, fast_row

Row8 = npt.NDArray[np.int8]


class Table:
    """A game in play. `seat` decides next; it is -1 at the end. Can be copied and pickled."""

    def __init__(self, spec: GameSpec, players: int, options: Mapping[str, Any]) -> None:
        self.spec = spec
        self.players = players
        self.template = spec.template(players, options)
        self.states: States = copied(self.template)
        self.size = row_length(spec)
        self.seat = OVER
        self.n = 0
        self._kernel = compiled(spec)
        self._list = np.zeros(spec.actions, np.int16)
        self._mask = np.zeros(spec.actions, np.int8)
        self._nothing = np.zeros(spec.actions, np.int8)
        self._row = np.zeros(self.size, np.int8)
        self.rng: Row = fast_row(0)
        self._seats = self.states["seat"]
        self._places = np.zeros(players, np.float32)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_kernel"}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._kernel = compiled(self.spec)
        self._seats = self.states["seat"]

    def deal(self, rng: Row) -> None:
        """Start a game with this random number generator."""
        self.rng = rng
        self.play(kernel.DEAL)

    def play(self, action: int) -> None:
        """Carry out an action that is known to be legal."""
        self.n = self._kernel.act(
            self.template,
            self.states,
            0,
            action,
            self.rng,
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
        """The legal actions, in an array that the next step overwrites."""
        return self._list[: self.n]

    def refuse(self, action: Any) -> Refusal:
        """Return the refusal of an action that is not legal."""
        if not isinstance(action, int | np.integer) or not 0 <= action < self.spec.actions:
            return Refusal("unknown", "veillee.action", "veillee.action", action=str(action)[:40])
        seen = self.spec.twin(self.seen_by(self.seat))
        return Refusal("illegal", self.spec.forbids(seen, int(action)))

    def may(self, action: int) -> bool:
        """Tell whether an action is legal now."""
        return bool(0 <= action < len(self._mask) and self._mask[action])

    def observe(self, seat: int) -> Row8:
        """Return what a seat may know, as a row described by the game's `PLANES`."""
        if seat == self.seat:
            return self._row.copy()
        out = np.empty(self.size, np.int8)
        self._kernel.observe_at(self.states, 0, seat, out)
        return out

    def mask(self, seat: int) -> Row8:
        """Return a row with 1 for each action that a seat may take now."""
        return self._mask.copy() if seat == self.seat else self._nothing.copy()

    def rewards(self) -> list[float]:
        """Return the rewards at the end (see `kernel.reward`)."""
        self._kernel.reward_at(self.states, 0, self._places)
        found: list[float] = self._places.tolist()
        return found

    def seen_by(self, seat: int | None) -> States:
        """Return the state as a seat, or a spectator (None), may know it."""
        seen = copied(self.states)
        self.spec.compiled.view_at(seen, 0, 0 if seat is None else 1 << seat)
        return seen

    def text(self, seat: int | None = None) -> str:
        """Return the board as plain text, as a seat or a spectator (None) may know it."""
        from rich.text import Text

        names = [f"player_{seat}" for seat in range(self.players)]
        seen = self.spec.twin(self.seen_by(seat))
        return Text.from_markup(self.spec.text.board(Words("en"), seen, names)).plain

    def image(self, seat: int | None = None) -> npt.NDArray[np.uint8]:
        """Return the board as an array of pixels."""
        from veillee.adapters.render import picture

        names = [f"player_{seat}" for seat in range(self.players)]
        return picture(self.spec, self.seen_by(seat), names, seat)
