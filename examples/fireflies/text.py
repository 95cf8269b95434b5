"""Fireflies: actions, events and the meadow in words."""

from collections.abc import Sequence
from typing import Any

from veillee.engine.defaults import NumberNotation
from veillee.engine.events import Event, EventKind
from veillee.engine.i18n import Words

from .rules import State

KINDS = (EventKind("wish", ("seat", "n"), secret=("n",)), EventKind("catch", ("seat", "n")))
FIELDS: dict[str, Any] = {}


class Notation(NumberNotation):
    """Actions written as the number of fireflies: "catch 2"."""

    def text(self, action: int, /) -> str:
        return f"catch {action + 1}"

    def parse(self, text: str, /) -> int:
        return super().parse(text.removeprefix("catch ")) - 1


def say(words: Words, s: State, action: int, names: Sequence[str]) -> str:
    return words("fireflies.say", n=action + 1)


def tell(words: Words, event: Event, names: Sequence[str]) -> str | None:
    seat, n = event.values["seat"], event.values["n"]
    if seat is None or n is None:
        return None
    return words(f"fireflies.log.{event.name}", n=n, name=names[seat])


def board(words: Words, s: State, names: Sequence[str]) -> str:
    lines = ["✦ " * s.left]
    for seat, name in enumerate(names):
        lines.append(f"{name}: {catches(s, seat)}, {words('fireflies.wish')} {s.wish[seat] or '?'}")
    return "\n".join(lines)


def catches(s: State, seat: int) -> str:
    return " ".join(f"{n}×{s.caught[seat, n]}" for n in (1, 2, 3))
