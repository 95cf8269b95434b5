"""Defaults for a game that only defines rules: numbers as notation, a plain board, one score."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veillee.engine.events import Event, EventKind
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import StateRecord
from veillee.engine.options import Option
from veillee.engine.position import PositionReader
from veillee.engine.refusal import Refusal
from veillee.engine.score_sheet import Row

if TYPE_CHECKING:
    from veillee.engine.game_spec import GameSpec

HEAD = ("players", "seat", "phase")
"""Fields that every record has; positions and boards show them apart from the others."""


class NoOptions:
    """A game without options."""

    OPTIONS: Sequence[Option] = ()
    SMALL: Mapping[str, Any] = {}

    def prepare(self, s: StateRecord, options: Mapping[str, Any], /) -> None:
        """Leave the zeroed state as it is."""


class NoEvents:
    """A game whose rules emit no events."""

    KINDS: Sequence[EventKind] = ()
    FIELDS: Mapping[str, Callable[[int], Any]] = {}


class NumberNotation:
    """Actions written as their numbers."""

    def text(self, action: int, /) -> str:
        return str(action)

    def parse(self, text: str, /) -> int:
        try:
            return int(text)
        except ValueError:
            raise Refusal(
                "unreadable", "veillee.action", "veillee.action", action=text[:80]
            ) from None

    def describe(self, s: StateRecord, action: int, /) -> dict[str, Any]:
        return {"do": self.text(action)}

    def wording_keys(self, s: StateRecord, actions: Sequence[int], /) -> Sequence[Hashable]:
        return actions


class RecordPosition:
    """Positions with every field of the state record, as numbers and lists of numbers."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec

    def write(self, s: Any, /) -> dict[str, Any]:
        """Return the fields; `seats` is a list with an entry for each player."""
        return {"seats": [{} for _ in range(s.players)], "seat": s.seat, "phase": s.phase} | {
            name: _as_list(getattr(s, name)) for name in self._fields()
        }

    def read(self, position: dict[str, Any], s: Any, /) -> None:
        reader = PositionReader(position, f"{self._spec.name}.position")
        reader.raw("seats")
        reader.raw("options", {})
        s.seat = reader.number("seat", -1, s.players - 1)
        s.phase = reader.number("phase", 0, len(self._spec.phases) - 1)
        for name in self._fields():
            _fill(reader, name, self._spec.dtype[name].shape, s)
        reader.done()
        self.check(s)

    def check(self, s: Any, /) -> None:
        wrong = self._spec.plain.broken(s)
        if wrong:
            raise Refusal(
                "impossible", f"{self._spec.name}.position", "veillee.position.broken", n=wrong
            )

    def hides(self, s: Any, /) -> bool:
        return False

    def _fields(self) -> list[str]:
        return [name for name in self._spec.dtype.names or () if name not in HEAD]


def _as_list(value: Any) -> Any:
    return value if isinstance(value, int) else value.tolist()


def _fill(reader: PositionReader, name: str, shape: tuple[int, ...], s: Any) -> None:
    """Read a field of the record, a number or nested lists of numbers, into a state."""
    if not shape:
        setattr(s, name, reader.number(name, -(1 << 7), (1 << 7) - 1))
        return
    import numpy as np

    value = reader.raw(name)
    try:
        cells = np.array(value, np.int64)
    except (TypeError, ValueError, OverflowError):
        cells = np.zeros(0, np.int64)
    if cells.shape != shape or abs(cells).max(initial=0) >= 1 << 7:
        raise reader.wrong(name, value, f"[{'×'.join(map(str, shape))}]")
    target = getattr(s, name)
    for place in np.ndindex(*shape):
        target[place if len(place) > 1 else place[0]] = int(cells[place])


class PlainText:
    """Actions by notation, events by name, the board as a list of the record's fields."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec

    def say(self, words: Words, s: StateRecord, action: int, names: Sequence[str], /) -> str:
        return self._spec.notation.text(action)

    def tell(self, words: Words, event: Event, names: Sequence[str], /) -> str | None:
        values = ", ".join(f"{name} {value}" for name, value in event.values.items())
        return f"{event.name}: {values}" if values else event.name

    def board(self, words: Words, s: StateRecord, names: Sequence[str], /) -> str:
        position = self._spec.position.write(s)
        return "\n".join(
            f"{name}: {value}".replace("[", "\\[")
            for name, value in position.items()
            if name != "seats"
        )


def longest(_: Any) -> int:
    """Return a number of decisions that no game should reach."""
    return 20_000


def forbids(spec: GameSpec) -> Callable[[Any, int], str]:
    """Return a function that names the game's general clause for every illegal action."""
    return lambda s, action: f"{spec.name}.legal"


def kind_words(words: Words, kind: str) -> str:
    """Return a kind of action as it stands."""
    return kind


def because(s: Any, action: int) -> list[tuple[str, object]]:
    """Point at nothing."""
    return []


def score_sheet(spec: GameSpec) -> Callable[[Any, int], list[Row]]:
    """Return a function that makes a score sheet of one row, the points."""

    def rows(s: Any, seat: int) -> list[Row]:
        points = [0] * s.players
        spec.rules.scores(s, points)  # type: ignore[arg-type]
        return [Row(f"{spec.name}.score", "veillee.points", points[seat], points[seat])]

    return rows
