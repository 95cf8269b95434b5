"""Legal actions in stages: one field of the action after the other.

Actions are grouped by the fields of `Notation.describe`, in their order: what to do, then where,
then which way. A field that is the same in all remaining actions is not asked. A field that holds a
list (tiles to pay) is asked item by item, and one with many values (squares) letter by letter.
`static/choose.js` does the same in the browser.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from typing import Any, cast

import msgspec

from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words, catalogue

Part = str | list[str]


class Choice(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One legal action: its notation, its words, its fields as text and each of them in words."""

    action: str
    say: str
    parts: dict[str, Part]
    label: dict[str, Part]
    outcomes: list[str] = []
    """Its possible consequences, in words."""
    details: dict[str, str] = {}
    """By field: what else to say of its value to those who can't see the board."""


class Choices(msgspec.Struct, frozen=True, gc=False):
    """All legal actions as raw JSON, which is cached, and the question for each field."""

    all: list[msgspec.Raw]
    ask: msgspec.Raw

    def read(self) -> list[Choice]:
        return [_choice.decode(one) for one in self.all]


_choice = msgspec.json.Decoder(Choice)
_json = msgspec.json.Encoder()


class Stage(msgspec.Struct, frozen=True):
    """The current question: a field and its possible values, or, at the end, the one action."""

    picked: list[tuple[str, str]]
    left: list[Choice]
    field: str | None = None
    values: list[tuple[str, int]] = []
    """Each value, and how many actions it leaves."""


def choices(
    spec: GameSpec, words: Words, seen: Any, numbers: Sequence[int], names: Sequence[str]
) -> Choices:
    """The actions as a seat may know them; `seen` is its view."""
    known = _written[spec, words.language]
    keys = list(zip(numbers, spec.notation.wording_keys(seen, numbers), strict=True))
    found = list(map(known.get, keys))
    if not all(found):
        for place in [place for place, written in enumerate(found) if written is None]:
            found[place] = _write(spec, words, seen, keys[place], tuple(names))
    return Choices(cast(list[msgspec.Raw], found), _asking(spec, words.language))


_Key = tuple[int, Hashable]
"""An action's number, and what else its words tell."""
_Written = dict[_Key, msgspec.Raw]


def _write(
    spec: GameSpec, words: Words, seen: Any, key: _Key, names: tuple[str, ...]
) -> msgspec.Raw:
    """Return an action as JSON, and keep it if its key and the names are all that it depends on."""
    of_table = spec, words.language, names, key
    if of_table in _named:
        return _named[of_table]
    choice = described(spec, words, seen, key[0], names)
    written = msgspec.Raw(_json.encode(choice))
    if choice.outcomes:
        return written
    if SEAT in choice.parts or any(name in choice.say for name in names):
        _keep(_named, of_table, written, MOST_NAMED)
    else:
        _keep(_written[spec, words.language], key, written, MOST_WRITTEN)
    return written


def _keep(known: dict[Any, msgspec.Raw], key: Any, written: msgspec.Raw, most: int) -> None:
    if len(known) >= most:
        known.clear()
    known[key] = written


SEAT = "seat"
ROLE = "adventurer"
"""The field of the roles (`GameSpec.roles`), whose powers are told with their names."""
MOST_WRITTEN = 16_384
"""Actions that are kept as JSON for a game and a language: Lumens has about 13,000, in 6 MB."""
MOST_NAMED = 4_096
"""Actions with names that are kept: a table of Oh Captain! has about 20, in 0.01 MB."""
MOST_AT_ONCE = 30
"""More values than these are asked in two steps."""
NONE = ".none"
MORE = "…"
"""Stands for the rest of a value of which only the first letter was chosen."""


_written: defaultdict[tuple[GameSpec, str], _Written] = defaultdict(dict)
"""By game and language: the actions that were asked for before."""
_named: dict[tuple[GameSpec, str, tuple[str, ...], _Key], msgspec.Raw] = {}
"""Those that tell a player's name, by the names at the table."""


