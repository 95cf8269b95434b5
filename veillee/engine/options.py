"""Options of a game, chosen before it begins, and their validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veillee.engine.refusal import Key, Refusal


@dataclass(frozen=True)
class BoardForm:
    """How a board is drawn: a square of dots and letters, one letter for each room."""

    smallest: int
    largest: int
    """Its side, an odd number of squares."""
    printed: Callable[[int], str]
    """The printed board for a number of players."""
    starts: Callable[[int, int], Sequence[tuple[int, int]]]
    """Row and column of the squares that must be free, for a number of players and a side."""


@dataclass(frozen=True)
class Option:
    """One option. `accepts` validates a value for a number of players.

    Words: `<game>.option.<name>` names it, `<game>.option.<name>.help` says what it does and what
    values it takes, `<game>.option.<name>.<choice>` names a choice that is a word. `choices` (a
    short list, or empty), `each` and `shown` are for the page that sets a table; options for
    designers are not shown there.
    """

    name: str
    default: Any
    accepts: Callable[[Any, int], bool]
    choices: tuple[Any, ...] = ()
    shown: bool = True
    is_seat: bool = False
    """Whether the value is a seat, or None to draw one."""
    each: tuple[Any, ...] = ()
    """Choices of each player, if the value can be a list by seat."""
    low: int | None = None
    high: int | None = None
    """Least and most of each number in the value. Like what follows, for forms that edit variants:
    an option that says nothing of these is not in them. `accepts` decides."""
    entries: tuple[str, ...] = ()
    """Keys of the words for the entries of a list or table; without words a key stands as it is."""
    among: Mapping[str, str] = field(default_factory=dict)
    """Possible elements, if the value is a set of names, with the keys of their words."""
    board: BoardForm | None = None

    @property
    def editable(self) -> bool:
        """Whether a form can edit the value."""
        return self.low is not None or bool(self.among) or self.board is not None


def flag(name: str, default: bool = False, shown: bool = True) -> Option:
    return Option(name, default, lambda v, _: isinstance(v, bool), (False, True), shown)


def number(name: str, default: int, low: int, high: int, shown: bool = False) -> Option:
    def accepts(value: Any, _: int) -> bool:
        return whole(value) and low <= value <= high

    return Option(name, default, accepts, (), shown, low=low, high=high)


def choice(name: str, *values: Any, shown: bool = True) -> Option:
    return Option(name, values[0], lambda v, _: v in values, values, shown)


def a_seat(name: str, shown: bool = False) -> Option:
    """Return an option whose value is a seat, or None to draw one."""

    def accepts(value: Any, players: int) -> bool:
        return value is None or (whole(value) and 0 <= value < players)

    return Option(name, None, accepts, (), shown, is_seat=True)


def casting(name: str, roles: Sequence[str]) -> Option:
    """Return an option for the players' roles: chosen in turn, dealt, or a list by seat."""

    def accepts(value: Any, players: int) -> bool:
        if value in ("choose", "deal"):
            return True
        return (
            isinstance(value, list)
            and len(value) >= players
            and all(role in roles for role in value)
            and len(set(value)) == len(value)
        )

    return Option(name, "choose", accepts, ("choose", "deal"))


def whole(value: Any) -> bool:
    """Tell whether a value is an integer; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def checked(
    game: str, options: Sequence[Option], players: int, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Validate options and return all of them with their values, defaults included.

    Raises:
        Refusal: If a name is unknown or a value is not accepted.
    """
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise Refusal(
                "option",
                f"{game}.option",
                "veillee.option.unknown",
                name=name,
                options=", ".join(sorted(known)),
            )
    values = {}
    for option in options:
        value = given.get(option.name, option.default)
        if not option.accepts(value, players):
            raise Refusal(
                "option",
                f"{game}.option",
                "veillee.option.wrong",
                name=option.name,
                value=value,
                key=Key(f"{game}.option.{option.name}.help"),
            )
        values[option.name] = value
    return values
