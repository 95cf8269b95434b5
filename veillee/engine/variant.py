"""Variants: a game with values of one's own, as a small TOML or JSON file.

    game = "nomads"
    name = "Short songs"

    [values]
    wilds = 1

    [values.songs]
    points = [3, 4, 5, 6]

The values are options of the game (`veillee options GAME` lists them). A table that is given in
part takes the rest from the printed game.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veillee.engine.game_spec import GameSpec
from veillee.engine.key_lines import json_lines, line_of, toml_lines
from veillee.engine.options import checked
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named

KEYS = ("game", "name", "values")
LONGEST_NAME = 60
LONGEST_TEXT = 3000
LONGEST_DATA = 20_000
"""Most characters of a variant in a link, and most bytes that they unpack to."""
LINE_OF_ERROR = re.compile(r"line (\d+)")


@dataclass(frozen=True)
class Variant:
    """A game's name, the variant's name, and the values that differ from the printed game."""

    game: str
    name: str
    values: Mapping[str, Any]

    @property
    def hash(self) -> str:
        """Return 16 hex digits that stand for the game and the values."""
        data = json.dumps([self.game, self.values], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(data.encode()).hexdigest()[:16]

    @property
    def label(self) -> dict[str, Any]:
        """Return what a record says of its variant; the values are among the record's options."""
        return {"name": self.name, "hash": self.hash, "sets": sorted(self.values)}

    def options(self, game: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values together with other options of a game.

        Raises:
            Refusal: If the variant is another game's, or an option is set twice.
        """
        if game != self.game:
            raise Refusal(
                "option", "veillee.variant.other", variant=self.name, game=self.game, other=game
            )
        for name in given:
            if name in self.values:
                raise Refusal("option", "veillee.variant.twice", name=name, variant=self.name)
        return {**self.values, **given}


def labelled(game: str, label: Any, options: Mapping[str, Any]) -> Variant:
    """Return the variant that a record names, or refuse a label that does not fit its options."""
    try:
        found = Variant(game, str(label["name"]), {name: options[name] for name in label["sets"]})
        fits = found.hash == label["hash"]
    except (TypeError, KeyError):
        fits = False
    if not fits:
        raise Refusal("impossible", "veillee.record", "veillee.variant.label")
    return found


def variant_text(variant: Variant) -> str:
    """Return a variant as text for a link, which `variant_in` reads."""
    data = [variant.game, variant.name, variant.values]
    packed = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def variant_in(text: str) -> Variant:
    """Return the variant in the text of a link, or refuse it."""
    try:
        if len(text) > LONGEST_TEXT:
            raise ValueError(len(text))
        unpack = zlib.decompressobj()
        packed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        data = unpack.decompress(packed, LONGEST_DATA)
        if not unpack.eof:
            raise ValueError(len(data))
        game, name, values = json.loads(data)
    except (ValueError, TypeError, zlib.error, RecursionError) as error:
        raise Refusal("unreadable", "veillee.variant.link") from error
    return variant_of({"game": game, "name": name, "values": values})


def read_variant(path: Path) -> Variant:
    """Read a variant from a file, or refuse it with the line that is wrong."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal("unreadable", "veillee.variant.file", path=str(path)) from error
    return parse_variant(text, str(path), path.suffix == ".json")


def parse_variant(text: str, source: str, is_json: bool) -> Variant:
    """Return the variant in a text of TOML or JSON, or refuse it with the line that is wrong."""
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = LINE_OF_ERROR.search(str(error))
        line = int(found[1]) if found else text.rstrip().count("\n") + 1
        why = Refusal("unreadable", "veillee.variant.syntax", error=str(error))
        raise _at(source, line, why) from error
    try:
        return variant_of(data)
    except Refusal as why:
        lines = json_lines(text) if is_json else toml_lines(text)
        raise _at(source, line_of(lines, _place(data, why)), why) from why


def variant_of(data: Any) -> Variant:
    """Return the variant of JSON data, or refuse it."""
    if not isinstance(data, dict):
        raise Refusal("unreadable", "veillee.variant.key", name="game", keys=", ".join(KEYS))
    for key in data:
        if key not in KEYS:
            raise Refusal("unknown", "veillee.variant.key", name=key, keys=", ".join(KEYS))
    name, values = data.get("name"), data.get("values", {})
    if not isinstance(name, str) or not is_name(name.strip()):
        raise Refusal("unreadable", "veillee.variant.name", name="name", longest=LONGEST_NAME)
    if not isinstance(values, dict):
        raise Refusal("unreadable", "veillee.variant.values", name="values")
    spec = spec_named(str(data.get("game")))
    completed = {key: _completed(spec, key, value) for key, value in values.items()}
    _check(spec, completed)
    return Variant(spec.name, name.strip(), completed)


def is_name(name: str) -> bool:
    """Tell whether a variant can be called so: one line of visible characters."""
    return 1 <= len(name) <= LONGEST_NAME and name.isprintable()


def _completed(spec: GameSpec, name: str, value: Any) -> Any:
    """Return a table with what it leaves out taken from the default."""
    default = next((each.default for each in spec.options.OPTIONS if each.name == name), None)
    if isinstance(value, dict) and isinstance(default, dict):
        return {**default, **value}
    return value


def player_counts(variant: Variant) -> list[int]:
    """Return the numbers of players that can play a variant."""
    spec = spec_named(variant.game)
    return [n for n in spec.player_counts if _refusal(spec, variant.values, n) is None]


def _check(spec: GameSpec, values: Mapping[str, Any]) -> None:
    """Refuse values with which no number of players could play."""
    refusals = [_refusal(spec, values, players) for players in spec.player_counts]
    if refusals[0] and all(refusals):
        raise refusals[0]


def _refusal(spec: GameSpec, values: Mapping[str, Any], players: int) -> Refusal | None:
    """Return why that number of players can't play with these values; None if they can."""
    try:
        checked(spec.name, spec.options.OPTIONS, players, values)
        spec.template(players, values)
    except Refusal as refusal:
        return refusal
    return None


def _at(source: str, line: int, why: Refusal) -> Refusal:
    return Refusal(why.code, why.clause, "veillee.variant.line", path=source, line=line, why=why)


def _place(data: Any, why: Refusal) -> tuple[str, ...]:
    """Return the path of what is refused in the data of a variant."""
    name = str(why.facts.get("name", ""))
    if why.text == "veillee.game":
        return ("game",)
    if why.code != "option":
        return (name,)
    spec = spec_named(data["game"])
    if "column" in why.facts:
        name = next((option.name for option in spec.options.OPTIONS if option.board), name)
    given = data["values"].get(name)
    if isinstance(given, dict):
        for entry, value in given.items():
            alone = _completed(spec, name, {entry: value})
            if all(_refusal(spec, {name: alone}, players) for players in spec.player_counts):
                return "values", name, entry
    return "values", name
