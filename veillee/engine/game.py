"""One game, as simple to use as a board on the table.

>>> import veillee
>>> game = veillee.nomads.Game(players=3, seed=7, quick=True)
>>> game.play(game.legal[0])
>>> game.undo()
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
import numpy as np
import numpy.typing as npt

from veillee.engine import events as happenings
from veillee.engine.contract import Contract, Position
from veillee.engine.events import Event
from veillee.engine.record import OVER, States, copied
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.engine.tally import Row
from veillee.engine.words import Words

if TYPE_CHECKING:
    from veillee.engine.batch import Batch, Result

FORMAT = "veillee.record/1"
UNDO = "undo"
REDEAL = "undo redeal"


class Action(int):
    """A legal action: a number that shows itself as its notation."""

    text: str

    def __new__(cls, number: int, text: str) -> Self:
        made = super().__new__(cls, number)
        made.text = text
        return made

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{int(self)}: {self.text}>"


class Step(msgspec.Struct, frozen=True, gc=False):
    """One decision taken: the state before it, who took which, and what happened."""

    before: bytes
    seat: int
    action: int
    events: tuple[Event, ...]


class Game:
    """A game in play. Subclasses name the contract; `Game(players=4, seed=7, quick=True)`.

    Runs the plain rules unless `compiled` asks for machine code; both do the same.
    """

    contract: ClassVar[Contract]

    def __init__(
        self,
        players: int,
        seed: Seed | bytes | str | int | None = None,
        *,
        names: Sequence[str] | None = None,
        compiled: bool = False,
        **options: Any,
    ) -> None:
        self.players = players
        self.options = options
        self.seed = Seed.of(seed)
        self.start: Position | None = None
        self._sit(names, self.contract.template(players, options), compiled)
        self._run("setup_at", self.seed.row(0), self._actions, self._buffer)
        self.opening = self._read_events()

    opening: tuple[Event, ...]
    _actions: npt.NDArray[np.int16]
    _buffer: happenings.Buffer

    def _sit(self, names: Sequence[str] | None, states: States, compiled: bool) -> None:
        self.names = list(names or [f"Player {seat + 1}" for seat in range(self.players)])
        if len(self.names) != self.players:
            raise ValueError(f"{self.players} players have {self.players} names")
        self.compiled = compiled
        self.steps: list[Step] = []
        self.entries: list[str] = []
        self.opening = ()
        self.states = states
        self._s = self.contract.twin(states)
        self._actions = np.zeros(self.contract.actions, np.int16)
        self._buffer = happenings.new_buffer()
        self._legal: list[int] | None = None

    @classmethod
    def from_position(
        cls,
        position: Any,
        seed: Seed | bytes | str | int | None = None,
        *,
        names: Sequence[str] | None = None,
        compiled: bool = False,
    ) -> Self:
        """A game that goes on from a written position.

        A view will do: what it does not tell is dealt from the seed before the first decision.
        """
        game = cls.__new__(cls)
        if not isinstance(position, dict):
            raise Refusal("impossible", f"{cls.contract.name}.position", "veillee.position.object")
        written = {key: value for key, value in position.items() if key not in ("game", "rules")}
        seats = written.get("seats")
        options = written.get("options", {})
        if not isinstance(seats, list) or not isinstance(options, dict):
            raise Refusal("impossible", f"{cls.contract.name}.position", "veillee.position.object")
        if position.get("game", cls.contract.name) != cls.contract.name:
            raise Refusal("impossible", f"{cls.contract.name}.position", "veillee.position.object")
        game.players = len(seats)
        game.options = options
        game.seed = Seed.of(seed)
        states = cls.contract.template(game.players, options)
        cls.contract.read(written, cls.contract.twin(states))
        game._sit(names, states, compiled)
        game._deal_unknown()
        game.start = game.position
        return game

    def _deal_unknown(self) -> None:
        """A position that is only what some seats know is dealt out as it may be for them.

        Those who know least come first: blotting out for more changes nothing in what is blotted.
        """
        everyone = range(self.players)
        for seats in ((), *((seat,) for seat in everyone), everyone):
            if self.seen_by(*seats).tobytes() == self.states.tobytes():
                self._run("resample_at", mask(seats), self.seed.row(0))
                return

    # ------------------------------------------------------------ looking

    @property
    def seat(self) -> int:
        """Whose decision it is; -1 when the game is over."""
        return int(self._s.seat)

    @property
    def phase(self) -> str:
        return str(self.contract.phases[self._s.phase])

    @property
    def over(self) -> bool:
        return self.seat == OVER

    @property
    def legal(self) -> list[Action]:
        """What the seat to decide may do."""
        return [Action(n, self.contract.text(n)) for n in self._legal_numbers()]

    def _legal_numbers(self) -> list[int]:
        if self._legal is None:
            n = 0 if self.over else self._run("legal_at", self._actions)
            self._legal = self._actions[:n].tolist()
        return self._legal

    @property
    def scores(self) -> list[int]:
        """Every seat's points as they stand."""
        return self._numbers("scores_at")

    @property
    def places(self) -> list[int]:
        """Every seat's place as it stands, 1 for the winners."""
        return self._numbers("places_at")

    def tally(self, seat: int) -> list[Row]:
        """A seat's score sheet, row by row; as things stand, before the end."""
        return list(self.contract.tally(self._s, seat))

    @property
    def winners(self) -> list[int]:
        """The seats that won; nobody before the end."""
        return [seat for seat, place in enumerate(self.places) if place == 1] if self.over else []

    def _numbers(self, question: str) -> list[int]:
        out = np.zeros(self.players, np.int16)
        self._run(question, out)
        return [int(n) for n in out]

    @property
    def state(self) -> Any:
        """The whole state, to read."""
        return self._s

    @property
    def position(self) -> Position:
        """The whole position as JSON data: out here, in by `from_position`."""
        return self._position(self._s)

    def _position(self, s: Any) -> Position:
        head = {"game": self.contract.name, "rules": self.contract.version}
        return head | self.contract.write(s)

    def seen_by(self, *seats: int) -> States:
        """The state as those seats together may know it; as a watcher may, for none."""
        seen = copied(self.states)
        self._run("view_at", mask(seats), on=seen)
        return seen

    def view(self, seat: int | None = None) -> Position:
        """The position as a seat may know it; as a watcher may, for None."""
        seen = self.seen_by() if seat is None else self.seen_by(seat)
        return self._position(self.contract.twin(seen))

    @property
    def events(self) -> list[Event]:
        """All that happened, as it happened."""
        return [*self.opening, *(event for step in self.steps for event in step.events)]

    def log(self, language: str = "en", seat: int | None = None) -> list[str]:
        """All that happened, in words, as a seat (None: a watcher) may know it."""
        words = Words(language)
        told = (
            self.contract.tell(words, event.seen_by(0 if seat is None else 1 << seat), self.names)
            for event in self.events
        )
        return [line for line in told if line is not None]

    def board(self, language: str = "en", seat: int | None = None) -> str:
        """The board for a terminal, in rich markup, as a seat (None: a watcher) may know it."""
        seen = self.seen_by() if seat is None else self.seen_by(seat)
        return self.contract.board(Words(language), self.contract.twin(seen), self.names)

    def picture(self, language: str = "en", seat: int | None = None, tall: bool = False) -> str:
        """The board as SVG that stands alone, as a seat (None: a watcher) may know it."""
        from veillee.engine.picture import overlaid, standalone

        draw = self.contract.picture
        if draw is None:
            raise LookupError(f"nobody has drawn {self.contract.name}")
        words = Words(language)
        board = draw.board(words, self.contract.twin(self.seen_by()), self.names, tall, seat)
        overlays = []
        if seat is not None:
            seen = self.contract.twin(self.seen_by(seat))
            overlays.append(draw.private(words, seen, seat, tall))
        return standalone(overlaid(board, *overlays))

    def _repr_svg_(self) -> str | None:
        return None if self.contract.picture is None else self.picture()

    def __str__(self) -> str:
        from rich.text import Text

        return Text.from_markup(self.board()).plain

    def __repr__(self) -> str:
        state = "over" if self.over else f"seat {self.seat} to decide: {self.phase}"
        return f"<{self.contract.name}, {self.players} players, {len(self.steps)} taken, {state}>"

    # ------------------------------------------------------------ playing

    def number(self, action: int | str) -> int:
        """The number of an action given as such or in notation; refused if it is not legal now."""
        if self.over:
            raise Refusal("over", f"{self.contract.name}.end", "veillee.over")
        number = self.contract.parse(action) if isinstance(action, str) else action
        if isinstance(number, bool) or not isinstance(number, int):
            raise Refusal("unreadable", "veillee.action", "veillee.action", action=str(number)[:80])
        if number not in self._legal_numbers():
            if not 0 <= number < self.contract.actions:
                raise Refusal("unknown", "veillee.action", "veillee.action", action=number)
            seen = self.contract.twin(self.seen_by(self.seat))
            raise Refusal("illegal", self.contract.forbids(seen, number))
        return int(number)

    def play(self, action: int | str) -> tuple[Event, ...]:
        """Take a decision; what happened. An illegal one is refused and changes nothing."""
        number = self.number(action)
        before, seat = self.states.tobytes(), self.seat
        self._run("apply_at", number, self._row(), self._buffer)
        step = Step(before, seat, number, self._read_events())
        self.steps.append(step)
        self.entries.append(self.contract.text(number))
        self._legal = None
        return step.events

    def undo(self, redeal: bool = False) -> None:
        """Take the last decision back. Chance goes on: what was drawn is not drawn again.

        With `redeal`, what all seats together did not know then is dealt anew.
        """
        if not self.steps:
            raise Refusal("illegal", "veillee.undo", "veillee.undo")
        row = self._row()
        self._restore(self.steps.pop().before)
        if redeal:
            self._run("resample_at", (1 << self.players) - 1, row)
        self.entries.append(REDEAL if redeal else UNDO)

    def resample(self, *seats: int, seed: int = 0) -> Self:
        """Another game that those seats together could not tell from this one."""
        from veillee.engine.seed import fast_row

        other = self.copy()
        other._run("resample_at", mask(seats), fast_row(seed))
        other._legal = None
        return other

    def copy(self) -> Self:
        """A game that goes its own way from here."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._sit(self.names, copied(self.states), self.compiled)
        other.start, other.opening = self.start, self.opening
        other.steps, other.entries = self.steps.copy(), self.entries.copy()
        return other

    # ------------------------------------------------------------ keeping

    def record(self, reveal: bool | None = None) -> dict[str, Any]:
        """The game as data: replays to the same bytes. The seed is shown only after the end,
        or if `reveal` says so; before, its commitment stands for it."""
        shown = self.over if reveal is None else reveal
        return {
            "format": FORMAT,
            "game": self.contract.name,
            "rules": self.contract.version,
            "players": self.names,
            "options": self.options,
            "seed": self.seed.hex if shown else None,
            "commitment": self.seed.commitment,
            "start": self.start,
            "entries": self.entries,
            "result": {"scores": self.scores, "places": self.places} if self.over else None,
        }

    @classmethod
    def replay(cls, record: Any, compiled: bool = False) -> Self:
        """The game of a record. Refused at the first entry that can't be, or if what it tells
        of seed or result is not so."""
        from veillee.engine.sheet import replay

        return replay(cls, record, compiled)

    # ------------------------------------------------------------ many at once

    @classmethod
    def playouts(
        cls, n: int, players: int, seed: int = 0, *, threads: int = 1, **options: Any
    ) -> Result:
        """Play n random games to the end, in machine code: their scores and places."""
        from veillee.engine.batch import playouts

        return playouts(cls.contract, players, n, seed, options, threads)

    @classmethod
    def batch(cls, n: int, players: int, seed: int = 0, **options: Any) -> Batch:
        """An array of n games, to be stepped together in machine code."""
        from veillee.engine.batch import Batch

        return Batch(cls.contract, players, n, seed, options)

    # ------------------------------------------------------------ the machine room

    def _row(self) -> Any:
        """The chance of the entry that is about to be made; row 0 was set-up's."""
        return self.seed.row(len(self.entries) + 1)

    def _run(self, function: str, *args: Any, on: States | None = None) -> Any:
        states = self.states if on is None else on
        kernel: SimpleNamespace = self.contract.compiled if self.compiled else self.contract.plain
        if function in ("setup_at", "apply_at"):
            self._buffer[0, 0] = 0
        if self.compiled:
            return getattr(kernel, function)(states, 0, *args)
        twins = [self._s if on is None else self.contract.twin(states)]
        plain = (a.data if isinstance(a, np.ndarray) else a for a in args)
        return getattr(kernel, function)(twins, 0, *plain)

    def _read_events(self) -> tuple[Event, ...]:
        return tuple(happenings.read(self._buffer, self.contract.happenings))

    def _restore(self, state: bytes) -> None:
        self.states[:] = np.frombuffer(state, self.contract.dtype)
        self._legal = None


def mask(seats: Iterable[int]) -> int:
    """A set of seats as bits."""
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return bits


def game_of(contract: Contract) -> type[Game]:
    """The class of games of a contract."""
    return type("Game", (Game,), {"contract": contract, "__doc__": f"A game of {contract.name}."})
