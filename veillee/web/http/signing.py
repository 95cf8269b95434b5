"""Signed cookies and tickets."""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Any

import itsdangerous
import msgspec

from veillee.web.tables.commands import SeatTicket

TICKET_AGE = 24 * 3600
"""Seconds for which the link that moves a seat is good."""


class Signer:
    """Signs what goes out and must come back unchanged, each for one purpose."""

    def __init__(self, keys: str) -> None:
        """Sign with the last of the keys, which are separated by commas; accept all."""
        self.keys = keys
        self._keys = [bytes.fromhex(key) for key in keys.split(",")]
        self._people = self._signer("person")
        self._tables = self._signer("table")
        self._seats = itsdangerous.TimestampSigner(self._keys, salt="seat", **_HOW)
        self._mail = itsdangerous.TimestampSigner(self._keys, salt="mail", **_HOW)
        self._person_of = lru_cache(20_000)(self._read_person)

    def _signer(self, purpose: str) -> itsdangerous.Signer:
        return itsdangerous.Signer(self._keys, salt=purpose, **_HOW)

    def sign_person(self, person: str) -> str:
        return self._people.sign(person).decode()

    def person_of(self, cookie: str) -> str | None:
        """Return the person of a cookie; None if its signature is wrong."""
        return self._person_of(cookie)

    def _read_person(self, cookie: str) -> str | None:
        return _unsigned(self._people, cookie) or self._person_of_old(cookie)

    def _person_of_old(self, cookie: str) -> str | None:
        """The person of a cookie of version 0.1."""
        person, _, mark = cookie.rpartition(".")
        text = f"person\0{person}".encode()
        marks = [hmac.new(key, text, hashlib.sha256).hexdigest()[:40] for key in self._keys]
        same = any(hmac.compare_digest(mark.encode(), each.encode()) for each in marks)
        return person if person and same else None

    def digest(self, network: str) -> str:
        """A digest of a client's network, from which nobody without the key can tell it."""
        made = hmac.new(self._keys[-1], f"network\0{network}".encode(), hashlib.sha256)
        return made.hexdigest()[:16]

    def sign_table(self, table_id: str) -> str:
        """A ticket for a table that is yet to be opened."""
        return self._tables.sign(table_id).decode()

    def table_of(self, ticket: str) -> str | None:
        return _unsigned(self._tables, ticket)

    def sign_seat(self, ticket: SeatTicket) -> str:
        fields = ".".join(map(str, ticket))
        return self._seats.sign(fields).decode()

    def sign_mail(self, person: str, address: str) -> str:
        """A ticket that proves that somebody reads the mail at an address."""
        return self._mail.sign(f"{person} {address}").decode()

    def mail_of(self, text: str) -> tuple[str, str] | None:
        """The person and the address of a ticket."""
        try:
            person, _, address = self._mail.unsign(text, TICKET_AGE).decode().partition(" ")
        except (itsdangerous.BadSignature, UnicodeError):
            return None
        return person, address

    def seat_of(self, text: str, max_age: int = TICKET_AGE) -> SeatTicket | None:
        try:
            fields = self._seats.unsign(text, max_age).decode().split(".")
            return msgspec.convert(fields, SeatTicket, strict=False)
        except (itsdangerous.BadSignature, msgspec.ValidationError, UnicodeError):
            return None


_HOW: Any = {"key_derivation": "hmac", "digest_method": hashlib.sha256}


def _unsigned(signer: itsdangerous.Signer, text: str) -> str | None:
    try:
        return signer.unsign(text).decode()
    except (itsdangerous.BadSignature, UnicodeError):
        return None
