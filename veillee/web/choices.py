"""What a person may do, laid out in stages: one field of the action after the other.

Actions are grouped by the fields of `contract.describe`, in their order: what to do, then where,
then which way. A field that is the same in all actions left is not asked. A field that holds a list
(tiles to pay) is asked thing by thing, and one with many values (squares) letter by letter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from veillee.engine.contract import Contract
from veillee.engine.memory import MOST_REMEMBERED, remembered
from veillee.engine.words import Words, catalogue

Part = str | list[str]


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One legal action: its notation, its words, its fields as text and each of them in words."""

    action: str
    say: str
    parts: dict[str, Part]
    label: dict[str, Part]


class Choices(msgspec.Struct, frozen=True, gc=False):
    """All of them, with what is asked for each field. They are raw JSON, written once: the same
    actions come back again and again."""

    all: list[msgspec.Raw]
    ask: msgspec.Raw

    def read(self) -> list[Choice]:
        return [_choice.decode(one) for one in self.all]


_choice = msgspec.json.Decoder(Choice)
_json = msgspec.json.Encoder()


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
    known, facts = _written[contract, words.language], contract.facts
    found: list[msgspec.Raw] = []
    for number in numbers:
        key = (number, facts(seen, number))
        written = known.get(key)
        if written is None:
            choice = described(contract, words, seen, number, names)
            written = msgspec.Raw(_json.encode(choice))
            if SEAT not in choice.parts:  # names are the table's own
                if len(known) >= MOST_REMEMBERED:
                    known.clear()
                known[key] = written
        found.append(written)
    return Choices(found, _asking(contract, words.language))


SEAT = "seat"
MOST_AT_ONCE = 30
"""More values than these are asked in two steps."""
MORE = "…"
"""Stands for the rest of a value of which only the first letter was chosen."""


_written: defaultdict[tuple[Contract, str], dict[Any, msgspec.Raw]] = defaultdict(dict)
"""By game and language: the actions that were asked for before, by number and by what else their
words tell."""


def described(
    contract: Contract, words: Words, seen: Any, number: int, names: Sequence[str]
) -> Choice:
    """An action in words and fields."""
    say, language = contract.say(words, seen, number), words.language
    parts: dict[str, Part] = {}
    label: dict[str, Part] = {}
    for field, value in contract.describe(seen, number).items():
        if isinstance(value, list):
            parts[field] = several = [str(one) for one in value]
            label[field] = [labelled(contract, language, field, one) for one in several]
        else:
            parts[field] = text = str(value)
            label[field] = (
                names[value] if field == SEAT else labelled(contract, language, field, text)
            )
    if label.get("do") == parts.get("do"):  # it has no words of its own: the action's serve
        label["do"] = say
    return Choice(contract.text(number), say, parts, label)


@cache
def questions(contract: Contract, language: str) -> dict[str, str]:
    """What is asked when a field is to be chosen; "" for any that has no words of its own."""
    words = Words(language)
    own = f"{contract.name}.pick."
    ask = {"": words("web.pick")}
    for key in catalogue(contract.name, language):
        if key.startswith(own) and "." not in key.removeprefix(own):
            ask[key.removeprefix(own)] = words(key)
    return ask


@cache
def _asking(contract: Contract, language: str) -> msgspec.Raw:
    return msgspec.Raw(_json.encode(questions(contract, language)))


@remembered
def labelled(contract: Contract, language: str, field: str, value: str) -> str:
    """A value in words: its own, those of the thing it names, or a number."""
    words, name = Words(language), contract.name
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


def label_of(all_: Sequence[Choice], field: str, value: str) -> str:
    """A value in words, as the first action that has it says it."""
    for choice in all_:
        part, label = choice.parts.get(field), choice.label.get(field)
        if part == value:
            return str(label)
        if isinstance(part, list) and isinstance(label, list) and value in part:
            return label[part.index(value)]
    return value


def fits(choice: Choice, field: str, value: str) -> bool:
    part = choice.parts.get(field, "")
    if isinstance(part, list):
        return value in part
    return part == value or (value.endswith(MORE) and part.startswith(value.removesuffix(MORE)))


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
    return list(counts.items()) if len(counts) <= MOST_AT_ONCE else _by_letter(counts)


def _by_letter(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Many values, by the letter with which they begin: the column before the square."""
    letters: dict[str, int] = {}
    for value, n in counts.items():
        letter = f"{value[:1]}{MORE}"
        letters[letter] = letters.get(letter, 0) + n
    return list(letters.items()) if len(letters) > 1 else list(counts.items())
