"""What a table may choose before a game, and checking it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veillee.engine.refusal import Key, Refusal


@dataclass(frozen=True)
class Option:
    """One choice. `accepts` gets (value, players) and tells whether it will do.

    Words: `<game>.option.<name>` names it, `<game>.option.<name>.help` says what it does and what
    values it takes, `<game>.option.<name>.<choice>` names a choice that is a word. `choices` (if it
    is a short list) and `shown` are for the pages that set a table; a designer's option is not
    shown there.
    """

    name: str
    default: Any
    accepts: Callable[[Any, int], bool]
    choices: tuple[Any, ...] = ()
    shown: bool = True


def flag(name: str, default: bool = False, shown: bool = True) -> Option:
    return Option(name, default, lambda v, _: isinstance(v, bool), (False, True), shown)


def number(name: str, default: int, low: int, high: int, shown: bool = False) -> Option:
    return Option(name, default, lambda v, _: whole(v) and low <= v <= high, (), shown)


def choice(name: str, *values: Any, shown: bool = True) -> Option:
    return Option(name, values[0], lambda v, _: v in values, values, shown)


def a_seat(name: str, shown: bool = False) -> Option:
    """A seat, or None to draw it."""
    return Option(
        name, None, lambda v, players: v is None or (whole(v) and 0 <= v < players), (), shown
    )


def casting(name: str, roles: Sequence[str]) -> Option:
    """Who plays whom: chosen in turn, dealt, or a list of different roles, seat by seat."""

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
    """Whether a value is a whole number (True and False are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def chosen(
    game: str, options: Sequence[Option], players: int, given: Mapping[str, Any]
) -> dict[str, Any]:
    """All options with their values; refuses unknown names and wrong values."""
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
