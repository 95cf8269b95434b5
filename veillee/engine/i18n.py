"""Texts in the person's language, from .po catalogues.

The keys are ids, not English sentences (`nomads.move.sow`, `nomads.tile.whale`), so that English is
a language like the others. Each package has its catalogues in its folder `locale/`; the first part
of a key names the package: `veillee` is the engine, the others go by their own names.
"""

from __future__ import annotations

import locale
import os
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from veillee.engine.discovery import folder_of, packages

LANGUAGES = ("en", "fr", "es")
GENERIC = {
    "legal": "veillee.illegal",
    "phase.turn": "veillee.phase",
    "phase.turn.other": "veillee.phase.other",
}
"""Texts for keys of games without catalogues."""
MINUS = "−"
UNBREAKABLE = "\N{NO-BREAK SPACE}"


class Words:
    """The texts of a language: `words("nomads.tile.whale")`, `words("log.moons", n=3)`."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self._said = _said(language)

    def __call__(self, key: str, /, n: int | None = None, **facts: Any) -> str:
        """Return the text of a key.

        Args:
            key: The id of the text.
            n: Chooses between singular and plural, and fills `{n}`.
            facts: What fills the other places.
        """
        found = self._said[key]
        if isinstance(found, tuple):
            found = found[0 if self._one(n) else 1]
        elif found is None:
            raise KeyError(f"no words for {key!r} in {self.language}")
        if n is not None:
            facts["n"] = str(n) if n >= 0 else f"{MINUS}{-n}"
        return found.format_map(facts) if facts or "{" in found else found

    def labelled(self, label: object, value: object) -> str:
        """Return a name and what belongs to it: "Ada: 3 coins", in French with a space first."""
        return self("veillee.labelled", label=label, value=value)

    def __contains__(self, key: str) -> bool:
        return key in catalogue(key.partition(".")[0], self.language)

    def listed(self, things: Sequence[str]) -> str:
        """Return things in one phrase: "Ida, Bo and Eve", "Ida, Bo et Eve", "Bo, Eve e Ida"."""
        return _listed(self.language, tuple(things))

    def decimal(self, value: float, digits: int) -> str:
        """Return a number with the decimal sign and the minus sign of the language."""
        point = "." if self.language == "en" else ","
        return f"{value:.{digits}f}".replace(".", point).replace("-", MINUS)

    def percent(self, share: float, digits: int = 0) -> str:
        """Return a share of 1 as a percentage; halves are rounded away from zero."""
        exact = 100 * Decimal(str(float(share)))
        rounded = float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
        sign = "%" if self.language == "en" else f"{UNBREAKABLE}%"
        return self.decimal(rounded + 0.0, digits) + sign

    def whole(self, number: int) -> str:
        """Return a whole number with its thousands set apart; Spanish leaves four digits alone."""
        if self.language == "es" and abs(number) < 10_000:
            return str(number).replace("-", MINUS)
        apart = "," if self.language == "en" else UNBREAKABLE
        return f"{number:,}".replace(",", apart).replace("-", MINUS)

    def _one(self, n: int | None) -> bool:
        return n == 1 or (self.language != "en" and n == -1) or (self.language == "fr" and n == 0)

    def __reduce__(self) -> tuple[type[Words], tuple[str]]:
        return Words, (self.language,)


class Said(dict[str, str | tuple[str, ...] | None]):
    """Cache of the texts of a language, over all catalogues."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __missing__(self, key: str) -> str | tuple[str, ...] | None:
        part = key.partition(".")[0]
        found = catalogue(part, self._language).get(key)
        if found is None and not _has_catalogues(part):
            generic = GENERIC.get(key.partition(".")[2])
            found = self[generic] if generic else _shown(key)
        if found is not None:
            self[key] = found
        return found


_said = cache(Said)


@lru_cache(4096)
def _listed(language: str, things: tuple[str, ...]) -> str:
    from babel.lists import format_list

    said = format_list(things, locale="en_GB" if language == "en" else language)
    if language == "es" and len(things) > 1 and _begins_with_i(things[-1]):
        last = things[-1]
        said = f"{said.removesuffix(f' y {last}')} e {last}"
    return said


def _begins_with_i(word: str) -> bool:
    """Whether a Spanish word begins with the vowel i, before which "y" becomes "e"."""
    return re.match(r"h?[ií](?![aeoáéó])", word, re.IGNORECASE) is not None


def _has_catalogues(part: str) -> bool:
    return folders()[part].is_dir()


def _shown(key: str) -> str:
    """Return a readable form of the key of a game without catalogues: `go.phase.turn`, "turn"."""
    game, _, rest = key.partition(".")
    return game.capitalize() if rest == "title" else rest.rpartition(".")[2].replace("_", " ")


@cache
def catalogue(part: str, language: str) -> dict[str, str | tuple[str, ...]]:
    """Return all texts of one part (a game, a package, or `veillee` for the engine).

    A game that has no catalogue in a language is shown in English, and by its keys if it has none
    at all: so a new game can be played before it is translated.
    """
    from babel.messages.pofile import read_po

    folder = folders().get(part)
    if folder is None:
        raise KeyError(f"no words for {part!r}")
    file = folder / f"{language}.po"
    if not file.exists():
        return {} if language == LANGUAGES[0] else catalogue(part, LANGUAGES[0])
    with file.open("rb") as opened:
        messages = read_po(opened, locale=language)
    found: dict[str, str | tuple[str, ...]] = {}
    for message in messages:
        key = message.id if isinstance(message.id, str) else message.id[0]
        if key and message.string and not message.fuzzy:
            said = message.string
            found[key] = said if isinstance(said, str) else tuple(said)
    return found


@cache
def folders() -> dict[str, Path]:
    """Return the folder of the catalogues of each part."""
    own = Path(__file__).parent / "locale"
    beside = {
        folder.parent.name: folder for folder in own.parents[1].glob("*/locale") if folder != own
    }
    found = {name: folder_of(package) for name, package in packages().items()}
    return {"veillee": own} | beside | {n: f / "locale" for n, f in found.items() if f}


def language_of_environment() -> str:
    """Return the person's language as the environment names it; English if it names none."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    code = (spoken or locale.getlocale()[0] or "en")[:2].lower()
    return code if code in LANGUAGES else "en"
