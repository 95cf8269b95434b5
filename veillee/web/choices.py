"""What a person may do, laid out in stages: one field of the action after the other.

Actions are grouped by the fields of `contract.describe`, in their order: what to do, then where,
then which way. A field that is the same in all actions left is not asked. A field that holds a list
(tiles to pay) is asked thing by thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from veillee.engine.contract import Contract
from veillee.engine.words import Words


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One legal action: its notation, its words, its fields as text."""

    action: str
    say: str
    parts: dict[str, Any]


class Choices(msgspec.Struct, frozen=True, gc=False):
    """All of them, with words for the fields (`ask`) and for their values (`label`)."""

    all: list[Choice]
    ask: dict[str, str]
    label: dict[str, dict[str, str]]


class Stage(msgspec.Struct, frozen=True):
    """What is asked now: a field and the values it may have, or, at the end, the one action."""

    picked: list[tuple[str, str]]
    left: list[Choice]
    field: str | None = None
    values: list[tuple[str, int]] = []
    """Each value, and how many actions it leaves."""


def choices(
    contract: Contract, words: Words, seen: Any, numbers: Sequence[int], names: Sequence[str]
) -> Choices:
    """The actions as a seat may know them; `seen` is its view."""
    found: list[Choice] = []
    values: dict[str, dict[str, None]] = {}
    for number in numbers:
        parts: dict[str, str | list[str]] = {}
        for field, value in contract.describe(seen, number).items():
            met = values.setdefault(field, {})
            if isinstance(value, list):
                parts[field] = several = [str(one) for one in value]
                met.update(dict.fromkeys(several))
            else:
                parts[field] = text = str(value)
                met[text] = None
        found.append(Choice(notation(contract, number), contract.say(words, seen, number), parts))
    label = {
        field: {
            value: names[int(value)]
            if field == "seat" and value.isdigit()
            else labelled(contract, words.language, field, value)
            for value in met
        }
        for field, met in values.items()
    }
    for do, text in label.get("do", {}).items():
        alone = [choice.say for choice in found if choice.parts["do"] == do]
        if text == do and alone:  # it has no words of its own: those of its first action serve
            label["do"][do] = alone[0]
    ask = {field: question(contract, words.language, field) for field in label}
    return Choices(found, ask, label)


@cache
def notation(contract: Contract, number: int) -> str:
    return contract.text(number)


@cache
def question(contract: Contract, language: str, field: str) -> str:
    """What is asked when a field is to be chosen."""
    words = Words(language)
    key = f"{contract.name}.pick.{field}"
    return words(key) if key in words else words("web.pick")


@cache
def labelled(contract: Contract, language: str, field: str, value: str) -> str:
    """A value in words: its own, those of the thing it names, or a number."""
    words = Words(language)
    name = contract.name
    thing = value.replace(" ", "_")
    for key in (f"{name}.pick.{field}.{thing}", f"{name}.{field}.{thing}"):
        if key in words and (field != "do" or ".pick." in key):
            return words(key)
    each = f"{name}.pick.{field}.each"
    return words(each, value=value) if each in words else value


def stage(all_: Sequence[Choice], picked: Sequence[tuple[str, str]]) -> Stage:
    """What is left after some picks, and what to ask next. Picks that fit nothing are dropped."""
    kept: list[tuple[str, str]] = []
    left = list(all_)
    for field, value in picked:
        fitting = [choice for choice in left if fits(choice, field, value)]
        if fitting:
            left = fitting
            kept.append((field, value))
    if len(left) <= 1:
        return Stage(kept, left)
    for field in dict.fromkeys(field for choice in left for field in choice.parts):
        values = asked(left, field, {v for f, v in kept if f == field})
        if len(values) > 1:
            return Stage(kept, left, field, values)
    return Stage(kept, left[:1])


def fits(choice: Choice, field: str, value: str) -> bool:
    part = choice.parts.get(field, "")
    return value in part if isinstance(part, list) else part == value


def asked(left: Sequence[Choice], field: str, had: set[str]) -> list[tuple[str, int]]:
    """The values of a field that tell the actions left apart."""
    counts: dict[str, int] = {}
    for choice in left:
        part = choice.parts.get(field, "")
        for value in part if isinstance(part, list) else [part]:
            if value not in had:
                counts[value] = counts.get(value, 0) + 1
    listed = any(isinstance(choice.parts.get(field), list) for choice in left)
    if listed and all(n == len(left) for n in counts.values()):
        return []
    return list(counts.items())
