"""Signed cookies and tickets: each is good for one purpose, and some for a time."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from veillee.web.http.signing import Signer
from veillee.web.tables.commands import SeatTicket

KEY = "11" * 32
TICKET = SeatTicket("t", 1, "ab" * 8, 0)


def test_a_cookie_names_its_person() -> None:
    signer = Signer(KEY)
    assert signer.person_of(signer.sign_person("me")) == "me"
    assert Signer("22" * 32).person_of(signer.sign_person("me")) is None


@pytest.mark.parametrize("cookie", ["", "me", "me." + "0" * 40, ".", "\xe9.x", "a" * 5000])
def test_a_forged_cookie_is_nobodys(cookie: str) -> None:
    assert Signer(KEY).person_of(cookie) is None


def test_a_signature_is_for_one_purpose() -> None:
    signer = Signer(KEY)
    assert signer.table_of(signer.sign_table("t")) == "t"
    assert signer.table_of(signer.sign_person("t")) is None
    assert signer.seat_of(signer.sign_table("t.1.ab.0")) is None


def test_a_cookie_of_version_0_1_is_still_good() -> None:
    digest = hmac.new(bytes.fromhex(KEY), b"person\0me", hashlib.sha256).hexdigest()
    assert Signer(KEY).person_of(f"me.{digest[:40]}") == "me"
    assert Signer(KEY).person_of(f"you.{digest[:40]}") is None


def test_a_seat_ticket_is_good_for_a_day() -> None:
    signer = Signer(KEY)
    signed = signer.sign_seat(TICKET)
    assert signer.seat_of(signed) == TICKET
    assert signer.seat_of(signed, max_age=-1) is None
    assert signer.seat_of("0" + signed) is None
