"""People: no account, only a name that is remembered and a cookie that nobody can forge."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from veillee.engine.i18n import LANGUAGES, Words
from veillee.web.bus import Bus, MemoryBus, PersonChanged
from veillee.web.clock import now
from veillee.web.database import Store, queries

LONGEST_NAME = 24
LONGEST_ACCEPT_LANGUAGE = 200
MOST_CACHED = 20_000
SPEEDS = ("slow", "normal", "fast", "instant")
THEMES = ("auto", "light", "dark")
BOT_TITLE = "BOT "
"""Prefix of the names of bot accounts, which people's names can't have."""


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings of a person; "" leaves one to the browser."""

    language: str = ""
    theme: str = "auto"
    speed: str = "normal"
    sound: bool = False
    alerts: bool = False
    confirm: bool = True
    """Whether a move that was chosen must be confirmed."""
    keys: bool = True
    """Whether there are keyboard shortcuts."""


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str = ""
    settings: Settings = Settings()
    known: bool = False
    """Whether the person is stored."""


class People:
    """The people whom this server has met, and the names that tables show."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._alone = isinstance(bus, MemoryBus)
        self._people: dict[str, Person] = {}
        self.names: dict[str, str] = {}
        """By person or guest, "" for those who are forgotten."""

    async def find(self, person_id: str, *, cached: bool = False) -> Person:
        """A person by id. A cached one may have changed on another server."""
        person = self._people.get(person_id) if cached or self._alone else None
        if person is None:
            person = await self._read(person_id)
            if len(self._people) >= MOST_CACHED:
                self._people.clear()
            self._people[person_id] = person
        return person

    def cached(self, person_id: str) -> Person:
        """A person as far as this server remembers them."""
        return self._people.get(person_id) or Person(person_id)

    async def _read(self, person_id: str) -> Person:
        found = await queries.person_by_id(self._store, person_id)
        if found is None:
            return Person(person_id)
        name, settings = found
        return Person(person_id, name, msgspec.json.decode(settings, type=Settings), known=True)

    async def keep(self, person: Person, language: str) -> Person:
        """Make sure that a person is stored; one without a name gets one."""
        if person.known and person.name:
            return person
        name = person.name or Words(language)("web.traveller")
        return await self.save(msgspec.structs.replace(person, name=name))

    async def save(self, person: Person) -> Person:
        """Store a person, and tell all servers."""
        known = msgspec.structs.replace(person, known=True)
        settings = msgspec.json.encode(known.settings).decode()
        await self._store.write(queries.upsert_person(known.id, known.name, settings, now()))
        self._people[known.id] = known
        self.names[known.id] = known.name
        await self._bus.tell(PersonChanged(known.id))
        return known

    async def forget(self, person_id: str) -> None:
        """Delete a person's name, settings and list of tables. The games stay, without the name."""
        guests = await queries.guests_of(self._store, person_id)
        for statement in queries.delete_person(person_id):
            await self._store.write(statement)
        self._people.pop(person_id, None)
        self.names |= dict.fromkeys([person_id, *guests], "")
        await self._bus.tell(PersonChanged(person_id))

    async def refresh(self, person_id: str) -> None:
        """Read a person anew who changed on another server."""
        self._people.pop(person_id, None)

    # ------------------------------------------------------------ names

    def knows(self, keys: Iterable[str]) -> bool:
        return all(key in self.names for key in keys if key)

    async def learn_names(self, keys: Sequence[str], *, again: bool = False) -> None:
        """Have the names of people and guests at hand."""
        unknown = [key for key in dict.fromkeys(keys) if key and (again or key not in self.names)]
        if unknown:
            self.names |= await queries.names_of(self._store, unknown)

    def keep_names(self, keys: Iterable[str]) -> None:
        """Forget all names but these."""
        self.names = {key: self.names[key] for key in set(keys) if key in self.names}


def tidy_name(text: str) -> str:
    """A name as it is shown: no control characters, no change of direction, not too long.

    Nor does it begin with the title of bots, in whatever case or width.
    """
    kept = "".join(
        c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c)[0] != "C"
    )
    name = " ".join(kept.split())[:LONGEST_NAME].strip()
    while is_bot_name(unicodedata.normalize("NFKC", name).upper() + " "):
        name = name[len(BOT_TITLE) :].strip()
    return name


def is_bot_name(name: str) -> bool:
    """Whether a name is that of a bot account."""
    return name.startswith(BOT_TITLE)


def new_id() -> str:
    """An id that nobody can guess: 128 bits."""
    return secrets.token_urlsafe(16)


def language_of(person: Person, accepted: str) -> str:
    """The person's language, else the first one of the browser's that we have, else English."""
    if person.settings.language in LANGUAGES:
        return person.settings.language
    return accepted_language(accepted[:LONGEST_ACCEPT_LANGUAGE])


@lru_cache(1024)
def accepted_language(accepted: str) -> str:
    """The first language of an `Accept-Language` header that we have, else English."""
    wanted = []
    for place, part in enumerate(accepted.split(",")[:12]):
        code, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            weight = 0.0
        wanted.append((-weight, place, code[:2].lower()))
    return next((code for _, _, code in sorted(wanted) if code in LANGUAGES), "en")
