"""Persons: no account, only a name that is remembered and a cookie that nobody can forge."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from functools import lru_cache

import msgspec

from veillee.engine.seed import Seed
from veillee.engine.words import LANGUAGES
from veillee.web.store import Statement, Store

COOKIE = "veillee"
LONGEST_NAME = 24
LONGEST_WISH = 200
"""How much we read of what a browser says about languages."""
MOST_MARKS = 20_000
SPEEDS = ("slow", "normal", "fast", "instant")
THEMES = ("auto", "light", "dark")


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a person chose; "" leaves it to the browser."""

    language: str = ""
    theme: str = "auto"
    speed: str = "normal"
    sound: bool = False
    alerts: bool = False


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str = ""
    settings: Settings = Settings()
    known: bool = False
    """Whether the store knows this person, or the cookie is yet to be made."""


def tidy_name(text: str) -> str:
    """A name as it is shown: no controls, no tricks with direction, not too long."""
    kept = "".join(
        c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c)[0] != "C"
    )
    return " ".join(kept.split())[:LONGEST_NAME].strip()


def new_id() -> str:
    """An id that nobody can guess: 128 bits."""
    return secrets.token_urlsafe(16)


class Seal:
    """Signs what goes out and must come back unchanged."""

    def __init__(self, key: str) -> None:
        self._key = bytes.fromhex(key)
        self.mark = lru_cache(MOST_MARKS)(self._mark)

    def _mark(self, purpose: str, text: str) -> str:
        digest = hmac.new(self._key, f"{purpose}\0{text}".encode(), hashlib.sha256)
        return digest.hexdigest()[:40]

    def secret(self, table_id: str) -> Seed:
        """The 256 bits of a table: told by its id, so that they are fixed, and can be committed
        to, before anybody has sat down."""
        return Seed(hmac.new(self._key, f"seed\0{table_id}".encode(), hashlib.sha256).digest())

    def next(self, table_id: str) -> str:
        """The id of the table that follows on a table."""
        return self.mark("next", table_id)[:32]

    def seal(self, purpose: str, text: str) -> str:
        return f"{text}.{self.mark(purpose, text)}"

    def open(self, purpose: str, sealed: str) -> str | None:
        text, _, mark = sealed.rpartition(".")
        if text and hmac.compare_digest(mark.encode(), self.mark(purpose, text).encode()):
            return text
        return None


async def seal_of(store: Store) -> Seal:
    """The store's own key, drawn when it is new."""
    await store.write(
        Statement(
            "INSERT INTO setting (key, value) VALUES ('seal', $1) ON CONFLICT DO NOTHING",
            (secrets.token_hex(32),),
        )
    )
    rows = await store.read("SELECT value FROM setting WHERE key = 'seal'")
    return Seal(str(rows[0][0]))


async def find_person(store: Store, person_id: str) -> Person:
    rows = await store.read("SELECT name, settings FROM person WHERE id = $1", person_id)
    if not rows:
        return Person(person_id)
    name, settings = rows[0]
    return Person(person_id, name, msgspec.json.decode(settings, type=Settings), known=True)


def keep_person(person: Person, at: int, host: str | None = None) -> Statement:
    return Statement(
        "INSERT INTO person (id, host, name, settings, made) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, settings = excluded.settings",
        (person.id, host, person.name, msgspec.json.encode(person.settings).decode(), at),
    )


def language_of(person: Person, accepted: str) -> str:
    """The person's language, else the first one of the browser's that we speak, else English."""
    if person.settings.language in LANGUAGES:
        return person.settings.language
    return _first_of_ours(accepted[:LONGEST_WISH])


@lru_cache(1024)
def _first_of_ours(accepted: str) -> str:
    wanted = []
    for place, part in enumerate(accepted.split(",")[:12]):
        code, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            weight = 0.0
        wanted.append((-weight, place, code[:2].lower()))
    return next((code for _, _, code in sorted(wanted) if code in LANGUAGES), "en")