def described(spec: GameSpec, words: Words, seen: Any, number: int, names: Sequence[str]) -> Choice:
    """An action in words and fields."""
    say, language = spec.text.say(words, seen, number, names), words.language
    parts: dict[str, Part] = {}
    label: dict[str, Part] = {}
    for field, value in spec.notation.describe(seen, number).items():
        if isinstance(value, list):
            parts[field] = several = [str(one) for one in value]
            label[field] = [labelled(spec, language, field, one) for one in several]
        else:
            parts[field] = text = str(value)
            label[field] = names[value] if field == SEAT else labelled(spec, language, field, text)
    if label.get("do") == parts.get("do"):  # it has no words of its own: the action's serve
        label["do"] = say
    if spec.labels:
        label |= spec.labels(words, seen, number)
    outcomes = spec.outcomes(words, seen, number, names) if spec.outcomes else ()
    details = dict(spec.details(words, seen, number)) if spec.details else {}
    return Choice(spec.notation.text(number), say, parts, label, list(outcomes), details)


@cache
def questions(spec: GameSpec, language: str) -> dict[str, str]:
    """What is asked for each field, and `field.none`, the answer that leaves it out.

    "" and ".none" are for fields without words of their own.
    """
    words = Words(language)
    own = f"{spec.name}.pick."
    ask = {"": words("web.pick"), NONE: words("web.pick.none")}
    for key in catalogue(spec.name, language):
        field = key.removeprefix(own)
        if key.startswith(own) and "." not in field.removesuffix(NONE):
            ask[field] = words(key)
    return ask


@cache
def _asking(spec: GameSpec, language: str) -> msgspec.Raw:
    return msgspec.Raw(_json.encode(questions(spec, language)))


@lru_cache(8192)
def labelled(spec: GameSpec, language: str, field: str, value: str) -> str:
    """A value in words: its own, those of the thing it names, or a number."""
    words, name = Words(language), spec.name
    thing = value.replace(" ", "_")
    for key in (f"{name}.pick.{field}.{thing}", f"{name}.{field}.{thing}"):
        if key in words and (field != "do" or ".pick." in key):
            power = f"{name}.power.{thing}"
            if field == ROLE and power in words:
                return words("web.pick.power", name=words(key), power=words(power))
            return words(key)
    each = f"{name}.pick.{field}.each"
    return words(each, value=value) if each in words else value


def stage(all_: Sequence[Choice], picked: Sequence[tuple[str, str]]) -> Stage:
    """Return the actions left after some picks, and the next question; drop picks that fit none."""
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


def detail_of(all_: Sequence[Choice], field: str, value: str) -> str:
    """Return the description of a value; empty for one of which only the first letter is given."""
    found = (choice for choice in all_ if choice.parts.get(field) == value)
    return next((choice.details.get(field, "") for choice in found), "")


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


def nearest_illegal(
    spec: GameSpec, seen: Any, legal: Sequence[int], wanted: Sequence[tuple[str, str]]
) -> int | None:
    """The illegal action that a person had in mind who picked some fields.

    It has these fields, and as many others as possible in common with the legal actions, above all
    what is done.
    """
    allowed = set(legal)
    common = {pair for number in legal for pair in _pairs(spec, seen, number)}
    best, found = -1, None
    for number in range(spec.actions):
        if number in allowed:
            continue
        pairs = _pairs(spec, seen, number)
        if pairs.issuperset(wanted):
            known = [field for field, _ in pairs & common]
            score = len(known) + (len(pairs) if "do" in known else 0)
            if score > best:
                best, found = score, number
    return found


def _pairs(spec: GameSpec, seen: Any, number: int) -> set[tuple[str, str]]:
    pairs = set()
    for field, value in spec.notation.describe(seen, number).items():
        for one in value if isinstance(value, list) else [value]:
            pairs.add((field, str(one)))
    return pairs
