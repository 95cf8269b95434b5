"""Somebody at the web table, without a browser: forms, the script's posts, and the stream."""

from __future__ import annotations

import hashlib
import json
import os
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from veillee.web.http.signing import Signer

Told = tuple[dict[str, Any], dict[str, Any]]
"""What all see, and what one person sees."""


GOLDEN = Path(__file__).parents[1] / "golden"
KEY = "07" * 32
"""The signing key of the server that most tests share. Deals follow from it."""
TLS = ssl.create_default_context()
"""Shared by all clients: loading the certificates takes each of them 25 ms."""
_set: Counter[str] = Counter()


def same_deal() -> dict[str, str]:
    """Return what lets a server with that key deal as in every other run of a test.

    A table's seed follows from its id, which a ticket of the form may tell, and from the nonce.
    """
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    _set[test] += 1
    table_id = hashlib.sha256(f"{test} {_set[test]}".encode()).hexdigest()[:32]
    return {"ticket": Signer(KEY).sign_table(table_id), "nonce": "07" * 16}


class Guest:
    """One person with a cookie."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.http = httpx.Client(
            base_url=address, headers={"accept-language": language}, timeout=20, verify=TLS
        )
        assert self.http.get("/").status_code == 200

    def form(self, path: str, **fields: Any) -> httpx.Response:
        """Send a plain form."""
        return self.http.post(path, data={key: str(value) for key, value in fields.items()})

    def set_table(self, game: str = "nomads", seats: str = "me bot:random", **fields: Any) -> str:
        """Set a table; its path."""
        rows = {f"seat{i}": who for i, who in enumerate(seats.split())}
        chosen = {"watching": "1", "pace": "none"} | same_deal() | rows | fields
        answer = self.form("/new", game=game, **chosen)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def act(self, path: str, act: str, **fields: Any) -> httpx.Response:
        """Do something as the script does."""
        return self.http.post(
            f"{path}/{act}",
            json={key: str(value) for key, value in fields.items()},
            headers={"x-veillee": "1"},
        )

    def import_golden(self, game: str, players: int) -> str:
        """Upload a stored game; return the path of its replay."""
        record = (GOLDEN / f"{game}-{players}.json").read_bytes()
        answer = self.http.post("/import", files={"record": ("game.json", record)})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    @contextmanager
    def stream(self, path: str, query: str = "") -> Iterator[Iterator[Told]]:
        """What the server tells: pairs of what all see and what this person sees."""
        with self.http.stream("GET", f"{path}/live{query}") as answer:
            assert answer.status_code == 200, answer.read()
            yield _messages(answer.iter_lines())

    def look(self, path: str, query: str = "") -> Told:
        """The table as it is now."""
        with self.stream(path, query) as messages:
            return next(messages)

    def play_on(self, path: str, decisions: int = 10_000) -> int:
        """Take the first choice, so many times or to the end; how many decisions that were."""
        taken = 0
        with self.stream(path) as messages:
            for shared, own in messages:
                if shared["state"] == "over" or taken >= decisions:
                    break
                if own.get("yours"):
                    choices = own["choices"]["all"]
                    action = choices[taken % len(choices)]["action"]
                    answer = self.act(path, "play", action=action, moment=shared["moment"])
                    taken += answer.status_code == 200
        return taken


def _messages(lines: Iterator[str]) -> Iterator[Told]:
    data: list[str] = []
    for line in lines:
        if line.startswith("data: "):
            data.append(line[6:])
        elif not line and data:
            yield json.loads(data[0]), json.loads(data[1])
            data = []
