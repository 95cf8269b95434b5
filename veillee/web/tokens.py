"""Tokens with which programs act for people, and the bots that people let play.

A token is 256 random bits. The store keeps its SHA-256 digest: what cannot be guessed needs no
slow hash, and who reads the store learns no token.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Collection, Sequence
from typing import NamedTuple, get_args

from veillee.client.types import Scope
from veillee.engine.refusal import Refusal
from veillee.web.bus import Bus, TokensRevoked
from veillee.web.clock import now
from veillee.web.database import Statement, Store, api_queries
from veillee.web.database.api_queries import TokenRow
from veillee.web.people import BOT_TITLE, LONGEST_NAME, People, Person, new_id, tidy_name
from veillee.web.tables.messages import Messages

PREFIX = "veillee_"
SCOPES: tuple[Scope, ...] = get_args(Scope)
MOST_TOKENS = 20
MOST_BOTS = 10
NOTED_EVERY = 3600_000
"""Milliseconds between two notes of when a token was last used."""
HANDLE = re.compile(r"[a-z0-9][a-z0-9_-]{1,19}")


class Token(NamedTuple):
    """A valid token: whom it acts for, and what it may do."""

    id: str
    person: str
    scopes: frozenset[str]


class Tokens:
    """`text = await tokens.make(owner, "laptop", ["read"])`, `await tokens.find(text)`."""

    def __init__(self, store: Store, bus: Bus, people: People, messages: Messages) -> None:
        self._store = store
        self._bus = bus
        self._people = people
        self._messages = messages

    async def make(
        self, owner: Person, label: str, scopes: Collection[str], handle: str = ""
    ) -> str:
        """Make a token for a person, or with a handle for a bot of theirs; return its text."""
        if len(await self.made_by(owner.id)) >= MOST_TOKENS:
            raise Refusal("illegal", "web.token.many", n=MOST_TOKENS)
        chosen = [scope for scope in SCOPES if scope in scopes]
        if not chosen:
            raise Refusal("illegal", "web.token.scopeless")
        person = await self._bot(owner, handle) if handle else owner.id
        text = PREFIX + secrets.token_urlsafe(32)
        row = TokenRow(
            new_id(), owner.id, person, tidy_name(label), " ".join(chosen), at := now(), at
        )
        await self._store.write(api_queries.insert_token(_digest(text), row))
        return text

    async def _bot(self, owner: Person, handle: str) -> str:
        """The owner's bot with a handle; a new one if nobody has it."""
        if not HANDLE.fullmatch(handle):
            raise Refusal("illegal", "web.token.handle")
        own = {name: person for person, name in await api_queries.bots_of(self._store, owner.id)}
        if handle in own:
            return own[handle]
        if len(own) >= MOST_BOTS:
            raise Refusal("illegal", "web.token.many", n=MOST_BOTS)
        person = new_id()
        if not await self._store.write(api_queries.insert_bot(person, owner.id, handle)):
            raise Refusal("late", "web.token.taken")
        await self._people.save(Person(person, (BOT_TITLE + handle)[:LONGEST_NAME]))
        return person

    async def find(self, text: str) -> Token | None:
        """The token with a text, None if there is none."""
        digest = _digest(text)
        row = await api_queries.token_by_digest(self._store, digest)
        if row is None:
            return None
        if row.used < now() - NOTED_EVERY:
            await self._store.write(api_queries.note_use(digest, now()))
        return Token(row.id, row.person, frozenset(row.scopes.split()))

    async def is_valid(self, token: Token) -> bool:
        """Tell whether a token is still valid."""
        return await api_queries.has_token(self._store, token.id)

    async def made_by(self, owner: str) -> Sequence[TokenRow]:
        return await api_queries.tokens_of(self._store, owner)

    async def bots_of(self, owner: str) -> dict[str, str]:
        """Handles of a person's bots, by person."""
        return dict(await api_queries.bots_of(self._store, owner))

    async def revoke(self, owner: str, token_id: str) -> None:
        if token_id.isprintable():  # PostgreSQL takes no NUL
            await self._delete(api_queries.delete_token(owner, token_id))

    async def revoke_all(self, person: str) -> None:
        """Revoke the tokens of a person and of their bots."""
        await self._delete(api_queries.delete_tokens_of(person))

    async def _delete(self, statement: Statement) -> None:
        """Delete tokens and end their streams: here before this returns, elsewhere by the bus."""
        ids = [str(row[0]) for row in await self._store.write_returning(statement)]
        if ids:
            self._messages.publish(TokensRevoked(ids))
            await self._bus.tell(TokensRevoked(ids))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
