"""A program at the web table: a token made on the page, and the API."""

from __future__ import annotations

import html
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.web.guest import Guest

ALL = ("read", "play", "webhooks")


def bot_name(name: str) -> str:
    """A name that no other bot of the shared server has."""
    return f"{name}-{secrets.token_hex(3)}"


def make_token(guest: Guest, bot: str = "", scopes: tuple[str, ...] = ALL, label: str = "") -> str:
    """Make a token on the page."""
    fields = dict.fromkeys(scopes, "1")
    answer = guest.form("/programs", label=label or bot or "mine", bot=bot, **fields)
    assert answer.status_code == 200, answer.text
    found = re.search(r'value="(veillee_[^"]+)"', answer.text)
    assert found, answer.text
    return html.unescape(found[1])


class Program:
    """`Program(address, token).get("/tables")`."""

    def __init__(self, address: str, token: str = "", language: str = "en") -> None:
        headers = {"accept-language": language}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self.http = httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=20)

    @classmethod
    def of(cls, address: str, bot: str = "", name: str = "Ada") -> Program:
        """The program of somebody new, or of their bot."""
        guest = Guest(address)
        guest.form("/settings", name=name)
        return cls(address, make_token(guest, bot))

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, path: str, status: int = 200, key: str = "", **fields: Any) -> Any:
        headers = {"idempotency-key": key} if key else {}
        answer = self.http.post(path, json=fields, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def open(self, game: str = "nomads", seats: str = "me random", **fields: Any) -> Any:
        """Open a table."""
        return self.post(
            "/tables", 201, game=game, seats=seats.split(), **({"pace": "none"} | fields)
        )

    @contextmanager
    def lines(self, path: str) -> Iterator[Iterator[Any]]:
        """The messages of a stream by lines."""
        with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("application/x-ndjson")
            yield (json.loads(line) for line in answer.iter_lines() if line)
