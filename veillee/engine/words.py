"""Words in the person's language, from .po catalogues.

A catalogue's keys are ids, not English sentences (`nomads.move.sow`, `nomads.tile.whale`), so that
English is a language like the others. They lie in the folder `words/` of the package that says
them, and the first part of a key tells which: `veillee` is the engine, then games and packages by
name.
"""

from __future__ import annotations

import locale
import os
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr", "es")


class Words:
    """`words("nomads.tile.whale")`, `words("log.moons", n=3)`."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self._said = _said(language)

    def __call__(self, key: str, /, n: int | None = None, **facts: Any) -> str:
        """The words for a key. `n` chooses between one and many, and may be used as {n}."""
        found = self._said[key]
        if found is None:
            raise KeyError(f"no words for {key!r} in {self.language}")
        if isinstance(found, tuple):
            found = found[0 if self._one(n) else 1]
        if n is not None:
            facts["n"] = n
        return found.format_map(facts) if facts or "{" in found else found

    def __contains__(self, key: str) -> bool:
        return key in catalogue(key.partition(".")[0], self.language)

    def _one(self, n: int | None) -> bool:
        return n == 1 or (self.language == "fr" and n in (-1, 0))

    def __reduce__(self) -> tuple[type[Words], tuple[str]]:
        return Words, (self.language,)


class Said(dict[str, str | tuple[str, ...] | None]):
    """Words that were asked for before, whatever part they belong to."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __missing__(self, key: str) -> str | tuple[str, ...] | None:
        found = catalogue(key.partition(".")[0], self._language).get(key)
        if found is not None:
            self[key] = found
        return found


_said = cache(Said)


@cache
def catalogue(part: str, language: str) -> dict[str, str | tuple[str, ...]]:
    """All words of one part (a game, or `veillee` for what all share) in one language."""
    from babel.messages.pofile import read_po

    folder = _folders().get(part)
    if folder is None:
        raise KeyError(f"no words for {part!r}")
    with (folder / f"{language}.po").open("rb") as file:
        messages = read_po(file, locale=language)
    found: dict[str, str | tuple[str, ...]] = {}
    for message in messages:
        key = message.id if isinstance(message.id, str) else message.id[0]
        if key and message.string and not message.fuzzy:
            said = message.string
            found[key] = said if isinstance(said, str) else tuple(said)
    return found


@cache
def _folders() -> dict[str, Path]:
    from veillee.engine.library import games

    own = Path(__file__).parent / "words"
    beside = {
        folder.parent.name: folder for folder in own.parents[1].glob("*/words") if folder != own
    }
    return (
        {"veillee": own} | beside | {name: game.folder / "words" for name, game in games().items()}
    )


def language_of_environment() -> str:
    """The person's language, as the environment tells it; English where it does not."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    code = (spoken or locale.getlocale()[0] or "en")[:2].lower()
    return code if code in LANGUAGES else "en"
