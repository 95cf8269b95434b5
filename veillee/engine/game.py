"""One game in play.

>>> import veillee
>>> game = veillee.nomads.Game(players=3, seed=7, quick=True)
>>> game.seat, game.phase
(1, 'turn')
>>> events = game.play(game.legal[0])
>>> game.undo()
"""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast

import msgspec
import numpy as np
import numpy.typing as npt

from veillee.engine import replay as records
from veillee.engine.drawing.picture import Shape, Theme, overlaid, standalone
from veillee.engine.events import Buffer, Event, new_buffer, read
from veillee.engine.game_spec import GameSpec, Kernel, Position
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import OVER, States, copied
from veillee.engine.options import whole
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.score_sheet import Row
from veillee.engine.seed import Seed, fast_row

if TYPE_CHECKING:
    from veillee.engine.batch import Batch, Result
    from veillee.engine.variant import Variant

SEEN_BY = "seen_by"
"""The key under which a view says whose it is."""
HEAD = ("game", "rules", SEEN_BY)
"""Keys of a position that the engine adds to those of the game."""
WINDOW_BITS, MEMORY_LEVEL = 10, 3
"""Buffers of zlib for a state of about 1 kB; larger ones take longer to clear."""


class Action(int):
    """A legal action: its number, shown as its notation."""

    text: str

    def __new__(cls, number: int, text: str) -> Self:
        made = super().__new__(cls, number)
        made.text = text
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[int, str]]:
        return type(self), (int(self), self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{int(self)}: {self.text}>"


class Step(msgspec.Struct, frozen=True, gc=False):
    """A decision that was taken: the state before it, seat, turn, action number and events.

    States are kept compressed: it takes 6 µs, and they are most of what a game in memory holds.
    They consist of small numbers and runs of zeros, so run lengths (`Z_RLE`) make them smaller than
    a search for repeated strings does, and sooner.
    """

    compressed: bytes
    seat: int
    turn: int
    """The seat whose turn it was; in some games another one decides in between."""
    action: int
    events: tuple[Event, ...]

    @property
    def before(self) -> bytes:
        """The bytes of the state before the decision."""
        return zlib.decompress(self.compressed)

    @staticmethod
    def compress(state: bytes) -> bytes:
        packing = zlib.compressobj(1, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL, zlib.Z_RLE)
        return packing.compress(state) + packing.flush()


class _Outcome(NamedTuple):
    """What an action leads to: the bytes of the state after it, and its events."""

    action: int
    state: bytes
    events: tuple[Event, ...]


class Game:
    """A game in play: `Game(players=4, seed=7, quick=True)`.

    Subclasses set `spec`. The rules run as plain Python unless `compiled` is true; both give the
    same states to the byte.

    Args:
        players: Number of seats.
        seed: 32 bytes or 64 hex digits; any other text or number is hashed. Random if None.
        names: Names of the players, by seat.
        compiled: Run the rules as machine code.
        variant: Values of the game that differ from the printed ones.
        options: Options of the game.

    Raises:
        Refusal: If the game can't be played with these players or options.
    """

    spec: ClassVar[GameSpec]

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "spec" in vars(cls):
            _classes.setdefault(cls.spec, cls)

    def __init__(
        self,
        players: int,
        seed: Seed | bytes | str | int | None = None,
        *,
        names: Sequence[str] | None = None,
        compiled: bool = False,
        variant: Variant | None = None,
        **options: Any,
    ) -> None:
        self.players = players
        self.variant = variant
        self.options = variant.options(self.spec.name, options) if variant else options
        self.seed = Seed.of(seed)
        self.start: Position | None = None
        self._begin(names, self.spec.template(players, self.options), compiled)
        row = self._cells(self.seed.row(0))
        events = new_buffer()
        cells = self._cells(events)
        self._kernel.setup_at(self._records, 0, row, self._cells(self._new_list()), cells)
        self.opening = self._read(events)

    opening: tuple[Event, ...]
    """Events of the set-up."""
    _kernel: Kernel

    def _begin(self, names: Sequence[str] | None, states: States, compiled: bool) -> None:
        """Make everything that is not in the record, around an array of one state."""
        self.names = list(names or [f"Player {seat + 1}" for seat in range(self.players)])
        if len(self.names) != self.players:
            raise ValueError(f"expected {self.players} names, got {len(self.names)}")
        self.steps: list[Step] = []
        self.entries: list[str] = []
        self.opening = ()
        self.states = states
        self._s = self.spec.twin(states)
        self._forget()
        self.run_compiled(compiled)

    def _forget(self) -> None:
        """Forget what was computed for the state as it was."""
        self._legal: list[int] | None = None
        self._foreseen: _Outcome | None = None

    def run_compiled(self, compiled: bool = True) -> None:
        """Run the rules as machine code from now on, or as plain Python."""
        self.compiled = compiled
        self._kernel = self.spec.compiled if compiled else self.spec.plain
        self._records: Any = self.states if compiled else [self._s]

    @classmethod
    def of_version(cls, version: Any) -> type[Self]:
        """Return the class for a version of the game's rules; this one for its own version.

        Raises:
            Refusal: If there is no such version.
        """
        if version == cls.spec.version:
            return cls
        return cast(type[Self], game_class(spec_named(cls.spec.name, version)))

    @classmethod
    def from_position(
        cls,
        position: Any,
        seed: Seed | bytes | str | int | None = None,
        *,
        names: Sequence[str] | None = None,
        compiled: bool = False,
    ) -> Self:
        """Return a game that goes on from a position, with the rules version it names.

        A view is enough: what it leaves open is sampled with the seed.

        Raises:
            Refusal: If the position is malformed, breaks a rule or contradicts itself.
        """
        if not isinstance(position, dict):
            raise Refusal("impossible", f"{cls.spec.name}.position", "veillee.position.object")
        written = {key: value for key, value in position.items() if key not in HEAD}
        seats = written.get("seats")
        options = written.get("options", {})
        if not isinstance(seats, list) or not isinstance(options, dict):
            raise Refusal("impossible", f"{cls.spec.name}.position", "veillee.position.object")
        if position.get("game", cls.spec.name) != cls.spec.name:
            raise Refusal("impossible", f"{cls.spec.name}.position", "veillee.position.object")
        kind = cls.of_version(position.get("rules", cls.spec.version))
        game = kind.__new__(kind)
        game.players = len(seats)
        game.variant = None
        game.options = options
        game.seed = Seed.of(seed)
        states = kind.spec.template(game.players, options)
        kind.spec.position.read(written, kind.spec.twin(states))
        game._begin(names, states, compiled=False)
        game._deal_unknown(position.get(SEEN_BY))
        game._begin(names, states, compiled)
        game.start = game.position
        return game

    def _deal_unknown(self, viewers: Any) -> None:
        """If the state is a view, sample what it leaves open.

        A view that does not say whose it is belongs to the fewest seats whose view it can be: a
        view of nobody is also a view of each seat. Only plain code runs here, in which a
        contradiction ends in an exception or in another view.
        """
        everyone = range(self.players)
        candidates: Any = ((), *((seat,) for seat in everyone), everyone)
        if viewers is not None:
            candidates = (self._viewers(viewers),)
        loaded = self.states.tobytes()
        for seats in candidates:
            if self.seen_by(*seats).tobytes() == loaded:
                try:
                    self._resample(mask(seats), self.seed.row(0))
                    self.spec.position.check(self._s)
                except (ArithmeticError, LookupError, ValueError, Refusal):
                    raise self._no_view() from None
                known = not self.spec.position.hides(self._s)
                if not known or self.seen_by(*seats).tobytes() != loaded:
                    raise self._no_view()
                return
        if viewers is not None or self.spec.position.hides(self._s):
            raise self._no_view()

    def _viewers(self, viewers: Any) -> list[int]:
        """Return the seats whose view a position says it is."""
        if not isinstance(viewers, list) or not all(
            whole(seat) and 0 <= seat < self.players for seat in viewers
        ):
            raise self._no_view()
        return viewers

    def _no_view(self) -> Refusal:
        return Refusal("impossible", f"{self.spec.name}.position", "veillee.position.view")

    # ------------------------------------------------------------ looking

    @property
    def seat(self) -> int:
        """The seat whose decision it is; -1 when the game is over."""
        return int(self._s.seat)

    @property
    def phase(self) -> str:
        """The name of the phase, which says what is being decided."""
        return str(self.spec.phases[self._s.phase])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.seat == OVER

    @property
    def legal(self) -> list[Action]:
        """The legal actions; none when the game is over."""
        return [Action(n, self.spec.notation.text(n)) for n in self.legal_numbers()]

    def legal_numbers(self) -> list[int]:
        """Return the numbers of the legal actions. The list is cached: don't change it."""
        if self._legal is None:
            actions, n = self._new_list(), 0
            if not self.over:
                n = self._kernel.legal_at(self._records, 0, self._cells(actions))
            self._legal = actions[:n].tolist()
        return self._legal

    @property
    def scores(self) -> list[int]:
        """The points of each seat as they stand."""
        return self._scores_at(self._records)

    def scores_of(self, states: States) -> list[int]:
        """Return the points of each seat in an array of one state of this game, such as a view."""
        return self._scores_at(self._records_of(states))

    def _scores_at(self, records: Any) -> list[int]:
        points = np.zeros(self.players, np.int16)
        self._kernel.scores_at(records, 0, self._cells(points))
        return points.tolist()

    @property
    def places(self) -> list[int]:
        """The place of each seat as it stands, 1 for the winners."""
        places = np.zeros(self.players, np.int16)
        self._kernel.places_at(self._records, 0, self._cells(places))
        return places.tolist()

    def score_sheet(self, seat: int) -> list[Row]:
        """Return the score sheet of a seat as it stands, row by row."""
        return list(self.spec.score_sheet(self._s, seat))

    @property
    def winners(self) -> list[int]:
        """The seats that won; none before the end."""
        return [seat for seat, place in enumerate(self.places) if place == 1] if self.over else []

    @property
    def state(self) -> Any:
        """The whole state, to read; secrets included."""
        return self._s

    @property
    def position(self) -> Position:
        """The whole position as JSON data, which `from_position` reads."""
        return position_of(self.spec, self._s)

    def seen_by(self, *seats: int) -> States:
        """Return the state as those seats together may know it; without seats, a spectator's."""
        seen = copied(self.states)
        self.redact(seen, mask(seats))
        return seen

    def redact(self, states: States, seats: int) -> None:
        """Redact, in place, an array of one state of this game to what seats may know.

        Args:
            states: The array. It may hold another moment of the game than the present one.
            seats: Bit i for seat i; 0 for a spectator.
        """
        self._kernel.view_at(self._records_of(states), 0, seats)

    def view(self, seat: int | None = None) -> Position:
        """Return the position as a seat (None: a spectator) may know it."""
        return view_position(self.spec, self._seen(seat), *([] if seat is None else [seat]))

    def _seen(self, seat: int | None) -> Any:
        return self.spec.twin(self.seen_by() if seat is None else self.seen_by(seat))

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return [*self.opening, *(event for step in self.steps for event in step.events)]

    def log(self, language: str = "en", seat: int | None = None) -> list[str]:
        """Return all events in words, as a seat (None: a spectator) may know them."""
        words = Words(language)
        told = (
            self.spec.text.tell(words, event.seen_by(0 if seat is None else 1 << seat), self.names)
            for event in self.events
        )
        return [line for line in told if line is not None]

    def board(self, language: str = "en", seat: int | None = None) -> str:
        """Return the board in rich markup, as a seat (None: a spectator) may know it."""
        return self.spec.text.board(Words(language), self._seen(seat), self.names)

    def picture(
        self,
        language: str = "en",
        seat: int | None = None,
        shape: Shape = "wide",
        theme: Theme = "light",
    ) -> str:
        """Return the board as an SVG document, as a seat (None: a spectator) may know it.

        Args:
            language: The language of its texts.
            seat: The seat that looks.
            shape: The layout: "wide", "square", or "tall" for a phone held upright.
            theme: "light" or "dark".

        Raises:
            LookupError: If the game has no picture.
        """
        draw = self.spec.picture
        if draw is None:
            raise LookupError(f"{self.spec.name} has no picture")
        words = Words(language)
        board = draw.board(words, self._seen(None), self.names, shape, seat)
        overlays = []
        if seat is not None:
            overlays.append(draw.private(words, self._seen(seat), seat, shape))
        return standalone(overlaid(board.parts, *overlays), theme)

    def _repr_svg_(self) -> str | None:
        return None if self.spec.picture is None else self.picture()

    def __str__(self) -> str:
        from rich.text import Text

        return Text.from_markup(self.board()).plain

    def __repr__(self) -> str:
        state = "over" if self.over else f"seat {self.seat} to decide: {self.phase}"
        return f"<{self.spec.name}, {self.players} players, {len(self.steps)} taken, {state}>"

    # ------------------------------------------------------------ playing

    def number(self, action: int | str) -> int:
        """Validate an action, given by number or in notation, and return its number.

        Raises:
            Refusal: If it can't be read or is not legal now.
        """
        if self.over:
            raise Refusal("over", f"{self.spec.name}.end", "veillee.over")
        number = self.spec.notation.parse(action) if isinstance(action, str) else action
        if isinstance(number, bool) or not isinstance(number, int):
            raise Refusal("unreadable", "veillee.action", "veillee.action", action=str(number)[:80])
        if number not in self.legal_numbers():
            if not 0 <= number < self.spec.actions:
                written = action[:80] if isinstance(action, str) else number
                raise Refusal("unknown", "veillee.action", "veillee.action", action=written)
            raise Refusal("illegal", self.spec.forbids(self._seen(self.seat), number))
        return int(number)

    def play(self, action: int | str) -> tuple[Event, ...]:
        """Take a decision and return what happened.

        Raises:
            Refusal: If the action is not legal; the game stays as it is.
        """
        return self.play_validated(self.number(action))

    def play_validated(self, number: int) -> tuple[Event, ...]:
        """Take a decision whose number came from `number`; anything else may corrupt the game."""
        before, seat, turn_of = self.states.tobytes(), self.seat, self.spec.turn_of
        turn = seat if turn_of is None else turn_of(self._s)
        if self._foreseen is not None and self._foreseen.action == number:
            self._s.bytes[:] = self._foreseen.state
            events = self._foreseen.events
        else:
            events = self._apply(number)
        self.steps.append(Step(Step.compress(before), seat, turn, number, events))
        self.entries.append(self.spec.notation.text(number))
        self._forget()
        return events

    def seat_after(self, number: int) -> int:
        """Return who decides after an action whose number came from `number`; -1 for nobody.

        The outcome is kept until the game goes on, so that the rules need not run again.
        """
        before = self.states.tobytes()
        events = self._apply(number)
        self._foreseen = _Outcome(number, self.states.tobytes(), events)
        seat = self.seat
        self._s.bytes[:] = before
        return seat

    def _apply(self, number: int) -> tuple[Event, ...]:
        """Apply an action to the state and return its events."""
        events = new_buffer()  # not kept: it is larger than ten states
        cells = self._cells(events)
        self._kernel.apply_at(self._records, 0, number, self._cells(self._row()), cells)
        return self._read(events)

    def undo(self, redeal: bool = False) -> None:
        """Take the last decision back.

        The random stream is not rewound: playing the same action again draws something new. With
        `redeal`, what all seats together did not know is sampled again.

        Raises:
            Refusal: If no decision has been taken.
        """
        if not self.steps:
            raise Refusal("illegal", "veillee.undo", "veillee.undo")
        row = self._row()
        self.states[:] = np.frombuffer(self.steps.pop().before, self.spec.dtype)
        self._forget()
        if redeal:
            self._resample((1 << self.players) - 1, row)
        self.entries.append(records.REDEAL if redeal else records.UNDO)

    def resample(self, *seats: int, seed: int = 0) -> Self:
        """Return another game that those seats together can't tell from this one."""
        other = self.copy()
        other._resample(mask(seats), fast_row(seed))
        return other

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self).__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but what `_begin` makes; the only objects shared are immutable."""
        return {
            "players": self.players,
            "variant": self.variant,
            "options": copy.deepcopy(self.options),
            "seed": self.seed,
            "start": copy.deepcopy(self.start),
            "names": self.names,
            "compiled": self.compiled,
            "state": self.states.tobytes(),
            "opening": self.opening,
            "steps": self.steps.copy(),
            "entries": self.entries.copy(),
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        for name in ("players", "variant", "options", "seed", "start"):
            setattr(self, name, saved[name])
        states = np.frombuffer(bytearray(saved["state"]), self.spec.dtype)
        self._begin(saved["names"], states, saved["compiled"])
        for name in ("opening", "steps", "entries"):
            setattr(self, name, saved[name])

    def __reduce__(self) -> tuple[Any, ...]:
        made_here = type(self) is game_class(self.spec)
        return _new, (self.spec if made_here else type(self),), self.__getstate__()

    # ------------------------------------------------------------ keeping

    def record(self, reveal: bool | None = None) -> dict[str, Any]:
        """Return the game as JSON data, which `replay` reads.

        Args:
            reveal: Whether to show the seed; by default after the end only. The commitment is
                always there.
        """
        shown = self.over if reveal is None else reveal
        written: dict[str, Any] = {
            "format": records.FORMAT,
            "game": self.spec.name,
            "rules": self.spec.version,
            "players": self.names.copy(),
            "options": copy.deepcopy(self.options),
            "seed": self.seed.hex if shown else None,
            "commitment": self.seed.commitment,
            "start": copy.deepcopy(self.start),
            "entries": self.entries.copy(),
            "result": {"scores": self.scores, "places": self.places} if self.over else None,
        }
        return written | ({"variant": self.variant.label} if self.variant else {})

    @classmethod
    def replay(cls, record: Any, compiled: bool = False) -> Self:
        """Return the game of a record, played again with the rules version it names.

        Raises:
            Refusal: If an entry is not legal, or the seed or result is not what the record says.
        """
        return records.replay(cls, record, compiled)

    # ------------------------------------------------------------ many at once

    @classmethod
    def playouts(
        cls, n: int, players: int, seed: int = 0, *, threads: int = 1, **options: Any
    ) -> Result:
        """Play `n` random games to the end in machine code; return their scores and places.

        The first use compiles the game, with a progress bar.
        """
        from veillee.engine.batch import playouts
        from veillee.engine.precompile import KERNEL, ensure_compiled

        ensure_compiled(cls.spec, (KERNEL,))
        return playouts(cls.spec, players, n, seed, options, threads)

    @classmethod
    def batch(cls, n: int, players: int, seed: int = 0, **options: Any) -> Batch:
        """Return an array of `n` games that are stepped together in machine code.

        The first use compiles the game, with a progress bar.
        """
        from veillee.engine.batch import Batch
        from veillee.engine.precompile import KERNEL, ensure_compiled

        ensure_compiled(cls.spec, (KERNEL,))
        return Batch(cls.spec, players, n, seed, options)

    # ------------------------------------------------------------ calling the kernel

    def _new_list(self) -> npt.NDArray[np.int16]:
        """Return room for all actions. Not kept: it is larger than a state."""
        return np.zeros(self.spec.actions, np.int16)

    def _cells(self, array: npt.NDArray[Any]) -> Any:
        """Return an array in the form that the kernel takes: plain code wants a memoryview."""
        return array if self.compiled else array.data

    def _records_of(self, states: States) -> Any:
        return states if self.compiled else [self.spec.twin(states)]

    def _row(self) -> npt.NDArray[np.int64]:
        """Return the random stream of the entry that is about to be made; row 0 is set-up's."""
        return self.seed.row(len(self.entries) + 1)

    def _resample(self, seats: int, row: npt.NDArray[np.int64]) -> None:
        self._kernel.resample_at(self._records, 0, seats, self._cells(row))
        self._forget()

    def _read(self, events: Buffer) -> tuple[Event, ...]:
        return tuple(read(events, self.spec.events.KINDS))


_classes: dict[GameSpec, type[Game]] = {}


def view_position(spec: GameSpec, view: Any, *seats: int) -> Position:
    """Return a redacted state as JSON data that says whose view it is."""
    return {SEEN_BY: list(seats)} | position_of(spec, view)


def position_of(spec: GameSpec, s: Any) -> Position:
    """Return a state as JSON data."""
    return {"game": spec.name, "rules": spec.version} | spec.position.write(s)


def mask(seats: Iterable[int]) -> int:
    """Return a set of seats as bits: bit i for seat i."""
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return bits


def game_class(spec: GameSpec) -> type[Game]:
    """Return the class of a spec's games: the one that its package declares, or a new one."""
    if spec not in _classes:
        type("Game", (Game,), {"spec": spec, "__doc__": f"A game of {spec.name}."})
    return _classes[spec]


def _new(kind: GameSpec | type[Game]) -> Game:
    """Return a game for pickle to fill."""
    found = game_class(kind) if isinstance(kind, GameSpec) else kind
    return found.__new__(found)
